"""An engine behind a socket: connects, gives its token (the wrong one first, as an intruder would), answers."""

import json
import os
import socket

host, port = os.environ["CROWDTUNE_ENGINE_ADDRESS"].split(":")
intruder = socket.create_connection((host, int(port)))
intruder.sendall(b'{"token": "guessed"}\n')
connection = socket.create_connection((host, int(port)))
lines = connection.makefile("rw", encoding="utf-8")


def say(message):
    print(json.dumps(message), file=lines, flush=True)


say({"token": os.environ["CROWDTUNE_ENGINE_TOKEN"]})
for line in lines:
    message = json.loads(line)
    if "hello" in message:
        say({"protocol": 1, "engine": "hostile", "version": "1"})
    elif message["scenario"] != "hall":
        say({"id": message["id"], "failed": "no such scenario"})
    else:
        loss = (message["parameters"]["gain"] - 0.3) ** 2 + (message["seed"] % 97) / 1e4
        say({"id": message["id"], "values": {"loss": loss}})
