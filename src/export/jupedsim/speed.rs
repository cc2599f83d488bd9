//! The two speed models, whose constants JuPedSim has one by one.

use super::translate;
use crate::export::{ExportInput, Placed};
use crowdtune_core::registry::Settings;

/// The width of the strip that counts as ahead, which JuPedSim does not have.
const HEADWAY_WIDTH: &str = "headway_width";

/// A model and its name there; constants are pairs of ours and theirs.
#[derive(Debug)]
pub struct Law {
    /// The model here.
    pub ours: &'static str,
    class: &'static str,
    /// Of the model, the same for everybody.
    shared: &'static [(&'static str, &'static str)],
    /// Whether the model draws numbers.
    draws: bool,
    /// Of each person.
    own: &'static [(&'static str, &'static str)],
}

/// Both.
pub static LAWS: [Law; 2] = [
    Law {
        ours: "collision_free_speed",
        class: "CollisionFreeSpeedModelV2",
        shared: &[],
        draws: false,
        own: &[
            ("time_gap_s", "time_gap"),
            ("repulsion_strength", "strength_neighbor_repulsion"),
            ("repulsion_range_m", "range_neighbor_repulsion"),
            ("wall_repulsion_strength", "strength_geometry_repulsion"),
            ("wall_repulsion_range_m", "range_geometry_repulsion"),
        ],
    },
    Law {
        ours: "anticipation_velocity",
        class: "AnticipationVelocityModel",
        shared: &[("wall_push", "pushout_strength")],
        draws: true,
        own: &[
            ("time_gap_s", "time_gap"),
            ("repulsion_strength", "strength_neighbor_repulsion"),
            ("repulsion_range_m", "range_neighbor_repulsion"),
            ("anticipation_time_s", "anticipation_time"),
            ("reaction_time_s", "reaction_time"),
            ("wall_buffer_m", "wall_buffer_distance"),
        ],
    },
];

impl Law {
    /// The lines of the script.
    pub fn text(&self, input: &ExportInput<'_>, place: &Placed<'_>) -> String {
        let of = |settings: &Settings<'_>, pairs: &[(&str, &str)]| -> Vec<String> {
            pairs.iter().map(|(ours, theirs)| format!("{theirs}={:?}", settings.get(ours))).collect()
        };
        let groups: Vec<Settings<'_>> = translate::settings(input.models[0].params, place).collect();
        let mut shared = groups.first().map_or_else(Vec::new, |first| of(first, self.shared));
        if self.draws {
            shared.push(format!("rng_seed={}", input.seed));
        }
        let class = self.class;
        let mut text = format!("MODEL = jps.{class}({})\nAGENT = jps.{class}AgentParameters\n\n", shared.join(", "));
        text += "# Constants of each group: times (s), strengths, ranges and gaps (m).\nGROUPS = [\n";
        groups.iter().for_each(|group| text += &format!("    dict({}),\n", of(group, self.own).join(", ")));
        text + "]\n\n"
    }

    /// What is different there.
    pub fn lost(&self, input: &ExportInput<'_>, place: &Placed<'_>) -> Vec<String> {
        let mut lost = vec![
            "Who is pushed through a wall ends the run there; in crowdtune everybody stops 1 cm before it.".to_owned(),
        ];
        if self.draws {
            lost.push(
                "The side on which somebody exactly ahead is passed is drawn from another stream of numbers.".into(),
            );
        }
        if translate::settings(input.models[0].params, place).any(|s| s.get(HEADWAY_WIDTH) < 1.0) {
            lost.push(format!(
                "The strip ahead is as wide as both bodies: JuPedSim has no `{HEADWAY_WIDTH}`, so a crowd there is slower than here."
            ));
        }
        lost.extend(translate::ways(place));
        lost
    }
}
