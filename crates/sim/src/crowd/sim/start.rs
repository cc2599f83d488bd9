//! The people before the first step: traits drawn, positions found, and those who enter later.

use super::inflow::Inflow;
use super::setup::RunSetup;
use super::state::State;
use crate::crowd::people::Distribution;
use crate::crowd::{Crowd, Person};
use crate::world::Track;
use crate::world::scenario::Scenario;
use crate::world::spawn;
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;

/// People placed and ready to walk. A model is made for them; both together are a [`Sim`](super::Sim).
#[derive(Debug)]
pub struct Start {
    pub(super) setup: RunSetup,
    pub(super) state: State,
    /// Largest radius, m, and smallest mass, kg, of people that the program will add during the run.
    expected: Option<(f64, f64)>,
}

impl Start {
    /// Draws traits and places everybody. Each trait has its own random stream, so fixing one does not change another.
    ///
    /// The people of tracks start where these begin, and those who come later are the run's to let in.
    ///
    /// # Errors
    /// If people do not fit into their starting area, or a group with an inflow has no area to enter at.
    ///
    /// # Panics
    /// If `traits` has fewer entries than the scenario has groups: a program error.
    pub fn new(setup: RunSetup) -> Result<Self, Error> {
        let mut state = State::new(&setup);
        let mut taken: Vec<(Vec2, f64)> = Vec::new();
        let mut recorded: Vec<Vec<Person>> = Vec::new();
        for (g, group) in setup.scenario.groups.iter().enumerate() {
            let traits = &setup.traits[g];
            let stream = |meaning: &str| setup.seed.child(meaning, g as u64).rng();
            let draw = |d: Distribution, meaning: &str| -> Vec<f64> {
                let mut rng = stream(meaning);
                (0..group.count).map(|_| d.draw(&mut rng)).collect()
            };
            let radius = draw(traits.radius, "radius");
            let mut places = vec![Vec2::ZERO; group.count];
            let mut line = None;
            if let Some(per_s) = group.inflow_per_s {
                let area = group.spawn.area().cloned().ok_or_else(|| {
                    Error::input("people who come in during the run need an area to come in at, not points")
                        .key(format!("group.{}.from", group.name))
                })?;
                line = Some(Inflow { per_s, area, rng: stream("place"), entered: 0, people: Vec::new() });
            } else if setup.scenario.tracks.is_none() {
                places = spawn::place(&group.spawn, &radius, &setup.scenario.world, &taken, &mut stream("place"))
                    .map_err(|e| e.under(&format!("group.{}", group.name)).key(format!("group.{}", group.name)))?;
                taken.extend(places.iter().copied().zip(radius.iter().copied()));
            }
            let mass = draw(traits.mass, "mass");
            let desired_speed = draw(traits.desired_speed, "desired speed");
            let max_speed = draw(traits.max_speed, "max speed");
            let start_s = draw(traits.start, "start");
            let people = places.into_iter().enumerate().map(|(k, pos)| Person {
                pos,
                vel: Vec2::ZERO,
                radius: radius[k],
                mass: mass[k],
                desired_speed: desired_speed[k],
                max_speed: max_speed[k],
                start_s: start_s[k],
                group: g as u16,
            });
            match line {
                _ if setup.scenario.tracks.is_some() => recorded.push(people.collect()),
                Some(line) => state.lines.push(Inflow { people: people.collect(), ..line }),
                None => people.for_each(|person| {
                    state.enter(&setup, person);
                }),
            }
        }
        if let Some(tracks) = setup.scenario.tracks.clone() {
            let member = |track: &Track| {
                let person = *recorded.get(usize::from(track.group))?.get(track.rank as usize)?;
                Some(Person { desired_speed: track.desired_speed.unwrap_or(person.desired_speed), ..person })
            };
            state.coming = tracks.people.iter().filter_map(member).collect();
            state.come(&setup, &tracks, 0.0);
        }
        Ok(Self { setup, state, expected: None })
    }

    /// Starts with a given crowd; ids are from 0. Of the scenario's tracks nobody comes in later.
    ///
    /// # Panics
    /// If a person is in a group that the scenario does not have: a program error.
    pub fn of(setup: RunSetup, crowd: Crowd) -> Self {
        let mut state = State::new(&setup);
        state.take(&setup, crowd);
        Self { setup, state, expected: None }
    }

    /// Announces that [`Sim::add`](super::Sim::add) will add people of up to this radius, m, and at least this mass,
    /// kg.
    #[must_use]
    pub fn expecting(self, max_radius_m: f64, min_mass_kg: f64) -> Self {
        Self { expected: Some((max_radius_m, min_mass_kg)), ..self }
    }

    /// The people who are there at the start.
    pub fn crowd(&self) -> &Crowd {
        &self.state.crowd
    }

    /// The place and the groups.
    pub fn scenario(&self) -> &Scenario {
        &self.setup.scenario
    }

    /// The setup of the run.
    pub fn setup(&self) -> &RunSetup {
        &self.setup
    }

    /// Largest radius, m, including people who have yet to enter; 0 without people.
    pub fn max_radius_m(&self) -> f64 {
        let expected = self.expected.map_or(0.0, |(radius, _)| radius);
        let here = self.state.crowd.radius.iter().copied();
        here.chain(self.coming().map(|person| person.radius)).fold(expected, f64::max)
    }

    /// Smallest mass, kg, including people who have yet to enter; infinite without people.
    pub fn min_mass_kg(&self) -> f64 {
        let expected = self.expected.map_or(f64::INFINITY, |(_, mass)| mass);
        let here = self.state.crowd.mass.iter().copied();
        here.chain(self.coming().map(|person| person.mass)).fold(expected, f64::min)
    }

    fn coming(&self) -> impl Iterator<Item = &Person> {
        self.state.lines.iter().flat_map(|line| &line.people).chain(&self.state.coming)
    }
}
