"""W1 and W2 with JuPedSim's social force model; its people look 2.5 m far, at walls about 4 m. W2 also with one of its speed models, which
see 3 m far, if a fourth word names it as crowdtune does."""
import sys

import common
import jupedsim
from shapely import box, union_all

workload, agents, steps = common.arguments()
law = sys.argv[4] if len(sys.argv) > 4 else "social_force"
model, person = {
    "social_force": (jupedsim.SocialForceModel(body_force=120000, friction=240000), jupedsim.SocialForceModelAgentParameters),
    "collision_free_speed": (jupedsim.CollisionFreeSpeedModelV2(), jupedsim.CollisionFreeSpeedModelV2AgentParameters),
    "anticipation_velocity": (jupedsim.AnticipationVelocityModel(rng_seed=1), jupedsim.AnticipationVelocityModelAgentParameters),
}[law]
if workload == "W1":
    area, way_out = union_all([box(0, 0, 15, 15), box(14.9, 7, 15.5, 8), box(15.4, 0, 22, 15)]), box(16.5, 5, 20, 10)
else:
    rows = common.rows_of(agents)
    area, way_out = box(-6, -6, 320, rows + 6), box(300, -5, 310, rows + 5)
sim = jupedsim.Simulation(model=model, geometry=area, dt=0.01)
stage = sim.add_exit_stage(way_out)
journey = sim.add_journey(jupedsim.JourneyDescription([stage]))
fixed = dict(journey_id=journey, stage_id=stage)
if law == "social_force":
    fixed |= dict(orientation=(1, 0), mass=80.0, reaction_time=0.5, agent_scale=2000, obstacle_scale=2000, force_distance=0.08)
people = [(x, y, r, 0.0, 1.0) for x, y, r in common.room(agents)] if workload == "W1" else \
    [(x, y, 0.3, v, v) for x, y, v in common.field(agents)]
for x, y, radius, vx, wanted in people:
    words = dict(velocity=(vx, 0.0)) if law == "social_force" else {}
    sim.add_agent(person(position=(x, y), radius=radius, desired_speed=wanted, **words, **fixed))
done = 0


def work():
    global done
    for _ in range(steps):
        done += sim.agent_count()
        sim.iterate()


seconds = common.timed(work)
common.emit("jupedsim", workload, agents, steps, seconds, common.centre(a.position for a in sim.agents()), done)
