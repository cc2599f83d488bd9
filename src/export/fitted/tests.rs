use super::page::{csv, rows, signed, verdict};
use super::*;
use crate::evolve::experiment::Experiment;
use crate::evolve::fit::Residual;
use crate::figure::Figure;
use crate::registry::Registry;

/// The parameters that the experiment of an engine searches, at their defaults.
fn defaults(tool: &Entry<MakeFitted>) -> Fitted {
    let text = format!(
        "{}\n[scenario.x]\nkind = \"engine\"\n[target.x]\nvalue = \"x_\"\nequals = 1.0\ntolerance = 1.0\n",
        head(tool)
    );
    let experiment = Experiment::load(&Registry::builtin(), &text, "x.toml", &[], &mut crate::no_files).unwrap();
    let keys = experiment.space.genes.iter().map(|gene| crate::format::key(&gene.key).to_owned());
    keys.zip(experiment.defaults.iter().copied()).collect()
}

/// The command and the parameters of an experiment.
fn head(tool: &Entry<MakeFitted>) -> String {
    let text = tool.make.experiment();
    let end = text.find("\n[people]").or(text.find("\n[scenario")).unwrap_or(text.len());
    text[..end].to_owned()
}

#[test]
fn every_fitted_parameter_is_written_in_the_tools_terms() {
    for tool in FITTED {
        let fitted = defaults(tool);
        assert!(fitted.len() >= 4, "{}: {fitted:?}", tool.name);
        let (file, text) = (tool.make.own)(&fitted).remove(0);
        // Each value stands there once.
        let number = |line: &str| line.rsplit([':', '=']).next()?.trim_matches([' ', ',']).parse().ok();
        let numbers: Vec<f64> = text.lines().filter_map(number).collect();
        assert_eq!(numbers.len(), fitted.len(), "{file}: {text}");
        for value in fitted.values() {
            assert!(numbers.contains(value), "{value} in {file}: {text}");
        }
        assert!(
            tool.make.exported().any(|(name, _)| name.starts_with("worker"))
                && tool.make.exported().all(|(name, _)| name != "experiment.toml")
        );
    }
}

#[test]
fn detour_gives_unreal_the_same_weights() {
    let detour = FITTED.iter().find(|tool| tool.name == "detour").unwrap();
    let files = (detour.make.own)(&defaults(detour));
    // Unreal's own defaults of FCrowdAvoidanceConfig are those of Detour.
    let wanted = "+AvoidanceConfig=(VelocityBias=0.4,DesiredVelocityWeight=2.0,CurrentVelocityWeight=0.75,SideBiasWeight=0.75,ImpactTimeWeight=2.5,ImpactTimeRange=2.5)";
    assert!(files[1].1.contains(wanted) && files[1].1.contains("UNPROVEN"), "{}", files[1].1);
}

fn residual(name: &str, defaults: f64, fitted: f64, fitted_to: bool) -> Residual {
    let figure = |value: f64| Figure { value: Some(value), low: Some(value - 0.2), high: Some(value + 0.2) };
    Residual {
        name: name.into(),
        unit: "m".into(),
        case: "room[width_m=1]".into(),
        fitted_to,
        preset: figure(1.0),
        defaults: figure(1.0 + defaults),
        fitted: figure(1.0 + fitted),
        defaults_off: figure(defaults),
        fitted_off: figure(fitted),
    }
}

#[test]
fn the_table_counts_what_came_nearer() {
    let yuka = FITTED.iter().find(|tool| tool.name == "yuka").unwrap();
    let all = [residual("a", 0.9, -0.1, true), residual("b", 0.1, 0.5, true), residual("c", 9.0, 0.0, false)];
    let said = verdict(&yuka.make, &all);
    assert_eq!(
        said,
        "Fitted, yuka is nearer to the preset than with its defaults in 1 of 2 values; the interval of the difference holds 0 in 1 of 2, with \
         the defaults in 1."
    );
    assert_eq!(rows(&all)[2][2], "room[width_m=1] (not fitted)");
    let text = csv(&all);
    assert!(text.lines().all(|line| line.split(',').count() == 19), "{text}");
    assert!(text.contains("\n\"a\",\"m\",\"room[width_m=1]\",true,1,0.8,1.2,"), "{text}");
}

#[test]
fn every_file_says_where_it_comes_from() {
    let origin = ["Preset `a`,\nmodel `b`.".to_string()];
    assert_eq!(signed("x.toml", "[a]\n", &origin), "# Preset `a`, model `b`.\n\n[a]\n");
    assert_eq!(signed("x.ini", "[a]\n", &origin), "; Preset `a`, model `b`.\n\n[a]\n");
    let json: serde_json::Value = serde_json::from_str(&signed("x.json", "{\"a\": {\"b\": 1.0}}", &origin)).unwrap();
    assert_eq!((json["a"]["b"].as_f64(), json["origin"][0].as_str()), (Some(1.0), Some("Preset `a`,\nmodel `b`.")));
}
