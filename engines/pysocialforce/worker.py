"""A worker for crowdtune: people in small groups, moved by PySocialForce.

crowdtune sends walls, doors and people; neighbors become groups of `engine = { group_size = 2 }`; everybody walks straight
to the own door. To tune another constant, add its force and key to `PARAMETERS`.
"""

import functools
import json
import logging
import os
import sys
from importlib.metadata import version
from pathlib import Path

answers = os.fdopen(os.dup(1), "w")  # Libraries may print: only answers go to stdout.
os.dup2(2, 1)

logging.disable()  # PySocialForce logs every call, and into a `file.log` in the working directory.
logging.FileHandler = lambda _: logging.NullHandler()

import numba

numba.njit = functools.partial(numba.njit, cache=True)  # compiling takes 10 s and more: once is enough

import numpy as np
import pysocialforce
from shapely import LineString, Point, from_wkt

PARAMETERS = {  # our name: the class of the force and its key; PySocialForce takes 0 for "not given"
    "relaxation_time_s": ("DesiredForce", "relaxation_time"),
    "social_factor": ("SocialForce", "factor"),
    "social_gamma": ("SocialForce", "gamma"),
    "obstacle_factor": ("ObstacleForce", "factor"),
    "group_coherence_factor": ("GroupCoherenceForceAlt", "factor"),
    "group_repulsion_factor": ("GroupRepulsiveForce", "factor"),
    "group_repulsion_distance_m": ("GroupRepulsiveForce", "threshold"),
    "group_gaze_factor": ("GroupGazeForceAlt", "factor"),
}
CANNOT = ["inflow", "rounds", "no_goal", "stages", "later_starts", "periodic"]
STEP_S = 0.1


def grouped(people, size):
    """Rows of people who walk together: the first one left and the nearest of the same crowd."""
    rest, groups = list(range(len(people))), []
    while rest:
        first = people[rest[0]]
        mates = [row for row in rest if people[row]["group"] == first["group"]]
        mates.sort(key=lambda row: (people[row]["x"] - first["x"]) ** 2 + (people[row]["y"] - first["y"]) ** 2)
        groups.append(mates[:size])
        rest = [row for row in rest if row not in groups[-1]]
    return [group for group in groups if len(group) > 1]


def set_constants(simulator, parameters):
    """Writes the parameters into the forces, which read them at every step."""
    forces = {type(force).__name__: force for force in simulator.forces}
    for name, value in parameters.items():
        force, key = PARAMETERS[name]
        if key == "factor":
            forces[force].factor = value
        else:
            forces[force].config.config[key] = value


def simulate(scenario, request, folder):
    """One run; gives the answer without its id."""
    people = request["people"]
    goals = {goal["name"]: goal for goal in scenario["goals"]}
    doors = {group["name"]: goals[group["stages"][-1][0]] for group in scenario["groups"]}
    at = np.array([[person["x"], person["y"]] for person in people])
    lines = [from_wkt(doors[person["group"]]["wkt"]) for person in people]
    outward = np.array([doors[person["group"]]["outward"] for person in people])
    on_line = np.array([line.interpolate(line.project(Point(xy))).coords[0] for line, xy in zip(lines, at)])
    goal = on_line + 3.0 * outward
    way = (goal - at) / np.linalg.norm(goal - at, axis=1, keepdims=True)
    speed = np.array([[person["desired_speed_m_per_s"]] for person in people])
    radius = np.array([person["radius_m"] for person in people])
    walls = from_wkt(scenario["walls"])
    obstacles = [(*a, *b) for wall in walls.geoms for a, b in zip(wall.coords, wall.coords[1:])]
    obstacles = [(ax, bx, ay, by) for ax, ay, bx, by in obstacles if LineString([(ax, ay), (bx, by)]).length > 0.2]
    groups = grouped(people, scenario["settings"].get("group_size", 1))
    # PySocialForce drives people at 1.3 times their first speed.
    state = np.hstack([at, way * speed / 1.3, goal])
    simulator = pysocialforce.Simulator(state, groups=groups, obstacles=obstacles or None)
    simulator.peds.step_width = STEP_S
    set_constants(simulator, request["parameters"])
    inside, distances, angles = np.ones(len(people), bool), [], []
    rows = [f"# framerate: {1.0 / STEP_S:g} fps", "# id frame x/m y/m"]
    for frame in range(round(scenario["limit_s"] / STEP_S) + 1):
        at = simulator.peds.pos()
        if not np.isfinite(at).all():
            return {"failed": f"positions are not numbers after {frame * STEP_S:.1f} s"}
        rows += [f"{people[row]['id']} {frame} {at[row, 0]:.4f} {at[row, 1]:.4f}" for row in np.flatnonzero(inside)]
        if frame * STEP_S >= 3.0:  # after that time groups have found together
            for a, b in (group for group in simulator.peds.groups if len(group) == 2):
                apart = at[b] - at[a]
                distances.append(np.linalg.norm(apart))
                angles.append(np.degrees(np.arccos(min(1.0, abs(apart @ outward[a]) / max(distances[-1], 1e-9)))))
        gone = inside & (((at - on_line) * outward).sum(axis=1) > radius)
        if gone.any():  # Who has left waits far away.
            inside &= ~gone
            far = 1e4 + 100.0 * np.flatnonzero(gone)
            simulator.peds.state[gone] = np.column_stack([far, far, 0 * far, 0 * far, far, far, 0 * far + 0.5])
            simulator.peds.groups = [group for group in simulator.peds.groups if inside[group].all()]
        if not inside.any():
            break
        simulator.step()
    name = f"run-{request['id']}.txt"
    Path(folder, name).write_text("\n".join(rows) + "\n")
    distance, angle = (float(np.mean(numbers)) if numbers else None for numbers in (distances, angles))
    values = {"pair_distance_m": distance, "pair_angle_deg": angle}
    answer = {"trajectory": name, "values": values}
    if not inside.any():  # One step after the last frame: whoever is in that frame has left.
        answer["end_s"] = (frame + 1) * STEP_S
    return answer


scenarios, folder = {}, "."
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        folder = message["hello"]["folder"]
        scenarios = {scenario["name"]: scenario for scenario in message["hello"]["scenarios"]}
        answer = {"protocol": 1, "engine": "pysocialforce", "version": version("pysocialforce")}
        answer |= {"parameters": list(PARAMETERS), "people": True, "cannot": CANNOT}
    else:
        try:
            answer = {"id": message["id"]} | simulate(scenarios[message["scenario"]], message, folder)
        except Exception as error:
            answer = {"id": message["id"], "failed": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), file=answers, flush=True)
