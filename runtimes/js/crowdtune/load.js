// A crowd of crowdtune in plain JavaScript: `crowdtune.load(preset, place)`, then `step()`. Every number is a double.
"use strict";

(() => {
  const { vec, ZERO, Place, Crowd, SocialForce, FiveForce, Orca } = globalThis.crowdtune;

  const DIRECTIONS = ["four_forward", "four_diagonal", "seven"];
  /** Constants of each model with what they must be: a number, true or false, or one of some words. */
  const CONSTANTS = {
    social_force: {
      repulsion_strength_n: "number", repulsion_range_m: "number", wall_repulsion: "boolean",
      wall_repulsion_strength_n: "number", wall_repulsion_range_m: "number", body_stiffness_kg_per_s2: "number",
      sliding_friction_kg_per_m_s: "number", relaxation_time_s: "number", anisotropy: "number", negligible_m_per_s2: "number",
    },
    five_force: {
      attraction_weight: "number", separation_weight: "number", alignment_weight: "number", cohesion_weight: "number",
      repulsion_weight: "number", gain_m_per_s2: "number", field_of_view_deg: "number", range_diameters: "number",
      turn_limit_deg: "number", unit_time_s: "number", look_ahead_s: "number", clearance_m: "number",
      perceives: ["group", "all"], collision_strategies: "boolean", strategies_respect_turn_limit: "boolean",
      pedestrian_directions: DIRECTIONS, wall_directions: DIRECTIONS,
    },
    orca: {
      time_horizon_s: "number", obstacle_time_horizon_s: "number", neighbor_distance_m: "number", max_neighbors: "number",
      responsibility: "number", margin_m: "number", max_speed_factor: "number",
    },
  };

  /** A crowd from `preset.json` and `place.json`, as crowdtune writes them; throws an Error that names what is wrong in them. */
  function load(preset, place) {
    const groups = list(place, "groups");
    const wanted = CONSTANTS[place.model];
    if (!wanted) throw new Error(`model is ${place.model}: this runtime has ${Object.keys(CONSTANTS).join(", ")}`);
    const constants = groups.map((group) => readConstants(wanted, group.constants || {}, preset.values || {}));
    const people = list(place, "people").map(readPerson);
    const walls = list(place, "walls").map((wall, i) => [point(wall[0], `walls[${i}]`), point(wall[1], `walls[${i}]`)]);
    const goals = list(place, "goals").map(readGoal);
    const rings = place.rings || {};
    const where = new Place(walls, goals, [rings.x || null, rings.y || null]);
    return new Crowd(where, groups.map(readGroup), people, model(place.model, constants, people), number(place, "time_step_s"));
  }

  function model(name, constants, people) {
    if (name === "orca") return new Orca(constants);
    if (name === "five_force") return new FiveForce(constants);
    return new SocialForce(constants, people.reduce((least, person) => Math.min(least, person.mass), Infinity));
  }

  /** The constants of a group: its own, else those that all share. */
  function readConstants(wanted, own, shared) {
    const read = {};
    for (const [key, kind] of Object.entries(wanted)) {
      const value = key in own ? own[key] : shared[key];
      const fits = Array.isArray(kind) ? kind.includes(value) : typeof value === kind;
      if (!fits) throw new Error(`the constant ${key} is ${JSON.stringify(value)}, not ${Array.isArray(kind) ? kind.join(" or ") : `a ${kind}`}`);
      read[key] = value;
    }
    return read;
  }

  function list(from, key) {
    if (!Array.isArray(from[key])) throw new Error(`${key} is missing in the place, or is no list`);
    return from[key];
  }

  function number(from, key, where = "") {
    if (typeof from[key] !== "number") throw new Error(`${where}${key} is ${JSON.stringify(from[key])}, not a number`);
    return from[key];
  }

  function point(from, where) {
    if (!Array.isArray(from) || from.length !== 2 || from.some((x) => typeof x !== "number")) {
      throw new Error(`${where} is ${JSON.stringify(from)}, not a point [x, y]`);
    }
    return vec(from[0], from[1]);
  }

  function readGoal(goal, i) {
    const where = `goals[${i}]`;
    if (goal.door) return { name: goal.name, door: goal.door.map((post) => point(post, where)), out: point(goal.out, where) };
    if (goal.area) return { name: goal.name, area: goal.area.map((corner) => point(corner, where)) };
    return { name: goal.name, point: point(goal.point, where), radius: number(goal, "radius_m", `${where}.`) };
  }

  function readGroup(group, i) {
    const where = `groups[${i}]`;
    return {
      name: group.name,
      stages: list(group, "stages"),
      ownGoals: group.own_goals === true,
      rounds: group.rounds === true,
      heading: group.heading ? point(group.heading, `${where}.heading`) : null,
      stay: group.stay ? { at: point(group.stay.at, `${where}.stay.at`), radius: number(group.stay, "radius_m", `${where}.stay.`) } : null,
    };
  }

  function readPerson(person, id) {
    const get = (key) => number(person, key, `people[${id}].`);
    return {
      id,
      group: get("group"),
      rank: get("rank"),
      pos: vec(get("x"), get("y")),
      vel: vec(get("vx"), get("vy")),
      radius: get("radius_m"),
      mass: get("mass_kg"),
      speed: get("desired_speed_m_per_s"),
      // JSON has no infinity: null is no limit.
      maxSpeed: typeof person.max_speed_m_per_s === "number" ? person.max_speed_m_per_s : Infinity,
      start: get("start_time_s"),
      stage: 0,
      walks: false,
      way: ZERO,
      distance: 0,
      heading: ZERO,
    };
  }

  globalThis.crowdtune.load = load;
})();
