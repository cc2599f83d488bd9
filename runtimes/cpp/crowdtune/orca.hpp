// van den Berg, Guy, Lin, Manocha, Reciprocal n-Body Collision Avoidance (2011): the velocity nearest to the preferred
// one that stays free of collisions for some time, provided that all share the avoidance.
#pragma once

#include "people.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace crowdtune {

/// The model.
class Orca {
public:
    /// Constants of a group, with the keys of the preset.
    struct Constants {
        double time_horizon_s = 0.0;
        double obstacle_time_horizon_s = 0.0;
        double neighbor_distance_m = 0.0;
        std::size_t max_neighbors = 0;
        double responsibility = 0.0;
        double margin_m = 0.0;
        double max_speed_factor = 0.0;
    };

    /// Constants by group.
    explicit Orca(std::vector<Constants> groups) : groups_(std::move(groups)) {}

    /// How far people see each other, m.
    double reach(const std::vector<Person>&) const {
        double most = 0.0;
        for (const Constants& c : groups_) {
            most = std::max(most, c.neighbor_distance_m);
        }
        return most;
    }

    /// Velocities of the next step.
    void steer(const Place& place, const std::vector<Person>& people, const Cells& cells, double dt,
               std::vector<Vec2>& next) {
        for (std::size_t i = 0; i < people.size(); ++i) {
            const Person& me = people[i];
            const Constants& c = groups_[me.group];
            const double most = me.top_speed(c.max_speed_factor);
            next[i] = Vec2{};
            if (most <= 0.0) {
                continue;
            }
            lines_.clear();
            bound_by_walls(place, me, c, most, dt);
            const std::size_t hard = lines_.size();
            bound_by_people(place, people, cells, dt, i);
            next[i] = keep_off(place, me, solve(hard, most, me.way * me.preferred_speed()), dt);
        }
    }

private:
    /// Sine below which two lines are parallel.
    static constexpr double parallel = 1e-5;
    /// Beyond any speed, m/s: the offset of a line that forbids nothing.
    static constexpr double beyond_all = 1e6;
    /// Nearer people are at the same place, m.
    static constexpr double same_place = 1e-4;
    /// How much faster than allowed a step may approach a wall, m/s: rounding.
    static constexpr double slack = 1e-9;

    /// Velocities to the left of a line are allowed: its offset to the left of velocity 0, m/s, and its direction.
    struct Line {
        double offset;
        Vec2 along;

        static Line through(Vec2 point, Vec2 along) { return {along.cross(point), along}; }

        /// How far a velocity is on the wrong side, m/s.
        double beyond(Vec2 v) const { return offset - along.cross(v); }
    };

    /// A velocity, and how many of the lines it was chosen by: all, or those before the first that leaves nothing.
    struct Choice {
        Vec2 vel;
        std::size_t lines;
    };

    /// Directions that pass an end of a grown wall on its left and on its right.
    struct Legs {
        Vec2 left;
        Vec2 right;
    };

    /// A line for each wall that would be hit within the horizon, nearest first.
    void bound_by_walls(const Place& place, const Person& me, const Constants& c, double most, double dt) {
        const double radius = me.radius + c.margin_m, ahead = std::max(c.obstacle_time_horizon_s, dt);
        const double per = 1.0 / ahead, range = radius + most * ahead;
        const std::vector<Edge>& edges = place.edges();
        close_.clear();
        for (std::size_t right = 0; right < edges.size(); right += 2) {
            const Edge& edge = edges[right];
            const Vec2 way = me.pos - edge.from;
            const double side = edge.along.cross(way), t = way.dot(edge.along);
            const double length = (edge.to - edge.from).dot(edge.along);
            const double beside = t - std::min(std::max(t, 0.0), length);
            const double d2 = side * side + beside * beside;
            if (d2 <= range * range) {
                close_.push_back({d2, side > 0.0 ? right + 1 : right});
            }
        }
        std::sort(close_.begin(), close_.end());
        for (const auto& [d2, number] : close_) {
            const Edge& seen = edges[number];
            // Covered if both ends, grown by the body, are on the wrong side of one line.
            const Vec2 from = (seen.from - me.pos) * per, to = (seen.to - me.pos) * per;
            const double least = radius * per - 1e-5;
            const auto covers = [=](const Line& l) { return l.beyond(from) >= least && l.beyond(to) >= least; };
            if (std::any_of(lines_.begin(), lines_.end(), covers)) {
                continue;
            }
            if (const auto line = wall_line(place, number, me.pos, me.vel, radius, per)) {
                lines_.push_back(*line);
            }
        }
    }

    /// A line for each of the nearest people.
    void bound_by_people(const Place& place, const std::vector<Person>& people, const Cells& cells, double dt,
                         std::size_t i) {
        const Person& me = people[i];
        const Constants& c = groups_[me.group];
        close_.clear();
        cells.around(me.pos, [&](std::size_t j) {
            const double d2 = place.apart(me.pos, people[j].pos).length2();
            if (j == i || d2 >= c.neighbor_distance_m * c.neighbor_distance_m || c.max_neighbors == 0) {
                return;
            }
            // Kept in order; of equally near people the first stays in front.
            if (close_.size() < c.max_neighbors) {
                close_.push_back({d2, j});
            } else if (d2 < close_.back().first) {
                close_.back() = {d2, j};
            } else {
                return;
            }
            for (std::size_t at = close_.size() - 1; at > 0 && close_[at].first < close_[at - 1].first; --at) {
                std::swap(close_[at], close_[at - 1]);
            }
        });
        for (const auto& [d2, j] : close_) {
            const double theirs = groups_[people[j].group].responsibility;
            const double sum = c.responsibility + theirs;
            const double share = groups_.size() > 1 && sum > 0.0 ? c.responsibility / sum : 0.5;
            if (share > 0.0) {
                const double horizon = std::max(c.time_horizon_s, dt);
                const Vec2 way = place.apart(me.pos, people[j].pos);
                lines_.push_back(person_line(me, people[j], way, me.radius + c.margin_m, horizon, share, dt));
            }
        }
    }

    /// The velocity nearest to the wish that all lines allow, no faster than `most`; or the one that violates the lines
    /// of people least.
    Vec2 solve(std::size_t hard, double most, Vec2 wish) {
        const Choice first = plane(lines_, most, wish, wish.limited(most), false);
        Vec2 v = first.vel;
        double wrong = 0.0;
        for (std::size_t at = first.lines; at < lines_.size(); ++at) {
            const Line line = lines_[at];
            if (line.beyond(v) <= wrong) {
                continue;
            }
            const std::size_t fixed = std::min(hard, at);
            spare_.assign(lines_.data(), lines_.data() + fixed);
            for (std::size_t k = fixed; k < at; ++k) {
                // The line on which both are violated equally; of parallel ones that face the same way none is before
                // the other.
                const Vec2 way = lines_[k].along - line.along;
                const double length2 = way.length2();
                if (length2 <= parallel * parallel) {
                    spare_.push_back({-beyond_all, {1.0, 0.0}});
                } else {
                    const double per = 1.0 / std::sqrt(length2);
                    spare_.push_back({(lines_[k].offset - line.offset) * per, way * per});
                }
            }
            const Vec2 way = line.along.left();
            const Choice least = plane(spare_, most, way, way * most, true);
            // Stopped early only by rounding: then the velocity so far stays.
            if (least.lines == spare_.size()) {
                v = least.vel;
            }
            wrong = line.beyond(v);
        }
        return v;
    }

    /// The best velocity. Best is nearest to `want`, or with `toward` farthest in its direction.
    static Choice plane(const std::vector<Line>& lines, double most, Vec2 want, Vec2 start, bool toward) {
        Vec2 v = start;
        for (std::size_t at = 0; at < lines.size(); ++at) {
            if (lines[at].beyond(v) > 0.0) {
                const auto best = best_on_line(lines, at, most, want, toward);
                if (!best) {
                    return {v, at};
                }
                v = *best;
            }
        }
        return {v, lines.size()};
    }

    /// The best point of a line given those before it.
    static std::optional<Vec2> best_on_line(const std::vector<Line>& lines, std::size_t at, double most, Vec2 want,
                                            bool toward) {
        const double offset = lines[at].offset;
        const Vec2 along = lines[at].along;
        const double space = most * most - offset * offset;
        if (space < 0.0) {
            return std::nullopt;
        }
        double first = -std::sqrt(space), last = std::sqrt(space);
        for (std::size_t k = 0; k < at; ++k) {
            const Line& other = lines[k];
            const double sine = along.cross(other.along);
            const double gap = offset * along.dot(other.along) - other.offset;
            if (std::abs(sine) <= parallel) {
                if (gap < 0.0) {
                    return std::nullopt;
                }
            } else if (sine > 0.0) {
                last = std::min(last, gap / sine);
            } else {
                first = std::max(first, gap / sine);
            }
        }
        if (first > last) {
            return std::nullopt;
        }
        double t = along.dot(want);
        t = toward ? (t > 0.0 ? last : first) : std::min(std::max(t, first), last);
        return along * t + along.left() * offset;
    }

    /// The line due to somebody else: half of the smallest change (or another share of it) that keeps two bodies apart
    /// for the horizon.
    static Line person_line(const Person& me, const Person& other, Vec2 way, double radius, double horizon,
                            double share, double dt) {
        const Vec2 v = me.vel - other.vel;
        const double touch = radius + other.radius;
        const double d2 = way.length2(), touch2 = touch * touch;
        const double per = d2 > touch2 ? 1.0 / horizon : 1.0 / dt;
        const Vec2 w = v - way * per;
        const double w2 = w.length2(), on_way = w.dot(way);
        if (w2 <= 1e-14) {
            // In the very middle: straight apart.
            const double d = std::sqrt(d2);
            const Vec2 out = d > same_place ? way * (-1.0 / d) : parting(me.id, other.id);
            return Line::through(me.vel + out * (touch * per * share), -out.left());
        }
        if (d2 <= touch2 || (on_way < 0.0 && on_way * on_way > touch2 * w2)) {
            const double length = std::sqrt(w2);
            const Vec2 out = w * (1.0 / length);
            return Line::through(me.vel + out * ((touch * per - length) * share), -out.left());
        }
        double leg = std::sqrt(d2 - touch2);
        leg = way.cross(w) > 0.0 ? leg : -leg;
        const Vec2 along = (way * leg + way.left() * touch) * (1.0 / d2);
        return Line::through(me.vel + (along * v.dot(along) - v) * share, along);
    }

    /// The line due to one side of a wall; nothing if a neighboring side sets it.
    static std::optional<Line> wall_line(const Place& place, std::size_t number, Vec2 pos, Vec2 vel, double r,
                                         double per) {
        const std::vector<Edge>& edges = place.edges();
        const Edge& seen = edges[number];
        const Edge* left = &seen;
        const Edge* right = &edges[seen.after];
        const Vec2 to_left = left->from - pos, to_right = seen.to - pos;
        const double left2 = to_left.length2(), right2 = to_right.length2(), r2 = r * r;
        const double on_wall = -to_left.dot(seen.along) / (seen.to - seen.from).length();
        const double aside = seen.along.cross(to_left);
        const bool in_line = aside * aside <= r2;
        // In contact: no nearer.
        if (on_wall < 0.0 && left2 <= r2) {
            return line_if(left->convex, Vec2{}, off_end(to_left, seen));
        }
        if (on_wall > 1.0 && right2 <= r2) {
            const bool owns = right->convex && to_right.cross(right->along) >= 0.0;
            return line_if(owns, Vec2{}, off_end(to_right, seen));
        }
        if (on_wall >= 0.0 && on_wall <= 1.0 && in_line) {
            return Line::through(Vec2{}, -seen.along);
        }
        // Directions that pass on the left and on the right; at a concave corner the wall itself.
        Legs leg;
        Vec2 left_at = to_left, right_at = to_right;
        if (in_line && on_wall < 0.0) {
            // Seen end-on: the end at this side hides the rest.
            if (!left->convex) {
                return std::nullopt;
            }
            right = left;
            right_at = left_at;
            leg = legs(to_left, left2, r);
        } else if (in_line) {
            if (!right->convex) {
                return std::nullopt;
            }
            left = right;
            left_at = right_at;
            leg = legs(to_right, right2, r);
        } else {
            leg.left = left->convex ? legs(to_left, left2, r).left : -seen.along;
            leg.right = right->convex ? legs(to_right, right2, r).right : seen.along;
        }
        // A leg into the neighboring side is left to that side.
        const Vec2 back = -edges[left->before].along;
        bool left_foreign = false, right_foreign = false;
        if (left->convex && leg.left.cross(back) >= 0.0) {
            leg.left = back;
            left_foreign = true;
        }
        if (right->convex && leg.right.cross(right->along) <= 0.0) {
            leg.right = right->along;
            right_foreign = true;
        }
        // The nearest point of the velocity obstacle: on the cut between the ends, at a round end, or on a leg.
        const Vec2 left_end = left_at * per, right_end = right_at * per;
        const Vec2 from_left = vel - left_end, from_right = vel - right_end, between = right_end - left_end;
        const double t = in_line ? 0.5 : from_left.dot(between) / between.length2();
        const double on_left = from_left.dot(leg.left), on_right = from_right.dot(leg.right);
        if ((t < 0.0 && on_left < 0.0) || (in_line && on_left < 0.0 && on_right < 0.0)) {
            return round_end(from_left, left_end, r * per, to_left);
        }
        if (t > 1.0 && on_right < 0.0) {
            return round_end(from_right, right_end, r * per, to_right);
        }
        const bool cut = t >= 0.0 && t <= 1.0 && !in_line;
        const double to_cut = cut ? (from_left - between * t).length2() : infinity;
        const double to_left_leg = on_left < 0.0 ? infinity : (from_left - leg.left * on_left).length2();
        const double to_right_leg = on_right < 0.0 ? infinity : (from_right - leg.right * on_right).length2();
        if (to_cut <= to_left_leg && to_cut <= to_right_leg) {
            return line_if(true, left_end + (-left->along).left() * (r * per), -left->along);
        }
        if (to_left_leg <= to_right_leg) {
            return line_if(!left_foreign, left_end + leg.left.left() * (r * per), leg.left);
        }
        return line_if(!right_foreign, right_end + (-leg.right).left() * (r * per), -leg.right);
    }

    static std::optional<Line> line_if(bool owns, Vec2 point, Vec2 along) {
        return owns ? std::optional<Line>(Line::through(point, along)) : std::nullopt;
    }

    /// Direction of the line for a body that touches an end.
    static Vec2 off_end(Vec2 to_end, const Edge& edge) {
        const Vec2 along = to_end.left().unit();
        return along == Vec2{} ? -edge.along : along;
    }

    /// The line at the round end of a velocity obstacle.
    static Line round_end(Vec2 from_end, Vec2 end, double swollen, Vec2 to_end) {
        Vec2 out = from_end.unit();
        if (out == Vec2{}) {
            out = (-to_end).unit();
        }
        return Line::through(end + out * swollen, -out.left());
    }

    static Legs legs(Vec2 to, double distance2, double radius) {
        const double along = std::sqrt(std::max(0.0, distance2 - radius * radius));
        return {(to * along + to.left() * radius) * (1.0 / distance2),
                (to * along - to.left() * radius) * (1.0 / distance2)};
    }

    /// The velocity without what leads nearer to a wall than the body is wide; zero if nothing is left.
    static Vec2 keep_off(const Place& place, const Person& me, Vec2 wanted, double dt) {
        Vec2 vel = wanted;
        const double range = me.radius + wanted.length() * dt;
        for (int round = 0; round < 4; ++round) {
            bool turned = false;
            place.contacts(me.pos, range, [&](const Contact& wall) {
                const double into = -vel.dot(wall.normal) - std::max(0.0, wall.distance - me.radius) / dt;
                if (into > slack) {
                    vel += wall.normal * into;
                    turned = true;
                }
            });
            if (!turned) {
                return place.crosses(me.pos, me.pos + vel * dt) ? Vec2{} : vel;
            }
        }
        return Vec2{};
    }

    std::vector<Constants> groups_;
    std::vector<Line> lines_;
    std::vector<Line> spare_;
    std::vector<std::pair<double, std::size_t>> close_; ///< Distance squared, m2, and the number of an edge or a row.
};

} // namespace crowdtune
