"""W1 and W2 with JuPedSim's social force model; its people look 2.5 m far, at walls about 4 m."""
import common
import jupedsim
from shapely import box, union_all

workload, agents, steps = common.arguments()
model = jupedsim.SocialForceModel(body_force=120000, friction=240000)
if workload == "W1":
    area, way_out = union_all([box(0, 0, 15, 15), box(14.9, 7, 15.5, 8), box(15.4, 0, 22, 15)]), box(16.5, 5, 20, 10)
else:
    rows = common.rows_of(agents)
    area, way_out = box(-6, -6, 320, rows + 6), box(300, -5, 310, rows + 5)
sim = jupedsim.Simulation(model=model, geometry=area, dt=0.01)
stage = sim.add_exit_stage(way_out)
journey = sim.add_journey(jupedsim.JourneyDescription([stage]))
fixed = dict(journey_id=journey, stage_id=stage, orientation=(1, 0), mass=80.0, reaction_time=0.5, agent_scale=2000,
             obstacle_scale=2000, force_distance=0.08)
people = [(x, y, r, 0.0, 1.0) for x, y, r in common.room(agents)] if workload == "W1" else \
    [(x, y, 0.3, v, v) for x, y, v in common.field(agents)]
for x, y, radius, vx, wanted in people:
    sim.add_agent(jupedsim.SocialForceModelAgentParameters(position=(x, y), velocity=(vx, 0.0), radius=radius,
                                                           desired_speed=wanted, **fixed))
done = 0


def work():
    global done
    for _ in range(steps):
        done += sim.agent_count()
        sim.iterate()


seconds = common.timed(work)
common.emit("jupedsim", workload, agents, steps, seconds, common.centre(a.position for a in sim.agents()), done)
