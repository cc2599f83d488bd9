//! `tracks` of a scenario: recorded people whom the run is put beside, read as `measure` reads them.

use super::context::Context;
use super::item::{Item, Table};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::crowd::recording::{Known, Recording, Unit};
use crowdtune_sim::world::scenario::Group;
use crowdtune_sim::world::{Leave, Torus, Tracks, World};
use std::ops::Range;

/// How many copies of the crowd there may be where everybody walks among the recorded others.
const COPIES: (i64, i64) = (2, 10_000);
/// How many there are. Chosen here: of eight people near to somebody seven are where they were seen.
pub(crate) const USUAL_COPIES: u32 = 8;

/// What `tracks` names, before it is known who walks where.
#[derive(Debug)]
pub(super) struct Recorded {
    file: String,
    recording: Recording,
    restart_every_s: Option<f64>,
    /// True if everybody wants the speed that the own track says.
    estimated: bool,
    /// Copies of the crowd, if everybody walks among the recorded others.
    one_in: Option<u32>,
    leave: Leave,
    /// Frames counted from the first one and places, m, of each person.
    rows: Vec<Vec<(u32, Vec2)>>,
}

/// Reads `{ file = "...", fps = ..., unit = "...", columns = [...], restart_every_s = ..., desired_speed = "estimated", walk =
/// "one_among_recorded", one_in = ..., leave = "at_goal" }`.
///
/// # Errors
/// If the file is no recording of people.
pub(super) fn read(item: &Item<'_>, context: &mut Context<'_>) -> Result<Recorded, Error> {
    let what =
        "{ file = \"tracks.txt\" }, with `restart_every_s` where a run is put back onto the tracks again and again";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let named = table.need("file", what)?;
    let known = known(&table)?;
    let restart = table.take("restart_every_s");
    let speed = table.take("desired_speed").map(|item| item.word(&[("people", false), ("estimated", true)]));
    let walk = table.take("walk").map(|item| item.word(&[("together", false), ("one_among_recorded", true)]));
    let copies = table.take("one_in");
    let leave = table.take("leave");
    table.finish()?;
    let among = walk.transpose()?.unwrap_or(false);
    if let Some(copies) = copies.as_ref().filter(|_| !among) {
        return Err(copies
            .error("everybody walks together here, so there are no copies of the crowd")
            .help("add walk = \"one_among_recorded\", or leave `one_in` out"));
    }
    let copies = copies.map(|copies| copies.whole(COPIES.0, COPIES.1)).transpose()?.map(|n| n as u32);
    let one_in = among.then(|| copies.unwrap_or(USUAL_COPIES));
    let leave = leave.map(|item| leaving(&item, restart.is_some(), among)).transpose()?.unwrap_or_default();
    let file = named.text()?;
    let text = context.text(&named).map_err(|e| e.help("give rows of `id frame x y`"))?;
    let recording = Recording::parse(&text, &file, &known).map_err(|e| e.under(&item.path).key(&named.path))?;
    let restart_every_s = restart.map(|r| r.positive("a number above 0 s")).transpose()?;
    let rows = recording.rows().map_err(|e| e.under(&item.path).key(&named.path))?;
    let estimated = speed.transpose()?.unwrap_or(false);
    Ok(Recorded { file, recording, restart_every_s, estimated, one_in, leave, rows })
}

impl Recorded {
    /// Number of people.
    pub(super) fn people(&self) -> usize {
        self.rows.len()
    }

    /// Where some of the people are seen first, m, in the order of the recording.
    pub(super) fn first_places(&self, people: Range<usize>) -> Vec<Vec2> {
        self.rows[people].iter().map(|rows| rows[0].1).collect()
    }

    /// The tracks of these groups, `count` people each.
    ///
    /// # Errors
    /// If the recording has more or fewer people than the groups.
    pub(super) fn tracks(self, item: &Item<'_>, groups: &[Group], torus: &Torus) -> Result<Tracks, Error> {
        if let Some(group) = groups.iter().find(|g| g.inflow_per_s.is_some()) {
            return Err(item
                .error(format!("`{}` comes in at a rate, and the people of a recording when they are seen", group.name))
                .help("leave out `inflow_per_s`"));
        }
        let counts: Vec<usize> = groups.iter().map(|g| g.count).collect();
        let people: usize = counts.iter().sum();
        if people != self.people() {
            return Err(item.error(format!("the recording has {} people, the scenario {people}", self.people())).help(
                "person k of the recording, by rising id, is in the first group in name order that has room, `count` people \
                 each; one group may leave `count` out",
            ));
        }
        let mut tracks = Tracks::new(1.0 / self.recording.fps, self.restart_every_s, self.rows, &counts);
        (tracks.one_in, tracks.leave) = (self.one_in, self.leave);
        if self.estimated {
            // Who gives no speed has the published one.
            let walked = tracks.walked(torus, TRAITS[0].default_value());
            for (track, speed) in tracks.people.iter_mut().zip(walked.desired_m_per_s) {
                track.desired_speed = Some(speed);
            }
        }
        Ok(tracks)
    }

    /// Warns of what is odd about the recording in this place.
    ///
    /// # Errors
    /// If these are no tracks of people.
    pub(super) fn warn(&self, item: &Item<'_>, context: &mut Context<'_>, world: &World) -> Result<(), Error> {
        let torus = &world.plan.periodic;
        let odd =
            self.recording.oddities(|a, b| torus.apart(a, b)).map_err(|e| e.file(&self.file).under(&item.path))?;
        context.warn(odd.iter().chain(&self.outside(world)).map(|what| format!("{}: {what}", self.file)));
        Ok(())
    }

    /// How many recorded places nobody can reach.
    fn outside(&self, world: &World) -> Option<String> {
        let all = || {
            self.rows.iter().zip(&self.recording.names).flat_map(|(rows, name)| rows.iter().map(move |r| (r.1, name)))
        };
        let mut outside = all().filter(|(place, _)| !world.contains(world.plan.periodic.wrap(*place)));
        let (place, name) = outside.next()?;
        Some(format!(
            "{} of {} recorded places are not walkable, the first is that of person {name} at ({:.2}, {:.2}): check `walkable` and `unit`",
            outside.count() + 1,
            all().count(),
            place.x,
            place.y
        ))
    }
}

/// When people leave.
fn leaving(item: &Item<'_>, restarts: bool, among_recorded: bool) -> Result<Leave, Error> {
    let leave = item.word(&[("as_recorded", Leave::AsRecorded), ("at_goal", Leave::AtGoal)])?;
    let refused = |why: &str, help: &str| Err(item.error(why).help(help));
    match leave {
        Leave::AtGoal if restarts => refused(
            "everybody is put back onto the tracks here, so a run says nothing of when people reach their goals",
            "leave out `restart_every_s`, or write leave = \"as_recorded\"",
        ),
        Leave::AtGoal if among_recorded => refused(
            "people walk among the recorded others here, who leave as recorded",
            "leave out `walk`, or write leave = \"as_recorded\"",
        ),
        leave => Ok(leave),
    }
}

/// What the table says about the file; it overrides what the file says.
fn known(table: &Table<'_>) -> Result<Known, Error> {
    let names = |item: Item<'_>| {
        let wrong = || item.wrong("a list such as [\"frame\", \"id\", \"x\", \"_\", \"y\"]");
        let list = item.list().map_err(|_| wrong())?;
        list.iter().map(|name| name.text().map_err(|_| wrong())).collect::<Result<Vec<_>, _>>()
    };
    Ok(Known {
        fps: table.take("fps").map(|item| item.positive("a number above 0, frames per second")).transpose()?,
        unit: table.take("unit").map(|item| item.word(&[("m", Unit::M), ("cm", Unit::Cm)])).transpose()?,
        columns: table.take("columns").map(names).transpose()?,
    })
}
