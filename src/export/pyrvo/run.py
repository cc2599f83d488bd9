

def add(simulator, person):
    """Adds somebody; gives the number in the simulator."""
    of, number = person.group, simulator.add_agent(person.position)
    # Two people keep one margin, half of it from each.
    simulator.set_agent_radius(number, person.radius + 0.5 * of["margin"])
    simulator.set_agent_max_speed(number, person.top)
    simulator.set_agent_neighbor_dist(number, of["neighbor_dist"])
    simulator.set_agent_max_neighbors(number, of["max_neighbors"])
    simulator.set_agent_time_horizon(number, max(of["time_horizon"], TIME_STEP_S))
    simulator.set_agent_time_horizon_obst(number, max(of["time_horizon_obst"], TIME_STEP_S))
    return number


def keep_off(p, radius, velocity):
    """crowdtune's own rule: no step crosses the line one radius from the nearest point of a wall."""
    for _ in range(4):
        turned = False
        for a, b in WALLS:
            to = nearest(a, b, p)
            far = math.dist(to, p)
            if 0.0 < far < radius + math.hypot(*velocity) * TIME_STEP_S:
                out = (p[0] - to[0]) / far, (p[1] - to[1]) / far
                into = -velocity[0] * out[0] - velocity[1] * out[1] - max(far - radius, 0.0) / TIME_STEP_S
                if into > 1e-9:
                    velocity, turned = (velocity[0] + out[0] * into, velocity[1] + out[1] * into), True
        if not turned:
            return velocity
    return 0.0, 0.0


def simulate(seconds, push, keep):
    """Runs the scenario; gives for each step where everybody is, and when each person left."""
    simulator = pyrvo.RVOSimulator()
    simulator.set_time_step(TIME_STEP_S)
    simulator.set_agent_defaults(1.0, 0, 1.0, 1.0, 0.3, 1.0)
    for corners in OBSTACLES:
        simulator.add_obstacle(corners)
    simulator.process_obstacles()
    people = everybody()
    numbers = [add(simulator, person) for person in people]
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
            simulator.set_agent_pref_velocity(numbers[number], (x, y))
        simulator.do_step()
        for number, p in here.items():
            # RVO2 adds up positions in single precision, which would lose digits with every step.
            person, velocity = people[number], simulator.get_agent_velocity(numbers[number])
            x, y = velocity.x, velocity.y
            if keep:
                x, y = keep_off(p, person.radius, (x, y))
                simulator.set_agent_velocity(numbers[number], (x, y))
            person.position = p[0] + x * TIME_STEP_S, p[1] + y * TIME_STEP_S
            simulator.set_agent_position(numbers[number], person.position)
            person.arrive(p, person.position)
            if not person.present:  # RVO2 keeps everybody: who has left waits far away.
                left_s[number] = (step + 1) * TIME_STEP_S
                simulator.set_agent_position(numbers[number], (1e5 + 1e3 * number, 1e5))
                simulator.set_agent_velocity(numbers[number], (0.0, 0.0))
                simulator.set_agent_pref_velocity(numbers[number], (0.0, 0.0))
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
    parser.add_argument("--keep-off", action="store_true", help="with crowdtune's rule that keeps bodies off walls, which RVO2 has not")
    args = parser.parse_args()

    frames, left_s = simulate(args.seconds, push=args.compare is None, keep=args.keep_off)
    write(args.out, frames)
    last = f", the last after {max(left_s.values()):.1f} s" if left_s else ""
    print(f"{len(left_s)} of {len(PEOPLE)} people left{last}; trajectories in {args.out}")
    if args.compare:
        compare(frames, args.compare)


if __name__ == "__main__":
    main()
