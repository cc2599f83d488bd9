//! The ways to say what is wanted of a metric, as users see them.

/// One key of a `[target.*]` table that says what is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetKind {
    /// The key.
    pub name: &'static str,
    /// What it means for the loss, in one sentence.
    pub doc: &'static str,
    /// A whole target on one line of TOML.
    pub example: &'static str,
}

const fn kind(name: &'static str, doc: &'static str, example: &'static str) -> TargetKind {
    TargetKind { name, doc, example }
}

/// All kinds; a target has exactly one of them.
pub static TARGETS: &[TargetKind] = &[
    kind(
        "minimize",
        "As small as possible: loss 0 up to `good`, 1 at `bad`, linear beyond it too; alone in one of several objectives it goes on below `good`.",
        "target.time = { metric = \"evacuation_time_95_s\", minimize = { good = 20.0, bad = 60.0 } }",
    ),
    kind(
        "maximize",
        "As large as possible: loss 0 from `good` on, 1 at `bad`, linear beyond it too; alone in one of several objectives it goes on above `good`.",
        "target.speed = { metric = \"speed_mean_m_per_s\", maximize = { good = 1.3, bad = 0.5 } }",
    ),
    kind(
        "equals",
        "This value within a tolerance, which is also the unit of the loss outside; with `loss = \"squares\"` the loss is the square of how many tolerances it is off, without a band.",
        "target.flow = { metric = \"flow_per_s\", equals = 1.9, tolerance = \"10 %\" }",
    ),
    kind(
        "between",
        "A band; half its width is the unit of the loss outside.",
        "target.flow = { metric = \"flow_per_s\", between = [1.5, 2.2] }",
    ),
    kind(
        "at_most",
        "An upper limit; its size (or `scale`) is the unit of the loss above.",
        "target.overlap = { metric = \"overlap_max_m\", at_most = 0.05, must = true }",
    ),
    kind(
        "at_least",
        "A lower limit; its size (or `scale`) is the unit of the loss below.",
        "target.out = { metric = \"people_out\", at_least = 40, window = { time_s = [0.0, 30.0] } }",
    ),
    kind(
        "points",
        "A curve over an `each` key of the scenario: the mean loss over its points, each with its tolerance; `loss = \"squares\"` as for `equals`.",
        "target.flow = { metric = \"flow_per_s\", over = \"width_m\", points = [[0.8, 1.3], [1.0, 1.9]], tolerance = \"10 %\" }",
    ),
    kind(
        "like",
        "A distribution, from a list or a file: the distance of the single measurements of a run from it.",
        "target.gaps = { metric = \"time_gap_mean_s\", like = [0.3, 0.5, 0.9], by = \"wasserstein\", tolerance = 0.1 }",
    ),
];
