// A place: walls, and the goals that people walk to. Meters; walls are lines that may meet at their ends and cross
// nowhere else.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace crowdtune {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Ends closer than this meet, m.
inline constexpr double meet = 1e-9;

/// A point or a vector, m or m/s.
struct Vec2 {
    double x = 0.0; ///< East.
    double y = 0.0; ///< North.

    double dot(Vec2 o) const { return x * o.x + y * o.y; }
    /// Positive if `o` is to the left.
    double cross(Vec2 o) const { return x * o.y - y * o.x; }
    double length2() const { return dot(*this); }
    double length() const { return std::sqrt(length2()); }
    /// Turned left by a right angle.
    Vec2 left() const { return {-y, x}; }
    /// Of length 1; zero for what is shorter than 1e-12.
    Vec2 unit() const;
    /// Cut to a length of `most`.
    Vec2 limited(double most) const;
};

inline Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
inline Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
inline Vec2 operator*(Vec2 v, double s) { return {v.x * s, v.y * s}; }
inline Vec2 operator-(Vec2 v) { return {-v.x, -v.y}; }
inline Vec2& operator+=(Vec2& a, Vec2 b) { return a = a + b; }
inline Vec2& operator-=(Vec2& a, Vec2 b) { return a = a - b; }
inline bool operator==(Vec2 a, Vec2 b) { return a.x == b.x && a.y == b.y; }
inline bool operator!=(Vec2 a, Vec2 b) { return !(a == b); }

inline Vec2 Vec2::unit() const {
    const double l = length();
    return l > 1e-12 ? *this * (1.0 / l) : Vec2{};
}

inline Vec2 Vec2::limited(double most) const {
    const double l2 = length2();
    return l2 > most * most ? *this * (most / std::sqrt(l2)) : *this;
}

/// Part of a list.
template <class T>
struct Span {
    const T* first = nullptr;
    const T* last = nullptr;
    const T* begin() const { return first; }
    const T* end() const { return last; }
};

/// A point of a wall that acts on somebody.
struct Contact {
    double distance; ///< To the person's center, m.
    Vec2 normal;     ///< Unit vector from the wall to the person.
};

/// One side of a wall, seen from its right; sides are linked into chains around what is solid.
struct Edge {
    Vec2 from;  ///< Its left end, seen from the walkable side.
    Vec2 to;    ///< Its right end.
    Vec2 along; ///< Unit vector between them.
    std::size_t before = 0;
    std::size_t after = 0;
    bool convex = true; ///< True if the corner at `from` is convex or straight.
};

/// Reached within `radius` of a point.
struct PointGoal {
    Vec2 at;
    double radius = 0.0;
};

/// Reached one body radius past a line; `out` is the unit vector across it, away from where people come from.
struct DoorGoal {
    Vec2 a;
    Vec2 b;
    Vec2 out;
};

/// Reached inside an outline, counterclockwise.
struct AreaGoal {
    std::vector<Vec2> points;
};

/// Where people can go.
using Goal = std::variant<PointGoal, DoorGoal, AreaGoal>;

/// An interval of x or y, m, whose ends are one: whoever leaves at one end comes back at the other.
struct Ring {
    double low = 0.0;
    double high = 0.0;

    /// The shorter way round.
    double shorter(double way) const {
        const double length = high - low;
        return way > 0.5 * length ? way - length : way < -0.5 * length ? way + length : way;
    }

    /// The same place inside.
    double wrapped(double at) const {
        if (at >= low && at < high) {
            return at;
        }
        const double inside = at - (high - low) * std::floor((at - low) / (high - low));
        // Rounding may leave it at the upper end, which is the lower one.
        return inside < high ? std::max(inside, low) : low;
    }
};

/// The point of a line from `a` to `b` that is nearest to `p`.
inline Vec2 nearest(Vec2 a, Vec2 b, Vec2 p) {
    const Vec2 way = b - a;
    const double length2 = way.length2();
    if (length2 <= 0.0) {
        return a;
    }
    const double t = (p - a).dot(way) / length2;
    return t <= 0.0 ? a : t >= 1.0 ? b : a + way * t;
}

/// True inside an outline, by the even-odd rule.
inline bool is_inside(const std::vector<Vec2>& points, Vec2 p) {
    bool inside = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec2 a = points[i], b = points[(i + 1) % points.size()];
        if ((a.y <= p.y) != (b.y <= p.y)) {
            const double side = a.y < b.y ? (b - a).cross(p - a) : (a - b).cross(p - b);
            if (side > 0.0) {
                inside = !inside;
            }
        }
    }
    return inside;
}

/// `p` itself inside an outline, else the nearest point of the outline.
inline Vec2 nearest_of_area(const std::vector<Vec2>& points, Vec2 p) {
    if (is_inside(points, p)) {
        return p;
    }
    Vec2 best = p;
    double best2 = infinity;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec2 q = nearest(points[i], points[(i + 1) % points.size()], p);
        if ((p - q).length2() < best2) {
            best = q;
            best2 = (p - q).length2();
        }
    }
    return best;
}

/// Walls and goals.
class Place {
public:
    Place() = default;

    /// Joins walls that meet at their ends.
    Place(const std::vector<std::pair<Vec2, Vec2>>& lines, std::vector<Goal> all_goals) : goals(std::move(all_goals)) {
        std::vector<Vec2> at;
        for (const auto& [a, b] : lines) {
            const double length = (b - a).length();
            // It has no sides.
            if (!(length > 0.0)) {
                continue;
            }
            walls_.push_back({a, b, (b - a) * (1.0 / length), length, {corner(at, a), corner(at, b)}});
        }
        corners_.resize(at.size());
        for (std::size_t i = 0; i < walls_.size(); ++i) {
            const Wall& wall = walls_[i];
            corners_[wall.ends[0]].push_back({i, 0, wall.a, wall.along});
            corners_[wall.ends[1]].push_back({i, 1, wall.b, -wall.along});
        }
        link();
    }

    /// Goals; stages of groups hold their numbers.
    std::vector<Goal> goals;

    /// Rings of x and y; nothing where that axis goes on for ever.
    std::optional<Ring> ring_x;
    std::optional<Ring> ring_y;

    /// True if no axis is a ring.
    bool is_open() const { return !ring_x && !ring_y; }

    /// The vector from one point to another, the shorter way round in a ring.
    Vec2 apart(Vec2 from, Vec2 to) const {
        const Vec2 way = to - from;
        return {ring_x ? ring_x->shorter(way.x) : way.x, ring_y ? ring_y->shorter(way.y) : way.y};
    }

    /// The point inside the rings.
    Vec2 wrap(Vec2 p) const { return {ring_x ? ring_x->wrapped(p.x) : p.x, ring_y ? ring_y->wrapped(p.y) : p.y}; }

    /// Both sides of wall `i`: `2 i` and `2 i + 1`.
    const std::vector<Edge>& edges() const { return edges_; }

    /// Calls `f` for every point of a wall within `reach` of `p` that acts there: the nearest point of each wall, but a
    /// corner only where it is the nearest point of all walls that meet in it, and then once.
    template <class F>
    void contacts(Vec2 p, double reach, F&& f) const {
        for (std::size_t i = 0; i < walls_.size(); ++i) {
            const Wall& wall = walls_[i];
            const Vec2 from_a = p - wall.a;
            if (std::abs(wall.along.cross(from_a)) > reach) {
                continue;
            }
            const double t = from_a.dot(wall.along);
            Vec2 point = wall.a + wall.along * t;
            if (t <= meet || t >= wall.length - meet) {
                const std::vector<Arm>& arms = corners_[wall.ends[t <= meet ? 0 : 1]];
                const auto nearer_beside = [p](const Arm& arm) { return (p - arm.at).dot(arm.away) > meet; };
                if (arms[0].wall != i || std::any_of(arms.begin(), arms.end(), nearer_beside)) {
                    continue;
                }
                point = arms[0].at;
            }
            const Vec2 away = p - point;
            const double distance = away.length();
            if (distance <= reach) {
                f(Contact{distance, distance < meet ? wall.along.left() : away * (1.0 / distance)});
            }
        }
    }

    /// True if a straight step crosses a wall.
    bool crosses(Vec2 from, Vec2 to) const {
        return std::any_of(walls_.begin(), walls_.end(), [from, to](const Wall& wall) {
            const double s = wall.along.cross(from - wall.a), e = wall.along.cross(to - wall.a);
            if ((s >= 0.0) == (e >= 0.0)) {
                return false;
            }
            const double t = (from + (to - from) * (s / (s - e)) - wall.a).dot(wall.along);
            return t >= -meet && t <= wall.length + meet;
        });
    }

    /// Unit vector from `p` to a goal for a body of this radius: to a point, to the nearest point of an area, to a door
    /// as far from its posts as the body is wide; straight out on a door's line and past it, zero where the goal is
    /// reached.
    Vec2 toward(std::size_t goal, Vec2 p, double radius) const {
        if (const auto* point = std::get_if<PointGoal>(&goals[goal])) {
            return (p - point->at).length() <= point->radius ? Vec2{} : (point->at - p).unit();
        }
        if (const auto* area = std::get_if<AreaGoal>(&goals[goal])) {
            return (nearest_of_area(area->points, p) - p).unit();
        }
        const auto& door = *std::get_if<DoorGoal>(&goals[goal]);
        if (is_past(door, p, -1e-6, radius)) {
            return door.out;
        }
        const Vec2 along = (door.b - door.a).unit();
        const double length = (door.b - door.a).length();
        double t = (p - door.a).dot(along);
        t = length > 2.0 * radius ? std::min(std::max(t, radius), length - radius) : 0.5 * length;
        return (door.a + along * t - p).unit();
    }

    /// Straight distance from `p` to the nearest point of a goal, m; 0 past a door and inside an area.
    double distance(std::size_t goal, Vec2 p) const {
        if (const auto* point = std::get_if<PointGoal>(&goals[goal])) {
            return (point->at - p).length();
        }
        if (const auto* area = std::get_if<AreaGoal>(&goals[goal])) {
            return (nearest_of_area(area->points, p) - p).length();
        }
        const auto& door = *std::get_if<DoorGoal>(&goals[goal]);
        return is_past(door, p, 0.0, 0.0) ? 0.0 : (nearest(door.a, door.b, p) - p).length();
    }

    /// True if a step takes a body of this radius to a goal.
    bool is_reached(std::size_t goal, Vec2 from, Vec2 to, double radius) const {
        if (const auto* point = std::get_if<PointGoal>(&goals[goal])) {
            return (nearest(from, to, point->at) - point->at).length() <= point->radius;
        }
        if (const auto* area = std::get_if<AreaGoal>(&goals[goal])) {
            return is_inside(area->points, to);
        }
        const auto& door = *std::get_if<DoorGoal>(&goals[goal]);
        const double before = (from - door.a).dot(door.out), after = (to - door.a).dot(door.out);
        if (after < radius) {
            return false;
        }
        // Level with the door at the end, or while the body got through the line.
        return is_past(door, to, radius, radius) ||
               (before < radius &&
                is_past(door, from + (to - from) * ((radius - before) / (after - before)), 0.0, radius));
    }

private:
    /// A wall and the corners at its two ends.
    struct Wall {
        Vec2 a;
        Vec2 b;
        Vec2 along;
        double length;
        std::array<std::size_t, 2> ends;
    };

    /// A wall that ends in a corner, and its direction away from there.
    struct Arm {
        std::size_t wall;
        std::size_t end; ///< 0 for its end `a`, 1 for `b`.
        Vec2 at;
        Vec2 away;
    };

    /// Number of the corner at `p`; a new one if none is there.
    static std::size_t corner(std::vector<Vec2>& at, Vec2 p) {
        const auto found = std::find_if(at.begin(), at.end(), [p](Vec2 q) { return (p - q).length() <= meet; });
        const auto number = static_cast<std::size_t>(found - at.begin());
        if (found == at.end()) {
            at.push_back(p);
        }
        return number;
    }

    /// Links the sides of walls: at a corner the chain goes on with the next side to the left of where it came from.
    void link() {
        for (const Wall& wall : walls_) {
            edges_.push_back({wall.a, wall.b, wall.along});
            edges_.push_back({wall.b, wall.a, -wall.along});
        }
        std::vector<std::pair<double, std::size_t>> leaving;
        for (const std::vector<Arm>& arms : corners_) {
            leaving.clear();
            for (const Arm& arm : arms) {
                leaving.push_back({turn(arm.away), 2 * arm.wall + arm.end});
            }
            std::sort(leaving.begin(), leaving.end());
            for (std::size_t k = 0; k < leaving.size(); ++k) {
                const std::size_t comes = leaving[k].second ^ 1, after = leaving[(k + 1) % leaving.size()].second;
                edges_[comes].after = after;
                edges_[after].before = comes;
                edges_[after].convex = edges_[comes].along.cross(edges_[after].along) >= 0.0;
            }
        }
    }

    /// True at least `depth` past a door, level with it or up to `beside` to its side, with no wall in between.
    bool is_past(const DoorGoal& door, Vec2 p, double depth, double beside) const {
        const Vec2 along = (door.b - door.a).unit();
        const double length = (door.b - door.a).length(), t = (p - door.a).dot(along);
        if ((p - door.a).dot(door.out) < depth || t < -beside || t > length + beside) {
            return false;
        }
        const Vec2 on_line = door.a + along * std::min(std::max(t, 0.0), length);
        return !crosses(p, p + (on_line - p) * (1.0 - 1e-6));
    }

    /// Ascends with the angle of a unit vector from east, counterclockwise, from 0 to 4.
    static double turn(Vec2 v) {
        if (v.y >= 0.0) {
            return v.x >= 0.0 ? v.y : 2.0 - v.y;
        }
        return v.x < 0.0 ? 2.0 - v.y : 4.0 + v.y;
    }

    std::vector<Wall> walls_;
    std::vector<std::vector<Arm>> corners_;
    std::vector<Edge> edges_;
};

} // namespace crowdtune
