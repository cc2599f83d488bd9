//! Unity: the avoidance of `NavMeshAgent`, in meters.

use super::{Line, Shared};
use crate::export::{Export, ExportInput, MakeExporter};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The exporter's entry.
pub static ENTRY: Entry<MakeExporter> = Entry {
    name: "unity_avoidance",
    doc: "Radius, speed, acceleration and prediction time for the avoidance of Unity's NavMeshAgent; unproven.",
    source: "Unity 6, NavMeshAgent and NavMesh.avoidancePredictionTime",
    params: &[],
    make: MakeExporter { export, writes: "unity_avoidance.ini", needs_place: false, needs_runs: false },
};

fn export(input: &ExportInput<'_>) -> Result<Export, Error> {
    let shared = Shared::of(input.preset);
    let line = |name, value, unit, from| Line { name, value, unit, from };
    let lines = [
        line("radius", shared.radius_m, "m", "radius_m"),
        line("speed", shared.speed_m_per_s, "m/s", "desired_speed_m_per_s"),
        line("acceleration", shared.acceleration_m_per_s2, "m/s2", "highest acceleration or relaxation_time_s"),
        line("avoidancePredictionTime", shared.horizon_s, "s, of NavMesh, for all agents", "time_horizon_s"),
    ];
    let mut export = super::export(input, "Unity", "unity_avoidance.ini", "NavMeshAgent", &lines)?;
    if let (Some(distance), Some((_, bytes))) = (shared.distance_m, export.files.first_mut()) {
        bytes.extend_from_slice(
            format!("; * neighbor_distance_m = {distance}: a NavMeshAgent has no range of its own.\n").as_bytes(),
        );
    }
    Ok(export)
}
