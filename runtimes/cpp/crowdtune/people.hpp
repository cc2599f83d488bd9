// People, what groups want, and who is near whom.
#pragma once

#include "place.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace crowdtune {

/// Somebody.
struct Person {
    std::size_t id = 0;         ///< Never used again.
    std::size_t group = 0;      ///< Number of the group.
    std::size_t rank = 0;       ///< How many of the group were there before; picks the goal where each has their own.
    Vec2 pos;                   ///< Center of the body, m.
    Vec2 vel;                   ///< m/s.
    double radius = 0.0;        ///< m.
    double mass = 0.0;          ///< kg.
    double speed = 0.0;         ///< Speed that the person wants, m/s.
    double max_speed = infinity; ///< m/s; infinite for none.
    double start_s = 0.0;       ///< Starts to walk then, s.
    std::size_t stage = 0;      ///< Stages of the journey that are done.
    bool walks = false;         ///< False before the start.
    Vec2 way;                   ///< Unit vector to where the person wants to go; zero for nowhere.
    double distance = 0.0;      ///< To where the person will stop, m; infinite for who will not stop.
    Vec2 heading;               ///< Where the person faces, in the model five_force; zero before the first step.

    /// Highest speed, m/s: the own one, or so many times the desired one.
    double top_speed(double factor) const { return max_speed < infinity ? max_speed : factor * speed; }

    /// The speed with nobody in the way, m/s.
    double preferred_speed() const {
        // Time to walk the last meter to a point, s, so that nobody walks past it.
        constexpr double arrive_s = 1.0;
        return std::min(speed, distance / arrive_s);
    }
};

/// A point to stay at.
struct Stay {
    Vec2 at;
    double radius = 0.0; ///< m.
};

/// What the people of a group share.
struct Group {
    std::vector<std::vector<std::size_t>> stages; ///< Goals to choose from, stage after stage; none may be empty.
    bool own_goals = false;                       ///< True if each person has their own goal of each stage.
    bool rounds = false;                          ///< True if the journey starts over at its end.
    std::optional<Vec2> heading;                  ///< Direction of people without stages, a unit vector.
    std::optional<Stay> stay;                     ///< Where people without stages stay.
};

/// Who is in which square, so that neighbors are found without asking everybody.
class Cells {
public:
    /// Sorts everybody into squares at least `reach` wide.
    void fill(const std::vector<Person>& people, double reach) {
        Vec2 low, high;
        if (!people.empty()) {
            low = high = people[0].pos;
        }
        for (const Person& person : people) {
            low = {std::min(low.x, person.pos.x), std::min(low.y, person.pos.y)};
            high = {std::max(high.x, person.pos.x), std::max(high.y, person.pos.y)};
        }
        size_ = std::max(0.1, reach);
        corner_ = low;
        for (;; size_ *= 2.0) {
            columns_ = column(high) + 1;
            rows_ = row(high) + 1;
            // A few people in a large place need no million of cells.
            if (columns_ * rows_ <= 4 * people.size() + 64) {
                break;
            }
        }
        begin_.assign(columns_ * rows_ + 1, 0);
        for (const Person& person : people) {
            ++begin_[cell(person.pos) + 1];
        }
        for (std::size_t i = 1; i < begin_.size(); ++i) {
            begin_[i] += begin_[i - 1];
        }
        free_ = begin_;
        order_.resize(people.size());
        for (std::size_t i = 0; i < people.size(); ++i) {
            order_[free_[cell(people[i].pos)]++] = i;
        }
    }

    /// Calls `f` for everybody in the squares around somebody's place, row by row: all within the reach and some
    /// beyond.
    template <class F>
    void around(Vec2 p, F&& f) const {
        const std::size_t middle = column(p), level = row(p);
        const std::size_t left = middle - (middle > 0), right = std::min(middle + 1, columns_ - 1);
        for (std::size_t r = level - (level > 0); r <= std::min(level + 1, rows_ - 1); ++r) {
            const std::size_t to = begin_[r * columns_ + right + 1];
            for (std::size_t k = begin_[r * columns_ + left]; k < to; ++k) {
                f(order_[k]);
            }
        }
    }

private:
    /// Whole squares in a distance; none in NaN, which a way of your own may lead to.
    std::size_t squares(double distance) const {
        return distance > 0.0 ? static_cast<std::size_t>(distance / size_) : 0;
    }
    std::size_t column(Vec2 p) const { return squares(p.x - corner_.x); }
    std::size_t row(Vec2 p) const { return squares(p.y - corner_.y); }
    std::size_t cell(Vec2 p) const { return row(p) * columns_ + column(p); }

    double size_ = 1.0;
    Vec2 corner_;
    std::size_t columns_ = 0;
    std::size_t rows_ = 0;
    std::vector<std::size_t> begin_; ///< Where each cell begins in `order_`, and where the last one ends.
    std::vector<std::size_t> free_;
    std::vector<std::size_t> order_;
};

/// Direction in which two people at the same place part; opposite for the two.
inline Vec2 parting(std::size_t id, std::size_t other) {
    // The golden angle spreads pairs over all directions.
    const double angle = 2.399963229728653 * static_cast<double>(id + other);
    const Vec2 way{std::cos(angle), std::sin(angle)};
    return id < other ? way : -way;
}

} // namespace crowdtune
