#!/usr/bin/env python3
"""`crowdtune fit` on published recordings, and the tables of docs/calibration.md, with the release program and Python's standard library.

    cargo build --release
    python3 benches/recordings.py [NAME...]        all recordings write the tables into docs/calibration.md; some of them are printed only
    python3 benches/recordings.py whole [NAME...]  the same of what the whole crowd does, where people have a goal to walk to

The data are not part of the project: they are read from CROWDTUNE_DATA, or from ../shared/data beside the checkout. CROWDTUNE names another program. Everything
goes to results/recordings.
"""
import json, os, shutil, subprocess, sys

from published import publish

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get("CROWDTUNE", os.path.join(HERE, "target", "release", "crowdtune"))
DATA = os.environ.get("CROWDTUNE_DATA", os.path.join(HERE, "..", "shared", "data"))
OUT = os.path.join(HERE, "results", "recordings")
EVALUATIONS = 60


def walls(*lines):
    return "MULTILINESTRING (" + ", ".join("(" + ", ".join(line) + ")" for line in lines) + ")"


def mirrored(line):
    return [f"{-float(x):g} {y}" for x, y in (point.split() for point in line)]


def corridor(number, *exit_walls):
    sides = (["-1 4", "0 4", "0 -4"], ["2.8 4", "1.8 4", "1.8 -4"])
    return [f"juelich_unidir_corridor_b180/{number}.txt", "--fps", "16", "--unit", "cm", *COLUMNS, "--geometry", walls(*sides, *exit_walls)]


COLUMNS = ["--columns", "id,frame,x,y,_"]
GATE_SIDE = ["-0.7 -1.1", "-0.25 -1.1", "-0.25 -0.15", "-0.4 0", "-2.8 0", "-2.8 6.7"]
METERS = ["--unit", "m", *COLUMNS]
CORNER = ["juelich_reference_corner/traj.txt", *METERS, "--fps", "16"]
FILE = ["--fps", "25", "--unit", "m", "--columns", "id,frame,x,y,_,_"]
# Name: title, and what follows `crowdtune fit`. Walls are those that the authors give; without any the place is the hull of the tracks.
RECORDINGS = {
    "zara01": ("UCY zara01, a street", ["ucy_zara01/obsmat.txt", "--fps", "25", "--unit", "m", "--columns", "frame,id,x,_,y,_,_,_"]),
    "gate": ("Jülich, bottleneck 0.5 m (run 040)", ["juelich_bottleneck_w050/040_c_56_h-.txt", *METERS, "--fps", "25", "--geometry", walls(GATE_SIDE, mirrored(GATE_SIDE))]),
    "pupils": ("Jülich, bottleneck 0.8 m, pupils (run 00_01a)", ["juelich_bottleneck_groups_w080/00_01a.txt", *METERS, "--fps", "25", "--geometry", walls(
        ["2.39 -0.26", "0.41 -0.26", "0.4 0.295", "2.39 0.31"], ["-2.39 -0.26", "-0.4 -0.26", "-0.4 0.295", "-2.39 0.31"])]),
    "ao_300": ("Hermes AO_300, bottleneck 3.0 m", ["juelich_reference_bottleneck/traj.txt", *METERS, "--fps", "16", "--geometry", walls(
        ["4 6.25", "4 0.53", "2.4 0.53", "2.4 -0.53", "4 -0.53", "4 -8.5"], ["-2.25 6.25", "-2.25 0.53", "-0.6 0.53", "-0.6 -0.53", "-2.25 -0.53", "-2.25 -8.5"])]),
    "corner": ("Hermes, corner 3 m, straight to the end of the own track", [*CORNER, "--geometry", walls(["-3 5", "-3 -3", "5 -3"], ["0 5", "0 0", "5 0"])]),
    "corner_to": ("The same corner with `--to` its exit, and its walls as a POLYGON", [*CORNER, "--geometry", "POLYGON ((-3 5, 0 5, 0 0, 5 0, 5 -3, -3 -3, -3 5))", "--to", "[[-3, 4], [0, 4]]"]),
    "n34": ("Jülich, single file, 34 people on an oval, seen in a straight section", ["juelich_single_file/n34_cam2.csv", *FILE]),
    "n56": ("Jülich, single file, 56 people on an oval, seen in a straight section", ["juelich_single_file/n56_cam1.csv", *FILE]),
    "uo-050-180-180": ("Hermes uo-050-180-180, corridor 1.8 m", corridor("uo-050-180-180")),
    "uo-100-180-180": ("Hermes uo-100-180-180", corridor("uo-100-180-180")),
    "uo-180-180-180": ("Hermes uo-180-180-180", corridor("uo-180-180-180")),
    "uo-180-180-120": ("Hermes uo-180-180-120", corridor("uo-180-180-120", ["0 -4", "0.3 -4"], ["1.5 -4", "1.8 -4"])),
    "uo-180-180-070": ("Hermes uo-180-180-070", corridor("uo-180-180-070", ["0 -4", "0.55 -4"], ["1.25 -4", "1.8 -4"])),
    "basigo": ("BaSiGo bi_corr_400_b_03, two directions in a corridor 4 m wide", ["juelich_bidir_corridor_b400/bi_corr_400_b_03.txt", "--fps", "25", "--unit", "cm", *COLUMNS, "--geometry", walls(["-5 0", "5 0"], ["-5 4.1", "5 4.1"])]),
}
# Where people go to who are not put back: the end of the bottleneck or of the corridor.
TO = {
    "gate": "[[-0.25, -1.1], [0.25, -1.1]]",
    "pupils": "[[-0.41, -0.26], [0.41, -0.26]]",
    "ao_300": "[[-0.6, 0.53], [2.4, 0.53]]",
    "corner_to": None,
    "uo-050-180-180": "[[0, -4], [1.8, -4]]",
    "uo-100-180-180": "[[0, -4], [1.8, -4]]",
    "uo-180-180-120": "[[0.3, -4], [1.5, -4]]",
    "uo-180-180-070": "[[0.55, -4], [1.25, -4]]",
}
WHOLE = [("flow", "flow, 1/s"), ("n_t", "N(t) off, s"), ("density_map", "density map off, 1/m2"), ("fundamental_diagram", "diagram off, m/s")]
WHOLE_MODELS, WHOLE_EVALUATIONS = "social_force,collision_free_speed", 40
VERDICTS = ("better", "not told apart", "worse")


def fit(name, models="all", evaluations=EVALUATIONS, more=(), kind=""):
    tracks, *options = RECORDINGS[name][1]
    out = os.path.join(OUT, name + kind)
    shutil.rmtree(out, ignore_errors=True)
    words = ["fit", os.path.join(DATA, tracks), *options, *more, "--models", models, "--evaluations", str(evaluations), "--quiet", "--json", "--out", out]
    ran = subprocess.run([PROGRAM, *words], text=True, capture_output=True)
    if ran.returncode not in (0, 1):
        sys.exit(f"{name}: {ran.stderr}")
    return json.loads(ran.stdout)


def verdict(difference):
    return VERDICTS[0] if difference["high"] < 0 else VERDICTS[2] if difference["low"] > 0 else VERDICTS[1]


def number(x):
    """Three digits."""
    return f"{x:#.3g}".rstrip(".")


def interval(figure):
    """Digits that the interval leaves."""
    half = (figure["high"] - figure["low"]) / 2
    places = 0
    while half > 0 and places < 6 and round(half, places) * 10**places < 2:
        places += 1
    return f"{figure['value']:.{places}f} [{figure['low']:.{places}f}, {figure['high']:.{places}f}]"


def of_recording(name, found):
    """The section of one recording."""
    lines = [f"#### {RECORDINGS[name][0]}, {found['people']} people", ""]
    lines += [f"{found['held_out_people']} of {found['people']} people and the time from {found['held_out_from_s']:g} s to {found['last_s']:.1f} s are held out; radius {found['radius_m']:g} m; "
              f"{found['walked_freely']} people walked freely at some time.", ""]
    lines += ["| walks by | held-out people, m2: published | tuned | than constant velocity | held-out time, m2: tuned | than constant velocity | ADE, FDE of held-out people, m: tuned | s |", "|---|---|---|---|---|---|---|---|"]
    fitted = found["models"]
    errors = lambda of: ", ".join(number(of[key]["value"]) for key in ("held_out_people_ade", "held_out_people_fde"))
    if fitted:
        for words, key in (("constant velocity", "constant_velocity"), ("standing still", "standing_still")):
            of = fitted[0][key]
            lines.append(f"| {words} | | {interval(of['held_out_people'])} | | {interval(of['held_out_time'])} | | {errors(of)} | |")
    for model in fitted:
        published = model["published"]["held_out_people"]["value"]
        published = "–" if published is None else number(published)
        lines.append(f"| {model['model']} | {published} | {interval(model['tuned']['held_out_people'])} | {verdict(model['difference']['held_out_people'])} | {interval(model['tuned']['held_out_time'])} | "
                     f"{verdict(model['difference']['held_out_time'])} | {errors(model['tuned'])} | {model['seconds']:.0f} |")
    lines.append("")
    reasons = {}
    for refused in found["refused"]:
        reasons.setdefault(refused["why"], []).append(refused["model"])
    for why, models in reasons.items():
        lines += [f"Not fitted: {', '.join(models)} ({why}).", ""]
    return lines


def in_short(all_found):
    """How often each model predicts better than constant velocity."""
    models = list(dict.fromkeys(model["model"] for found in all_found.values() for model in found["models"]))
    lines = ["| model | runs | held-out people: better | not told apart | worse | held-out time: better | not told apart | worse |", "|---|---|---|---|---|---|---|---|"]
    for name in models:
        fits = [model for found in all_found.values() for model in found["models"] if model["model"] == name]
        counts = [sum(verdict(model["difference"][key]) == word for model in fits) for key in ("held_out_people", "held_out_time") for word in VERDICTS]
        lines.append(f"| {name} | {len(fits)} | " + " | ".join(map(str, counts)) + " |")
    return lines


def constants(all_found, model_name):
    """What was tuned, recording by recording."""
    fits = {name: model for name, found in all_found.items() for model in found["models"] if model["model"] == model_name}
    keys = list(dict.fromkeys(constant["key"] for model in fits.values() for constant in model["constants"]))
    lines = [f"| recording, {model_name} | " + " | ".join(f"`{key.rsplit('.', 1)[-1]}`" for key in keys) + " |", "|---|" + "---|" * len(keys)]
    for name, model in fits.items():
        tuned = {constant["key"]: number(constant["tuned"]) + ("*" if constant["at_bound"] else "") for constant in model["constants"]}
        lines.append(f"| {RECORDINGS[name][0]} | " + " | ".join(tuned.get(key, "") for key in keys) + " |")
    return lines


def known(names, recordings):
    unknown = [name for name in names if name not in recordings]
    if unknown:
        sys.exit(f"no recording {', '.join(unknown)}; there are {', '.join(recordings)}")


def whole(*names):
    """What the whole crowd does, tuned until three quarters of the time."""
    known(names, TO)
    head = ["| recording, walks by | " + " | ".join(title for _, title in WHOLE) + " | held-out time: " + " | ".join(title for _, title in WHOLE) + " |", "|---|" + "---|" * (2 * len(WHOLE))]
    lines = []
    for name in names or TO:
        to = ["--to", TO[name]] if TO[name] else []
        found = fit(name, WHOLE_MODELS, WHOLE_EVALUATIONS, [*to, "--tune", "macroscopic"], "-whole")
        keys = [prefix + key for prefix in ("", "held_out_") for key, _ in WHOLE]
        row = lambda words, value: lines.append(f"| {words} | " + " | ".join("–" if value(key) is None else number(value(key)) if value(key) else "0" for key in keys) + " |")
        row(f"**{RECORDINGS[name][0]}**", found["recorded"].get)
        for model in found["models"]:
            for side in ("published", "tuned"):
                row(f"{model['model']}, {side}", lambda key: model[side].get(key, {}).get("value"))
        print(name, flush=True)
    if names:
        print("\n".join(head + lines), flush=True)
    else:
        publish("calibration.md", "recordings: whole", head + lines)


def main(*names):
    if names[:1] == ("whole",):
        return whole(*names[1:])
    known(names, RECORDINGS)
    found = {}
    for name in names or RECORDINGS:
        found[name] = fit(name)
        print("\n".join(of_recording(name, found[name])) if names else name, flush=True)
    tables = {"in short": in_short(found), "social_force": constants(found, "social_force"), "collision_free_speed": constants(found, "collision_free_speed")}
    for name, lines in tables.items():
        if names:
            print("\n" + "\n".join(lines), flush=True)
        else:
            publish("calibration.md", f"recordings: {name}", lines)
    if not names:
        publish("calibration.md", "recordings: each", [line for name in found for line in of_recording(name, found[name])])


if __name__ == "__main__":
    main(*sys.argv[1:])
