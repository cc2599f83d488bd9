//! Ways out and through: evacuate, flow, queue, lanes.

use super::{CORRIDOR, Ground, LEFT, MakeBehavior, OVERLAP, Want, ground};
use crowdtune_core::registry::Entry;

const ROOM: Ground = ground("room", 24, "width_m = 10.0\ndepth_m = 10.0\n");
const NECK: Ground = ground("bottleneck", 24, "");

/// Out, fast, all of them.
pub static EVACUATE: Entry<MakeBehavior> = Entry {
    name: "evacuate",
    doc: "Everybody leaves, soon, without being pressed into each other.",
    source: "the usual measures of evacuation studies; its limits as each target says",
    params: &[],
    make: MakeBehavior {
        targets: &[
            Want {
                name: "time",
                text: r#"metric = "evacuation_time_95_s", minimize = { good = 20.0, bad = 60.0 }, weight = 2.0"#,
                source: "chosen here: 24 people pass a door of 1 m at the 1.9 per second of Seyfried and others 2009 in \
                         13 s, after a walk of some 7 s; 60 s is as slow as a door that is half blocked",
            },
            LEFT,
            OVERLAP,
        ],
        scenarios: &[ROOM, ground("two_exits", 24, ""), NECK],
        anywhere: false,
        searched: &[],
    },
};

/// Steady and strong through a narrow place.
pub static FLOW: Entry<MakeBehavior> = Entry {
    name: "flow",
    doc: "People pass a narrow place as steadily and as many at a time as measured crowds do.",
    source: "bottleneck experiments of Kretz 2006, Seyfried and others 2009 and of Juelich",
    params: &[],
    make: MakeBehavior {
        targets: &[
            Want {
                name: "specific_flow",
                text: r#"metric = "specific_flow_per_m_s", between = [1.6, 2.6], weight = 2.0"#,
                source: "what bottlenecks of 0.8 to 2.5 m gave in the experiments",
            },
            GAPS,
            LEFT,
            OVERLAP,
        ],
        scenarios: &[NECK, ROOM],
        anywhere: false,
        searched: &[],
    },
};

/// No long gap between two who pass.
const GAPS: Want = Want {
    name: "gaps",
    text: r#"metric = "time_gap_p95_s", at_most = 1.6"#,
    source: "run 040 of the Juelich bottleneck experiments, a door of 0.5 m: 95 % of the gaps are below 1.57 s",
};

/// Waiting without pressing.
pub static QUEUE: Entry<MakeBehavior> = Entry {
    name: "queue",
    doc: "People wait for their turn in front of a narrow place, with room between them, and none is forgotten.",
    source: "chosen here: a jam turned around, see its targets",
    params: &[],
    make: MakeBehavior {
        targets: &[
            Want {
                name: "waiting",
                text: r#"metric = "stop_share", between = [0.2, 0.7], weight = 2.0"#,
                source: "chosen here: more than a fifth of the time is spent standing, which a free passage lacks; \
                         above 0.7 nothing moves (0.62 in the densest single file of Juelich, 70 people on 26 m)",
            },
            Want {
                name: "room_to_wait",
                text: r#"metric = "nearest_neighbor_m", at_least = 0.8"#,
                source: "chosen here: two bodies of 0.6 m with two hands between them",
            },
            LEFT,
            OVERLAP,
        ],
        scenarios: &[NECK, ROOM],
        anywhere: false,
        searched: &[],
    },
};

/// Two directions that sort themselves.
pub static LANES: Entry<MakeBehavior> = Entry {
    name: "lanes",
    doc: "Two crowds that meet sort themselves into lanes, and keep walking.",
    source: "Rex and Loewen 2007, Nowak and Schadschneider 2012; numbers of the Juelich corridor of 4 m, run b_03",
    params: &[],
    make: MakeBehavior {
        targets: &[
            Want {
                name: "lanes",
                text: r#"metric = "lane_order_reduced", at_least = 0.6, weight = 2.0"#,
                source: "the corridor gave 0.70; chosen here: 0.1 less still shows lanes",
            },
            Want {
                name: "walking",
                text: r#"metric = "speed_mean_m_per_s", at_least = 0.9"#,
                source: "0.8 people per meter and second at 0.9 people per square meter, a little below the corridor's",
            },
            OVERLAP,
        ],
        scenarios: &[CORRIDOR],
        anywhere: false,
        searched: &[],
    },
};
