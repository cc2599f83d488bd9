//! Unreal Engine: the avoidance of `UCharacterMovementComponent`, in centimeters.

use super::{Line, Shared};
use crate::export::{Export, ExportInput, MakeExporter};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "unreal_avoidance",
    doc: "Radius, speed, acceleration and range for the RVO avoidance of Unreal's characters, in cm; unproven.",
    source: "Unreal Engine 5, UCharacterMovementComponent and UAvoidanceManager",
    params: &[],
    make: MakeExporter { export, writes: "unreal_avoidance.ini", needs_place: false, needs_runs: false },
};

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    let shared = Shared::of(input.preset);
    let cm = |meters: Option<f64>| meters.map(|m| 100.0 * m);
    let line = |name, value, unit, from| Line { name, value, unit, from };
    let lines = [
        line("CapsuleRadius", cm(shared.radius_m), "cm", "radius_m"),
        line("MaxWalkSpeed", cm(shared.speed_m_per_s), "cm/s", "desired_speed_m_per_s"),
        line("MaxAcceleration", cm(shared.acceleration_m_per_s2), "cm/s2", "highest acceleration or relaxation_time_s"),
        line("AvoidanceConsiderationRadius", cm(shared.distance_m), "cm", "neighbor_distance_m"),
        line("DeltaTimeToPredict", shared.horizon_s, "s, of UAvoidanceManager", "time_horizon_s"),
    ];
    let mut export = super::export(input, "Unreal Engine", "unreal_avoidance.ini", "Character", &lines)?;
    if let Some((_, bytes)) = export.files.first_mut() {
        bytes.extend_from_slice(OWN.as_bytes());
    }
    Ok(export)
}

/// Switches that a preset has no word for.
const OWN: &str = "\n; Set beside these: bUseRVOAvoidance=True, or the numbers above have no effect. AvoidanceWeight (0.5 by default, no unit) \
                   says how\n; much each gives way and has no partner in a preset.\n; Unreal's other avoidance is Detour: `crowdtune export RUN --to \
                   detour --fit` gives FCrowdAvoidanceConfig by a search.\n";
