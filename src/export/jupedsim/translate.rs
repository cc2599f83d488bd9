//! From crowdtune's constants to JuPedSim's, and what is lost on the way.

use crate::export::Placed;
use crate::export::place::TIME_GAP;
use crowdtune_core::registry::{Param, Settings};
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::models::{SOCIAL_FORCE, felt_gap};

/// JuPedSim does not look further than this, m (source of 1.4.2).
const CUT_OFF_M: f64 = 2.5;
/// Largest step, s: JuPedSim's own default.
const STEP_S: f64 = 0.01;

/// Constants that JuPedSim takes per person; equal within a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerGroup {
    /// A, N.
    pub strength: f64,
    /// A of walls, N; 0 where walls do not repel.
    pub wall_strength: f64,
    /// B, m, for people and walls.
    pub range: f64,
    /// tau, s.
    pub relaxation: f64,
}

/// All constants of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Constants {
    /// k, kg/s2.
    pub body_force: f64,
    /// kappa of the preset, kg/(m s); the script cannot use it.
    pub friction: f64,
    /// Per group.
    pub groups: Vec<PerGroup>,
    /// Stiffest rate of two people in contact, 1/s.
    rate: f64,
    /// What is lost of the constants.
    pub warnings: Vec<String>,
}

/// The constants of each group, of a model with this list.
pub fn settings<'a>(params: &'static [Param], place: &'a Placed<'_>) -> impl Iterator<Item = Settings<'a>> {
    place.constants.iter().map(move |values| Settings::new(params, values))
}

impl Constants {
    /// The constants of a place; those of the first group where JuPedSim has one for all.
    pub fn new(place: &Placed<'_>, crowd: &Crowd) -> Self {
        let min_mass = crowd.mass.iter().copied().fold(f64::INFINITY, f64::min);
        let mut out = Self { body_force: 0.0, friction: 0.0, groups: Vec::new(), rate: 0.0, warnings: Vec::new() };
        if let Some(first) = settings(SOCIAL_FORCE.params, place).next() {
            out.body_force = first.get("body_stiffness_kg_per_s2");
            out.friction = first.get("sliding_friction_kg_per_m_s");
        }
        if out.friction > 0.0 {
            out.warn(format!(
                "Sliding friction ({:?} kg/(m s)) is left out: JuPedSim 1.4.2 gives the friction of walls the wrong sign, \
                 and the friction between people has the same constant.",
                out.friction
            ));
        }
        for s in settings(SOCIAL_FORCE.params, place) {
            let (strength, range) = (s.get("repulsion_strength_n"), s.get("repulsion_range_m"));
            let (walls, wall_range) = (s.on("wall_repulsion"), s.get("wall_repulsion_range_m"));
            let wall_strength = if walls { s.get("wall_repulsion_strength_n") } else { 0.0 };
            if wall_strength > 0.0 && wall_range != range {
                out.warn(format!(
                    "The repulsion of walls falls over {range:?} m instead of {wall_range:?} m: JuPedSim has one \
                     force_distance for people and walls."
                ));
            }
            let feels = felt_gap(strength, range, min_mass, s.get("negligible_m_per_s2"));
            if feels > CUT_OFF_M {
                out.warn(format!(
                    "People are felt up to {CUT_OFF_M} m instead of {feels:.1} m between bodies: JuPedSim's cut-off is fixed."
                ));
            }
            // Two bodies against each other: twice the spring rate of the contact and of the repulsion at contact.
            let stiffness = out.body_force + strength.max(wall_strength) / range;
            out.rate = out.rate.max((2.0 * stiffness / min_mass).sqrt());
            out.groups.push(PerGroup { strength, wall_strength, range, relaxation: s.get("relaxation_time_s") });
        }
        out
    }

    /// The lines of the script.
    pub fn text(&self) -> String {
        let mut text = format!("BODY_FORCE_KG_PER_S2 = {:?}\n", self.body_force);
        text += &format!(
            "# The preset has {:?} kg/(m s). JuPedSim 1.4.2 adds the friction of walls with the wrong sign, so that sliding\n\
             # along a wall accelerates until people are thrown out of the place. Friction between people has the right\n\
             # sign, but both share this one constant: it has to stay 0.\n\
             FRICTION_KG_PER_M_S = 0.0\n\
             MODEL = jps.SocialForceModel(body_force=BODY_FORCE_KG_PER_S2, friction=FRICTION_KG_PER_M_S)\n\
             AGENT = jps.SocialForceModelAgentParameters\n\n",
            self.friction
        );
        text += "# Constants of each group: A, A of walls (N), B (m), tau (s).\nGROUPS = [\n";
        for g in &self.groups {
            text += &format!(
                "    dict(agent_scale={:?}, obstacle_scale={:?}, force_distance={:?}, reaction_time={:?}),\n",
                g.strength, g.wall_strength, g.range, g.relaxation
            );
        }
        text + "]\n\n"
    }

    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// The step of the script, s, in which JuPedSim integrates explicitly: the preset's, at most 0.01 s, and no longer than the stiffest contact needs (half of
    /// the stability limit 2/rate); a whole number of steps makes 0.01 s.
    pub fn time_step(&self, wanted: f64) -> f64 {
        let longest = wanted.min(STEP_S).min(1.0 / self.rate.max(1e-9));
        STEP_S / (STEP_S / longest - 1e-9).ceil().max(1.0)
    }
}

/// What JuPedSim has no word for in the model, the people and the place.
pub fn lost(place: &Placed<'_>, crowd: &Crowd) -> Vec<String> {
    let any = |f: &dyn Fn(&Settings<'_>) -> bool| settings(SOCIAL_FORCE.params, place).any(|s| f(&s));
    let lost: [(bool, &str); 7] = [
        (any(&|s| s.get("anisotropy") != 1.0), "Anisotropy is left out: JuPedSim's people feel all directions alike."),
        (any(&|s| s.get("panic") > 0.0), "Herding (panic) is left out: JuPedSim has none."),
        (any(&|s| s.on("impatience")), "Impatience is left out: JuPedSim's people keep their desired speed."),
        (any(&|s| s.on("injuries")), "Injuries are left out: JuPedSim has none."),
        (any(&|s| s.get("noise_m_per_s2") > 0.0), "Noise is left out: JuPedSim has none."),
        (any(&|s| s.get(TIME_GAP) > 0.0), "The time gap is left out: JuPedSim's social force has none."),
        (
            crowd.max_speed.iter().any(|v| v.is_finite()),
            "The highest speed of people is left out: JuPedSim's social force has no cap.",
        ),
    ];
    lost.into_iter().filter(|(is, _)| *is).map(|(_, text)| text.to_string()).chain(ways(place)).collect()
}

/// What is lost of the ways that people take, whatever the model.
pub fn ways(place: &Placed<'_>) -> Vec<String> {
    let choose = place.scenario.groups.iter().any(|g| g.stages.iter().any(|s| s.len() > 1));
    let lost: [(bool, &str); 3] = [
        (place.scenario.world.plan.sight_m.is_some(), "Limited sight is left out: JuPedSim's people know the way."),
        (choose, "Who can choose between goals takes the one nearest to the start and keeps it."),
        (
            true,
            "People find their way by JuPedSim's shortest paths, to the middle of an exit and not to its nearest point; behind an exit the place ends after 2 m.",
        ),
    ];
    lost.into_iter().filter(|(is, _)| *is).map(|(_, text)| text.to_string()).collect()
}
