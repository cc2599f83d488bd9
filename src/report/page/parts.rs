//! The files that pages are made of.

/// Colors and what all pages share.
pub const STYLE: &str = include_str!("../assets/page/base.css");
/// Around the crowds, where nothing else is on the page.
pub const PAGE_STYLE: &str = include_str!("../assets/page/page.css");
/// The player.
pub const PLAYER: &str = include_str!("../assets/page/player.html");
/// Its style.
pub const PLAYER_STYLE: &str = include_str!("../assets/page/player.css");
/// The sliders.
pub const LAB: &str = include_str!("../assets/page/lab.html");
/// Their style.
pub const LAB_STYLE: &str = include_str!("../assets/page/lab.css");
/// The style of charts.
pub const CHARTS_STYLE: &str = include_str!("../assets/page/charts.css");
/// What charts run, before the scripts of the page.
pub const CHARTS: &str = concat!(include_str!("../assets/vendor/d3.js"), "\n");
/// What a worker runs.
pub const WORKER: &str =
    concat!(include_str!("../assets/page/instance.js"), "\n", include_str!("../assets/page/worker.js"));
/// What the page runs, in the order of use.
pub const SCRIPTS: &str = concat!(
    "\"use strict\";\n",
    include_str!("../assets/page/crowd.js"),
    include_str!("../assets/page/place.js"),
    include_str!("../assets/page/stage.js"),
    include_str!("../assets/page/player.js"),
    include_str!("../assets/page/simulator.js"),
    include_str!("../assets/page/lab.js"),
    include_str!("../assets/page/evolve.js"),
    include_str!("../assets/page/charts.js"),
    include_str!("../assets/page/main.js"),
);
