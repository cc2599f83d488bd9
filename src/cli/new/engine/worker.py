"""A worker for crowdtune: a toy in which people leave a hall by a door.

Put your simulator in place of `simulate`. It gets one run at a time and stays in memory between them. All randomness
comes from the seed. Only answers go to stdout; print to stderr what you want to see.
"""

import json
import random
import sys


def simulate(settings, seed, parameters):
    """One run: the numbers that targets of the experiment ask for."""
    chance = random.Random(seed)
    time_s, waiting_s = 0.0, 0.0
    for _ in range(settings["people"]):
        time_s += parameters["time_at_door_s"] * chance.uniform(0.5, 1.5)
        if chance.random() < parameters["hurry"]:
            time_s += 1.0  # Two who hurry block each other.
        waiting_s += time_s
    return {"time_s": time_s, "waiting_s": waiting_s / settings["people"]}


scenarios = {}
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        scenarios = {scenario["name"]: scenario for scenario in message["hello"]["scenarios"]}
        answer = {"protocol": 1, "engine": "toy_hall", "version": "1.0", "parameters": ["time_at_door_s", "hurry"]}
    else:
        answer = {"id": message["id"]}
        try:
            settings = scenarios[message["scenario"]]["settings"]
            answer["values"] = simulate(settings, message["seed"], message["parameters"])
        except Exception as error:
            answer["failed"] = f"{type(error).__name__}: {error}"
    print(json.dumps(answer), flush=True)
