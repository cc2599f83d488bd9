//! C3: a fit with a track error above that of people who walk straight on was praised as better by so much.

use crate::program::Place;

#[test]
fn a_track_error_stands_beside_those_without_a_model() {
    let place = Place::new();
    let rows: String = (0..21).map(|frame| format!("1 {frame} {:.1} 2\n", 1.0 + 0.1 * f64::from(frame))).collect();
    place.write("t.txt", format!("# framerate: 10 fps\n# x/y in m\n{rows}"));
    // The recorded person walks with 1 m/s, the one of the model wants 2 m/s.
    place.write(
        "street.toml",
        "format = 1\nmodel = \"social_force\"\n[parameters]\nrelaxation_time_s = { range = [0.1, 1.0] }\n\
         [simulation]\nsample_every_s = 0.1\n[scenario.street]\nwalkable = \"POLYGON ((0 0, 9 0, 9 4, 0 4, 0 0))\"\nlimit_s = 2.0\n\
         tracks = { file = \"t.txt\", restart_every_s = 1.0 }\n[scenario.street.group.a]\ncount = 1\n\
         from = { points = [[1, 2]] }\nto = { heading = [1, 0] }\n[people]\ndesired_speed_m_per_s = 2.0\n\
         [target.near]\nmetric = \"track_error_m2\"\nminimize = { good = 0, bad = 1 }\n[search]\nevaluations = 8\nreplicas = 1\n",
    );
    let (out, _) = place.run(0, "evolve street.toml --out run");
    let summary: serde_json::Value = serde_json::from_str(&place.text("run/summary.json")).unwrap();
    let baseline = &summary["baselines"][0];
    assert!(baseline["constant_velocity"].as_f64().unwrap() < 1e-12, "{baseline}");
    // The mean of (0.1 k)^2 m2 for k from 1 to 10.
    assert!((baseline["standing_still"].as_f64().unwrap() - 0.385).abs() < 1e-9, "{baseline}");
    let page = place.text("run/report.html");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in ["for people who stand still 0.385", "so the model predicts no better than that"] {
        assert!(words.contains(text) && page.contains(text), "{out}");
    }
    assert_eq!(summary["verdict"]["tone"], "amber");
}
