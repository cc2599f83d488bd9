//! A crowd that walks one way: what several experiments blame, shown by a line of its own.

use super::cures::CROWDING;
use super::ground::{few, rows};
use super::lab::{Lab, Plan, exact, run};
use super::{Line, Tolerance};
use crowdtune_core::Error;

/// People per m2.
const DENSITY: f64 = 3.0;
const RING_M: f64 = 20.0;
/// Wished by all, m/s.
const WISH_M_PER_S: f64 = 1.34;
/// Speed by Weidmann 1993 at this density, over the free speed: 0.331 / 1.34.
const WEIDMANN: f64 = 0.247;

/// Models whose published law is a speed that the gap ahead allows: nothing is to be excused.
const BY_GAP: [&str; 2] = ["collision_free_speed", "anticipation_velocity"];

/// What slows nobody down in a model that has no cure for it; `None` where [`CROWDING`] is one, as there the lines of the cured
/// law show the cause, and where people slow down by the gap ahead.
///
/// # Errors
/// If the lab fails.
pub fn cause(lab: &dyn Lab, model: &str) -> Result<Option<Line>, Error> {
    if CROWDING.is_for(model) || BY_GAP.contains(&model) { Ok(None) } else { keeps_speed(lab, model).map(Some) }
}

/// Runs people who all wish the same speed on a ring of 20 x 4 m at 3 per m2. The line holds where they hardly slow down,
/// although people do by three quarters: then nothing in the model slows people down who walk alike.
///
/// # Errors
/// If the lab fails.
fn keeps_speed(lab: &dyn Lab, model: &str) -> Result<Line, Error> {
    let count = (DENSITY * RING_M * 4.0).round() as usize;
    let text = format!(
        "title = \"All walk alike\"\npeople = {{ desired_speed_m_per_s = {WISH_M_PER_S:?}, radius_m = 0.18 }}\n\
         measure.speed = {{ metric = \"speed_mean_m_per_s\", window = {{ time_s = [10.0, 30.0] }} }}\n\
         [scenario.ring]\nwalkable = \"POLYGON ((0 0, 20 0, 20 4, 0 4, 0 0))\"\nperiodic = \"x\"\nlimit_s = 30.0\n\
         group.all = {{ count = {count}, from = {{ points = {} }}, to = {{ heading = [1, 0] }} }}\n",
        rows((0.0, 0.2), (RING_M, 3.8), count)
    );
    let ran = run(lab, &text, Plan { model, seeds: few(model, 3), record_every_s: None })?;
    let share = ran.figure(0, "speed").times(1.0 / WISH_M_PER_S);
    let label = "cause: share of the wished speed that people keep who all walk one way at 3 per m2";
    // Chosen here: what is left of the speed is nearer to all of it than to the quarter of real people.
    let line = Line::new(label, model, "", share, Tolerance::AtLeast(0.5 * (1.0 + WEIDMANN)));
    let mut line = [line.note("real people keep a quarter (Weidmann 1993)").reference(exact(WEIDMANN))];
    ran.judge(&mut line);
    let [line] = line;
    Ok(line)
}
