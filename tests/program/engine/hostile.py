"""An engine that does one thing wrong, named by its argument; "good" does nothing wrong."""

import json
import os
import subprocess
import sys
import time

FAULT = sys.argv[1]
runs = 0


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def track(name):
    with open(name, "w", encoding="utf-8") as file:
        file.write("# framerate: 2 fps\n# x/y in m\n0 0 1 1\n0 1 2 1\n")


if FAULT == "exits_at_start":
    print("no license found", file=sys.stderr)
    sys.exit(3)
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        folder = message["hello"]["folder"]
        names = [p["name"] for p in message["hello"]["parameters"]]
        hello = {"protocol": 1, "engine": "hostile", "version": "1", "parameters": names}
        if FAULT == "other_protocol":
            hello["protocol"] = 7
        if FAULT == "no_goals":
            hello["cannot"] = ["inflow", "goals"]
        if FAULT == "no_such_word":
            hello["cannot"] = ["inflows"]
        if FAULT == "other_constants":
            hello["parameters"] = ["gains"]
        say("welcome!\n" if FAULT == "banner" else json.dumps(hello) + "\n")
        continue
    runs += 1
    if message["scenario"] != "hall":
        say(json.dumps({"id": message["id"], "failed": "no such scenario"}) + "\n")
        continue
    loss = (message["parameters"]["gain"] - 0.3) ** 2 + (message["seed"] % 97) / 1e4
    answer = {"id": message["id"], "values": {"loss": loss}}
    if FAULT == "garbage":
        say("Loading map...\n")
    elif FAULT == "half_line":
        say('{"id": ')
        os._exit(0)
    elif FAULT == "wrong_id":
        answer["id"] += 5
    elif FAULT == "nan":
        say('{"id": %d, "values": {"loss": NaN}}\n' % message["id"])
        continue
    elif FAULT == "text":
        answer["values"]["loss"] = "0.3"
    elif FAULT == "endless":
        while True:
            say("x" * 65536 + "\n")
    elif FAULT == "gigabyte":
        for _ in range(1 << 14):
            say("x" * 65536)
    elif FAULT == "sleeps":
        time.sleep(600)
    elif FAULT == "exits":
        print("Segmentation fault in the physics", file=sys.stderr)
        os._exit(5)
    elif FAULT == "crashes_now_and_then" and runs % 3 == 0:
        os._exit(5)
    elif FAULT == "leaves_children":
        subprocess.Popen(["sleep", "98765"], start_new_session=True, stdin=subprocess.DEVNULL)
        os._exit(0)
    elif FAULT == "outside":
        track(os.path.join(folder, "..", "..", "outside.txt"))
        answer["trajectory"] = "../../outside.txt"
    elif FAULT == "absolute":
        answer["trajectory"] = "/etc/passwd"
    elif FAULT == "link":
        if not os.path.islink(os.path.join(folder, "t.txt")):
            os.symlink("/etc/passwd", os.path.join(folder, "t.txt"))
        answer["trajectory"] = "t.txt"
    elif FAULT == "device":
        answer["trajectory"] = "../../../../../../dev/zero"
    elif FAULT == "fails":
        answer = {"id": message["id"], "failed": "2 people outside\x1b[2J of the walkable area"}
    elif FAULT == "fails_above" and message["parameters"]["gain"] > 0.5:
        answer = {"id": message["id"], "failed": "too strong"}
    elif FAULT == "other_values":
        answer["values"] = {"los": loss}
    elif FAULT == "no_seed":
        answer["values"]["loss"] = loss + time.perf_counter() % 1
    elif FAULT == "goes_on":
        say(json.dumps(answer) + "\n")
        sys.stdin = iter([])
        time.sleep(600)
    elif FAULT == "no_exceptions":
        pass
    say(json.dumps(answer) + "\n")
    if FAULT == "twice":
        say(json.dumps(answer) + "\n")
if FAULT == "stays":
    time.sleep(600)
