//! Detour's crowd, which many game engines have inside.

use super::{Fitted, MakeFitted, OwnFile, json};
use crowdtune_core::registry::Entry;

/// The tool's entry.
pub static ENTRY: Entry<MakeFitted> = Entry {
    name: "detour",
    doc: "The crowd of Detour on a navigation mesh of Recast: avoidance weights, separation, acceleration.",
    source: "recast-navigation 0.43.1 (npm)",
    params: &[],
    make: MakeFitted {
        title: "Detour",
        files: &[
            ("experiment.toml", include_str!("../../../engines/detour/experiment.toml")),
            ("worker.mjs", include_str!("../../../engines/detour/worker.mjs")),
            ("package.json", include_str!("../../../engines/detour/package.json")),
            ("package-lock.json", include_str!("../../../engines/detour/package-lock.json")),
        ],
        install: "npm ci --prefix {folder}",
        own,
    },
};

fn own(fitted: &Fitted) -> Vec<OwnFile> {
    let (agent, avoidance) = ("dtCrowdAgentParams", "dtObstacleAvoidanceParams");
    let names = [
        ("separation_weight", agent, "separationWeight"),
        ("max_acceleration_m_per_s2", agent, "maxAcceleration"),
        ("collision_query_range_m", agent, "collisionQueryRange"),
        ("path_optimization_range_m", agent, "pathOptimizationRange"),
        ("vel_bias", avoidance, "velBias"),
        ("weight_des_vel", avoidance, "weightDesVel"),
        ("weight_cur_vel", avoidance, "weightCurVel"),
        ("weight_side", avoidance, "weightSide"),
        ("weight_toi", avoidance, "weightToi"),
        ("horizon_s", avoidance, "horizTime"),
    ];
    vec![("detour.json", json(fitted, &names)), ("unreal_detour.ini", unreal(fitted))]
}

/// The same weights for the Detour inside of Unreal.
fn unreal(fitted: &Fitted) -> String {
    let names = [
        ("vel_bias", "VelocityBias"),
        ("weight_des_vel", "DesiredVelocityWeight"),
        ("weight_cur_vel", "CurrentVelocityWeight"),
        ("weight_side", "SideBiasWeight"),
        ("weight_toi", "ImpactTimeWeight"),
        ("horizon_s", "ImpactTimeRange"),
    ];
    let given = names.iter().filter_map(|(ours, theirs)| fitted.get(*ours).map(|value| format!("{theirs}={value:?}")));
    format!(
        "; FCrowdAvoidanceConfig of Unreal's UCrowdManager, for DefaultEngine.ini. UNPROVEN: fitted in Detour by itself; Unreal has its own copy\n\
         ; of Detour, samples velocities in another way, and nobody has run this there. The weights have no unit, ImpactTimeRange is in s.\n\
         ; Per agent, not here: MaxAcceleration in cm/s2 is {}, SeparationWeight is {}.\n\
         [/Script/AIModule.CrowdManager]\n+AvoidanceConfig=({})\n",
        fitted.get("max_acceleration_m_per_s2").map_or_else(|| "as it was".into(), |a| (100.0 * a).to_string()),
        fitted.get("separation_weight").map_or_else(|| "as it was".into(), f64::to_string),
        given.collect::<Vec<_>>().join(",")
    )
}
