"""The search of configs/evacuation.toml with pymoo's GA and JuPedSim: run_pymoo.py CONFIG CANDIDATES.

Same room, people, door, genes, replicas, step and limits. JuPedSim gives no forces, so pressure and effort are left out
of the loss, which is less work. A run that JuPedSim aborts counts as failed: nobody out, all overlapping.
"""
import sys, time, tomllib
import common
import jupedsim
import numpy
from pymoo.algorithms.soo.nonconvex.ga import GA
from pymoo.core.problem import ElementwiseProblem
from pymoo.optimize import minimize
from shapely import box, union_all

STEP_S = 0.01
with open(sys.argv[1], "rb") as f:
    config = tomllib.load(f)
room, genes = config["scenario"]["room"], sorted(config["parameters"])
deep, wide, low = room["depth_m"], room["width_m"], (room["depth_m"] - room["door_width_m"]) / 2
high = low + room["door_width_m"]
area = union_all([box(0, 0, wide, deep), box(wide - 0.1, low, wide + 0.5, high), box(wide + 0.4, 0, wide + 6, deep)])
way_out = box(wide + 0.2, low, wide + 2, high)


def people(seed):
    """Places without overlap, radii and desired speeds of one replica."""
    rng, out = numpy.random.default_rng(seed), []
    wish = config["people"]["desired_speed_m_per_s"]
    while len(out) < room["count"]:
        r = rng.uniform(0.25, 0.35)
        x, y = rng.uniform(r, wide - r), rng.uniform(r, deep - r)
        if all(numpy.hypot(x - p[0], y - p[1]) > r + p[2] for p in out):
            out.append((x, y, r, numpy.clip(rng.normal(*wish["normal"]), *wish["clip"])))
    return out


def overlap(sim):
    at = numpy.array([(*a.position, a.model.radius) for a in sim.agents()])
    i, j = numpy.triu_indices(len(at), 1)
    deep = at[i, 2] + at[j, 2] - numpy.hypot(at[i, 0] - at[j, 0], at[i, 1] - at[j, 1])
    return max(0.0, deep.max()) if len(deep) else 0.0


def run(values, crowd):
    """Time of the 95 %, greatest overlap, person-seconds; None and 1 m if it aborts."""
    model = jupedsim.SocialForceModel(body_force=values["body_stiffness_kg_per_s2"],
                                      friction=values["sliding_friction_kg_per_m_s"])
    sim = jupedsim.Simulation(model=model, geometry=area, dt=STEP_S)
    stage = sim.add_exit_stage(way_out)
    journey = sim.add_journey(jupedsim.JourneyDescription([stage]))
    for x, y, r, speed in crowd:
        sim.add_agent(jupedsim.SocialForceModelAgentParameters(
            position=(x, y), radius=r, desired_speed=speed, mass=80.0, journey_id=journey, stage_id=stage, orientation=(1, 0),
            reaction_time=values["relaxation_time_s"], agent_scale=values["repulsion_strength_n"],
            obstacle_scale=values["repulsion_strength_n"], force_distance=values["repulsion_range_m"]))
    stay, worst, seconds, left_at, before = len(crowd) // 20, 0.0, 0.0, 0.0, len(crowd)
    for step in range(round(room["limit_s"] / STEP_S)):
        count, now = sim.agent_count(), step * STEP_S
        if count <= stay:
            return now, worst, seconds
        if count < before:
            before, left_at = count, now
        if now - left_at > room["give_up_s"]:
            break
        if step % 10 == 0:
            worst = max(worst, overlap(sim))
        seconds += count * STEP_S
        try:
            sim.iterate()
        except RuntimeError:
            return None, 1.0, seconds
    return room["limit_s"] * (1.0 + sim.agent_count() / len(crowd)), worst, seconds


class Room(ElementwiseProblem):
    def __init__(self):
        super().__init__(n_var=len(genes), n_obj=1, n_ieq_constr=1, xl=0.0, xu=1.0)
        self.crowds = [people(seed) for seed in range(room["replicas"])]
        self.simulations = self.failed = self.person_seconds = 0

    def _evaluate(self, x, out, *args, **kwargs):
        values = {}
        for key, u in zip(genes, x):
            a, b = config["parameters"][key]["range"]
            values[key] = a * (b / a) ** u if config["parameters"][key].get("log") else a + (b - a) * u
        runs = [run(values, crowd) for crowd in self.crowds]
        self.simulations += len(runs)
        self.failed += sum(time is None for time, _, _ in runs)
        self.person_seconds += sum(seconds for _, _, seconds in runs)
        wish = config["target"]["time"]["minimize"]
        mean = numpy.mean([2 * room["limit_s"] if time is None else time for time, _, _ in runs])
        out["F"] = max(0.0, (mean - wish["good"]) / (wish["bad"] - wish["good"]))
        out["G"] = max(worst for _, worst, _ in runs) - config["target"]["overlap"]["at_most"]


problem, candidates = Room(), int(sys.argv[2])
start = time.process_time()
best = minimize(problem, GA(pop_size=config["search"]["ga"]["population"]), ("n_eval", candidates), seed=1)
seconds = time.process_time() - start
check = {"failed": problem.failed, "person_seconds_per_s": problem.person_seconds / seconds,
         "best_loss": None if best.F is None else float(best.F[0])}
common.emit("jupedsim", "evolve", room["count"], problem.simulations, seconds, check,
            problem.person_seconds / STEP_S, with_pymoo=common.version("pymoo"), simulations_per_s=problem.simulations / seconds)
