#!/usr/bin/env python3
"""Walks small crowds with the two speed models of JuPedSim 1.4.2 and writes where people are: `steps_jupedsim.txt`, which
`tests/models/jupedsim.rs` holds crowdtune to.

    pip install jupedsim==1.4.2 shapely
    python tests/golden/steps_jupedsim.py [--check]

`--check` writes nothing and compares with the file. In all scenes the straight way to the exit is free, because JuPedSim bends ways around
corners. The crowds are those of the first seed in which rounding does not matter: a person who is held up by all sides turns with every step,
and can amplify a difference a hundredfold in one. And `anticipation_velocity` draws the side of somebody exactly ahead, so no draw matters
either; a hundred stand in knots of five there, as some two in a dense crowd of that size always draw.
"""

import argparse
import math
import random
import sys
from pathlib import Path

import jupedsim as jps
from shapely import Polygon

FILE = Path(__file__).with_suffix(".txt")
STEP_S = 0.01
# Positions are written after so many steps; the last ends the scene.
SHOWN = [20, 100, 200]
RADIUS_M = 0.2
SEEDS = 2000
# Rounding does not matter if people who start so far aside end no farther than that from where they would, m.
ASIDE_M, SAME_M = 1e-13, 1e-11
# Of somebody exactly ahead (less than 1e-3 m to the side) the side is drawn; below this strength it moves nobody by 1e-12 m.
EXACTLY_M, MATTERS = 1e-3, 1e-11

# Constants of two groups: those of JuPedSim, and others in every number.
CONSTANTS = {
    "collision_free_speed": [
        {},
        dict(time_gap=0.6, strength_neighbor_repulsion=4.0, range_neighbor_repulsion=0.19, strength_geometry_repulsion=2.6, range_geometry_repulsion=0.045),
    ],
    "anticipation_velocity": [
        {},
        dict(time_gap=0.7, strength_neighbor_repulsion=5.0, range_neighbor_repulsion=0.15, anticipation_time=0.6, reaction_time=0.2, wall_buffer_distance=0.05),
    ],
}
MODELS = {
    "collision_free_speed": (jps.CollisionFreeSpeedModelV2, jps.CollisionFreeSpeedModelV2AgentParameters),
    "anticipation_velocity": (jps.AnticipationVelocityModel, jps.AnticipationVelocityModelAgentParameters),
}
# Outline, holes, the goals of the two groups, where people stand (x, y from and to), and where twenty knots of five stand, out of sight of
# each other: the first, and the ways to the next in x and in y.
PLACES = {
    "open": ([(0, 0), (120, 0), (120, 80), (0, 80)], [], [(110, 40), (10, 40)], ((38, 28), (44, 33)), ((25, 20), (45, 40)),
             ((30, 15), (33, 18)), (14, 14, 5)),
    "corridor": ([(0, 0), (280, 0), (280, 4), (0, 4)], [], [(275, 2), (5, 2)], ((36, 0.3), (42, 3.7)), ((20, 0.3), (60, 3.7)),
                 ((16, 0.3), (19, 3.7)), (12.5, 0, 20)),
    # People on both sides of a thin wall do not see each other.
    "wall": ([(0, 0), (280, 0), (280, 30), (0, 30)], [[(10, 9.9), (265, 9.9), (265, 10.1), (10, 10.1)]], [(275, 1.0), (275, 19.0)],
             ((26, 8.2), (31, 11.8)), ((20, 4.0), (31.5, 16.0)), ((16, 8.2), (19, 11.8)), (12, 0, 20)),
}


def crowd(place, count, seed, area):
    """People as (group, x, y, desired speed), those of a group together; groups of a place with a wall are its sides."""
    rng = random.Random(seed)
    people = []
    for _ in range(100_000):
        if len(people) == count:
            break
        x, y = (round(rng.uniform(a, b), 3) for a, b in zip(*area))
        group = int(y > 10.0) if place == "wall" else int(2 * len(people) >= count)
        if place == "wall" and abs(y - 10.0) < 0.1 + 1.5 * RADIUS_M:
            continue
        if all(math.hypot(x - u, y - v) > 2.2 * RADIUS_M for _, u, v, _ in people):
            people.append((group, x, y, round(rng.uniform(0.8, 1.6), 3)))
    assert len(people) == count, f"no room for {count} people in {place}"
    return sorted(people)


def seeded(model, place, count, area, first=0):
    """The first crowd in which neither rounding nor a draw matters."""
    for seed in range(first, first + SEEDS):
        people = crowd(place, count, seed, area)
        frames = walk(model, place, people)
        if (model == "collision_free_speed" or not draws(place, people, frames)) and steady(model, place, people, frames):
            return people
    sys.exit(f"{model}, {place}, {count} people: rounding or a draw matters with every seed")


def steady(model, place, people, frames):
    aside = [(group, x + (-1) ** k * ASIDE_M, y, speed) for k, (group, x, y, speed) in enumerate(people)]
    ends = zip(frames[-1], walk(model, place, aside)[-1])
    return all(math.hypot(a[0] - b[0], a[1] - b[1]) < SAME_M for a, b in ends)


def knots(model, place):
    """Twenty knots of five people."""
    _, _, _, _, _, (low, high), (along, across, columns) = PLACES[place]
    people = []
    for k in range(20):
        x, y = along * (k % columns), across * (k // columns)
        people += seeded(model, place, 5, ((low[0] + x, low[1] + y), (high[0] + x, high[1] + y)), 1000 * k)
    return sorted(people)


def square(x, y):
    return Polygon([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)])


def walk(model, place, people):
    """Positions and velocities at the start and after every step."""
    outline, holes, goals, *_ = PLACES[place]
    make, parameters = MODELS[model]
    simulation = jps.Simulation(model=make(), geometry=Polygon(outline, holes), dt=STEP_S)
    journeys = []
    for goal in goals:
        stage = simulation.add_exit_stage(square(*goal))
        journeys.append(dict(stage_id=stage, journey_id=simulation.add_journey(jps.JourneyDescription([stage]))))
    ids = []
    for group, x, y, speed in people:
        words = dict(position=(x, y), desired_speed=speed, radius=RADIUS_M, **journeys[group], **CONSTANTS[model][group])
        ids.append(simulation.add_agent(parameters(**words)))
    frames = [[(*simulation.agent(i).position, 0.0, 0.0, 0.0, 0.0) for i in ids]]
    for _ in range(SHOWN[-1]):
        simulation.iterate()
        frame = []
        for i, (x, y, *_) in zip(ids, frames[-1]):
            agent = simulation.agent(i)
            u, v = agent.position
            frame.append((u, v, (u - x) / STEP_S, (v - y) / STEP_S, *agent.orientation))
        frames.append(frame)
    return frames


def draws(place, people, frames):
    """True if somebody drew a side in a step of `anticipation_velocity`, and it mattered."""
    parameters = [jps.AnticipationVelocityModelAgentParameters(**words) for words in CONSTANTS["anticipation_velocity"]]
    for frame in frames[:-1]:
        for i, (x, y, vx, vy, hx, hy) in enumerate(frame):
            own = parameters[people[i][0]]
            gx, gy = PLACES[place][2][people[i][0]]
            ex, ey = ((gx - x) / math.hypot(gx - x, gy - y), (gy - y) / math.hypot(gx - x, gy - y))
            for j, (u, v, wx, wy, kx, ky) in enumerate(frame):
                dx, dy = u - x, v - y
                d = math.hypot(dx, dy)
                if i == j or d > 3.0 or (ex * dx + ey * dy < 0.0 and hx * dx + hy * dy < 0.0):
                    continue
                t, theirs = own.anticipation_time, parameters[people[j][0]].anticipation_time
                if abs(ex * (dy + theirs * wy) - ey * (dx + theirs * wx)) > EXACTLY_M + 1e-9:
                    continue
                gap = max(0.0, d - 2 * RADIUS_M - t * ((vx - wx) * dx + (vy - wy) * dy) / d)
                strength = own.strength_neighbor_repulsion * (1.5 - 0.5 * (ex * kx + ey * ky))
                if strength * math.exp(-gap / own.range_neighbor_repulsion) > MATTERS:
                    return True
    return False


def scenes():
    """Model, place, people and frames of every scene."""
    for model in MODELS:
        for place in PLACES:
            _, _, _, few, many, *_ = PLACES[place]
            for count in (1, 2, 20, 100):
                if count == 100 and model == "anticipation_velocity":
                    people = knots(model, place)
                else:
                    people = seeded(model, place, count, few if count < 100 else many)
                frames = walk(model, place, people)
                if model == "anticipation_velocity" and draws(place, people, frames):
                    sys.exit(f"{model}, {place}, {count} people: somebody draws")
                yield model, place, people, frames


def text():
    lines = [
        "# Where people are with JuPedSim 1.4.2, written by tests/golden/steps_jupedsim.py.",
        "# place NAME, its walls (ax ay bx by), the goals of its groups (x y)",
    ]
    for place, (outline, holes, goals, *_) in PLACES.items():
        lines.append(f"place {place}")
        for ring in [outline, *holes]:
            lines += ["wall " + " ".join(map(str, (*a, *b))) for a, b in zip(ring, ring[1:] + ring[:1])]
        lines += ["goal " + " ".join(map(str, goal)) for goal in goals]
    lines.append("# scene MODEL PLACE PEOPLE; group x y desired speed, then x y after " + ", ".join(map(str, SHOWN)) + " steps of 0.01 s")
    for model, place, people, frames in scenes():
        lines.append(f"scene {model} {place} {len(people)}")
        for i, person in enumerate(people):
            shown = [f"{c:.15g}" for step in SHOWN for c in frames[step][i][:2]]
            lines.append(" ".join([*map(str, person), *shown]))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    check, found = parser.parse_args().check, text()
    if not check:
        FILE.write_text(found)
        return
    words, wanted = found.split(), FILE.read_text().split()
    # The exponential of another system can round another way; by 1e-10 m that moves nobody.
    if len(words) != len(wanted) or not all(a == b or abs(float(a) - float(b)) < 1e-10 for a, b in zip(words, wanted)):
        sys.exit(f"JuPedSim gives other places than {FILE.name}")
    print(f"{FILE.name} has the places that JuPedSim gives")


if __name__ == "__main__":
    main()
