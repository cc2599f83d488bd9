
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


class Walker:
    """Somebody of `PEOPLE`, with the rank in the own group."""

    def __init__(self, row, rank):
        x, y, self.radius, self.speed, self.top, self.start_s, group = row
        self.position, self.group, self.rank = (x, y), GROUPS[group], rank
        self.stage, self.present = 0, True

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


def everybody():
    """People at the start."""
    ranks, people = [0] * len(GROUPS), []
    for row in PEOPLE:
        people.append(Walker(row, ranks[row[-1]]))
        ranks[row[-1]] += 1
    return people


def write(file, frames):
    """Writes the tracks, as PedPy reads them."""
    rows = [f"# framerate: {1.0 / TIME_STEP_S:g} fps", "# x/y/z in m", "# id frame x y z"]
    rows += [f"{number} {frame} {x:.4f} {y:.4f} 0.0" for frame, here in enumerate(frames) for number, (x, y) in here.items()]
    file.write_text("\n".join(rows) + "\n")
