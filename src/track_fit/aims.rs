//! What a fit can tune.

/// What `--tune` takes.
pub(crate) const AIMS: [&str; 7] =
    ["tracks", "entropy", "flow", "n_t", "density_map", "fundamental_diagram", "macroscopic"];
/// Those of them that are measured of people who walk from where they came in to their goal; `macroscopic` is all of these.
pub(crate) const MACROSCOPIC: [&str; 4] = ["flow", "n_t", "density_map", "fundamental_diagram"];
