//! Runtimes: small sources in the language of an engine that step the tuned crowd, with the preset, the place and a scene to start from.

mod place;

use super::place::{self as places, What, comment};
use super::{Export, ExportInput, MakeExporter, Placed, json};
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Settings};

/// Models that every runtime has.
const MODELS: [&str; 3] = ["social_force", "five_force", "orca"];

/// What one engine gets.
struct Engine {
    /// Language and files that are the same for every export: path and text.
    sources: &'static [(&'static str, &'static str)],
    /// The README, with `{stem}`-free placeholders `PRESET` and `PLACE`.
    readme: &'static str,
}

/// The exporter's entry.
pub static RUST: Entry<MakeExporter> = Entry {
    name: "rust",
    doc: "The tuned crowd as Rust sources that need nothing but serde_json, for Bevy and for servers, with the preset and the place.",
    source: "runtimes/rust",
    params: &[],
    make: MakeExporter {
        export: |input| export(input, &IN_RUST),
        writes: "preset.json, place.json, crowdtune/*.rs, main.rs, README.md",
        needs_place: true,
        needs_runs: false,
    },
};

static IN_RUST: Engine = Engine {
    sources: &[
        ("crowdtune/mod.rs", include_str!("../../../runtimes/rust/mod.rs")),
        ("crowdtune/crowd.rs", include_str!("../../../runtimes/rust/crowd.rs")),
        ("crowdtune/place.rs", include_str!("../../../runtimes/rust/place.rs")),
        ("crowdtune/social_force.rs", include_str!("../../../runtimes/rust/social_force.rs")),
        ("crowdtune/five_force.rs", include_str!("../../../runtimes/rust/five_force.rs")),
        ("crowdtune/orca.rs", include_str!("../../../runtimes/rust/orca.rs")),
    ],
    readme: "",
};

fn export(input: &ExportInput<'_>, engine: &Engine) -> Result<Export, Error> {
    let known = input.models.len() == 1 && MODELS.contains(&input.models[0].name);
    if !known {
        let models: Vec<&str> = input.models.iter().map(|m| m.name).collect();
        return Err(Error::input(format!("the runtimes do not have `{}`", models.join("` with `")))
            .key("model")
            .allowed(MODELS.join(", "))
            .help("the exporters `json`, `csv` and `tracks` take every model"));
    }
    let preset = json::preset(input);
    places::each(input, "place", |placed, stem| {
        let warnings = lost(input, placed)?;
        let start = places::start(input, placed)?;
        let mut text =
            serde_json::to_vec_pretty(&place::place(input, placed, &start)).expect("a JSON value can be written");
        text.push(b'\n');
        Ok(Export { files: vec![(format!("{stem}.json"), text)], warnings })
    })
    .map(|mut export| {
        export.files.push(("preset.json".into(), preset));
        export.files.extend(engine.sources.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
        let readme = engine.readme.replace("PRESET", &comment(&input.preset.name));
        export.files.push(("README.md".into(), readme.into_bytes()));
        export
    })
}

/// What the runtimes cannot say: an error, unless it may be left out and listed.
fn lost(input: &ExportInput<'_>, placed: &Placed<'_>) -> Result<Vec<String>, Error> {
    let mut lost = Vec::new();
    let mut leave_out = |words: &str, instead: &str| {
        if !input.force {
            return Err(places::refused(
                placed,
                words,
                "what docs/exports.md lists under runtimes",
                &format!("add --force: {instead}"),
            ));
        }
        lost.push(format!("Left out: {words}; {instead}."));
        Ok(())
    };
    for (what, words) in places::beyond(placed) {
        match what {
            What::Rounds | What::Heading | What::Gathering => {}
            What::Field => leave_out(&words, "they walk straight to their goals until you set `find_way`")?,
            What::Sight => leave_out(&words, "they see all goals")?,
            What::GivingWay => leave_out(&words, "groups share by their `responsibility`")?,
            What::Discomfort => leave_out(&words, "all ground is alike")?,
            _ => {
                return Err(places::refused(
                    placed,
                    &words,
                    "an open place on flat ground, people who are there at the start",
                    places::OTHERS,
                ));
            }
        }
    }
    let mut pushed = false;
    for constants in &placed.constants {
        let s = Settings::new(input.models[0].params, constants);
        let has = |key: &str| input.models[0].params.iter().any(|p| p.key == key);
        for (key, words, instead) in [
            ("impatience", "people who are held up hurry (`impatience`)", "they keep their speed"),
            ("injuries", "people under pressure are injured (`injuries`)", "nobody is"),
            ("noise_m_per_s2", "people are pushed at random (`noise_m_per_s2`)", "they are not"),
        ] {
            if has(key) && s.get(key) > 0.0 {
                leave_out(words, instead)?;
            }
        }
        pushed |= has("push_m_per_s") && s.get("push_m_per_s") > 0.0;
    }
    lost.extend(pushed.then(|| PUSH.into()));
    Ok(lost)
}

const PUSH: &str = "The runtime has no random push: two people who meet exactly face to face can stop each other; turn `find_way` by a hair if \
                    that happens.";

#[cfg(test)]
mod cases;
#[cfg(test)]
mod tests;
