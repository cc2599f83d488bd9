//! `[target.*]` and `[measure.*]`: what is measured where and when, and what is wanted of it.

use super::context::Context;
use super::item::{Item, Table};
use super::{engine, geometry, params, wanted};
use crate::target::TARGETS;
use crate::target::{Combine, Target, Wanted};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::metrics::{At, MakeMetric, Need, Place, Window};

/// A target with what the file says of place and time.
#[derive(Debug)]
pub struct Asked<'a> {
    /// The table.
    pub item: Item<'a>,
    /// The target; its objective is 0 until all names are known.
    pub target: Target,
    /// Name of the objective; "" for a measure.
    pub objective: String,
    /// Where, if the file says so.
    pub at: Option<(Item<'a>, Where)>,
    /// When.
    pub window: Window,
    /// The line whose crossings time the window, if the file names one.
    pub timed_by: Option<(Item<'a>, Where)>,
    /// The group that counts, by name.
    pub group: Option<(Item<'a>, String)>,
    /// The group it is measured from, by name.
    pub center: Option<(Item<'a>, String)>,
}

/// A place as a file names it.
#[derive(Clone, Debug)]
pub enum Where {
    /// A line or area of a scenario, by name.
    Named {
        /// The scenario table, where it is named.
        table: Option<String>,
        /// The line or area.
        name: String,
    },
    /// Given by coordinates.
    Given(Place),
}

/// Reads one table of `[target]` (`wanted`) or of what is only measured; `others` are keys that somebody else reads.
///
/// # Errors
/// If a key is missing, unknown or wrong.
pub fn read<'a>(
    name: &str,
    item: &Item<'a>,
    wanted: bool,
    others: &[&str],
    context: &mut Context<'_>,
) -> Result<Asked<'a>, Error> {
    let table = item.table()?;
    for key in others {
        table.take(key);
    }
    let metric = table
        .need("metric", "`crowdtune list metrics` shows what can be measured")?
        .entry(&context.registry.metrics)?;
    if let (Some(foreign), Some(why)) = (context.foreign, engine::unseen(metric))
        && !foreign.values.iter().any(|value| value == metric.name)
    {
        return Err(item
            .error(format!("`{}` cannot be measured on the trajectory of an engine: {why}", metric.name))
            .help(
                "let the engine measure it: `value = \"NAME\"` in place of `metric`, and the number in its answers",
            ));
    }
    let combine = table.need("combine", "")?.word(&[
        ("mean", Combine::Mean),
        ("median", Combine::Median),
        ("p95", Combine::P95),
        ("worst", Combine::Worst),
    ])?;
    let at = match table.take("at") {
        Some(item) => Some((item.clone(), place(&item, metric)?)),
        None => None,
    };
    let (window, timed_by) = match table.take("window") {
        Some(item) => self::window(&item, metric)?,
        None => (metric.make.window, None),
    };
    let scenario = table.take("scenario").map(|i| i.text()).transpose()?;
    let group = named_group(&table, "group", metric.make.takes_group, metric)?;
    let center = named_group(&table, "center", metric.make.takes_center, metric)?;
    let mut target = Target {
        name: name.to_owned(),
        metric,
        settings: params::settings(&table, metric.params)?,
        wanted: None,
        scenario,
        combine,
        weight: 0.0,
        must: false,
        objective: 0,
    };
    let mut objective = String::new();
    if wanted {
        target.wanted = Some(wanted::read(&table, context)?);
        let weight = table.need("weight", "")?;
        target.weight = weight.number(0.0, 1e12, "a number from 0")?;
        let must = table.need("must", "")?;
        target.must = must.switch()?;
        if target.must && matches!(target.wanted, Some(Wanted::Minimize { .. } | Wanted::Maximize { .. })) {
            return Err(must
                .error("`must` goes with a limit, but `minimize` and `maximize` have none")
                .help("use `at_most`, `at_least`, `between` or `equals`"));
        }
        if let (true, Some(Wanted::Equals { squares: true, .. } | Wanted::Points { squares: true, .. })) =
            (target.must, &target.wanted)
        {
            return Err(must
                .error("`must` goes with a band, but with `loss = \"squares\"` every value off the wanted one costs")
                .help("remove one of the two"));
        }
        let named = table.need("objective", "")?;
        objective = named.text()?;
        if objective.is_empty() {
            return Err(named.wrong("a name"));
        }
    }
    if let Some(item) = table.leftover() {
        return Err(
            if !wanted
                && (TARGETS.iter().any(|kind| kind.name == last(&item))
                    || ["weight", "must", "objective"].contains(&last(&item)))
            {
                item.error(format!("a measure is only recorded, so it has no `{}`", last(&item)))
                    .help(format!("write [target.{name}] instead of [measure.{name}]"))
            } else {
                table.unknown(&item)
            },
        );
    }
    Ok(Asked { item: item.clone(), target, objective, at, window, timed_by, group, center })
}

/// A group by name, where the metric has such a thing.
fn named_group<'a>(
    table: &Table<'a>,
    key: &str,
    taken: bool,
    metric: &Entry<MakeMetric>,
) -> Result<Option<(Item<'a>, String)>, Error> {
    let Some(item) = table.take(key) else { return Ok(None) };
    if !taken {
        return Err(item.error(format!("`{}` has no `{key}`", metric.name)).help("remove it"));
    }
    let name = item.text()?;
    Ok(Some((item, name)))
}

fn last<'p>(item: &'p Item<'_>) -> &'p str {
    item.path.rsplit('.').next().unwrap_or_default()
}

fn place(item: &Item<'_>, metric: &Entry<MakeMetric>) -> Result<Where, Error> {
    if metric.make.at == At::Nowhere {
        return Err(item
            .error(format!("`{}` looks at the whole place, it takes no `at`", metric.name))
            .help("remove it"));
    }
    located(item, metric.make.at, &format!("`{}` is measured", metric.name))
}

/// A line or area by name or by coordinates; `what` is what wants it.
fn located(item: &Item<'_>, at: At, what: &str) -> Result<Where, Error> {
    if let Ok(text) = item.text() {
        return Ok(match text.split_once('.') {
            Some((table, name)) => Where::Named { table: Some(table.to_owned()), name: name.to_owned() },
            None => Where::Named { table: None, name: text },
        });
    }
    let table = item
        .table()
        .map_err(|_| item.wrong("\"scenario.name\", { line = [[x, y], [x, y]] } or { area = [[x, y], ...] }"))?;
    let (line, area) = (table.take("line"), table.take("area"));
    table.finish()?;
    match (at, line, area) {
        (At::Line, Some(line), None) => Ok(Where::Given(Place::Line(geometry::line(&line)?))),
        (At::Area | At::Region, None, Some(area)) => Ok(Where::Given(Place::Area(geometry::area(&area)?))),
        (At::Line, ..) => Err(item.error(format!("{what} at a line")).allowed("{ line = [[x, y], [x, y]] }")),
        _ => Err(item.error(format!("{what} in an area")).allowed("{ area = [[x, y], [x, y], ...] }")),
    }
}

/// A window that goes by the crossings of a line, with that line; any other window as it is.
pub fn timed(window: Window, line: &Place) -> Window {
    match (window, line) {
        (Window::Crossings { shares, .. }, Place::Line(line)) => {
            Window::Crossings { shares, of: Some([(line.a.x, line.a.y), (line.b.x, line.b.y)]) }
        }
        _ => window,
    }
}

/// A window, and the line whose crossings time it, where one is named.
pub(super) fn window<'a>(
    item: &Item<'a>,
    metric: &Entry<MakeMetric>,
) -> Result<(Window, Option<(Item<'a>, Where)>), Error> {
    if !metric.make.takes_window {
        return Err(item
            .error(format!("`{}` is measured over the whole run, it takes no `window`", metric.name))
            .help("remove it"));
    }
    let what = "\"all\", \"steady\", { time_s = [from, to] }, { ranks = [from, to] } or { crossings = [from, to] }";
    if item.text().is_ok() {
        let word = item.word(&[("all", Window::All), ("steady", Window::Steady)]).map_err(|_| item.wrong(what))?;
        return Ok((word, None));
    }
    let table = item.table().map_err(|_| item.wrong(what))?;
    let (ranks, time, crossings) = (table.take("ranks"), table.take("time_s"), table.take("crossings"));
    let of = if crossings.is_some() { table.take("of") } else { None };
    table.finish()?;
    let shares = |item: &Item<'_>, of: &str| {
        let what = format!("[from, to], shares from 0 to 1 of {of}");
        let (a, b) = item.interval(&what)?;
        if a < 0.0 || b > 1.0 { Err(item.wrong(what)) } else { Ok((a, b)) }
    };
    match (ranks, time, crossings) {
        (Some(ranks), None, None) => {
            let (a, b) = shares(&ranks, "the people who pass")?;
            Ok((Window::Ranks(a, b), None))
        }
        (None, Some(time), None) => {
            let (a, b) = time.interval("[from, to] in s, from 0")?;
            if a < 0.0 { Err(time.wrong("[from, to] in s, from 0")) } else { Ok((Window::TimeS(a, b), None)) }
        }
        (None, None, Some(_)) if metric.make.needs.contains(&Need::Tracks) => Err(item
            .error(format!("`{}` looks at times, not at crossings", metric.name))
            .allowed("\"all\" or { time_s = [from, to] }")),
        (None, None, Some(crossings)) => {
            let shares = shares(&crossings, "all crossings of a line")?;
            let line = of.map(|of| Ok((of.clone(), located(&of, At::Line, "the crossings of a window are")?)));
            Ok((Window::Crossings { shares, of: None }, line.transpose()?))
        }
        _ => Err(item.wrong(what)),
    }
}
