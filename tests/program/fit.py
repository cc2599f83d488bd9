#!/usr/bin/env python3
"""A tool with a law that is known: people stand in a row, as far apart as its separation weight says."""

import json
import pathlib
import sys

NAMES = ["separation_weight", "alignment_weight", "cohesion_weight", "neighborhood_radius_m", "max_force_n"]

for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        folder = message["hello"]["folder"]
        answer = {"protocol": 1, "engine": "row", "version": "1", "parameters": NAMES, "people": True, "cannot": []}
    else:
        apart = message["parameters"]["separation_weight"]
        rows = ["# framerate: 10 fps", "# x/y in m"]
        for frame in range(21):
            rows += [f"{person['id']} {frame} {apart * person['id']} 0" for person in message["people"]]
        name = f"run-{message['id']}.txt"
        pathlib.Path(folder, name).write_text("\n".join(rows) + "\n")
        answer = {"id": message["id"], "trajectory": name, "end_s": 2.0}
    print(json.dumps(answer), flush=True)
