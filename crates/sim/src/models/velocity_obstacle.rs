//! The velocity obstacle: the model of [`super::rvo`] with people who each take on all of the avoidance.

use super::MakeModel;
use super::rvo::{self, Rvo};
use crowdtune_core::registry::Entry;

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "velocity_obstacle",
    doc: "People who take the best sampled velocity outside the velocity obstacles of the others, as if the others \
         never turned.",
    source: "Fiorini, Shiller, Int. J. Robotics Research 17, 760 (1998)",
    params: rvo::PARAMS_WITHOUT_SHARE,
    make: MakeModel { make: &|setup, settings| Box::new(Rvo::new(setup, settings, |_| 1.0)), ..rvo::MAKE },
};
