//! A crowd of crowdtune in plain Rust: `load(preset, place)`, then `step()`. Needs `serde_json`; every number is an f64.

pub mod crowd;
pub mod five_force;
pub mod orca;
pub mod place;
pub mod social_force;

use crowd::{Crowd, Group, Model, Person};
use place::{Goal, Place, Vec2, vec2};
use serde_json::Value;

/// A crowd from `preset.json` and `place.json`, as crowdtune writes them.
///
/// # Errors
/// The key that is missing or is not what it should be.
pub fn load(preset: &Value, place: &Value) -> Result<Crowd, String> {
    let groups = list(place, "groups")?;
    let constants: Vec<Constants<'_>> =
        groups.iter().map(|group| Constants { own: &group["constants"], shared: &preset["values"] }).collect();
    let people = list(place, "people")?.iter().enumerate().map(|(id, person)| read_person(id, person));
    let people = people.collect::<Result<Vec<_>, _>>()?;
    let lightest = people.iter().map(|person| person.mass).fold(f64::INFINITY, f64::min);
    let model = match place["model"].as_str() {
        Some("social_force") => {
            let all = constants.iter().map(social_force).collect::<Result<_, _>>()?;
            Model::SocialForce(social_force::SocialForce::new(all, lightest))
        }
        Some("five_force") => {
            Model::FiveForce(five_force::FiveForce::new(constants.iter().map(five_force).collect::<Result<_, _>>()?))
        }
        Some("orca") => Model::Orca(orca::Orca::new(constants.iter().map(orca).collect::<Result<_, _>>()?)),
        other => return Err(format!("`model` is {other:?}: this runtime has social_force, five_force and orca")),
    };
    let walls = list(place, "walls")?.iter().map(|wall| Ok((point(&wall[0])?, point(&wall[1])?)));
    let walls = walls.collect::<Result<Vec<_>, String>>()?;
    let goals = list(place, "goals")?.iter().map(read_goal).collect::<Result<Vec<_>, _>>()?;
    let groups = groups.iter().map(read_group).collect::<Result<Vec<_>, _>>()?;
    let step = number(place, "time_step_s")?;
    let rings = [ring(&place["rings"]["x"])?, ring(&place["rings"]["y"])?];
    Ok(Crowd::new(Place::new(&walls, goals, rings), groups, people, model, step))
}

/// The constants of a group: its own, else those that all share.
struct Constants<'a> {
    own: &'a Value,
    shared: &'a Value,
}

impl Constants<'_> {
    fn get(&self, key: &str) -> &Value {
        self.own.get(key).unwrap_or(&self.shared[key])
    }

    fn number(&self, key: &str) -> Result<f64, String> {
        self.get(key).as_f64().ok_or_else(|| format!("the constant `{key}` is no number"))
    }

    fn switch(&self, key: &str) -> Result<bool, String> {
        self.get(key).as_bool().ok_or_else(|| format!("the constant `{key}` is neither true nor false"))
    }

    /// Number of a word among those that are known.
    fn word(&self, key: &str, words: &[&str]) -> Result<usize, String> {
        let said = self.get(key).as_str().unwrap_or_default();
        words.iter().position(|word| *word == said).ok_or_else(|| format!("the constant `{key}` is none of {words:?}"))
    }
}

fn social_force(c: &Constants<'_>) -> Result<social_force::Constants, String> {
    Ok(social_force::Constants {
        repulsion_strength_n: c.number("repulsion_strength_n")?,
        repulsion_range_m: c.number("repulsion_range_m")?,
        wall_repulsion: c.switch("wall_repulsion")?,
        wall_repulsion_strength_n: c.number("wall_repulsion_strength_n")?,
        wall_repulsion_range_m: c.number("wall_repulsion_range_m")?,
        body_stiffness_kg_per_s2: c.number("body_stiffness_kg_per_s2")?,
        sliding_friction_kg_per_m_s: c.number("sliding_friction_kg_per_m_s")?,
        relaxation_time_s: c.number("relaxation_time_s")?,
        anisotropy: c.number("anisotropy")?,
        negligible_m_per_s2: c.number("negligible_m_per_s2")?,
    })
}

fn five_force(c: &Constants<'_>) -> Result<five_force::Constants, String> {
    let directions = ["four_forward", "four_diagonal", "seven"];
    Ok(five_force::Constants {
        attraction_weight: c.number("attraction_weight")?,
        separation_weight: c.number("separation_weight")?,
        alignment_weight: c.number("alignment_weight")?,
        cohesion_weight: c.number("cohesion_weight")?,
        repulsion_weight: c.number("repulsion_weight")?,
        gain_m_per_s2: c.number("gain_m_per_s2")?,
        field_of_view_deg: c.number("field_of_view_deg")?,
        range_diameters: c.number("range_diameters")?,
        turn_limit_deg: c.number("turn_limit_deg")?,
        unit_time_s: c.number("unit_time_s")?,
        look_ahead_s: c.number("look_ahead_s")?,
        clearance_m: c.number("clearance_m")?,
        perceives_all: c.word("perceives", &["group", "all"])? == 1,
        collision_strategies: c.switch("collision_strategies")?,
        strategies_respect_turn_limit: c.switch("strategies_respect_turn_limit")?,
        pedestrian_directions: c.word("pedestrian_directions", &directions)?,
        wall_directions: c.word("wall_directions", &directions)?,
    })
}

fn orca(c: &Constants<'_>) -> Result<orca::Constants, String> {
    Ok(orca::Constants {
        time_horizon_s: c.number("time_horizon_s")?,
        obstacle_time_horizon_s: c.number("obstacle_time_horizon_s")?,
        neighbor_distance_m: c.number("neighbor_distance_m")?,
        max_neighbors: c.number("max_neighbors")? as usize,
        responsibility: c.number("responsibility")?,
        margin_m: c.number("margin_m")?,
        max_speed_factor: c.number("max_speed_factor")?,
    })
}

fn list<'a>(from: &'a Value, key: &str) -> Result<&'a [Value], String> {
    from[key].as_array().map(Vec::as_slice).ok_or_else(|| format!("`{key}` is no list"))
}

fn number(from: &Value, key: &str) -> Result<f64, String> {
    from[key].as_f64().ok_or_else(|| format!("`{key}` is no number"))
}

fn point(from: &Value) -> Result<Vec2, String> {
    match (from[0].as_f64(), from[1].as_f64()) {
        (Some(x), Some(y)) => Ok(vec2(x, y)),
        _ => Err(format!("{from} is no point [x, y]")),
    }
}

fn ring(from: &Value) -> Result<Option<(f64, f64)>, String> {
    if from.is_null() { Ok(None) } else { point(from).map(|ends| Some((ends.x, ends.y))) }
}

fn read_goal(goal: &Value) -> Result<Goal, String> {
    if let Some(posts) = goal.get("door") {
        return Ok(Goal::Door { a: point(&posts[0])?, b: point(&posts[1])?, out: point(&goal["out"])? });
    }
    if goal.get("area").is_some() {
        return Ok(Goal::Area { points: list(goal, "area")?.iter().map(point).collect::<Result<_, _>>()? });
    }
    Ok(Goal::Point { at: point(&goal["point"])?, radius: number(goal, "radius_m")? })
}

fn read_group(group: &Value) -> Result<Group, String> {
    let stage = |stage: &Value| -> Option<Vec<usize>> {
        stage.as_array()?.iter().map(|goal| goal.as_u64().map(|goal| goal as usize)).collect()
    };
    let stages = list(group, "stages")?.iter().map(|s| stage(s).ok_or_else(|| format!("{s} is no list of goals")));
    Ok(Group {
        stages: stages.collect::<Result<_, _>>()?,
        own_goals: group["own_goals"] == true,
        rounds: group["rounds"] == true,
        heading: group.get("heading").map(point).transpose()?,
        stay: group.get("stay").map(|at| Ok::<_, String>((point(&at["at"])?, number(at, "radius_m")?))).transpose()?,
    })
}

fn read_person(id: usize, person: &Value) -> Result<Person, String> {
    Ok(Person {
        id,
        group: number(person, "group")? as usize,
        rank: number(person, "rank")? as usize,
        pos: vec2(number(person, "x")?, number(person, "y")?),
        vel: vec2(number(person, "vx")?, number(person, "vy")?),
        radius: number(person, "radius_m")?,
        mass: number(person, "mass_kg")?,
        speed: number(person, "desired_speed_m_per_s")?,
        max_speed: person["max_speed_m_per_s"].as_f64().unwrap_or(f64::INFINITY),
        start_s: number(person, "start_time_s")?,
        stage: 0,
        walks: false,
        way: Vec2::ZERO,
        distance: 0.0,
        heading: Vec2::ZERO,
    })
}
