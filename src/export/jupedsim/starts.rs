//! Where JuPedSim lets people start.

use crate::export::Placed;
use crowdtune_core::Error;
use crowdtune_sim::crowd::Crowd;

/// How near to others and to walls JuPedSim lets people start.
pub struct Apart {
    /// Whether two people are too near, from the distance of their centers and their radii.
    others: fn(f64, f64, f64) -> bool,
    /// Whether somebody is too near to a wall, from the distance of the center and the radius.
    wall: fn(f64, f64) -> bool,
    /// What is allowed, in words.
    allowed: &'static str,
}

/// What the social force takes: people who overlap, but no centers in bodies.
pub const SOCIAL_FORCE: Apart = Apart {
    others: |distance, one, other| distance < one.max(other),
    wall: |distance, radius| distance < 0.5 * radius,
    allowed: "a radius or more from others, half a radius or more from walls",
};

/// What the speed models take: nobody who touches others or a wall.
pub const SPEED: Apart = Apart {
    others: |distance, one, other| distance <= one + other,
    wall: |distance, radius| distance <= radius,
    allowed: "more than both radii from others, more than a radius from walls",
};

/// Refuses starts that JuPedSim would refuse.
///
/// # Errors
/// Who starts too near to whom, or to a wall.
pub fn check(place: &Placed<'_>, crowd: &Crowd, apart: &Apart) -> Result<(), Error> {
    let refused = |what: String| {
        Err(Error::input(format!("JuPedSim would refuse the start of {what}"))
            .key(format!("scenario.{}", place.scenario.name))
            .allowed(apart.allowed)
            .help("move the starting points apart, or let people start at random in an area"))
    };
    for (i, &pos) in crowd.pos.iter().enumerate() {
        if (apart.wall)(place.scenario.world.walls.distance(pos), crowd.radius[i]) {
            return refused(format!("person {i} at ({:.2}, {:.2}), on a wall", pos.x, pos.y));
        }
        for (j, &other) in crowd.pos.iter().enumerate().take(i) {
            if (apart.others)((pos - other).length(), crowd.radius[i], crowd.radius[j]) {
                return refused(format!("persons {j} and {i} at ({:.2}, {:.2}), on top of each other", pos.x, pos.y));
            }
        }
    }
    Ok(())
}
