"""W1 and W2 with socialforce (the law of 1995, all pairs, gradients by torch)."""
import common
import socialforce, torch

workload, agents, steps = common.arguments()
torch.set_num_threads(1)
space = None
if workload == "W1":
    points = [int(10 * max(abs(x1 - x0), abs(y1 - y0))) for x0, y0, x1, y1 in common.WALLS]
    walls = [torch.stack([torch.linspace(x0, x1, n), torch.linspace(y0, y1, n)], dim=1)
             for n, (x0, y0, x1, y1) in zip(points, common.WALLS)]
    space = socialforce.potentials.PedSpacePotential(walls)
sim = socialforce.Simulator(delta_t=0.01, oversampling=1, ped_space=space)
with torch.no_grad():
    state = sim(sim.normalize_state(torch.tensor(common.start(workload, agents))))

    def work():
        global state
        for _ in range(steps):
            state = sim(state)

    seconds = common.timed(work)
common.emit("socialforce", workload, agents, steps, seconds, common.centre(state[:, :2]))
