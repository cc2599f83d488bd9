//! Being together: gather, follow, guard, flock, mill.

use super::{Ground, MakeBehavior, OVERLAP, PACE, Want, ground};
use crowdtune_core::registry::Entry;

/// A place that draws everybody.
const PLACE: Ground = ground("open_field", 24, "wish = \"point\"\n");

/// One direction for all.
const POLARIZATION: Want = Want {
    name: "polarization",
    text: r#"metric = "polarization", at_least = 0.65"#,
    source: "Tunstrom and others, PLoS Comput. Biol. 9 (2013): a polarized school is above 0.65",
};

/// Near the goal, near each other.
pub static GATHER: Entry<MakeBehavior> = Entry {
    name: "gather",
    doc: "People come to one place and stay there, close to each other but each with room to stand.",
    source: "the gathering of Wang and Li 2006; measures and numbers chosen here, see its targets",
    params: &[],
    make: MakeBehavior {
        targets: &[
            Want {
                name: "goal_distance",
                text: r#"metric = "goal_distance_m", at_most = 3.0, weight = 2.0"#,
                source: "chosen here: 24 people with a meter to the next fill a disc of 2.6 m in radius",
            },
            Want {
                name: "dispersion",
                text: r#"metric = "dispersion_m", between = [0.5, 3.0]"#,
                source: "chosen here: as the distance to the goal; below 0.5 m two dozen bodies would be in each other",
            },
            Want {
                name: "elbow_room",
                text: r#"metric = "nearest_neighbor_m", at_least = 1.0"#,
                source: "chosen here: bodies of 0.6 m with 0.4 m between them, as people stand who are not pressed",
            },
            OVERLAP,
        ],
        scenarios: &[PLACE],
        anywhere: false,
        searched: &[],
    },
};

/// Behind a leader.
pub static FOLLOW: Entry<MakeBehavior> = Entry {
    name: "follow",
    doc: "People walk with somebody who leads, all the same way, at a distance that leaves room.",
    source: "the following of Wang and Li 2006; measures and numbers chosen here, see its targets",
    params: &[],
    make: MakeBehavior {
        targets: &[
            Want {
                name: "leader_distance",
                text: r#"metric = "leader_distance_m", between = [1.0, 4.0], weight = 2.0"#,
                source: "chosen here: from an arm's length to the far end of a group of two dozen with room to walk",
            },
            POLARIZATION,
            OVERLAP,
        ],
        scenarios: &[ground("leader", 15, "group.leader.people.desired_speed_m_per_s = 1.0\n")],
        anywhere: false,
        searched: &["range_diameters"],
    },
};

/// A ring around somebody.
pub static GUARD: Entry<MakeBehavior> = Entry {
    name: "guard",
    doc: "People surround somebody on all sides and keep their distance.",
    source: "the guarding of Wang and Li 2006; measures and numbers chosen here, see its targets",
    params: &[],
    make: MakeBehavior {
        targets: &[
            Want {
                name: "ring",
                text: r#"metric = "ring_coverage", at_least = 0.9, weight = 2.0"#,
                source: "chosen here: 12 guards at random angles cover 0.8, all on one side at most 0.6, and 8 at equal \
                         angles close the ring",
            },
            Want {
                name: "leader_distance",
                text: r#"metric = "leader_distance_m", between = [1.5, 2.5]"#,
                source: "chosen here: out of an arm's reach, a step or two away",
            },
            OVERLAP,
        ],
        scenarios: &[ground("guard", 12, "guarded_walks = true\nstart = \"beside\"\n")],
        anywhere: false,
        searched: &[],
    },
};

/// As birds do.
pub static FLOCK: Entry<MakeBehavior> = Entry {
    name: "flock",
    doc: "People move together in one direction as a flock: aligned, in one piece, without crowding.",
    source: "Reynolds 1987 (alignment, cohesion, separation); numbers as each target says",
    params: &[],
    make: MakeBehavior {
        targets: &[
            POLARIZATION,
            Want {
                name: "pieces",
                text: r#"metric = "connected_groups", at_most = 1.5"#,
                source: "chosen here: one piece for at least half of the time",
            },
            Want {
                name: "spacing",
                text: r#"metric = "nearest_neighbor_m", between = [1.0, 1.5]"#,
                source: "Hall 1966: among strangers personal distance ends at 1.2 m; chosen here: the band around it that \
                         is wider than real pairs and still linked (`pieces`)",
            },
            PACE,
            OVERLAP,
        ],
        scenarios: &[ground("open_field", 24, "wish = \"heading\"\nperiodic = \"xy\"\nstart_size_m = 8.0\n")],
        anywhere: false,
        searched: &[],
    },
};

/// Round and round.
pub static MILL: Entry<MakeBehavior> = Entry {
    name: "mill",
    doc: "People walk round a common center, like a school of fish that mills.",
    source: "Couzin and others 2002, Tunstrom and others 2013",
    params: &[],
    make: MakeBehavior {
        targets: &[
            Want {
                name: "milling",
                text: r#"metric = "milling", at_least = 0.65, weight = 2.0"#,
                source: "Tunstrom and others, PLoS Comput. Biol. 9 (2013): a milling school is above 0.65",
            },
            Want {
                name: "polarization",
                text: r#"metric = "polarization", at_most = 0.35"#,
                source: "Tunstrom and others 2013: a milling school is below 0.35",
            },
            PACE,
            OVERLAP,
        ],
        scenarios: &[ground("open_field", 24, "wish = \"point\"\ngoal_radius_m = 0.1\n")],
        anywhere: false,
        // Who turns slowly walks round the place instead of into it.
        searched: &["turn_limit_deg", "range_diameters"],
    },
};
