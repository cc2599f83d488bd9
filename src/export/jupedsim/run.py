

def walkable():
    """The area around the people that walls and doors enclose, and the room behind the exits."""
    walls = unary_union([LineString(wall) for wall in WALLS])
    edge = walls.buffer(1e-6)
    starts = MultiPoint([person[:2] for person in PEOPLE])
    rest = list(polygonize(unary_union([walls] + [LineString(door) for door in DOORS])))
    area = Polygon()
    more = [face for face in rest if face.intersects(starts)]
    while more:
        rest = [face for face in rest if face not in more]
        area = unary_union([area] + more)
        doors = area.boundary.difference(edge).buffer(1e-6)
        more = [face for face in rest if face.boundary.intersection(doors).length > 1e-3]
    if not area.buffer(1e-6).contains(starts):
        print("The walls do not enclose everybody: the area is cut off 5 m behind people, walls and exits.")
        area = unary_union([walls, starts] + [Polygon(exit) for exit in EXITS]).convex_hull.buffer(5.0, cap_style="square")
    area = unary_union([area] + [Polygon(pad) for pad in PADS])
    # A wall with people on both sides becomes a slot of 1 cm: JuPedSim knows areas, not lines.
    within = walls.difference(area.boundary.buffer(1e-6))
    return area.difference(within.buffer(0.005, cap_style="square"))


def add_journey(simulation, stages):
    """One journey through the stages in their order; gives its id and that of its first stage."""
    ids = []
    for kind, what, distance in stages:
        if kind == "exit":
            ids.append(simulation.add_exit_stage(Polygon(EXITS[what])))
        else:
            ids.append(simulation.add_waypoint_stage(what, distance))
    journey = jps.JourneyDescription(ids)
    for here, there in zip(ids, ids[1:]):
        journey.set_transition_for_stage(here, jps.Transition.create_fixed_transition(there))
    return simulation.add_journey(journey), ids[0]


def main():
    """Reads the command line, runs the scenario, says who is left."""
    parser = argparse.ArgumentParser(description="Run the exported preset in JuPedSim.")
    parser.add_argument("--seconds", type=float, default=LIMIT_S, help="simulated time (default %(default)s)")
    parser.add_argument("--out", type=Path, default=Path(OUTPUT), help="trajectory file (default %(default)s)")
    args = parser.parse_args()

    writer = jps.SqliteTrajectoryWriter(output_file=args.out, every_nth_frame=EVERY_NTH_FRAME)
    simulation = jps.Simulation(
        model=MODEL,
        geometry=walkable(),
        dt=TIME_STEP_S,
        trajectory_writer=writer,
    )
    journeys = [add_journey(simulation, stages) for stages in JOURNEYS]
    waiting = []
    for x, y, radius, mass, desired_speed, start, group, journey in PEOPLE:
        journey_id, stage_id = journeys[journey]
        words = dict(position=(x, y), journey_id=journey_id, stage_id=stage_id, radius=radius, **GROUPS[group])
        if AGENT is jps.SocialForceModelAgentParameters:
            words.update(orientation=(1.0, 0.0), mass=mass)
        person = simulation.add_agent(AGENT(desired_speed=desired_speed if start <= 0.0 else 0.0, **words))
        if start > 0.0:
            waiting.append((start, person, desired_speed))
    waiting.sort(reverse=True)

    second = max(1, round(1.0 / TIME_STEP_S))
    steps = round(args.seconds / TIME_STEP_S)
    problem = None
    for step in range(steps):
        if simulation.agent_count() == 0:
            break
        while waiting and waiting[-1][0] <= step * TIME_STEP_S:
            _, person, desired_speed = waiting.pop()
            simulation.agent(person).model.desired_speed = desired_speed
        try:
            simulation.iterate()
        except RuntimeError as error:
            problem = error
            break
        if (step + 1) % (5 * second) == 0:
            print(f"{(step + 1) * TIME_STEP_S:6.1f} s: people left {simulation.agent_count()}")
    left, time = simulation.agent_count(), simulation.elapsed_time()
    writer.close()
    print(f"people left {left} of {len(PEOPLE)} after {time:.1f} s; trajectories in {args.out}")
    if problem is not None:
        sys.exit(f"JuPedSim stopped after {time:.1f} s: {problem}")


if __name__ == "__main__":
    main()
