"""A worker for crowdtune that is started anew for each run: a toy in which people leave a hall by a door.

For programs that cannot be kept running. The first argument is the file with the question, the second one that for the
answer. Put a call of your program in place of `simulate`; a start costs time, so keep it running if you can.
"""

import json
import random
import sys


def simulate(settings, seed, parameters):
    """One run: the numbers that targets of the experiment ask for.

    With a program of your own: subprocess.run(["./simulator", "--seed", str(seed), ...], check=True), and read what it wrote.
    """
    chance = random.Random(seed)
    time_s, waiting_s = 0.0, 0.0
    for _ in range(settings["people"]):
        time_s += parameters["time_at_door_s"] * chance.uniform(0.5, 1.5)
        if chance.random() < parameters["hurry"]:
            time_s += 1.0  # Two who hurry block each other.
        waiting_s += time_s
    return {"time_s": time_s, "waiting_s": waiting_s / settings["people"]}


with open(sys.argv[1], encoding="utf-8") as file:
    message = json.load(file)
if "hello" in message:
    answer = {"protocol": 1, "engine": "toy_hall", "version": "1.0", "parameters": ["time_at_door_s", "hurry"]}
else:
    answer = {"id": message["id"]}
    try:
        settings = {"hall": {"people": 40}}[message["scenario"]]
        answer["values"] = simulate(settings, message["seed"], message["parameters"])
    except Exception as error:
        answer["failed"] = f"{type(error).__name__}: {error}"
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(answer, file)
