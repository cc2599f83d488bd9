//! The velocity obstacle: the model of [`super::rvo`] with people who each do all of the avoiding.

use super::rvo::{self, Rvo};
use super::{MakeModel, ModelSetup, everywhere};
use crate::crowd::Steering;
use crowdtune_core::registry::Entry;

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "velocity_obstacle",
    doc: "People who take the best velocity outside the velocity obstacles of the others, as if those never turned.",
    source: "Fiorini, Shiller, Int. J. Robotics Research 17, 760 (1998)",
    params: rvo::PARAMS_WITHOUT_SHARE,
    make: MakeModel { make, fits: everywhere, ..rvo::MAKE },
};

fn make(setup: &ModelSetup<'_>) -> Box<dyn Steering> {
    Box::new(Rvo::new(setup, |_| 1.0))
}
