// Wang, Simulating Crowd Motion with Evolutionary Computation, NCCU 2005: five weighted forces, then one person after
// the other steps where nobody and nothing is.
#pragma once

#include "people.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace crowdtune {

/// The model.
class FiveForce {
public:
    /// Whom people perceive.
    enum class Perceives { group, all };

    /// Sets of directions.
    enum class Directions { four_forward, four_diagonal, seven };

    /// Constants of a group, with the keys of the preset.
    struct Constants {
        double attraction_weight = 0.0;
        double separation_weight = 0.0;
        double alignment_weight = 0.0;
        double cohesion_weight = 0.0;
        double repulsion_weight = 0.0;
        double gain_m_per_s2 = 0.0;
        double field_of_view_deg = 0.0;
        double range_diameters = 0.0;
        double turn_limit_deg = 0.0;
        double unit_time_s = 0.0;
        double look_ahead_s = 0.0;
        double clearance_m = 0.0;
        Perceives perceives = Perceives::group;
        bool collision_strategies = false;
        bool strategies_respect_turn_limit = false;
        Directions pedestrian_directions = Directions::four_forward;
        Directions wall_directions = Directions::four_forward;
    };

    /// Constants by group.
    explicit FiveForce(std::vector<Constants> groups) : groups_(std::move(groups)), traces_(groups_.size()) {}

    /// How far people see, m; at least as far as bodies can meet in a step.
    double reach(const std::vector<Person>& people) const {
        double widest = 0.0, range = 1.0;
        for (const Person& person : people) {
            widest = std::max(widest, person.radius);
        }
        for (const Constants& c : groups_) {
            range = std::max(range, c.range_diameters);
        }
        return 2.0 * widest * range;
    }

    /// Velocities of the next step.
    void steer(const Place& place, std::vector<Person>& people, const Cells& cells, double dt,
               std::vector<Vec2>& next) {
        for (Person& person : people) {
            if (person.heading == Vec2{} && person.walks && person.top_speed(1.0) > 0.0) {
                person.heading = first_heading(person);
            }
        }
        facing_.resize(people.size());
        wanted_.resize(people.size());
        mean_.resize(people.size());
        for (std::size_t i = 0; i < people.size(); ++i) {
            drive(place, people, cells, dt, i);
        }
        if (!people.empty() && groups_[0].collision_strategies) {
            walk(place, people, dt, next);
            return;
        }
        for (std::size_t i = 0; i < people.size(); ++i) {
            people[i].heading = facing_[i];
            next[i] = wanted_[i];
        }
    }

private:
    /// Nearer people are at the same place, m.
    static constexpr double same_place = 1e-4;
    /// Nearer to a wall touches it, m.
    static constexpr double contact = 1e-3;
    /// Sine of the angle to a wall below which a way slides along it.
    static constexpr double grazes = 1e-3;
    /// Most moves on the way to a wall, and how far each looks, m.
    static constexpr int most_moves = 24;
    static constexpr double most_look = 2.0;
    /// Overlap that is rounding, m.
    static constexpr double slack = 1e-10;
    /// Share of the speed below which the neighbors' velocity is no step.
    static constexpr double least_share = 0.1;
    /// Most points of a trace.
    static constexpr std::size_t most_points = 200;
    static constexpr double pi = 3.14159265358979323846;

    /// Where the first member of a group has walked.
    struct Trace {
        std::deque<Vec2> points;
        std::optional<std::size_t> leader;
    };

    /// Somebody in the way: where, and how near a step may come, m.
    struct Close {
        Vec2 at;
        double least;
    };

    /// What a step leads into.
    enum class Hit { nothing, person, wall };

    static double radians(double degrees) { return degrees * (pi / 180.0); }

    /// A set of directions, left before right.
    static Span<Vec2> turns(Directions which) {
        constexpr double half = 0.70710678118654752440;
        static constexpr Vec2 seven[] = {{half, half},   {half, -half},  {0.0, 1.0}, {0.0, -1.0},
                                         {-half, half},  {-half, -half}, {-1.0, 0.0}};
        static constexpr Vec2 diagonal[] = {{half, half}, {half, -half}, {-half, half}, {-half, -half}};
        switch (which) {
        case Directions::four_forward: return {seven, seven + 4};
        case Directions::four_diagonal: return {diagonal, diagonal + 4};
        case Directions::seven: break;
        }
        return {seven, seven + 7};
    }

    /// The five forces on one person, the highest speed and the turn limit.
    void drive(const Place& place, const std::vector<Person>& people, const Cells& cells, double dt, std::size_t i) {
        const Person& me = people[i];
        const Constants& c = groups_[me.group];
        const double cap = me.top_speed(1.0);
        mean_[i] = me.vel;
        facing_[i] = me.heading;
        wanted_[i] = Vec2{};
        if (!me.walks || cap <= 0.0) {
            return;
        }
        const double range = c.range_diameters * 2.0 * me.radius;
        const double view = c.field_of_view_deg < 360.0 ? std::cos(radians(0.5 * c.field_of_view_deg)) : -2.0;
        double count = 0.0;
        Vec2 apart, vel, to;
        cells.around(me.pos, [&](std::size_t j) {
            const Person& other = people[j];
            if (j == i || !(groups_[0].perceives == Perceives::all || other.group == me.group)) {
                return;
            }
            const Vec2 way = place.apart(me.pos, other.pos);
            const double d = way.length();
            if (d > range) {
                return;
            }
            if (d <= same_place) {
                count += 1.0;
                apart += parting(me.id, other.id);
                vel += other.vel;
            } else if (me.heading.dot(way) >= view * d) {
                count += 1.0;
                // 1/d, relative to its value in contact.
                apart -= way * (2.0 * me.radius / std::max(d * d, 2.0 * me.radius * d));
                vel += other.vel;
                to += way;
            }
        });
        const double sum = c.attraction_weight + c.separation_weight + c.alignment_weight + c.cohesion_weight +
                           c.repulsion_weight;
        const double share = sum > 0.0 ? c.gain_m_per_s2 / sum : 0.0;
        Vec2 acceleration;
        if (me.way != Vec2{} || me.distance > 0.0) {
            const Vec2 pace = me.way * (std::min(me.speed, cap) * std::min(1.0, me.distance / range));
            acceleration += ((pace - me.vel) * (0.5 / cap)).limited(1.0) * (share * c.attraction_weight);
        }
        if (count > 0.0) {
            mean_[i] = vel * (1.0 / count);
            acceleration += apart * (1.0 / count) * (share * c.separation_weight);
            acceleration += ((mean_[i] - me.vel) * (0.5 / cap)).limited(1.0) * (share * c.alignment_weight);
            acceleration += (to * (1.0 / (count * range))).limited(1.0) * (share * c.cohesion_weight);
        }
        const Vec2 way = me.vel.unit();
        if (c.repulsion_weight > 0.0 && way != Vec2{}) {
            const double speed = me.vel.length();
            if (const auto free = free_way(place, me.pos, way, me.radius, speed * c.look_ahead_s)) {
                // A brake: it can stop people but not push them back.
                const Vec2 push = way * (-me.radius / std::max(*free, me.radius) * share * c.repulsion_weight);
                acceleration += push.limited(speed / dt);
            }
        }
        const Vec2 wanted = (me.vel + acceleration * dt).limited(cap);
        std::tie(facing_[i], wanted_[i]) = turned(me.heading, wanted, most_turn(me, dt));
    }

    /// The largest turn of a step, radians.
    double most_turn(const Person& person, double dt) const {
        const Constants& c = groups_[person.group];
        return radians(c.turn_limit_deg) / c.unit_time_s * dt;
    }

    /// Moves everybody one after the other: each sees the new places of those before.
    void walk(const Place& place, std::vector<Person>& people, double dt, std::vector<Vec2>& next) {
        record(place, people);
        double fastest = 0.0, widest = 0.0;
        start_.clear();
        for (std::size_t i = 0; i < people.size(); ++i) {
            fastest = std::max(fastest, wanted_[i].length());
            widest = std::max(widest, people[i].radius);
            start_.push_back(people[i].pos);
        }
        at_ = start_;
        for (std::size_t i = 0; i < people.size(); ++i) {
            Person& me = people[i];
            const Vec2 wanted = wanted_[i];
            if (wanted == Vec2{}) {
                me.heading = facing_[i];
                next[i] = wanted;
                continue;
            }
            find_close(place, people, fastest, widest, dt, i);
            const Hit in_way = hit(place, me, wanted, dt);
            std::optional<Vec2> step = wanted;
            if (in_way != Hit::nothing) {
                const bool person = in_way == Hit::person;
                step = person ? aligned(place, me, i, dt) : traced(place, me, i, dt);
                if (!step) {
                    const Constants& c = groups_[0];
                    step = best(place, me, i, dt, turns(person ? c.pedestrian_directions : c.wall_directions));
                }
            }
            const Vec2 vel = step.value_or(Vec2{});
            at_[i] = place.wrap(start_[i] + vel * dt);
            next[i] = vel;
            // A sidestep turns the body no faster than the forces would; who is stopped keeps turning.
            const bool as_wanted = vel == wanted || vel == Vec2{};
            me.heading = as_wanted ? facing_[i] : turned(me.heading, vel, most_turn(me, dt)).first;
        }
    }

    /// Adds a point to the trace of each group for every body width that its first member has walked.
    void record(const Place& place, const std::vector<Person>& people) {
        for (const Person& person : people) {
            Trace& trace = traces_[person.group];
            if (!person.walks) {
                continue;
            }
            if (!trace.leader) {
                trace.leader = person.id;
            }
            if (*trace.leader != person.id) {
                continue;
            }
            if (trace.points.empty() || place.apart(trace.points.back(), person.pos).length() >= 2.0 * person.radius) {
                if (trace.points.size() == most_points) {
                    trace.points.pop_front();
                }
                trace.points.push_back(person.pos);
            }
        }
    }

    /// Lists who can be in the way of a step.
    void find_close(const Place& place, const std::vector<Person>& people, double fastest, double widest, double dt,
                    std::size_t i) {
        const Person& me = people[i];
        const double clearance = groups_[me.group].clearance_m;
        const double range = me.radius + widest + clearance + (wanted_[i].length() + fastest) * dt;
        close_.clear();
        for (std::size_t j = 0; j < people.size(); ++j) {
            if (j == i || place.apart(me.pos, start_[j]).length2() > range * range) {
                continue;
            }
            const Vec2 way = place.apart(me.pos, at_[j]);
            // The gap is kept to people ahead; of two people one is.
            const double along = way.dot(me.way + people[j].way);
            const bool ahead = along > 0.0 || (along == 0.0 && j < i);
            const double room = ahead ? clearance : 0.0;
            close_.push_back({me.pos + way, std::min(me.radius + people[j].radius + room - slack, way.length())});
        }
    }

    /// What a step leads into, walls first.
    Hit hit(const Place& place, const Person& me, Vec2 vel, double dt) const {
        const Vec2 p = me.pos, way = vel * dt, to = p + way;
        const double r = me.radius;
        if (place.crosses(p, to) || gap(place, to, r) < std::min(gap(place, p, r), r - slack)) {
            return Hit::wall;
        }
        const bool jumps = way.length() > r;
        for (const Close& close : close_) {
            if ((close.at - to).length() < close.least) {
                return Hit::person;
            }
            if (jumps) {
                const Vec2 apart = close.at - p;
                const double along = std::min(std::max(apart.dot(way) / way.length2(), 0.0), 1.0);
                if ((apart - way * along).length() < close.least) {
                    return Hit::person;
                }
            }
        }
        return Hit::nothing;
    }

    /// True if a step is free and turns no farther than it may.
    bool is_free(const Place& place, const Person& me, Vec2 vel, double dt) const {
        const Vec2 way = vel.unit();
        const bool may_turn = !groups_[0].strategies_respect_turn_limit ||
                              (way != Vec2{} && me.heading.dot(way) >= std::cos(most_turn(me, dt)));
        return may_turn && hit(place, me, vel, dt) == Hit::nothing;
    }

    /// The neighbors' mean velocity, no faster than wanted, if it leads on.
    std::optional<Vec2> aligned(const Place& place, const Person& me, std::size_t i, double dt) const {
        const Vec2 wanted = wanted_[i];
        const double speed = wanted.length();
        const Vec2 vel = mean_[i].limited(speed);
        if (vel.dot(wanted) >= least_share * speed * speed && is_free(place, me, vel, dt)) {
            return vel;
        }
        return std::nullopt;
    }

    /// The free one of some turns that leads farthest along the way; the first of equal ones.
    std::optional<Vec2> best(const Place& place, const Person& me, std::size_t i, double dt, Span<Vec2> ways) const {
        std::optional<Vec2> found;
        double most = 0.0;
        for (const Vec2 turn : ways) {
            const Vec2 vel = rotated(wanted_[i], turn);
            const double gain = vel.dot(me.way);
            if ((!found || gain > most) && is_free(place, me, vel, dt)) {
                found = vel;
                most = gain;
            }
        }
        return found;
    }

    /// Towards the newest point of the group's trace that is in sight and ahead.
    std::optional<Vec2> traced(const Place& place, const Person& me, std::size_t i, double dt) const {
        const Trace& trace = traces_[me.group];
        if (trace.leader == me.id) {
            return std::nullopt;
        }
        const Vec2 ahead = me.way == Vec2{} ? me.heading : me.way;
        const double range = groups_[me.group].range_diameters * 2.0 * me.radius, width = 2.0 * me.radius;
        for (auto point = trace.points.rbegin(); point != trace.points.rend(); ++point) {
            const Vec2 way = place.apart(me.pos, *point);
            const double d = way.length();
            if (d <= range && d >= width && way.dot(ahead) > 0.0 && !place.crosses(me.pos, me.pos + way)) {
                const Vec2 vel = way * (wanted_[i].length() / d);
                return is_free(place, me, vel, dt) ? std::optional<Vec2>(vel) : std::nullopt;
            }
        }
        return std::nullopt;
    }

    /// Along the velocity, else to the goal, else one direction for each id.
    static Vec2 first_heading(const Person& person) {
        const Vec2 along = person.vel.unit();
        if (along != Vec2{}) {
            return along;
        }
        return person.way != Vec2{} ? person.way : parting(person.id, person.id + 1);
    }

    /// Heading and velocity of who faces `heading` and wants a velocity, but turns no farther than `most` radians. The
    /// part of the velocity beyond is lost; a turn right round goes left.
    static std::pair<Vec2, Vec2> turned(Vec2 heading, Vec2 wanted, double most) {
        const Vec2 to = wanted.unit();
        if (to == Vec2{}) {
            return {heading, Vec2{}};
        }
        const double cosine = std::cos(most), sine = std::sin(most);
        if (most >= pi || heading.dot(to) >= cosine) {
            return {to, wanted};
        }
        const double side = heading.cross(to) < 0.0 ? -1.0 : 1.0;
        const Vec2 facing = rotated(heading, {cosine, side * sine}).unit();
        return {facing, facing * std::max(0.0, wanted.dot(facing))};
    }

    /// `v` turned left by the angle of a unit vector.
    static Vec2 rotated(Vec2 v, Vec2 by) { return {v.x * by.x - v.y * by.y, v.x * by.y + v.y * by.x}; }

    /// How far a body can move in a direction before it meets a wall, m; nothing if it can go the whole length.
    static std::optional<double> free_way(const Place& place, Vec2 p, Vec2 way, double radius, double length) {
        double gone = 0.0;
        for (int move = 0; move < most_moves; ++move) {
            const double look = std::max(std::min(length - gone, most_look - radius), contact);
            // A move brings no wall nearer than its own length.
            double room = look;
            place.contacts(p + way * gone, radius + look, [&](const Contact& wall) {
                if (way.dot(wall.normal) < -grazes) {
                    room = std::min(room, wall.distance - radius);
                }
            });
            if (room <= contact && room < look) {
                return gone;
            }
            gone += room;
            if (gone >= length) {
                return std::nullopt;
            }
        }
        return gone;
    }

    /// Distance to the nearest wall, or the radius where that is less.
    static double gap(const Place& place, Vec2 p, double radius) {
        double least = radius;
        place.contacts(p, radius, [&least](const Contact& wall) { least = std::min(least, wall.distance); });
        return least;
    }

    std::vector<Constants> groups_;
    std::vector<Trace> traces_;
    // By row: heading and velocity after the forces, mean velocity of those in sight.
    std::vector<Vec2> facing_;
    std::vector<Vec2> wanted_;
    std::vector<Vec2> mean_;
    // By row: where people were, and where those who have moved are now.
    std::vector<Vec2> start_;
    std::vector<Vec2> at_;
    std::vector<Close> close_;
};

} // namespace crowdtune
