//! What a command line asks of a metric, in the words of a `[measure.NAME]` table.

use super::item::Item;
use super::targets::Where;
pub use super::targets::timed;
use super::tree::{Entries, Node, Origin, Value};
use super::{geometry, params, targets, tree};
use crate::wkt;
use crowdtune_core::registry::Entry;
use crowdtune_core::{Error, suggest};
use crowdtune_sim::metrics::{MakeMetric, Place, Window};
use crowdtune_sim::world::scenario::{Polygon, Segment};

/// Reads a window: `all`, `steady`, `time_s=[10, 40]`, `ranks=[0.1, 0.9]`, `crossings=[0.1, 0.9]`, or as an experiment file
/// has it.
///
/// # Errors
/// If the metric takes no window, it is none, or it names a line of a scenario.
pub fn window(text: &str, metric: &Entry<MakeMetric>) -> Result<Window, Error> {
    let text = text.trim();
    let written = if text.contains('=') && !text.starts_with('{') { format!("{{ {text} }}") } else { text.to_owned() };
    let mut root = Node::empty();
    tree::set(&mut root, "window", &written)?;
    let node = root.get("window").expect("it was just set");
    let item = Item::part("--window", "window".into(), node);
    let (window, timed_by) = targets::window(&item, metric).map_err(|e| e.key("--window"))?;
    match timed_by {
        None => Ok(window),
        Some((_, Where::Given(line))) => Ok(timed(window, &line)),
        Some((of, Where::Named { .. })) => Err(of
            .error("tracks have no lines with names")
            .key("--window")
            .help("give the line by coordinates: of = { line = [[x, y], [x, y]] }")),
    }
}

/// Reads a place: two points make a line, more make an area; as `[[x, y], [x, y]]` or well-known text.
///
/// # Errors
/// If it is neither, or no simple polygon.
pub fn place(text: &str) -> Result<Place, Error> {
    const HELP: &str = "give [[x, y], [x, y]] (a line), three or more points (an area), LINESTRING (x y, x y) or \
                        POLYGON ((x y, ...))";
    let text = text.trim();
    if !text.starts_with('[') {
        let shapes = wkt::parse(text).map_err(|e| e.key("--at").help(HELP))?;
        return match (&shapes.polygons[..], &shapes.segments[..], &shapes.points[..]) {
            ([(area, holes)], [], []) if holes.is_empty() => Ok(Place::Area(area.clone())),
            ([], [line], []) => Ok(Place::Line(*line)),
            _ => Err(Error::input("a metric looks at one straight line, or at one area without holes")
                .key("--at")
                .help("give several places by several --at")),
        };
    }
    let node = tree::toml(&format!("at = {text}"))
        .map_err(|(what, _)| Error::input(format!("`{text}` is no list of points: {what}")).key("--at").help(HELP))?;
    let at = node.get("at").ok_or_else(|| Error::input(format!("`{text}` is no place")).key("--at").help(HELP))?;
    let item = Item::part("--at", "at".into(), at);
    let read = match item.list().map(|points| points.len()) {
        Ok(0..=2) => geometry::line(&item).map(Place::Line),
        _ => geometry::area(&item).map(Place::Area),
    };
    // The place of the mistake is the argument, not a line of the text that was made of it.
    read.map_err(|e| Error::input(e.what().to_owned()).key("--at").help(HELP))
}

/// Values of a metric's params: those of `sets` that are its own, `key` or `metric.key`; defaults for the others.
///
/// # Errors
/// If a value is of the wrong type or out of range.
pub fn settings(sets: &[(String, String)], metric: &'static Entry<MakeMetric>) -> Result<Vec<f64>, Error> {
    let mut root = Node { value: Value::Table(Entries::new()), origin: Origin::Default };
    for (key, text) in sets {
        if let Some(own) = own(key, metric) {
            tree::set(&mut root, own, text)?;
        }
    }
    if let Some(entries) = root.entries_mut() {
        params::fill(entries, metric.params);
    }
    params::settings(&Item::root("--set", &root).table()?, metric.params)
}

/// Refuses pairs that no metric takes.
///
/// # Errors
/// Names the first one, with the nearest key.
pub fn all_known(sets: &[(String, String)], metrics: &[&'static Entry<MakeMetric>]) -> Result<(), Error> {
    let keys: Vec<&str> = metrics.iter().flat_map(|m| m.params.iter().map(|p| p.key)).collect();
    match sets.iter().find(|(key, _)| metrics.iter().all(|m| own(key, m).is_none())) {
        None => Ok(()),
        Some((key, _)) if keys.is_empty() => {
            Err(Error::input(format!("nothing can be set as `{key}`: the metrics have no params"))
                .key(format!("--set {key}"))
                .help("`crowdtune list metrics` shows what can be set"))
        }
        Some((key, _)) => {
            let error = Error::input(format!("no metric here has a `{key}`")).key(format!("--set {key}"));
            Err(suggest::near(error.allowed(keys.join(", ")), key, &keys))
        }
    }
}

fn own<'k>(key: &'k str, metric: &Entry<MakeMetric>) -> Option<&'k str> {
    let key = key.strip_prefix(metric.name).and_then(|rest| rest.strip_prefix('.')).unwrap_or(key);
    metric.params.iter().any(|p| p.key == key).then_some(key)
}

/// A place as the command line has it.
pub fn show(place: &Place) -> String {
    let points = |points: &[crowdtune_core::math::Vec2]| {
        let list: Vec<String> = points.iter().map(|p| format!("[{}, {}]", p.x, p.y)).collect();
        format!("[{}]", list.join(", "))
    };
    match place {
        Place::Line(Segment { a, b }) => points(&[*a, *b]),
        Place::Area(Polygon { points: corners }) => points(corners),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;
    use crowdtune_core::registry::find;
    use crowdtune_sim::metrics::METRICS;

    fn metric(name: &str) -> &'static Entry<MakeMetric> {
        find(METRICS, name).unwrap()
    }

    #[test]
    fn places_are_points_or_well_known_text() {
        let line = Place::Line(Segment { a: vec2(0.0, 1.0), b: vec2(2.5, -1.0) });
        assert_eq!(place("[[0, 1], [2.5, -1]]").unwrap(), line);
        assert_eq!(place(" LINESTRING (0 1, 2.5 -1)").unwrap(), line);
        assert_eq!(show(&line), "[[0, 1], [2.5, -1]]");
        let Place::Area(area) = place("[[0, 0], [2, 0], [2, 1], [0, 1]]").unwrap() else { panic!("an area") };
        assert_eq!(area.area(), 2.0);
        assert_eq!(place("POLYGON ((0 0, 2 0, 2 1, 0 1, 0 0))").unwrap(), Place::Area(area));
        for wrong in
            ["[[0, 1]]", "[[0, 0], [0, 0]]", "[[0, 0], [1, 1], [1, 0], [0, 1]]", "[[0, 0", "here", "POINT (1 1)"]
        {
            let error = place(wrong).unwrap_err().to_string();
            assert!(error.contains("--at") && error.contains("help"), "{wrong}: {error}");
        }
    }

    #[test]
    fn windows_and_params_are_read_as_in_a_file() {
        assert_eq!(window("time_s=[1, 4]", metric("flow_per_s")).unwrap(), Window::TimeS(1.0, 4.0));
        assert_eq!(window("{ ranks = [0.2, 0.8] }", metric("flow_per_s")).unwrap(), Window::Ranks(0.2, 0.8));
        assert_eq!(window("steady", metric("flow_per_s")).unwrap(), Window::Steady);
        let crossings = |of| Window::Crossings { shares: (0.1, 0.9), of };
        assert_eq!(window("crossings=[0.1, 0.9]", metric("density_per_m2")).unwrap(), crossings(None));
        let of = window("crossings=[0.1, 0.9], of={ line = [[1, 2], [3, 4.5]] }", metric("density_per_m2")).unwrap();
        assert_eq!(of, crossings(Some([(1.0, 2.0), (3.0, 4.5)])));
        for (wrong, says) in [
            ("crossings=[0.1, 1.9]", "shares from 0 to 1 of all crossings of a line"),
            ("crossings=[0.1, 0.9], of=\"neck.exit\"", "by coordinates"),
            ("crossings=[0.1, 0.9], of={ area = [[0, 0], [1, 1]] }", "at a line"),
            ("ranks=[0.1, 0.9], of={ line = [[1, 2], [3, 4]] }", "of"),
        ] {
            let error = window(wrong, metric("density_per_m2")).unwrap_err().to_string();
            assert!(error.contains(says), "{wrong}: {error}");
        }
        assert!(window("crossings=[0, 1]", metric("track_error_m2")).unwrap_err().to_string().contains("time_s"));
        assert!(window("often", metric("flow_per_s")).unwrap_err().to_string().contains("\"steady\""));
        assert!(window("steady", metric("overlap_max_m")).unwrap_err().to_string().contains("no `window`"));
        let pair = |key: &str, value: &str| vec![(key.to_owned(), value.to_owned())];
        let flow = metric("interval_flow_per_s");
        assert_eq!(settings(&[], flow).unwrap(), [10.0]);
        assert_eq!(settings(&pair("interval_s", "6.25"), flow).unwrap(), [6.25]);
        assert_eq!(settings(&pair("interval_flow_per_s.interval_s", "5"), flow).unwrap(), [5.0]);
        assert!(settings(&pair("interval_s", "-1"), flow).unwrap_err().to_string().contains("--set interval_s"));
        assert!(all_known(&pair("interval_s", "1"), &[flow]).is_ok());
        assert!(all_known(&pair("intervals", "1"), &[flow]).unwrap_err().to_string().contains("interval_s"));
        assert!(all_known(&pair("a", "1"), &[metric("flow_per_s")]).is_err());
    }
}
