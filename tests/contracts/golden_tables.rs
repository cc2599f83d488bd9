//! The curves in `configs/` are the published tables of `tests/golden`, point by point.

use std::fs;
use std::path::Path;

fn text(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

/// The rows of a table; lines with `#` say where it comes from, the next one names the columns.
fn table(name: &str) -> Vec<(f64, f64)> {
    let text = text(&format!("tests/golden/{name}.csv"));
    let row = |line: &str| {
        let (x, y) = line.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    text.lines().filter(|l| !l.starts_with('#')).skip(1).map(row).collect()
}

/// The `points` of a target.
fn points(config: &str, target: &str) -> Vec<(f64, f64)> {
    let file: toml::Table = text(&format!("configs/{config}.toml")).parse().unwrap();
    let number = |v: &toml::Value| v.as_float().or_else(|| v.as_integer().map(|i| i as f64)).unwrap();
    let points = file["target"][target]["points"].as_array().unwrap();
    points.iter().map(|p| (number(&p[0]), number(&p[1]))).collect()
}

#[test]
fn configs_want_what_was_published() {
    for (config, target, name) in [
        ("faster_is_slower", "everybody", "helbing_2000_fig1c"),
        ("bottleneck", "flow", "seyfried_2009_flow"),
        ("bottleneck", "flow_kretz", "kretz_2006_flow"),
    ] {
        assert_eq!(points(config, target), table(name), "target.{target} of {config}");
    }
}
