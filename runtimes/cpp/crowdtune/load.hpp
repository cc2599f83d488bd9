// Reads `preset.json` and `place.json`, as crowdtune writes them. The one file that needs nlohmann/json, version 3.
#pragma once

#include "crowd.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace crowdtune {
namespace detail {

/// A value of a file and its name there, for errors.
class Entry {
public:
    Entry(const nlohmann::json& value, std::string name) : value_(value), name_(std::move(name)) {}

    [[noreturn]] void fail(const std::string& why) const { throw std::runtime_error("`" + name_ + "` " + why); }

    /// True if the key is there and is not `null`.
    bool has(const char* key) const { return value_.is_object() && value_.contains(key) && !value_[key].is_null(); }

    Entry operator[](const char* key) const {
        if (!value_.is_object()) {
            fail("must be an object");
        }
        const auto found = value_.find(key);
        if (found == value_.end()) {
            throw std::runtime_error("`" + name_ + "." + key + "` is missing: add it or export the files again");
        }
        return {*found, name_ + "." + key};
    }

    std::vector<Entry> list() const {
        if (!value_.is_array()) {
            fail("must be a list");
        }
        std::vector<Entry> entries;
        for (std::size_t i = 0; i < value_.size(); ++i) {
            entries.emplace_back(value_[i], name_ + "[" + std::to_string(i) + "]");
        }
        return entries;
    }

    double number() const {
        if (!value_.is_number()) {
            fail("must be a number");
        }
        return value_.get<double>();
    }

    /// A whole number.
    std::size_t count() const {
        const double n = number();
        if (n < 0.0 || n > 1e9 || n != std::floor(n)) {
            fail("must be a whole number, 0 or more");
        }
        return static_cast<std::size_t>(n);
    }

    /// The number of one of so many things.
    std::size_t one_of(std::size_t many, const char* things) const {
        const std::size_t n = count();
        if (n >= many) {
            fail("is " + std::to_string(n) + ", but there are " + std::to_string(many) + " " + things +
                 ", counted from 0");
        }
        return n;
    }

    bool flag() const {
        if (!value_.is_boolean()) {
            fail("must be true or false");
        }
        return value_.get<bool>();
    }

    /// Number of a word among those that are known.
    int word(std::initializer_list<const char*> words) const {
        std::string known;
        int at = 0;
        for (const char* word : words) {
            if (value_ == word) {
                return at;
            }
            known += (at++ > 0 ? ", " : "") + std::string(word);
        }
        fail("is " + value_.dump() + ", but must be one of: " + known);
    }

    Vec2 point() const {
        if (!value_.is_array() || value_.size() != 2 || !value_[0].is_number() || !value_[1].is_number()) {
            fail("must be two numbers");
        }
        return {value_[0].get<double>(), value_[1].get<double>()};
    }

private:
    const nlohmann::json& value_;
    std::string name_;
};

/// The constants of a group: its own, else those that all share.
class GroupConstants {
public:
    GroupConstants(const Entry& preset, const Entry& group) : preset_(preset), group_(group) {}

    Entry operator[](const char* key) const {
        if (group_.has("constants") && group_["constants"].has(key)) {
            return group_["constants"][key];
        }
        return preset_["values"][key];
    }

private:
    Entry preset_;
    Entry group_;
};

inline SocialForce::Constants social_force(const GroupConstants& from) {
    SocialForce::Constants c;
    c.repulsion_strength_n = from["repulsion_strength_n"].number();
    c.repulsion_range_m = from["repulsion_range_m"].number();
    c.wall_repulsion = from["wall_repulsion"].flag();
    c.wall_repulsion_strength_n = from["wall_repulsion_strength_n"].number();
    c.wall_repulsion_range_m = from["wall_repulsion_range_m"].number();
    c.body_stiffness_kg_per_s2 = from["body_stiffness_kg_per_s2"].number();
    c.sliding_friction_kg_per_m_s = from["sliding_friction_kg_per_m_s"].number();
    c.relaxation_time_s = from["relaxation_time_s"].number();
    c.anisotropy = from["anisotropy"].number();
    c.negligible_m_per_s2 = from["negligible_m_per_s2"].number();
    return c;
}

inline FiveForce::Directions directions(const Entry& from) {
    return static_cast<FiveForce::Directions>(from.word({"four_forward", "four_diagonal", "seven"}));
}

inline FiveForce::Constants five_force(const GroupConstants& from) {
    FiveForce::Constants c;
    c.attraction_weight = from["attraction_weight"].number();
    c.separation_weight = from["separation_weight"].number();
    c.alignment_weight = from["alignment_weight"].number();
    c.cohesion_weight = from["cohesion_weight"].number();
    c.repulsion_weight = from["repulsion_weight"].number();
    c.gain_m_per_s2 = from["gain_m_per_s2"].number();
    c.field_of_view_deg = from["field_of_view_deg"].number();
    c.range_diameters = from["range_diameters"].number();
    c.turn_limit_deg = from["turn_limit_deg"].number();
    c.unit_time_s = from["unit_time_s"].number();
    c.look_ahead_s = from["look_ahead_s"].number();
    c.clearance_m = from["clearance_m"].number();
    c.perceives = static_cast<FiveForce::Perceives>(from["perceives"].word({"group", "all"}));
    c.collision_strategies = from["collision_strategies"].flag();
    c.strategies_respect_turn_limit = from["strategies_respect_turn_limit"].flag();
    c.pedestrian_directions = directions(from["pedestrian_directions"]);
    c.wall_directions = directions(from["wall_directions"]);
    return c;
}

inline Orca::Constants orca(const GroupConstants& from) {
    Orca::Constants c;
    c.time_horizon_s = from["time_horizon_s"].number();
    c.obstacle_time_horizon_s = from["obstacle_time_horizon_s"].number();
    c.neighbor_distance_m = from["neighbor_distance_m"].number();
    c.max_neighbors = from["max_neighbors"].count();
    c.responsibility = from["responsibility"].number();
    c.margin_m = from["margin_m"].number();
    c.max_speed_factor = from["max_speed_factor"].number();
    return c;
}

inline Model read_model(const Entry& preset, const Entry& place, const std::vector<Person>& people) {
    const int which = place["model"].word({"social_force", "five_force", "orca"});
    std::vector<GroupConstants> groups;
    for (const Entry& group : place["groups"].list()) {
        groups.emplace_back(preset, group);
    }
    const auto constants = [&groups](auto read) {
        std::vector<decltype(read(groups[0]))> all;
        std::transform(groups.begin(), groups.end(), std::back_inserter(all), read);
        return all;
    };
    if (which == 1) {
        return FiveForce(constants(five_force));
    }
    if (which == 2) {
        return Orca(constants(orca));
    }
    double lightest = infinity;
    for (const Person& person : people) {
        lightest = std::min(lightest, person.mass);
    }
    return SocialForce(constants(social_force), lightest);
}

inline Goal read_goal(const Entry& goal) {
    if (goal.has("door")) {
        const std::vector<Entry> posts = goal["door"].list();
        if (posts.size() != 2) {
            goal["door"].fail("must be two points");
        }
        return DoorGoal{posts[0].point(), posts[1].point(), goal["out"].point()};
    }
    if (goal.has("area")) {
        AreaGoal area;
        for (const Entry& point : goal["area"].list()) {
            area.points.push_back(point.point());
        }
        return area;
    }
    return PointGoal{goal["point"].point(), goal["radius_m"].number()};
}

inline std::pair<Vec2, Vec2> read_wall(const Entry& wall) {
    const std::vector<Entry> ends = wall.list();
    if (ends.size() != 2) {
        wall.fail("must be two points");
    }
    return {ends[0].point(), ends[1].point()};
}

inline std::optional<Ring> read_ring(const Entry& rings, const char* axis) {
    if (!rings.has(axis)) {
        return std::nullopt;
    }
    const Vec2 ends = rings[axis].point();
    if (!(ends.x < ends.y)) {
        rings[axis].fail("must be [low, high]");
    }
    return Ring{ends.x, ends.y};
}

inline Group read_group(const Entry& from, std::size_t goals) {
    Group group;
    for (const Entry& stage : from["stages"].list()) {
        group.stages.emplace_back();
        for (const Entry& goal : stage.list()) {
            group.stages.back().push_back(goal.one_of(goals, "goals"));
        }
        if (group.stages.back().empty()) {
            stage.fail("must have a goal");
        }
    }
    group.own_goals = from.has("own_goals") && from["own_goals"].flag();
    group.rounds = from.has("rounds") && from["rounds"].flag();
    if (from.has("heading")) {
        group.heading = from["heading"].point();
    }
    if (from.has("stay")) {
        group.stay = Stay{from["stay"]["at"].point(), from["stay"]["radius_m"].number()};
    }
    return group;
}

inline Person read_person(const Entry& from, std::size_t id, std::size_t groups) {
    Person person;
    person.id = id;
    person.group = from["group"].one_of(groups, "groups");
    person.rank = from["rank"].count();
    person.pos = {from["x"].number(), from["y"].number()};
    person.vel = {from["vx"].number(), from["vy"].number()};
    person.radius = from["radius_m"].number();
    person.mass = from["mass_kg"].number();
    person.speed = from["desired_speed_m_per_s"].number();
    if (from.has("max_speed_m_per_s")) {
        person.max_speed = from["max_speed_m_per_s"].number();
    }
    person.start_s = from["start_time_s"].number();
    return person;
}

} // namespace detail

/// Text of a file as JSON. Throws std::runtime_error with the name of the file.
inline nlohmann::json parse(const std::string& text, const std::string& name) {
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception& problem) {
        throw std::runtime_error(name + ": " + problem.what());
    }
}

/// A file as JSON. Throws std::runtime_error with the name of the file.
inline nlohmann::json read(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    if (!file) {
        throw std::runtime_error(name + ": cannot read this file; name it by its path, or run this in its folder");
    }
    return parse({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}, name);
}

/// A crowd from `preset.json` and `place.json`. Throws std::runtime_error with the key that is missing or is not what
/// it should be.
inline Crowd load(const nlohmann::json& preset, const nlohmann::json& place) {
    const detail::Entry from(place, "place");
    std::vector<Goal> goals;
    for (const detail::Entry& goal : from["goals"].list()) {
        goals.push_back(detail::read_goal(goal));
    }
    std::vector<std::pair<Vec2, Vec2>> walls;
    for (const detail::Entry& wall : from["walls"].list()) {
        walls.push_back(detail::read_wall(wall));
    }
    std::vector<Group> groups;
    for (const detail::Entry& group : from["groups"].list()) {
        groups.push_back(detail::read_group(group, goals.size()));
    }
    std::vector<Person> people;
    for (const detail::Entry& person : from["people"].list()) {
        people.push_back(detail::read_person(person, people.size(), groups.size()));
    }
    const double dt = from["time_step_s"].number();
    if (!(dt > 0.0)) {
        from["time_step_s"].fail("must be more than 0");
    }
    Place all(walls, std::move(goals));
    if (from.has("rings")) {
        all.ring_x = detail::read_ring(from["rings"], "x");
        all.ring_y = detail::read_ring(from["rings"], "y");
    }
    Model model = detail::read_model({preset, "preset"}, from, people);
    return Crowd(std::move(all), std::move(groups), std::move(people), std::move(model), dt);
}

} // namespace crowdtune
