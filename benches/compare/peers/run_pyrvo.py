"""W3 with pyrvo, the Python face of RVO2: wanted velocities are set one by one, `step_only` is its own step alone."""
import math, time
import common
import pyrvo

workload, agents, steps = common.arguments()
places = common.ring(agents) if workload == "W3a" else common.disc(agents)
sim = pyrvo.RVOSimulator()
sim.set_time_step(0.25)
sim.set_agent_defaults(15.0, 10, 10.0, 10.0, 1.5, 2.0)
for place in places:
    sim.add_agent(place)
inner = 0.0


def ways():
    for k, (x, y) in enumerate(places):
        p = sim.get_agent_position(k)
        yield -x - p.x, -y - p.y


def work():
    global inner
    for _ in range(steps):
        for k, (x, y) in enumerate(ways()):
            length = max(1.0, math.hypot(x, y))
            sim.set_agent_pref_velocity(k, (x / length, y / length))
        before = time.process_time()
        sim.do_step()
        inner += time.process_time() - before


seconds = common.timed(work)
check = {"mean_distance_to_goal_m": sum(math.hypot(x, y) for x, y in ways()) / agents,
         "step_only_agent_steps_per_s": round(agents * steps / inner)}
common.emit("pyrvo", workload, agents, steps, seconds, check)
