
ARRIVE_S = 1.0  # people slow down over this time before a point at which they stop
ON_LINE_M = 1e-6


def nearest(a, b, p):
    """The point of the line from a to b that is nearest to p."""
    x, y = b[0] - a[0], b[1] - a[1]
    t = ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / (x * x + y * y)
    t = min(1.0, max(0.0, t))
    return a[0] + t * x, a[1] + t * y


def crosses(a, b, c, d):
    """True if the lines from a to b and from c to d cross."""
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0.0 and side(c, d, a) * side(c, d, b) < 0.0


def depth(goal, p):
    """How far p is past the line of a door."""
    _, (a, _), out = goal
    return (p[0] - a[0]) * out[0] + (p[1] - a[1]) * out[1]


def past(goal, p, least, beside):
    """True if p is so far past a door, level with it, and no wall is in between."""
    _, (a, b), _ = goal
    length = math.dist(a, b)
    t = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / length
    if depth(goal, p) < least or not -beside <= t <= length + beside:
        return False
    to = nearest(a, b, p)
    return not any(crosses(p, to, *wall) for wall in WALLS)


def inside(corners, p):
    """True if p lies in a polygon."""
    odd = False
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
        if (ay > p[1]) != (by > p[1]) and p[0] < ax + (p[1] - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd


def closest(goal, p):
    """The point of a goal that is nearest to p."""
    kind, where, _ = goal
    if kind == "point":
        return where[0]
    if kind == "door":
        return nearest(*where, p)
    if inside(where, p):
        return p
    edges = zip(where, where[1:] + where[:1])
    return min((nearest(a, b, p) for a, b in edges), key=lambda q: math.dist(p, q))


def distance(goal, p):
    """How far p has to go to a goal."""
    if goal[0] == "door" and past(goal, p, 0.0, 0.0):
        return 0.0
    return math.dist(closest(goal, p), p)


def way(goal, p, radius):
    """The unit vector from p to a goal: within a door, so that the body fits; straight out of it on its line."""
    kind, where, _ = goal
    if kind == "door":
        if past(goal, p, -ON_LINE_M, radius):
            return goal[2]
        (a, b), length = where, math.dist(*where)
        x, y = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        t = (p[0] - a[0]) * x + (p[1] - a[1]) * y
        t = min(max(t, radius), length - radius) if length > 2.0 * radius else 0.5 * length
        to = a[0] + x * t, a[1] + y * t
    else:
        to = closest(goal, p)
        if math.dist(to, p) <= (goal[2] or 0.0):
            return 0.0, 0.0
    far = math.dist(to, p)
    return ((to[0] - p[0]) / far, (to[1] - p[1]) / far) if far > 0.0 else (0.0, 0.0)


def reached(goal, start, end, radius):
    """True if a step reaches a goal: one radius past the line of a door, the inside of an area, the circle of a point."""
    kind, where, near = goal
    if kind == "point":
        still = start == end
        return math.dist(end if still else nearest(start, end, where[0]), where[0]) <= near
    if kind == "area":
        return inside(where, end)
    before, after = depth(goal, start), depth(goal, end)
    if after < radius:
        return False
    if past(goal, end, radius, radius):
        return True
    t = (radius - before) / (after - before) if before < radius else None
    return t is not None and past(goal, (start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t), 0.0, radius)


class Person:
    """Somebody of `PEOPLE`, with the place in the simulator and in the own group."""

    def __init__(self, simulator, row, rank):
        x, y, self.radius, self.speed, top, self.start_s, group = row
        self.group, self.rank, self.stage, self.present = GROUPS[group], rank, 0, True
        of = self.group
        self.position, self.number = (x, y), simulator.add_agent((x, y))
        # Two people keep one margin, half of it from each.
        simulator.set_agent_radius(self.number, self.radius + 0.5 * of["margin"])
        simulator.set_agent_max_speed(self.number, top)
        simulator.set_agent_neighbor_dist(self.number, of["neighbor_dist"])
        simulator.set_agent_max_neighbors(self.number, of["max_neighbors"])
        simulator.set_agent_time_horizon(self.number, max(of["time_horizon"], TIME_STEP_S))
        simulator.set_agent_time_horizon_obst(self.number, max(of["time_horizon_obst"], TIME_STEP_S))

    def choice(self):
        """The goals of the present stage."""
        goals = self.group["stages"][self.stage]
        return [goals[self.rank % len(goals)]] if self.group["own_goals"] else goals

    def preferred(self, p, time_s):
        """The preferred velocity at p."""
        if time_s < self.start_s:
            return 0.0, 0.0
        speed = self.speed
        if self.group["stages"]:
            goal = min((GOALS[goal] for goal in self.choice()), key=lambda goal: distance(goal, p))
            last = self.stage + 1 == len(self.group["stages"])
            if last and goal[0] == "point":
                speed = min(speed, distance(goal, p) / ARRIVE_S)
            x, y = way(goal, p, self.radius)
        elif self.group["heading"]:
            x, y = self.group["heading"]
        elif self.group["stay"]:
            at, radius = self.group["stay"]
            far = math.dist(at, p)
            speed = min(speed, far / ARRIVE_S)
            x, y = ((at[0] - p[0]) / far, (at[1] - p[1]) / far) if far > radius else (0.0, 0.0)
        else:
            return 0.0, 0.0
        return x * speed, y * speed

    def arrive(self, start, end):
        """Goes on to the next stage, or leaves."""
        if self.group["stages"] and any(reached(GOALS[goal], start, end, self.radius) for goal in self.choice()):
            self.stage += 1
            if self.stage == len(self.group["stages"]):
                self.present, self.stage = self.group["rounds"], 0


def simulate(seconds, push):
    """Runs the scenario; gives for each step where everybody is, and when each person left."""
    simulator = pyrvo.RVOSimulator()
    simulator.set_time_step(TIME_STEP_S)
    simulator.set_agent_defaults(1.0, 0, 1.0, 1.0, 0.3, 1.0)
    for corners in OBSTACLES:
        simulator.add_obstacle(corners)
    simulator.process_obstacles()
    ranks, people = [0] * len(GROUPS), []
    for row in PEOPLE:
        people.append(Person(simulator, row, ranks[row[-1]]))
        ranks[row[-1]] += 1
    chance, frames, left_s = random.Random(1), [], {}

    for step in range(round(seconds / TIME_STEP_S) + 1):
        here = {number: person.position for number, person in enumerate(people) if person.present}
        frames.append(here)
        if not here:
            break
        for number, p in here.items():
            person, (x, y) = people[number], people[number].preferred(p, step * TIME_STEP_S)
            if push:
                x += chance.uniform(-1.0, 1.0) * person.group["push"]
                y += chance.uniform(-1.0, 1.0) * person.group["push"]
            simulator.set_agent_pref_velocity(person.number, (x, y))
        simulator.do_step()
        for number, p in here.items():
            # RVO2 adds up positions in single precision, which would lose digits with every step.
            person, velocity = people[number], simulator.get_agent_velocity(number)
            person.position = p[0] + velocity.x * TIME_STEP_S, p[1] + velocity.y * TIME_STEP_S
            simulator.set_agent_position(number, person.position)
            person.arrive(p, person.position)
            if not person.present:  # RVO2 keeps everybody: who has left waits far away.
                left_s[number] = (step + 1) * TIME_STEP_S
                simulator.set_agent_position(person.number, (1e5 + 1e3 * number, 1e5))
                simulator.set_agent_velocity(person.number, (0.0, 0.0))
                simulator.set_agent_pref_velocity(person.number, (0.0, 0.0))
    return frames, left_s


def compare(frames, file):
    """Prints how far people are from where crowdtune has them."""
    theirs = {}
    for line in Path(file).read_text().splitlines():
        if not line.startswith("#"):
            number, frame, x, y = line.split()[:4]
            theirs[int(frame), int(number)] = float(x), float(y)
    for last in (1, 10, 100, 300):
        apart = [
            math.dist(p, theirs[frame, number])
            for frame, here in enumerate(frames[: last + 1])
            for number, p in here.items()
            if (frame, number) in theirs
        ]
        print(f"largest distance to crowdtune in {last} steps: {max(apart):.6f} m ({len(apart)} positions)")


def main():
    """Reads the command line, runs the scenario, says what came out."""
    parser = argparse.ArgumentParser(description="Run the exported preset in RVO2.")
    parser.add_argument("--seconds", type=float, default=LIMIT_S, help="simulated time (default %(default)s)")
    parser.add_argument("--out", type=Path, default=Path(OUTPUT), help="trajectory, as PedPy reads it (default %(default)s)")
    parser.add_argument("--compare", type=Path, help="crowdtune's run of the same people; without random changes of velocity")
    args = parser.parse_args()

    frames, left_s = simulate(args.seconds, push=args.compare is None)
    rows = [f"# framerate: {1.0 / TIME_STEP_S:g} fps", "# x/y/z in m", "# id frame x y z"]
    rows += [f"{number} {frame} {x:.4f} {y:.4f} 0.0" for frame, here in enumerate(frames) for number, (x, y) in here.items()]
    args.out.write_text("\n".join(rows) + "\n")
    last = f", the last after {max(left_s.values()):.1f} s" if left_s else ""
    print(f"{len(left_s)} of {len(PEOPLE)} people left{last}; trajectories in {args.out}")
    if args.compare:
        compare(frames, args.compare)


if __name__ == "__main__":
    main()
