//! `ground` of a scenario: heights, and how fast people walk on slopes.

use super::context::Context;
use super::geometry::point;
use super::item::{Item, Table};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::vec2;
use crowdtune_sim::world::{HeightGrid, Hill, Relief, SlopeLaw};

/// Highest hill, m. Chosen here: higher than any on Earth is a mistake in the unit.
const HIGHEST_M: f64 = 9000.0;
/// Widest hill, m. Chosen here: far beyond any place.
const WIDEST_M: f64 = 1e6;
/// Units of a file in a meter.
const UNITS: [(&str, f64); 3] = [("m", 1.0), ("cm", 100.0), ("ft", 1.0 / 0.3048)];

/// Reads `{ file, unit, origin, slope, hills, speed }`, each of them optional.
///
/// # Errors
/// If it says nothing about heights, or something wrong.
pub(super) fn read(item: &Item<'_>, context: &mut Context<'_>) -> Result<Relief, Error> {
    let what = "{ file = \"heights.asc\" }, { slope = [0.1, 0.0] } or \
                { hills = [{ at = [10, 5], height_m = 3.0, width_m = 4.0 }] }";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let heights = grid(&table, context)?;
    let slope = table.take("slope");
    let hills = table.take("hills");
    if heights.is_none() && slope.is_none() && hills.is_none() {
        return Err(item.wrong(what));
    }
    let slope = slope.map(|slope| slope.numbers(2, "the rise per meter towards +x and +y, [x, y]")).transpose()?;
    let relief = Relief {
        slope: slope.map_or(Vec2::ZERO, |slope| vec2(slope[0], slope[1])),
        hills: hills.map(|hills| self::hills(&hills)).transpose()?.unwrap_or_default(),
        heights,
        law: table.take("speed").map(|speed| law(&speed)).transpose()?.unwrap_or(SlopeLaw::Tobler),
    };
    table.finish()?;
    Ok(relief)
}

/// The heights of a file.
fn grid(table: &Table<'_>, context: &mut Context<'_>) -> Result<Option<HeightGrid>, Error> {
    let (unit, origin) = (table.take("unit"), table.take("origin"));
    let Some(named) = table.take("file") else {
        return match unit.or(origin) {
            Some(item) => {
                Err(item.error("it says how to read a file of heights, and there is none").help("give `file`"))
            }
            None => Ok(None),
        };
    };
    let per_meter = unit.map_or(Ok(1.0), |unit| unit.word(&UNITS))?;
    let origin = origin.map(|origin| point(&origin)).transpose()?;
    let file = named.text()?;
    let text = context.text(&named)?;
    let grid = HeightGrid::parse(&text, per_meter, origin);
    grid.map(Some).map_err(|e| e.file(&file).under(&table.item.path).key(&named.path))
}

fn hills(item: &Item<'_>) -> Result<Vec<Hill>, Error> {
    let what = "a list of { at = [x, y], height_m = 3.0, width_m = 4.0 }";
    let list = item.list().map_err(|_| item.wrong(what))?;
    let one = |item: &Item<'_>| {
        let table = item.table().map_err(|_| item.wrong(what))?;
        let wide = |item: &Item<'_>| item.number(f64::MIN_POSITIVE, WIDEST_M, "a number above 0 m");
        let width = table.need("width_m", "the distance from the top at which the hill is steepest, or [x, y]")?;
        let width_m = match width.list() {
            Ok(both) if both.len() == 2 => vec2(wide(&both[0])?, wide(&both[1])?),
            Ok(_) => return Err(width.wrong("a width, or two: [along x, along y]")),
            Err(_) => {
                let width = wide(&width)?;
                vec2(width, width)
            }
        };
        let hill = Hill {
            at: point(&table.need("at", what)?)?,
            height_m: table.need("height_m", what)?.number(-HIGHEST_M, HIGHEST_M, "a height from -9000 to 9000 m")?,
            width_m,
        };
        table.finish()?;
        Ok(hill)
    };
    list.iter().map(one).collect()
}

/// `"tobler"`, or the linear law with its three numbers.
fn law(item: &Item<'_>) -> Result<SlopeLaw, Error> {
    let what = "\"tobler\", or { easy_slope = 0.0, steep_slope = 1.0, steep_speed_share = 0.1 }";
    if !item.is_table() {
        return item.word(&[("tobler", SlopeLaw::Tobler)]).map_err(|_| item.wrong(what));
    }
    let table = item.table()?;
    let easy = table.need("easy_slope", what)?.number(-1.0, 1.0, "a slope from -1 to 1")?;
    let steep = table.need("steep_slope", what)?;
    let least = table.need("steep_speed_share", what)?.number(0.01, 1.0, "a share from 0.01 to 1")?;
    table.finish()?;
    let slope = steep.number(-1.0, 5.0, "a slope above easy_slope, up to 5")?;
    if slope <= easy {
        return Err(steep.wrong(format!("a slope above easy_slope, which is {easy}")));
    }
    Ok(SlopeLaw::Linear { easy, steep: slope, least })
}
