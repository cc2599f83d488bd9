"""A worker for crowdtune: people between two straight sides, who leave at the ends, as pedestrians of SUMO on one street.

crowdtune sends sides, doors and people. SUMO's pedestrians (its model `striping`) walk along streets, so a place with a door that is
narrower than the place, a corner or an obstacle is refused. To tune another option of SUMO, add it to `OPTIONS`, another attribute of
its pedestrians to `ATTRIBUTES`.
"""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

answers = os.fdopen(os.dup(1), "w")  # SUMO prints: only answers go to stdout.
os.dup2(2, 1)

import libsumo
import sumo
from shapely import from_wkt, get_parts

OPTIONS = {
    "stripe_width_m": "--pedestrian.striping.stripe-width",
    "dawdling": "--pedestrian.striping.dawdling",
    "jam_time_s": "--pedestrian.striping.jamtime",
    "reserve_oncoming": "--pedestrian.striping.reserve-oncoming",
}
ATTRIBUTES = {"min_gap_m": "minGap", "speed_factor": "speedFactor"}
CANNOT = ["inflow", "rounds", "no_goal", "heading", "stages", "later_starts", "periodic"]
STEP_S = 0.1
BEHIND_M = 2.0  # the street goes on behind its ends
NEAR_M = 1e-3


class Refused(Exception):
    """Why a place is no street."""


class Street:
    """The way of a place: where it begins, its direction, length and width, and how far along each door is."""

    def __init__(self, scenario):
        doors = {goal["name"]: goal for goal in scenario["goals"]}
        if not doors or any(goal["kind"] != "door" for goal in doors.values()):
            raise Refused(f"{scenario['name']}: SUMO's people walk to the ends of a street: give them doors")
        x, y = next(iter(doors.values()))["outward"]
        self.along = (x, y)
        lines = list(get_parts(from_wkt(scenario["walls"])))
        if scenario["walkable"]:
            lines += get_parts(from_wkt(scenario["walkable"]).boundary).tolist()
        sides = [(self.at(a), self.at(b)) for line in lines for a, b in zip(line.coords, line.coords[1:])]
        ends = {name: [self.at(p) for p in from_wkt(goal["wkt"]).coords] for name, goal in doors.items()}
        if not sides:
            raise Refused(f"{scenario['name']}: a street of SUMO needs two sides")
        low, high = (pick(p[1] for side in sides for p in side) for pick in (min, max))
        for name, (a, b) in ends.items():
            if abs(abs(a[1] - b[1]) - (high - low)) > NEAR_M or abs(a[0] - b[0]) > NEAR_M:
                raise Refused(f"{scenario['name']}: a street of SUMO ends over its whole width, and the door `{name}` is narrower")
        for a, b in sides:
            is_side = abs(a[1] - b[1]) < NEAR_M and min(abs(a[1] - low), abs(a[1] - high)) < NEAR_M
            is_end = any(abs(p[0] - end[0][0]) < NEAR_M for p in (a, b) for end in ends.values()) and abs(a[0] - b[0]) < NEAR_M
            if not is_side and not is_end:
                raise Refused(f"{scenario['name']}: a street of SUMO has two straight sides and nothing else, and there is another wall")
        far = [p[0] for side in sides for p in side]
        self.start, self.end = min(far) - BEHIND_M, max(far) + BEHIND_M
        self.middle, self.width = (low + high) / 2.0, high - low
        # How far along, and in which direction people pass.
        self.doors = {name: (end[0][0], self.way(doors[name]["outward"])) for name, end in ends.items()}

    def way(self, outward):
        """1 along the street, -1 against it."""
        x, y = self.along
        return 1.0 if outward[0] * x + outward[1] * y > 0.0 else -1.0

    def at(self, p):
        """A point of the place: how far along the street, and to its left."""
        x, y = self.along
        return p[0] * x + p[1] * y, p[1] * x - p[0] * y

    def back(self, along, left):
        """The same the other way round, from the start and the middle of the street."""
        x, y = self.along
        s, t = along + self.start, left + self.middle
        return s * x - t * y, s * y + t * x

    def build(self, path):
        """Its network."""
        nodes, edges = path.with_suffix(".nod.xml"), path.with_suffix(".edg.xml")
        length = self.end - self.start
        nodes.write_text(f'<nodes><node id="a" x="0" y="0"/><node id="b" x="{length}" y="0"/></nodes>')
        edges.write_text(
            f'<edges><edge id="way" from="a" to="b" numLanes="1" width="{self.width}" allow="pedestrian" spreadType="center"/></edges>'
        )
        command = [str(Path(sumo.SUMO_HOME, "bin", "netconvert")), "-n", str(nodes), "-e", str(edges), "-o", str(path)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def simulate(scenario, request, folder):
    """One run; gives the answer without its id."""
    street, parameters = scenario["street"], request["parameters"]
    goals = {group["name"]: group["stages"][-1] for group in scenario["groups"]}
    extra = "".join(f' {ATTRIBUTES[name]}="{value}"' for name, value in parameters.items() if name in ATTRIBUTES)
    lines = []
    for person in request["people"]:
        along, left = street.at((person["x"], person["y"]))
        door, way = min((street.doors[name] for name in goals[person["group"]]), key=lambda door: abs(door[0] - along))
        size, speed = 2.0 * person["radius_m"], person["desired_speed_m_per_s"]
        until = door + way * person["radius_m"] - street.start
        lines.append(
            f'<vType id="t{person["id"]}" vClass="pedestrian" length="{size}" width="{size}" maxSpeed="{speed}"'
            f' desiredMaxSpeed="{speed}" speedDev="0"{extra}/>'
            f'<person id="{person["id"]}" type="t{person["id"]}" depart="0" departPos="{along - street.start}">'
            f'<walk edges="way" departPosLat="{left - street.middle}" arrivalPos="{until}"/></person>'
        )
    demand = Path(folder, "people.rou.xml")
    demand.write_text("<routes>" + "\n".join(lines) + "</routes>")
    command = ["sumo", "-n", str(scenario["net"]), "-r", str(demand), "--seed", str(request["seed"])]
    command += ["--step-length", str(STEP_S), "--no-step-log", "--no-warnings", "--pedestrian.model", "striping"]
    for name, option in OPTIONS.items():
        if name in parameters:
            command += [option, str(parameters[name])]
    libsumo.start(command)
    rows = [f"# framerate: {1.0 / STEP_S:g} fps", "# x/y in m"]
    frame, is_empty = 0, False
    try:
        while not is_empty and frame * STEP_S <= scenario["limit_s"]:
            libsumo.simulationStep()
            inside = libsumo.person.getIDList()
            is_empty = not inside
            for number in inside:
                x, y = street.back(*libsumo.person.getPosition(number))
                rows.append(f"{number} {frame} {x:.4f} {y:.4f}")
            frame += 1
    finally:
        libsumo.close()
    name = f"run-{request['id']}.txt"
    Path(folder, name).write_text("\n".join(rows) + "\n")
    answer = {"trajectory": name}
    if is_empty:  # One step after the last frame: whoever is in that frame has left.
        answer["end_s"] = (frame - 1) * STEP_S
    return answer


scenarios, folder = {}, "."
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        folder = message["hello"]["folder"]
        answer = {"protocol": 1, "engine": "sumo", "version": version("libsumo")}
        answer |= {"parameters": [*OPTIONS, *ATTRIBUTES], "people": True, "cannot": CANNOT}
        try:
            for number, scenario in enumerate(message["hello"]["scenarios"]):
                street, net = Street(scenario), Path(folder, f"{number}.net.xml")
                street.build(net)
                scenarios[scenario["name"]] = scenario | {"street": street, "net": net}
        except Refused as why:
            answer["refuses"] = str(why)
    else:
        try:
            answer = {"id": message["id"]} | simulate(scenarios[message["scenario"]], message, folder)
        except Exception as error:
            answer = {"id": message["id"], "failed": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), file=answers, flush=True)
