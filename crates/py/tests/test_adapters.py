"""The adapters against the packages that they are for."""

from __future__ import annotations

import numpy as np
import pytest

import crowdtune as ct

GENOMES = np.array([[0.2, 0.4, 0.6], [0.9, 0.1, 0.1]])


def test_optuna_evaluates_and_asks_what_crowdtune_asks(tiny: ct.Experiment) -> None:
    optuna = pytest.importorskip("optuna")
    from crowdtune.adapters import optuna as adapter

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=adapter.Sampler(tiny.space, "ga", seed=3, parallel=4))
    study.optimize(adapter.objective(tiny), n_trials=10)
    assert set(adapter.distributions(tiny.space)) == set(tiny.space.keys)
    search = ct.Optimizer(tiny.space, "ga", seed=3, parallel=4)
    asked: list[dict] = []
    losses: list[float] = []
    while len(asked) < 10:
        search.ask()
        answers = tiny.evaluate(search.genomes)
        search.tell(answers.loss, violation=answers.violation)
        asked += tiny.named(search.genomes)
        losses += answers.loss.tolist()
    for trial, params, loss in zip(study.trials, asked, losses, strict=False):
        assert trial.params == params and trial.value == pytest.approx(loss, rel=1e-12)
    registry = ct.Registry()
    registry.model("nobody_walks", parameters=[ct.Parameter("pace", 1.0, (0.1, 3.0))])(lambda constants: {}["feet"])
    text = """
        model = "nobody_walks"
        parameters.pace = { range = [0.5, 1.5] }
        scenario.room = { kind = "room", count = 1 }
        target.time = { metric = "evacuation_time_95_s", minimize = { good = 5.0, bad = 20.0 } }
    """
    broken = optuna.create_study()
    broken.optimize(adapter.objective(ct.Experiment.from_toml(text, registry=registry)), n_trials=1)
    assert broken.trials[0].state == optuna.trial.TrialState.PRUNED
    assert "KeyError: 'feet'" in broken.trials[0].user_attrs["failed"]
    assert adapter.constraints(study.best_trial) == (0.0,)


def test_pymoo_has_the_same_objectives(tiny: ct.Experiment) -> None:
    pytest.importorskip("pymoo")
    from pymoo.algorithms.soo.nonconvex.de import DE
    from pymoo.optimize import minimize

    from crowdtune.adapters.pymoo import FAILED, Problem

    problem = Problem(tiny)
    out = problem.evaluate(GENOMES, return_as_dictionary=True)
    answers = tiny.evaluate(GENOMES)
    assert (out["F"] == answers.objectives).all() and (out["G"][:, 0] == answers.violation).all()
    assert problem.evaluate(np.full((1, 3), np.nan), return_as_dictionary=True)["F"][0, 0] == FAILED
    done = minimize(problem, DE(pop_size=8), ("n_gen", 4), seed=1)
    assert done.F[0] == tiny.evaluate(done.X.reshape(1, -1)).loss[0]


def test_pyribs_fills_an_archive(tiny: ct.Experiment) -> None:
    pytest.importorskip("ribs")
    from ribs.archives import GridArchive
    from ribs.emitters import GaussianEmitter
    from ribs.schedulers import Scheduler

    from crowdtune.adapters.ribs import evaluate

    archive = GridArchive(solution_dim=3, dims=[10, 10], ranges=[(0, 40), (0, 2)])
    scheduler = Scheduler(archive, [GaussianEmitter(archive, sigma=0.2, x0=np.full(3, 0.5), batch_size=12, seed=1)])
    for _ in range(3):
        scheduler.tell(*evaluate(tiny, scheduler.ask(), ["time", "speed"]))
    best = archive.best_elite
    answers = tiny.evaluate(np.clip(best["solution"], 0, 1).reshape(1, -1))
    assert best["objective"] == pytest.approx(-answers.loss[0])
    assert best["measures"] == pytest.approx([answers.mean("time")[0], answers.mean("speed")[0]])
    assert len(archive) > 2


def test_scipy_and_scikit_learn(tiny: ct.Experiment) -> None:
    pytest.importorskip("scipy")
    from scipy.optimize import differential_evolution

    from crowdtune.adapters.scipy import FAILED, bounds, loss, table

    worth = loss(tiny)
    assert worth(GENOMES[0]) == tiny.evaluate(GENOMES[:1]).loss[0]
    assert (worth(GENOMES.T) == tiny.evaluate(GENOMES).loss).all()
    assert worth([np.nan] * 3) == FAILED
    done = differential_evolution(
        worth, bounds(tiny), maxiter=3, popsize=4, seed=1, vectorized=True, updating="deferred", polish=False
    )
    assert done.fun == worth(done.x)
    pytest.importorskip("sklearn")
    from sklearn.gaussian_process import GaussianProcessRegressor

    x, y = table(tiny.evaluate(np.random.default_rng(1).random((30, 3))))
    model = GaussianProcessRegressor(alpha=1e-6, normalize_y=True).fit(x, y)
    assert np.corrcoef(model.predict(x), y)[0, 1] > 0.9


def test_salib_finds_what_matters() -> None:
    pytest.importorskip("SALib")
    from SALib.analyze import sobol as analyze
    from SALib.sample import sobol as sample

    from crowdtune.adapters.salib import problem, run

    # One person: the speed at which they want to walk says nearly all of the time; how they avoid others says nothing.
    experiment = ct.Experiment.from_toml(
        """
        model = "social_force"
        parameters.relaxation_time_s = { range = [0.4, 0.6] }
        parameters.repulsion_range_m = { range = [0.07, 0.09] }
        people.desired_speed_m_per_s = { range = [0.8, 1.8] }
        scenario.room = { kind = "room", count = 1, width_m = 8.0, depth_m = 8.0, limit_s = 40.0, replicas = 1 }
        target.time = { metric = "evacuation_time_100_s", minimize = { good = 5.0, bad = 20.0 } }
        """
    )
    asked = problem(experiment)
    points = sample.sample(asked, 64, calc_second_order=False, seed=1)
    said = analyze.analyze(asked, run(experiment, points, "time"), calc_second_order=False, seed=1)
    total = dict(zip(asked["names"], said["ST"], strict=True))
    assert total["people.desired_speed_m_per_s"] > 0.8
    assert max(total["relaxation_time_s"], total["repulsion_range_m"]) < 0.2


def test_sbi_infers(tiny: ct.Experiment) -> None:
    pytest.importorskip("sbi")
    import torch
    from sbi.inference import NPE

    from crowdtune.adapters.sbi import prior, simulator

    torch.manual_seed(1)
    simulate, before = simulator(tiny), prior(tiny)
    genomes = before.sample((200,))
    seen = simulate(genomes)
    direct = tiny.evaluate(genomes.numpy().astype(float), replicas=1)
    assert np.allclose(seen[:, tiny.column("speed")].numpy(), direct.mean("speed"), equal_nan=True)
    good = ~torch.isnan(seen).any(dim=1)
    inference = NPE(prior=before).append_simulations(genomes[good], seen[good])
    inference.train(max_num_epochs=30, show_train_summary=False)
    posterior = inference.build_posterior()
    at = tiny.space.keys.index("relaxation_time_s")
    quick, slow = seen[good][:, tiny.column("time")].argmin(), seen[good][:, tiny.column("time")].argmax()
    means = [posterior.sample((200,), x=seen[good][one], show_progress_bars=False)[:, at].mean() for one in (quick, slow)]
    assert means[0] != means[1] and all(0 <= mean <= 1 for mean in means)


def test_ray_tune_reports_the_loss(tiny: ct.Experiment, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.tune")
    from ray import tune

    from crowdtune.adapters.ray_tune import space, trainable

    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "180")
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        config = tune.TuneConfig(num_samples=4, metric="loss", mode="min")
        run = tune.RunConfig(storage_path=str(tmp_path), verbose=0)
        results = tune.Tuner(trainable(tiny), param_space=space(tiny), tune_config=config, run_config=run).fit()
    finally:
        ray.shutdown()
    assert len(results) == 4 and not results.errors
    best = results.get_best_result()
    assert best.metrics["loss"] == tiny.evaluate(best.config).loss[0]


def test_pedpy_measures_the_same_crowd(tiny: ct.Experiment) -> None:
    pedpy = pytest.importorskip("pedpy")
    recording = tiny.simulate()
    tracks, area = recording.to_pedpy(), recording.to_pedpy_area()
    assert tracks.frame_rate == recording.fps and area.polygon.area > 25
    line = [[5.0, 2.0], [5.0, 3.0]]
    crossed = pedpy.compute_n_t(traj_data=tracks, measurement_line=pedpy.MeasurementLine(line))[0]
    count = ct.measure(tracks, "crossings", at=line).value
    assert count == crossed["cumulative_pedestrians"].max() > 0
