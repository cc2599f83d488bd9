"""A worker for crowdtune: JuPedSim's collision free speed model, in any place that crowdtune describes.

crowdtune sends the walls, the exits and the people; JuPedSim moves them; crowdtune measures the trajectories.
To tune another model of JuPedSim, change `PARAMETERS`, the model and the agents in `simulate`.
"""

import json
import os
import sys
from math import pi
from pathlib import Path

answers = os.fdopen(os.dup(1), "w")  # Libraries may print: only answers go to stdout.
os.dup2(2, 1)

import jupedsim as jps
from shapely import MultiPoint, Polygon, from_wkt, unary_union
from shapely.ops import polygonize

MODEL = [
    "strength_neighbor_repulsion",
    "range_neighbor_repulsion",
    "strength_geometry_repulsion",
    "range_geometry_repulsion",
]
PARAMETERS = ["time_gap_s"] + MODEL
CANNOT = ["inflow", "rounds", "no_goal", "periodic"]
TIME_STEP_S = 0.01  # JuPedSim's own; `engine = { time_step_s = 0.05 }` in a scenario sets another
FRAME_S = 0.1


def behind(door, start_m, end_m):
    """The rectangle that lies from `start_m` to `end_m` behind a door."""
    (ax, ay), (bx, by) = from_wkt(door["wkt"]).coords
    x, y = door["outward"]
    left = [(ax + x * m, ay + y * m) for m in (start_m, end_m)]
    right = [(bx + x * m, by + y * m) for m in (end_m, start_m)]
    return Polygon(left + right)


def walkable(scenario, people, exits, reach_m):
    """What walls and doors enclose around the people, and the room behind the exits."""
    walls = from_wkt(scenario["walls"])
    if scenario["walkable"]:
        area = from_wkt(scenario["walkable"])
    else:
        doors = unary_union([from_wkt(goal["wkt"]) for goal in scenario["goals"] if goal["kind"] == "door"])
        starts = MultiPoint([(person["x"], person["y"]) for person in people])
        rest = list(polygonize(unary_union([walls, doors])))
        area, more = Polygon(), [face for face in rest if face.intersects(starts)]
        while more:  # On through the doors, not into pillars.
            rest = [face for face in rest if face not in more]
            area = unary_union([area, *more])
            edge = area.boundary.intersection(doors)
            more = [face for face in rest if face.boundary.intersection(edge).length > 1e-3]
    area = unary_union([area] + [behind(goal, 0.0, reach_m + 1.0) for goal in exits])
    # A wall with people on both sides becomes a slot of 1 cm: JuPedSim knows areas, not lines.
    return area.difference(walls.difference(area.boundary.buffer(1e-6)).buffer(0.005, cap_style="square"))


def journey(simulation, goals, stages, reach_m):
    """A journey to the goals in their order; gives its id and that of its first stage."""
    ids = []
    for number, names in enumerate(stages):
        goal = goals[names[0]]
        shape = from_wkt(goal["wkt"])
        if number + 1 < len(stages):
            sizes = {"door": shape.length / 2, "area": (shape.area / pi) ** 0.5, "point": goal.get("radius_m")}
            ids.append(simulation.add_waypoint_stage(shape.centroid.coords[0], sizes[goal["kind"]]))
        elif goal["kind"] == "door":
            ids.append(simulation.add_exit_stage(behind(goal, reach_m, reach_m + 1.0)))
        else:
            ids.append(simulation.add_exit_stage(shape.buffer(goal.get("radius_m", 0.0))))
    plan = jps.JourneyDescription(ids)
    for here, there in zip(ids, ids[1:]):
        plan.set_transition_for_stage(here, jps.Transition.create_fixed_transition(there))
    return simulation.add_journey(plan), ids[0]


def simulate(scenario, request, folder):
    """One run; gives the answer without its id."""
    parameters, people = request["parameters"], request["people"]
    time_step_s = scenario["settings"].get("time_step_s", TIME_STEP_S)
    steps_a_frame = max(1, round(FRAME_S / time_step_s))
    reach_m = max(person["radius_m"] for person in people)  # crowdtune: one radius beyond the line is out.
    goals = {goal["name"]: goal for goal in scenario["goals"]}
    exits = [goals[group["stages"][-1][0]] for group in scenario["groups"]]
    doors = [goal for goal in exits if goal["kind"] == "door"]
    simulation = jps.Simulation(
        model=jps.CollisionFreeSpeedModel(**{name: parameters[name] for name in MODEL if name in parameters}),
        geometry=walkable(scenario, people, doors, reach_m),
        dt=time_step_s,
    )
    journeys = {group["name"]: journey(simulation, goals, group["stages"], reach_m) for group in scenario["groups"]}
    names, later = {}, []
    for person in people:
        starts_now = person.get("start_s", 0.0) <= 0.0
        journey_id, stage_id = journeys[person["group"]]
        agent = simulation.add_agent(
            jps.CollisionFreeSpeedModelAgentParameters(
                position=(person["x"], person["y"]),
                radius=person["radius_m"],
                time_gap=parameters.get("time_gap_s", 1.0),
                desired_speed=person["desired_speed_m_per_s"] if starts_now else 0.0,
                journey_id=journey_id,
                stage_id=stage_id,
            )
        )
        names[agent] = person["id"]
        if not starts_now:
            later.append((person["start_s"], agent, person["desired_speed_m_per_s"]))
    rows = [f"# framerate: {1.0 / (time_step_s * steps_a_frame):g} fps", "# id frame x/m y/m"]
    for step in range(round(scenario["limit_s"] / time_step_s) + 1):
        if step % steps_a_frame == 0:
            for agent in simulation.agents():
                x, y = agent.position
                rows.append(f"{names[agent.id]} {step // steps_a_frame} {x:.4f} {y:.4f}")
        if simulation.agent_count() == 0:
            break
        for start_s, agent, desired_speed in later:
            if step == round(start_s / time_step_s):
                simulation.agent(agent).model.desired_speed = desired_speed
        simulation.iterate()
    name = f"run-{request['id']}.txt"
    Path(folder, name).write_text("\n".join(rows) + "\n")
    answer = {"trajectory": name}
    if simulation.agent_count() == 0:  # Later than the last frame: whoever is in that frame has left.
        answer["end_s"] = step * time_step_s
    return answer


scenarios, folder = {}, "."
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        folder = message["hello"]["folder"]
        scenarios = {scenario["name"]: scenario for scenario in message["hello"]["scenarios"]}
        answer = {"protocol": 1, "engine": "jupedsim", "version": jps.__version__, "parameters": PARAMETERS}
        answer |= {"people": True, "cannot": CANNOT}
    else:
        try:
            answer = {"id": message["id"]} | simulate(scenarios[message["scenario"]], message, folder)
        except Exception as error:  # Somebody outside the area, for instance: a normal answer.
            answer = {"id": message["id"], "failed": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), file=answers, flush=True)
