

AHEAD_M = 5.0  # the point that PySocialForce drives people to lies this far ahead: near it they would stop


def lines():
    """Walls as PySocialForce takes them; of shorter ones it would make no point."""
    return [(ax, bx, ay, by) for (ax, ay), (bx, by) in WALLS if math.dist((ax, ay), (bx, by)) > 0.1]


def simulate(seconds):
    """Runs the scenario; gives for each step where everybody is, and when each person left."""
    people = everybody()
    # PySocialForce takes everybody's highest speed from the first velocity.
    state = [[*person.position, person.speed, 0.0, *person.position] for person in people]
    simulator = pysocialforce.Simulator(np.array(state), obstacles=lines() or None, config_file=CONFIG)
    simulator.peds.state[:, 2:4] = 0.0
    frames, left_s = [], {}

    for step in range(round(seconds / TIME_STEP_S) + 1):
        here = {number: person.position for number, person in enumerate(people) if person.present}
        frames.append(here)
        if not here:
            break
        for number, p in here.items():
            x, y = people[number].preferred(p, step * TIME_STEP_S)
            far = AHEAD_M / math.hypot(x, y) if (x, y) != (0.0, 0.0) else 0.0
            simulator.peds.state[number, 4:6] = p[0] + x * far, p[1] + y * far
        with np.errstate(divide="ignore"):  # it divides by the speed of people who stand
            simulator.step()
        simulator.peds.ped_states.clear()  # it keeps every state otherwise
        for number, p in here.items():
            person = people[number]
            person.position = tuple(simulator.peds.state[number, :2].tolist())
            if not all(map(math.isfinite, person.position)):
                raise SystemExit(f"the position of {number} is no number after {step * TIME_STEP_S:.2f} s")
            person.arrive(p, person.position)
            if not person.present:  # PySocialForce keeps everybody: who has left waits far away.
                left_s[number] = (step + 1) * TIME_STEP_S
                away = 1e5 + 1e3 * number
                simulator.peds.state[number, :6] = away, 1e5, 0.0, 0.0, away, 1e5
    return frames, left_s


def main():
    """Reads the command line, runs the scenario, says what came out."""
    parser = argparse.ArgumentParser(description="Run the exported people in PySocialForce.")
    parser.add_argument("--seconds", type=float, default=LIMIT_S, help="simulated time (default %(default)s)")
    parser.add_argument("--out", type=Path, default=Path(OUTPUT), help="trajectory, as PedPy reads it (default %(default)s)")
    args = parser.parse_args()

    frames, left_s = simulate(args.seconds)
    write(args.out, frames)
    last = f", the last after {max(left_s.values()):.1f} s" if left_s else ""
    print(f"{len(left_s)} of {len(PEOPLE)} people left{last}; trajectories in {args.out}")


if __name__ == "__main__":
    main()
