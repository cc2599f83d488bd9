"""The workloads in closed form, and the one JSON line that every driver prints.

    python run_NAME.py WORKLOAD AGENTS STEPS
"""
import json, math, sys, time
from importlib.metadata import version

GOLDEN, SQRT2 = 0.6180339887498949, 0.41421356237309515
WALLS = [(0, 0, 15, 0), (0, 15, 15, 15), (0, 0, 0, 15), (15, 0, 15, 7), (15, 8, 15, 15)]


def frac(x):
    return x - math.floor(x)


def arguments():
    """Workload, agents, steps."""
    return sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def room(n):
    """W1: (x, y, radius) on a lattice."""
    return [(0.7 + 0.95 * (k % 15), 0.7 + 0.95 * (k // 15), 0.25 + 0.1 * frac(k * GOLDEN)) for k in range(n)]


def rows_of(n):
    return {1000: 20, 5000: 50}.get(n) or max(1, round(math.sqrt(n / 2)))


def field(n):
    """W2: (x, y, desired speed), a block at 1 per square metre; all walk to +x."""
    rows, out = rows_of(n), []
    for k in range(n):
        x, y = 0.5 + k // rows, 0.5 + k % rows
        out.append((x + 0.2 * (frac(k * GOLDEN) - 0.5), y + 0.2 * (frac(k * SQRT2) - 0.5), 1.0 + 0.6 * frac(k * GOLDEN)))
    return out


def start(workload, n, speed=1.5):
    """Rows (x, y, vx, vy, goal x, goal y) for the programs without a door: in W1 all walk to a point behind it."""
    if workload == "W1":
        return [(x, y, speed, 0.0, 15.5, 7.5) for x, y, _ in room(n)]
    return [(x, y, v, 0.0, 1000.0, y) for x, y, v in field(n)]


def disc(n):
    """W3b: a sunflower; everybody wants to the opposite side."""
    at = [(2.5 * math.sqrt(k + 0.5), k * 2.399963229728653) for k in range(n)]
    return [(r * math.cos(a), r * math.sin(a)) for r, a in at]


def ring(n):
    """W3a: a circle with 250 people on 200 m, or as dense."""
    return [(0.8 * n * math.cos(2 * math.pi * k / n), 0.8 * n * math.sin(2 * math.pi * k / n)) for k in range(n)]


def timed(work):
    """CPU seconds of a call."""
    before = time.process_time()
    work()
    return time.process_time() - before


def centre(places):
    """Mean position, the check of W1 and W2."""
    places = [(float(x), float(y)) for x, y in places]
    n = max(1, len(places))
    return {"mean_x_m": sum(x for x, _ in places) / n, "mean_y_m": sum(y for _, y in places) / n, "people_left": len(places)}


def emit(package, workload, agents, steps, seconds, check, agent_steps=None, **more):
    done = agents * steps if agent_steps is None else agent_steps
    print(json.dumps({"program": package, "version": version(package), "workload": workload, "agents": agents, "steps": steps,
                      "seconds": seconds, "agent_steps_per_s": done / seconds, "check": check, **more}), flush=True)
