// A crowd: one step of time, in which everybody picks a way, the model gives velocities, people move and leave.
#pragma once

#include "five_force.hpp"
#include "orca.hpp"
#include "people.hpp"
#include "social_force.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace crowdtune {

/// The model that steers everybody, with its constants by group.
using Model = std::variant<SocialForce, FiveForce, Orca>;

/// A crowd that steps.
class Crowd {
public:
    /// People ready to walk; groups and goals that others refer to must be there.
    Crowd(Place where, std::vector<Group> all_groups, std::vector<Person> everybody, Model steers, double step_s)
        : place(std::move(where)), groups(std::move(all_groups)), people(std::move(everybody)),
          model(std::move(steers)), dt(step_s) {}

    Place place;
    std::vector<Group> groups;  ///< What groups want.
    std::vector<Person> people; ///< Who is there, in the order of ids.
    Model model;                ///< What steers everybody.
    double dt;                  ///< Step, s.

    /// Ways of your own (a navigation mesh): the unit vector for a person, or nothing for straight to the goal.
    std::function<std::optional<Vec2>(const Person&, const Place&)> find_way;

    /// Simulated time, s.
    double time_s() const { return static_cast<double>(steps_) * dt; }

    /// One step.
    void step() {
        for (Person& person : people) {
            look_ahead(person);
        }
        next_.assign(people.size(), Vec2{});
        std::visit(
            [this](auto& steers) {
                // Across the seam of a ring anybody may be near: one square for all.
                cells_.fill(people, place.is_open() ? steers.reach(people) : infinity);
                steers.steer(place, people, cells_, dt, next_);
            },
            model);
        ++steps_;
        move_all();
    }

private:
    /// Where somebody wants to go now, and how far it is.
    void look_ahead(Person& person) const {
        const Group& group = groups[person.group];
        person.walks = person.walks || person.start_s <= time_s();
        person.way = Vec2{};
        person.distance = 0.0;
        if (const auto goal = chosen(group, person)) {
            person.way = place.toward(*goal, person.pos, person.radius);
            const bool stops = person.stage + 1 == group.stages.size() &&
                               std::holds_alternative<PointGoal>(place.goals[*goal]);
            person.distance = stops ? place.distance(*goal, person.pos) : infinity;
        } else if (group.heading) {
            person.way = *group.heading;
            person.distance = infinity;
        } else if (group.stay) {
            const Vec2 way = place.apart(person.pos, group.stay->at);
            person.distance = way.length();
            if (person.distance > group.stay->radius) {
                person.way = way.unit();
            }
        }
        if (find_way) {
            if (const auto way = find_way(person, place)) {
                person.way = *way;
            }
        }
        if (!person.walks) {
            person.way = Vec2{};
        }
    }

    /// Moves everybody; who has reached the last goal leaves.
    void move_all() {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < people.size(); ++i) {
            Person& person = people[i];
            const Vec2 from = person.pos, to = from + next_[i] * dt;
            person.pos = place.wrap(to);
            person.vel = next_[i];
            if (stays(person, from, to)) {
                people[kept++] = person;
            }
        }
        people.resize(kept);
    }

    /// False if a step ends the journey; counts the stages.
    bool stays(Person& person, Vec2 from, Vec2 to) const {
        const Group& group = groups[person.group];
        bool reached = false;
        for (const std::size_t goal : choice(group, person)) {
            reached = reached || place.is_reached(goal, from, to, person.radius);
        }
        if (!reached) {
            return true;
        }
        ++person.stage;
        if (person.stage == group.stages.size() && group.rounds) {
            person.stage = 0;
        }
        return person.stage < group.stages.size();
    }

    /// Goals that somebody can choose from now.
    static Span<std::size_t> choice(const Group& group, const Person& person) {
        if (person.stage >= group.stages.size()) {
            return {};
        }
        const std::vector<std::size_t>& stage = group.stages[person.stage];
        const std::size_t* first = stage.data();
        if (group.own_goals) {
            const std::size_t own = person.rank % stage.size();
            return {first + own, first + own + 1};
        }
        return {first, first + stage.size()};
    }

    /// The nearest of them.
    std::optional<std::size_t> chosen(const Group& group, const Person& person) const {
        std::optional<std::size_t> best;
        double least = infinity;
        for (const std::size_t goal : choice(group, person)) {
            const double distance = place.distance(goal, person.pos);
            if (!best || distance < least) {
                best = goal;
                least = distance;
            }
        }
        return best;
    }

    std::size_t steps_ = 0;
    Cells cells_;
    std::vector<Vec2> next_;
};

} // namespace crowdtune
