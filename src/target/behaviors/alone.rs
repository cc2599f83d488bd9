//! Being apart: disperse.

use super::{MakeBehavior, OVERLAP, Want, ground};
use crowdtune_core::registry::Entry;

/// Away from each other.
pub static DISPERSE: Entry<MakeBehavior> = Entry {
    name: "disperse",
    doc: "People spread over the place until each has room.",
    source: "the dispersing of Wang and Li 2006; measures and numbers chosen here, see its targets",
    params: &[],
    make: MakeBehavior {
        targets: &[
            Want {
                name: "spacing",
                text: r#"metric = "nearest_neighbor_m", at_least = 2.5, weight = 2.0"#,
                source: "chosen here: 24 people at random in 20 x 20 m are 2.0 m from the nearest, on a lattice 4.1 m",
            },
            OVERLAP,
        ],
        scenarios: &[ground("open_field", 24, "start_size_m = 6.0\n")],
        anywhere: false,
        searched: &[],
    },
};
