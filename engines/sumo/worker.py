"""A worker for crowdtune: people who cross a street in SUMO.

The scenario's `engine` names the network (`NAME.nod.xml`, `.edg.xml`, `.con.xml` and the demand `NAME.rou.xml` beside this
file) and fills the `{words}` of the demand. To tune another option of SUMO, add it to `OPTIONS`, another word of the demand
to `WORDS`.
"""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

answers = os.fdopen(os.dup(1), "w")  # SUMO prints: only answers go to stdout.
os.dup2(2, 1)

import libsumo
import sumo

HERE = Path(__file__).resolve().parent
OPTIONS = {
    "time_gap_crossing_s": "--pedestrian.timegap-crossing",
    "dawdling": "--pedestrian.striping.dawdling",
    "stripe_width_m": "--pedestrian.striping.stripe-width",
    "min_gap_to_vehicle_m": "--pedestrian.striping.mingap-to-vehicle",
    "jam_time_crossing_s": "--pedestrian.striping.jamtime.crossing",
}
WORDS = ["walking_speed_m_per_s"]  # parameters that stand in the demand


def build(name, folder):
    """Makes the network of the scenario once."""
    parts = {"n": "nod", "e": "edg", "x": "con"}
    command = [str(Path(sumo.SUMO_HOME, "bin", "netconvert")), "-o", str(folder / f"{name}.net.xml")]
    for letter, part in parts.items():
        command += [f"-{letter}", str(HERE / f"{name}.{part}.xml")]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def simulate(scenario, request, folder):
    """One run; gives the answer without its id."""
    settings, parameters = scenario["settings"], request["parameters"]
    demand, trips = folder / "demand.rou.xml", folder / "trips.xml"
    words = settings | parameters | {"seconds": scenario["limit_s"]}
    demand.write_text((HERE / f"{settings['net']}.rou.xml").read_text().format(**words))
    command = ["sumo", "-n", str(folder / f"{settings['net']}.net.xml"), "-r", str(demand)]
    command += ["--tripinfo-output", str(trips), "--tripinfo-output.write-unfinished"]
    command += ["--seed", str(request["seed"]), "--step-length", "0.5", "--no-step-log", "--no-warnings"]
    for name, option in OPTIONS.items():
        if name in parameters:
            command += [option, str(parameters[name])]
    libsumo.start(command)
    libsumo.simulationStep(scenario["limit_s"])
    libsumo.close()
    people = [row.attrib for row in xml.parse(trips).iter("personinfo")]
    cars = [float(row.get("timeLoss")) for row in xml.parse(trips).iter("tripinfo")]
    done = [row for row in people if float(row["duration"]) > 0.0]
    if not done:
        return {"failed": "nobody walked"}

    def mean(numbers):
        return sum(numbers) / len(numbers) if numbers else None

    return {"values": {
        "waiting_s": mean([float(row["waitingTime"]) for row in done]),
        "walk_time_s": mean([float(row["duration"]) for row in done]),
        "car_delay_s": mean(cars),
        "people": len(done),
    }}


scenarios, folder = {}, Path()
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        folder = Path(message["hello"]["folder"])
        scenarios = {scenario["name"]: scenario for scenario in message["hello"]["scenarios"]}
        for name in sorted({scenario["settings"]["net"] for scenario in scenarios.values()}):
            build(name, folder)
        version = libsumo.getVersion()[1].removeprefix("SUMO ")
        answer = {"protocol": 1, "engine": "sumo", "version": version, "parameters": WORDS + list(OPTIONS)}
    else:
        try:
            answer = {"id": message["id"]} | simulate(scenarios[message["scenario"]], message, folder)
        except Exception as error:
            answer = {"id": message["id"], "failed": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), file=answers, flush=True)
