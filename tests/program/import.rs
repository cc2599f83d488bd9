//! `crowdtune import`: a file of each tool in a new folder becomes an experiment that runs.

use crowdtune_testing::program::Place;
use std::fs;
use std::path::Path;

fn place() -> Place {
    Place::new(env!("CARGO_BIN_EXE_crowdtune"))
}

fn example(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name)).unwrap()
}

const LAYERS: &str = "--layer A-WALL=wall --layer A-DOOR=door --layer A-FLOR=start";

#[test]
fn a_file_of_each_tool_runs() {
    let place = place();
    for (example_of, file, options) in [
        ("dxf/mm.dxf", "office.dxf", format!("--from dxf --unit mm {LAYERS}")),
        ("geojson/meters.geojson", "hall.geojson", "--from geojson --unit m".into()),
        ("obj/lines.obj", "lines.obj", "--from obj --unit m --up y --layer walls=wall --layer exit=door --layer start=start".into()),
        ("jupedsim/written.json", "preset.json", "--from jupedsim --people 5".into()),
        ("jupedsim_scenarios/deflated.zip", "editor.zip", "--from jupedsim_scenarios".into()),
        (
            "behaviorsearch/flocking.bsearch",
            "birds.bsearch",
            "--from behaviorsearch --model five_force --people 5 --map vision=range_diameters --map turn=- --map strategies?=- --map seen=- --map weight=-"
                .into(),
        ),
    ] {
        place.write(file, example(example_of));
        let toml = format!("{}.toml", file.split('.').next().unwrap());
        let ran = place.run(0, &format!("import {file} {options}"));
        assert!(ran.out.contains(&format!("crowdtune simulate {toml}")), "{}", ran.out);
        place.run(0, &format!("simulate {toml} --set scenario.{}.limit_s=2", scenario(&place.text(&toml))));
        let head = place.text(&toml);
        assert!(head.starts_with(&format!("# From {file}")), "{head}");
    }
}

/// The name of the first scenario of a file.
fn scenario(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("[scenario.")?.strip_suffix(']')).unwrap()
}

#[test]
fn nothing_is_written_over_and_options_of_other_importers_are_refused() {
    let place = place();
    place.write("office.dxf", example("dxf/mm.dxf"));
    place.write("office.toml", "mine");
    place.run(2, &format!("import office.dxf --from dxf --unit mm {LAYERS}")).says(&["exists already"]);
    assert_eq!(place.text("office.toml"), "mine");
    place.run(2, "import office.dxf --from dxf --up z").says(&["does not take --up", "--unit, --layer"]);
    place.run(2, "import office.dxf --from dwg").says(&["importer", "crowdtune list importers"]);
    place.run(2, "import office.dxf --from dxf --unit mm").says(&["office.dxf", "A-WALL"]);
}
