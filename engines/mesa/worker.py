"""A worker for crowdtune: a small room in Mesa that people leave by one door.

Each person walks to the door, keeps away from others, and pauses now and then near the door. Put a Mesa model of your
own in place of `Room`; all its randomness must come from the seed that it is given.
"""

import json
import os
import sys

answers = os.fdopen(os.dup(1), "w")  # Libraries may print: only answers go to stdout.
os.dup2(2, 1)

import mesa
import numpy as np
from mesa.experimental.continuous_space import ContinuousSpace, ContinuousSpaceAgent

PARAMETERS = ["personal_space_m", "separation", "door_pause_share", "walking_speed_m_per_s"]
STEP_S = 0.25


class Person(ContinuousSpaceAgent):
    """Walks to the door at x = 0 and is gone behind it."""

    def __init__(self, model, position):
        super().__init__(model.space, model)
        self.position = position
        self.waited_s = 0.0

    def step(self):
        """One step towards the door, bent by neighbors; nobody steps onto somebody else."""
        model, here = self.model, self.position
        way = model.door - here
        way /= np.linalg.norm(way)
        near, distances = self.get_neighbors_in_radius(model.given["personal_space_m"])
        for other, distance in zip(near, distances):
            push = model.given["separation"] * (1.0 - distance / model.given["personal_space_m"])
            way += push * (here - other.position) / max(distance, 1e-6)
        way /= max(np.linalg.norm(way), 1.0)
        goal = here + way * model.given["walking_speed_m_per_s"] * STEP_S
        if goal[0] < 0.0 and abs(goal[1] - model.door[1]) <= model.door_half_m:
            model.leave(self)
            return
        goal = np.clip(goal, [0.0, 0.0], model.size)
        paused = here[0] < 1.0 and model.random.random() < model.given["door_pause_share"]
        nearest_m = [min(2 * model.radius_m, distance) for distance in distances]
        blocked = any(np.linalg.norm(goal - other.position) < gap for other, gap in zip(near, nearest_m))
        if paused or blocked:
            self.waited_s += STEP_S
        else:
            self.position = goal


class Room(mesa.Model):
    """A room of `width_m` x `depth_m` m with a door in the middle of the wall x = 0."""

    def __init__(self, seed, settings, given):
        super().__init__(seed=seed)
        self.given, self.radius_m = given, settings["radius_m"]
        self.size = np.array([settings["depth_m"], settings["width_m"]])
        self.door, self.door_half_m = np.array([-0.3, self.size[1] / 2]), settings["door_m"] / 2
        self.space = ContinuousSpace([[0.0, self.size[0]], [0.0, self.size[1]]], random=self.random)
        self.time_s, self.left_s, self.waited_s = 0.0, [], []
        cells = [(x, y) for x in np.arange(1.5, self.size[0], 0.7) for y in np.arange(0.5, self.size[1], 0.7)]
        for cell in self.random.sample(cells, settings["people"]):
            shift = [self.random.uniform(-0.1, 0.1), self.random.uniform(-0.1, 0.1)]
            Person(self, np.clip(np.array(cell) + shift, 0.0, self.size))

    def leave(self, person):
        """Notes when the person left and takes it out."""
        self.left_s.append(self.time_s)
        self.waited_s.append(person.waited_s)
        person.remove()

    def step(self):
        """Everybody in random order."""
        self.time_s += STEP_S
        self.agents.shuffle_do("step")


def simulate(scenario, request):
    """One run; gives the answer without its id."""
    room = Room(request["seed"], scenario["settings"], request["parameters"])
    while len(room.agents) and room.time_s < scenario["limit_s"]:
        room.step()
    if len(room.agents):
        return {"failed": f"{len(room.agents)} people are still inside after {scenario['limit_s']} s"}
    first, last = room.left_s[0], room.left_s[-1]
    flow = (len(room.left_s) - 1) / (last - first) if last > first else None
    return {"values": {"out_s": last, "door_flow_per_s": flow, "waiting_s": float(np.mean(room.waited_s))}}


scenarios = {}
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        scenarios = {scenario["name"]: scenario for scenario in message["hello"]["scenarios"]}
        answer = {"protocol": 1, "engine": "mesa", "version": mesa.__version__, "parameters": PARAMETERS}
    else:
        try:
            answer = {"id": message["id"]} | simulate(scenarios[message["scenario"]], message)
        except Exception as error:
            answer = {"id": message["id"], "failed": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), file=answers, flush=True)
