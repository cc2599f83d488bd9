//! `crowdtune schema`: the JSON Schema of the experiment file, so that editors complete keys and mark mistakes.

mod shape;

use super::output;
use crate::evolve::config::ELSEWHERE;
use crate::evolve::config::hints::lists;
use crate::registry::Registry;
use crate::target::TARGETS;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::models::MakeModel;
use serde_json::{Map, Value, json};
use shape::{Use, each, map, named, object, params, text, words};

/// Print the JSON Schema of the experiment file
#[derive(Debug, ClapArgs)]
pub struct Args {}

/// Runs the command.
///
/// # Errors
/// If stdout cannot be written.
pub fn run(_: &Args, registry: &Registry) -> Result<(), Error> {
    let mut registry = registry.clone();
    // A program may have one of that name; then that is meant.
    let _ = registry.scenarios.add(&ELSEWHERE);
    output::line(serde_json::to_string_pretty(&schema(&registry)).expect("a JSON value can be written"))
}

/// The schema. It is wider than the reader: what depends on other keys is left to `crowdtune`'s own errors.
pub fn schema(registry: &Registry) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "crowdtune experiment",
        "type": "object",
        "properties": {
            "format": { "const": 1, "description": "Format of this file." },
            "name": { "type": "string", "description": "What run folders and presets are called by; the name of the file where it is not given." },
            "title": { "type": "string", "description": "One sentence for the report." },
            "model": words(&registry.models),
            "behaviors": { "type": "array", "items": words(&registry.behaviors), "uniqueItems": true, "description": "Named bundles of targets." },
            "engine": engine(),
            "parameters": { "type": "object" },
            "people": { "$ref": "#/$defs/people" },
            "scenario": named(scenario(registry)),
            "target": named(target(registry, true)),
            "measure": named(target(registry, false)),
            "atlas": axes(registry),
            "simulation": simulation(),
            "search": search(registry),
        },
        "required": ["scenario"],
        // Constants of an engine are known to the file alone.
        "if": { "not": { "required": ["engine"] } },
        "then": { "required": ["model"], "properties": { "parameters": { "$ref": "#/$defs/parameters" } } },
        "additionalProperties": false,
        "$defs": {
            "parameters": parameters(registry),
            "people": object(params(TRAITS, Use::Trait)),
            "number": { "anyOf": [{ "type": "number" }, each(&json!({ "type": "number" }))] },
            "point": { "type": "array", "items": { "$ref": "#/$defs/number" }, "minItems": 2, "maxItems": 2 },
            "points": { "type": "array", "items": { "$ref": "#/$defs/point" }, "minItems": 1 },
            "line": { "type": "array", "items": { "$ref": "#/$defs/point" }, "minItems": 2, "maxItems": 2 },
            "area": { "type": "array", "items": { "$ref": "#/$defs/point" }, "minItems": 2 },
            "interval": { "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 },
            "wkt": {
                "anyOf": [{ "type": "string" }, object(map([("file", json!({ "type": "string" }))]))],
                "description": "WKT, or the file that holds it.",
            },
        },
    })
}

/// `[engine]`.
fn engine() -> Value {
    let seconds = |doc: &str| json!({ "type": "number", "exclusiveMinimum": 0, "description": doc });
    let declared = |keys: Map<String, Value>| named(object(keys));
    let words = map([("unit", text("Its unit.")), ("doc", text("What it is, in one sentence."))]);
    let mut constants = words.clone();
    constants.insert("default".into(), json!({ "description": "The value that the engine has today." }));
    constants.insert("options".into(), json!({ "type": "array", "items": { "type": "string" } }));
    let mut engine = object(map([
        (
            "command",
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "description": "The program and its arguments." }),
        ),
        ("connection", json!({ "enum": ["stdio", "tcp", "files"], "description": "How it is talked to." })),
        ("timeout_s", seconds("Longest time from a request to its answer, s.")),
        ("start_s", seconds("Longest time from its start to its first answer, s.")),
        ("name", text("What tables and presets call it.")),
        ("parameters", declared(constants)),
        ("values", declared(words)),
    ]));
    engine["required"] = json!(["command"]);
    engine["description"] = json!("A foreign simulator in place of crowdtune's models.");
    engine
}

/// The constants of all models, and a table for each model that groups name.
fn parameters(registry: &Registry) -> Value {
    let mut keys = constants(&registry.models);
    for model in registry.models.iter() {
        let mut own = constants(&[*model]);
        for (key, value) in &mut own {
            // What it has in common with the table of all models stands there.
            if keys.get(key) == Some(value) {
                *value = json!({ "$ref": format!("#/$defs/parameters/properties/{key}") });
            }
        }
        let mut own = object(own);
        own["description"] = json!(format!("Constants of `{}` for the groups that name it.", model.name));
        keys.insert(model.name.into(), own);
    }
    object(keys)
}

/// The constants of models, and the lists that a source prints.
fn constants(models: &[&'static Entry<MakeModel>]) -> Map<String, Value> {
    let mut keys = params(models.iter().flat_map(|m| m.params), Use::Constant);
    for list in models.iter().flat_map(|model| lists(model)) {
        let count = list.symbols.len();
        let values = json!({ "type": "array", "items": { "type": "number" }, "minItems": count, "maxItems": count });
        let names: Vec<_> = list.orders.iter().map(|order| order.name).collect();
        let order = json!({ "enum": names, "description": "Which order of the source the list is in." });
        let mut listed = object(map([("order", order), (list.values, values)]));
        listed["description"] = json!(list.doc);
        listed["required"] = json!([list.values]);
        keys.insert(list.key.into(), listed);
    }
    keys
}

/// Shares of the avoidance, by the group that is met.
fn gives_way() -> Value {
    let share =
        json!({ "anyOf": [{ "type": "number", "minimum": 0, "maximum": 1 }, each(&json!({ "type": "number" }))] });
    let mut shares = named(share);
    shares["description"] =
        json!("Share of the avoidance that they take towards people of another group; that group takes the rest.");
    shares
}

fn scenario(registry: &Registry) -> Value {
    let number = json!({ "$ref": "#/$defs/number" });
    let mut keys = params(registry.scenarios.iter().flat_map(|s| s.params), Use::Place);
    let group = object(map([
        ("count", number.clone()),
        ("inflow_per_s", number.clone()),
        ("from", from()),
        ("to", to()),
        ("away_from", away_from()),
        ("model", words(&registry.models)),
        ("gives_way", gives_way()),
        ("catches", catches()),
        ("discomfort", ahead()),
        ("parameters", json!({ "$ref": "#/$defs/parameters" })),
        ("people", json!({ "$ref": "#/$defs/people" })),
    ]));
    let navigation = object(map([
        ("kind", json!({ "enum": ["straight", "waypoints", "field", "corners"] })),
        ("points", json!({ "$ref": "#/$defs/points" })),
        ("radius_m", number.clone()),
        ("cell_m", number.clone()),
        ("margin_m", number.clone()),
        ("discomfort_weight", number.clone()),
    ]));
    keys.extend(map([
        ("kind", words(&registry.scenarios)),
        ("engine", json!({ "type": "object", "description": "What a foreign simulator is told of this scenario." })),
        (
            "limit_s",
            json!({ "$ref": "#/$defs/number", "description": "Simulated time, s; reaching it is a normal end." }),
        ),
        (
            "give_up_s",
            json!({ "$ref": "#/$defs/number", "description": "A run ends when nobody has left for this long, s." }),
        ),
        ("replicas", json!({ "type": "integer", "minimum": 1, "description": "Runs of each candidate." })),
        ("held_out", json!({ "type": "boolean", "description": "Never used by the search, only reported." })),
        (
            "tracks",
            object(map([
                ("file", json!({ "type": "string", "description": "Recorded people: rows of `id frame x y`." })),
                ("fps", json!({ "$ref": "#/$defs/number", "description": "Frames per second of the frame numbers." })),
                ("unit", json!({ "enum": ["m", "cm"], "description": "Unit of the coordinates." })),
                ("columns", json!({ "type": "array", "items": { "type": "string" }, "description": "Names of the columns." })),
                (
                    "restart_every_s",
                    json!({ "$ref": "#/$defs/number", "description": "The run is put back onto the tracks this often, s." }),
                ),
                (
                    "desired_speed",
                    json!({ "enum": ["people", "estimated"], "description": "That of [people], or what each own track says." }),
                ),
                (
                    "walk",
                    json!({ "enum": ["together", "one_among_recorded"], "description": "Among the others as they walk, or as they were recorded." }),
                ),
                (
                    "one_in",
                    json!({ "type": "integer", "minimum": 2, "description": "Copies of the crowd: each person walks in one of them, in the others as recorded." }),
                ),
                (
                    "leave",
                    json!({ "enum": ["as_recorded", "at_goal"], "description": "When they were seen last, or when they reach their goal in the run." }),
                ),
            ])),
        ),
        ("sight_m", number),
        ("navigation", navigation),
        ("walkable", json!({ "$ref": "#/$defs/wkt" })),
        ("obstacles", json!({ "$ref": "#/$defs/wkt" })),
        (
            "walls",
            json!({ "anyOf": [{ "type": "array", "items": { "$ref": "#/$defs/line" } }, { "$ref": "#/$defs/wkt" }] }),
        ),
        ("lines", named(json!({ "$ref": "#/$defs/line" }))),
        ("areas", named(json!({ "$ref": "#/$defs/area" }))),
        (
            "discomfort",
            json!({ "type": "array", "items": discomfort(), "description": "Where people do not like to be." }),
        ),
        ("ground", ground()),
        ("periodic", json!({ "enum": ["none", "x", "y", "xy"] })),
        ("group", named(group)),
        ("parameters", json!({ "$ref": "#/$defs/parameters" })),
        ("people", json!({ "$ref": "#/$defs/people" })),
    ]));
    object(keys)
}

/// For models whose paths have a price.
fn discomfort() -> Value {
    object(map([
        ("area", json!({ "$ref": "#/$defs/area" })),
        (
            "people_per_m2",
            json!({ "$ref": "#/$defs/number", "description": "As if so many people per m2 were expected there." }),
        ),
    ]))
}

/// Heights, and speeds on slopes.
fn ground() -> Value {
    let number = || json!({ "$ref": "#/$defs/number" });
    let hill = object(map([
        ("at", json!({ "$ref": "#/$defs/point" })),
        ("height_m", number()),
        ("width_m", json!({ "anyOf": [number(), { "$ref": "#/$defs/point" }] })),
    ]));
    let linear = object(map([("easy_slope", number()), ("steep_slope", number()), ("steep_speed_share", number())]));
    let mut ground = object(map([
        ("file", json!({ "type": "string", "description": "Heights as an ASCII grid of ESRI." })),
        ("unit", json!({ "enum": ["m", "cm", "ft"] })),
        (
            "origin",
            json!({ "$ref": "#/$defs/point", "description": "Where the south-west corner of the file's heights lies." }),
        ),
        ("slope", json!({ "$ref": "#/$defs/point", "description": "Rise per meter towards +x and +y." })),
        ("hills", json!({ "type": "array", "items": hill })),
        ("speed", json!({ "anyOf": [{ "const": "tobler" }, linear] })),
    ]));
    ground["description"] = json!("Heights of the ground; people walk slower uphill.");
    ground
}

fn from() -> Value {
    object(map([
        ("area", json!({ "$ref": "#/$defs/area" })),
        ("spacing_m", json!({ "$ref": "#/$defs/number" })),
        ("points", json!({ "$ref": "#/$defs/points" })),
    ]))
}

/// Places to visit one after the other, or one way to go on forever.
fn to() -> Value {
    let point = json!({ "$ref": "#/$defs/point" });
    let gather = map([("gather", point.clone()), ("radius_m", json!({ "$ref": "#/$defs/number" }))]);
    json!({ "anyOf": [
        goal(),
        { "type": "array", "items": { "anyOf": [goal(), any()] }, "minItems": 1 },
        any(),
        object(map([("heading", point)])),
        object(map([("group", text("The group that is followed, by name."))])),
        object(gather),
    ] })
}

/// A number, which this says something of.
fn number(what: &str) -> Value {
    json!({ "$ref": "#/$defs/number", "description": what })
}

/// Whom people run away from.
fn away_from() -> Value {
    let within = number("How near they let them come, m; without it they always run.");
    let mut away = object(map([("group", text("The group that chases them, by name.")), ("within_m", within)]));
    away["required"] = json!(["group"]);
    away
}

/// Whom people catch.
fn catches() -> Value {
    let mut catches = object(map([
        ("group", text("The group whose people are caught, by name.")),
        ("distance_m", number("Gap between two bodies within which somebody is held, m.")),
        ("time_s", number("How long somebody has to be held without a break, s.")),
        ("then", json!({ "enum": ["leave", "join"], "description": "What becomes of whom they catch." })),
    ]));
    catches["required"] = json!(["group", "distance_m", "time_s"]);
    catches
}

/// What people bring with them.
fn ahead() -> Value {
    let mut ahead = object(map([
        ("people_per_m2", number("As if so many people per m2 were expected there.")),
        ("radius_m", number("How far it reaches from the center, m.")),
        ("ahead_s", number("Over which time it is swept along the velocity, s; 0 by default.")),
    ]));
    ahead["required"] = json!(["people_per_m2", "radius_m"]);
    ahead["description"] = json!("How much others keep away from each of them, and from where they will be.");
    ahead
}

/// The nearest of several places.
fn any() -> Value {
    object(map([
        ("name", text("What the places are called, with a number.")),
        ("any", json!({ "type": "array", "items": goal(), "minItems": 1 })),
    ]))
}

fn goal() -> Value {
    object(map([
        ("name", text("What the place is called.")),
        ("line", json!({ "$ref": "#/$defs/line" })),
        ("area", json!({ "$ref": "#/$defs/area" })),
        ("point", json!({ "$ref": "#/$defs/point" })),
        ("radius_m", json!({ "$ref": "#/$defs/number" })),
    ]))
}

fn target(registry: &Registry, wanted: bool) -> Value {
    let interval = json!({ "$ref": "#/$defs/interval" });
    let place = object(map([("line", json!({ "$ref": "#/$defs/line" })), ("area", json!({ "$ref": "#/$defs/area" }))]));
    let line = object(map([("line", json!({ "$ref": "#/$defs/line" }))]));
    let window = object(map([
        ("ranks", interval.clone()),
        ("time_s", interval.clone()),
        ("crossings", interval.clone()),
        ("of", json!({ "anyOf": [text("The line whose crossings count, by name, `scenario.name`."), line] })),
    ]));
    let mut keys = map([
        ("metric", words(&registry.metrics)),
        ("value", text("A number in the answers of the engine, in place of a metric.")),
        ("unit", text("The unit of that number.")),
        ("doc", text("What that number is.")),
        ("at", json!({ "anyOf": [text("A line or area by name, `scenario.name`."), place] })),
        ("window", json!({ "anyOf": [{ "enum": ["all", "steady"] }, window] })),
        ("scenario", text("The scenario it is for; without it all that can give it.")),
        ("group", text("The group that counts, by name.")),
        ("center", text("The group that distances are measured from, by name.")),
        (
            "combine",
            json!({ "enum": ["mean", "median", "p95", "worst"], "description": "How replicas become one value." }),
        ),
    ]);
    if wanted {
        let numbers = json!({ "type": "array", "items": { "type": "number" } });
        for kind in TARGETS {
            let mut value = match kind.name {
                "minimize" | "maximize" => {
                    object(map([("good", json!({ "type": "number" })), ("bad", json!({ "type": "number" }))]))
                }
                "between" => interval.clone(),
                "points" => json!({ "type": "array", "items": interval, "minItems": 1 }),
                "like" => {
                    let column =
                        json!({ "type": ["string", "integer"], "description": "Name or number of its column." });
                    let file = object(map([("file", text("Numbers.")), ("column", column)]));
                    json!({ "anyOf": [numbers, { "type": "string" }, file] })
                }
                _ => json!({ "type": "number" }),
            };
            value["description"] = json!(kind.doc);
            keys.insert(kind.name.into(), value);
        }
        keys.extend(map([
            ("tolerance", json!({ "anyOf": [{ "type": "number" }, text("A share such as \"10 %\".")] })),
            ("scale", json!({ "type": "number", "description": "The excess that counts as a loss of 1." })),
            ("over", text("The `each` key that `points` run over.")),
            ("by", json!({ "enum": ["wasserstein", "ks"] })),
            ("loss", json!({ "enum": ["band", "squares"], "description": "0 in the band, or the square of how many tolerances a value is off." })),
            ("weight", json!({ "type": "number", "minimum": 0 })),
            ("must", json!({ "type": "boolean", "description": "A candidate that misses it is not a solution." })),
            ("objective", text("Name of the objective it belongs to.")),
        ]));
    }
    keys.extend(params(registry.metrics.iter().flat_map(|m| m.params), Use::Setting));
    // A bundle of a behavior may bring the metric, so it is not required.
    object(keys)
}

/// Axes of an atlas: measures with a range, or names of targets and measures.
fn axes(registry: &Registry) -> Value {
    let mut axis = target(registry, false);
    axis["properties"]["range"] =
        json!({ "$ref": "#/$defs/interval", "description": "Ends of the axis, in the unit of the metric." });
    axis["properties"]["cells"] =
        json!({ "type": "integer", "minimum": 2, "maximum": 100, "description": "Number of cells." });
    axis["properties"]["split"] = json!({
        "type": "number",
        "description": "A value inside the range: the report says which constants the candidates at or above it have."
    });
    axis["required"] = json!(["range"]);
    let mut axes = named(axis);
    axes["maxProperties"] = json!(3);
    axes["description"] =
        json!("Axes along which behaviors are spread; one without `metric` is a target or measure of that name.");
    axes
}

fn simulation() -> Value {
    object(map([
        ("time_step_s", json!({ "type": "number", "exclusiveMinimum": 0 })),
        ("sample_every_s", json!({ "type": "number", "exclusiveMinimum": 0 })),
        ("record_every_s", json!({ "type": "number", "exclusiveMinimum": 0 })),
        (
            "max_overlap_share",
            json!({ "type": "number", "description": "A deeper overlap fails the run; share of the radius." }),
        ),
        (
            "max_backward_share",
            json!({ "type": "number", "description": "A run in which people walk backwards for more of their time fails." }),
        ),
    ]))
}

fn search(registry: &Registry) -> Value {
    let whole =
        |least: u32, description: &str| json!({ "type": "integer", "minimum": least, "description": description });
    let number = |description: &str| json!({ "type": "number", "description": description });
    let stop = object(map([
        ("loss", number("The search ends when a feasible candidate has a loss of at most this.")),
        ("stagnation", whole(1, "The search ends after this many evaluations without a better candidate.")),
        ("time_s", number("The search ends after this many seconds of wall time.")),
    ]));
    let mut keys = map([
        ("optimizer", words(&registry.optimizers)),
        ("evaluations", whole(1, "Number of candidates that are tried.")),
        ("parallel", whole(1, "Width of a batch; results depend on it, not on the number of cores.")),
        ("seed", whole(0, "Seed of everything.")),
        ("replicas", whole(1, "Runs of each candidate in a scenario that does not say otherwise.")),
        ("finalists", whole(1, "Candidates that run again on fresh seeds.")),
        ("select_replicas", whole(20, "Fresh runs that pick the recommendation, a finalist on average.")),
        ("report_replicas", whole(20, "Further fresh runs that give its figures.")),
        (
            "profile_share",
            json!({
                "type": "number",
                "minimum": 0,
                "maximum": 1,
                "description": "Share of the search's simulations for profiles, which show how far each number may go from the recommendation; 0 for none. One objective, no atlas.",
            }),
        ),
        (
            "preference",
            json!({
                "type": "object",
                "description": "Weights of objectives, which pick the recommended point of the front; without them it is the knee.",
                "additionalProperties": { "type": "number", "minimum": 0 },
            }),
        ),
        ("repeats", whole(1, "Searches, each with its own seed.")),
        ("stop", stop),
        (
            "replication",
            json!({ "enum": ["fixed", "adaptive"], "description": "Whether replicas adapt to how much ranks change on other seeds." }),
        ),
        ("max_replicas", whole(1, "Most replicas of a question where they adapt.")),
    ]);
    for optimizer in registry.optimizers.iter() {
        keys.insert(optimizer.name.into(), object(params(optimizer.params, Use::Setting)));
    }
    object(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_registered_name_is_a_key_or_a_word() {
        let registry = Registry::builtin();
        let schema = schema(&registry);
        let words = |at: &str| -> Vec<String> {
            let list = schema.pointer(at).and_then(Value::as_array).unwrap();
            list.iter().map(|w| w["const"].as_str().unwrap().to_string()).collect()
        };
        let names = |list: &[&str]| list.iter().map(|n| (*n).to_string()).collect::<Vec<_>>();
        assert_eq!(
            words("/properties/model/oneOf"),
            names(&registry.models.iter().map(|e| e.name).collect::<Vec<_>>())
        );
        let metrics = names(&registry.metrics.iter().map(|e| e.name).collect::<Vec<_>>());
        assert_eq!(words("/properties/target/additionalProperties/properties/metric/oneOf"), metrics);
        let behaviors = names(&registry.behaviors.iter().map(|e| e.name).collect::<Vec<_>>());
        assert_eq!(words("/properties/behaviors/items/oneOf"), behaviors);
        let kinds = names(&registry.scenarios.iter().map(|e| e.name).collect::<Vec<_>>());
        assert_eq!(words("/properties/scenario/additionalProperties/properties/kind/oneOf"), kinds);
        let has = |at: &str, key: &str| assert!(schema.pointer(at).unwrap().get(key).is_some(), "{at}: {key}");
        registry.models.iter().flat_map(|m| m.params).for_each(|p| has("/$defs/parameters/properties", p.key));
        for model in registry.models.iter() {
            let of_it = format!("/$defs/parameters/properties/{}/properties", model.name);
            model.params.iter().for_each(|p| has(&of_it, p.key));
        }
        let group = "/properties/scenario/additionalProperties/properties/group/additionalProperties/properties";
        ["model", "gives_way", "parameters", "people"].iter().for_each(|key| has(group, key));
        TRAITS.iter().for_each(|p| has("/$defs/people/properties", p.key));
        let scenario = "/properties/scenario/additionalProperties/properties";
        registry.scenarios.iter().flat_map(|s| s.params).for_each(|p| has(scenario, p.key));
        for o in registry.optimizers.iter() {
            o.params.iter().for_each(|p| has(&format!("/properties/search/properties/{}/properties", o.name), p.key));
        }
        TARGETS.iter().for_each(|k| has("/properties/target/additionalProperties/properties", k.name));
        for table in ["target", "measure"] {
            let keys = format!("/properties/{table}/additionalProperties/properties");
            registry.metrics.iter().flat_map(|m| m.params).for_each(|p| has(&keys, p.key));
        }
    }

    #[test]
    fn a_group_may_go_wherever_the_reader_lets_it() {
        let to = schema(&Registry::builtin());
        let to = to.pointer("/properties/scenario/additionalProperties/properties/group/additionalProperties").unwrap();
        let ways = to.pointer("/properties/to/anyOf").and_then(Value::as_array).unwrap();
        let takes = |keys: &[&str]| {
            let holds = |way: &Value| keys.iter().all(|key| way.pointer(&format!("/properties/{key}")).is_some());
            assert!(ways.iter().any(holds), "{keys:?}");
        };
        takes(&["heading"]);
        takes(&["group"]);
        takes(&["any", "name"]);
        takes(&["gather", "radius_m"]);
        takes(&["name", "line", "area", "point", "radius_m"]);
        assert!(to.pointer("/properties/inflow_per_s").is_some());
        assert!(to.pointer("/properties/away_from/properties/within_m").is_some());
        assert!(to.pointer("/properties/catches/properties/then").is_some());
        assert!(to.pointer("/properties/discomfort/properties/ahead_s").is_some());
    }

    #[test]
    fn every_reference_leads_somewhere_and_no_limit_is_infinite() {
        fn walk(root: &Value, at: &Value) {
            match at {
                Value::Object(table) => {
                    if let Some(Value::String(to)) = table.get("$ref") {
                        assert!(root.pointer(to.trim_start_matches('#')).is_some(), "{to}");
                    }
                    assert!(table.get("maximum").is_none_or(Value::is_number));
                    table.values().for_each(|v| walk(root, v));
                }
                Value::Array(list) => list.iter().for_each(|v| walk(root, v)),
                _ => {}
            }
        }
        let schema = schema(&Registry::builtin());
        walk(&schema, &schema);
    }
}
