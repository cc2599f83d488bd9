"""Searches on Ray, Dask and Slurm on this machine: the same bytes as alone, with nodes and drivers killed; what it costs; how it scales.

    .ci/python                            # makes the environment target/python/clusters
    target/python/clusters/bin/python benches/clusters.py bytes --on ray dask slurm [--kills 10] [--evaluations 400]
    target/python/clusters/bin/python benches/clusters.py overhead --on ray dask [--rounds 5]
    target/python/clusters/bin/python benches/clusters.py scaling --on dask [--workers 1 2 4 8] [--sleep 10 100 1000]

`bytes` compares trials.jsonl with that of `crowdtune.evolve` on local threads: an untouched run, one in which a node is killed (SIGKILL)
and another one joins, at `--kills` random moments, and one whose driver is killed and resumed. `overhead` measures rounds of local and
cluster, one after the other, with as many workers as threads; starting the cluster does not count. `scaling` has an engine that sleeps,
so that the cores of this machine are no limit. Slurm needs slurmctld, slurmd and munged, and root.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

import crowdtune as ct

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "target/python/work"
CONFIG = ROOT / "configs/evacuation.toml"

os.environ.setdefault("RAY_AUTH_MODE", "token")
# A port on all interfaces is nobody's business in a test.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_raylet_start_wait_time_s"] = "180"
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def start(words: list[str], name: str, **variables: str) -> subprocess.Popen[bytes]:
    """A process of its own group, with its words in a file."""
    WORK.mkdir(parents=True, exist_ok=True)
    with (WORK / f"{name}.log").open("ab") as log:
        return subprocess.Popen(
            words, stdout=log, stderr=log, start_new_session=True, env={**os.environ, **variables}
        )


def kill(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and all that it started, at once."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for one in [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()
    process.wait()


class Cluster:
    """A cluster of this machine whose nodes are processes."""

    name = ""

    def __init__(self) -> None:
        self.nodes: list[subprocess.Popen[bytes]] = []
        self.number = 0

    def join(self, workers: int = 1) -> None:
        """Starts a node."""

    def lose(self) -> None:
        """Kills the newest node."""
        kill(self.nodes.pop())

    def close(self) -> None:
        """Ends everything."""
        while self.nodes:
            self.lose()

    def evolve(self, experiment: ct.Experiment, out: Path, resume: bool = False) -> None:
        """A search with it."""


class Ray(Cluster):
    """A head without workers, and nodes of one process each."""

    name = "ray"

    def __init__(self) -> None:
        super().__init__()
        self.port = free_port()
        self.ray = str(Path(sys.executable).with_name("ray"))
        token = WORK / "token"
        WORK.mkdir(parents=True, exist_ok=True)
        token.write_text("a-token-of-this-test-only-0123456789")
        os.environ["RAY_AUTH_TOKEN_PATH"] = str(token)
        head = ["--head", f"--port={self.port}", "--num-cpus=0", "--include-dashboard=false"]
        self.head = self._node(head, "ray-head")

    def _node(self, words: list[str], name: str) -> subprocess.Popen[bytes]:
        words = [self.ray, "start", "--block", "--node-ip-address=127.0.0.1", "--disable-usage-stats", *words]
        return start(words, name, CROWDTUNE_NODE=name)

    def join(self, workers: int = 1) -> None:
        """One node after the other: two that start in the same moment may take the same ports, and one waits for ever."""
        import ray

        self.connect()
        before = self.alive()
        self.number += 1
        words = [f"--address=127.0.0.1:{self.port}", f"--num-cpus={workers}"]
        self.nodes.append(self._node(words, f"ray-{self.number}"))
        until = time.monotonic() + 90
        while not self.alive() - before and time.monotonic() < until and ray.is_initialized():
            time.sleep(0.1)

    def alive(self) -> set[str]:
        import ray

        return {node["NodeID"] for node in ray.nodes() if node["Alive"]}

    def connect(self) -> None:
        import ray

        for attempt in range(60):
            if ray.is_initialized():
                return
            try:
                ray.init(address=f"127.0.0.1:{self.port}", log_to_driver=False, logging_level="ERROR")
            except (ConnectionError, ValueError, RuntimeError):
                if attempt == 59:
                    raise
                time.sleep(1)

    def evolve(self, experiment: ct.Experiment, out: Path, resume: bool = False) -> None:
        import crowdtune.ray

        self.connect()
        crowdtune.ray.evolve(experiment, out, resume=resume, progress=False)

    def close(self) -> None:
        import ray

        ray.shutdown()
        super().close()
        kill(self.head)


class Dask(Cluster):
    """A scheduler, and workers of one thread each."""

    name = "dask"

    def __init__(self) -> None:
        super().__init__()
        self.port = free_port()
        words = ["scheduler", "--host=127.0.0.1", f"--port={self.port}", "--no-dashboard"]
        self.head = start([sys.executable, "-m", "distributed.cli.dask_scheduler", *words[1:]], "dask-scheduler")
        self.client = None

    def join(self, workers: int = 1) -> None:
        self.number += 1
        name = f"dask-{self.number}"
        words = [f"tcp://127.0.0.1:{self.port}", "--nthreads=1", f"--nworkers={workers}", "--no-dashboard"]
        node = start([sys.executable, "-m", "distributed.cli.dask_worker", *words], name, CROWDTUNE_NODE=name)
        self.nodes.append(node)

    def connect(self):
        from distributed import Client

        if self.client is None:
            self.client = Client(f"tcp://127.0.0.1:{self.port}", timeout=60)
        while not self.client.nthreads():
            time.sleep(0.2)
        return self.client

    def evolve(self, experiment: ct.Experiment, out: Path, resume: bool = False) -> None:
        import crowdtune.dask

        crowdtune.dask.evolve(experiment, out, self.connect(), resume=resume, progress=False)

    def close(self) -> None:
        if self.client is not None:
            self.client.close()
        super().close()
        kill(self.head)


class Slurm(Cluster):
    """Slurm with this machine as its node; what is killed is a task of the array."""

    name = "slurm"

    def __init__(self) -> None:
        super().__init__()
        folder = WORK / "slurm"
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("state", "spool", "munge"):
            (folder / name).mkdir(parents=True)
        # munged wants folders that nobody else writes.
        (folder / "munge").chmod(0o755)
        key = folder / "munge/key"
        key.touch(0o600)
        key.write_bytes(os.urandom(1024))
        host = socket.gethostname().partition(".")[0]
        conf = folder / "slurm.conf"
        controller, node = free_port(), free_port()
        conf.write_text(
            f"""ClusterName=local
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
        )
        os.environ["SLURM_CONF"] = str(conf)
        munge = [f"--{what}={folder}/munge/{what}" for what in ("pid-file", "log-file", "seed-file", "socket")]
        daemons = [["munged", "--foreground", "--force", f"--key-file={key}", *munge], ["slurmctld", "-D"], ["slurmd", "-D"]]
        self.daemons = []
        for words in daemons:
            self.daemons.append(start(words, f"slurm-{words[0]}"))
            time.sleep(1)
        while "idle" not in subprocess.run(["sinfo"], capture_output=True, text=True).stdout:
            time.sleep(0.5)

    def lose(self) -> None:
        """Kills a worker of the array."""
        workers = [
            one for one in psutil.process_iter(["cmdline"]) if "crowdtune.slurm work" in " ".join(one.info["cmdline"] or [])
        ]
        if workers:
            random.choice(workers).kill()

    def evolve(self, experiment: ct.Experiment, out: Path, resume: bool = False) -> None:
        import crowdtune.slurm

        # A machine of its own needs no minute to be sure that somebody is dead.
        crowdtune.slurm.BEAT_S, crowdtune.slurm.DEAD_S = 1.0, 6.0
        crowdtune.slurm.evolve(experiment, out, tasks=os.cpu_count() or 1, resume=resume, progress=False)

    def close(self) -> None:
        for process in reversed(self.daemons):
            kill(process)


CLUSTERS: dict[str, Callable[[], Cluster]] = {"ray": Ray, "dask": Dask, "slurm": Slurm}


def load(evaluations: int) -> ct.Experiment:
    return ct.Experiment.load(CONFIG, {"search.evaluations": evaluations})


def fresh(name: str) -> Path:
    for path in (WORK / name, WORK / f"{name}.queue"):
        shutil.rmtree(path, ignore_errors=True)
    return WORK / name


def log(out: Path) -> bytes:
    return (out / "trials.jsonl").read_bytes()


def rows(out: Path) -> int:
    try:
        return log(out).count(b"\n")
    except FileNotFoundError:
        return 0


def nodes(out: Path) -> dict[str, int]:
    """Answers by node."""
    told: dict[str, int] = {}
    for line in (out / "timing.jsonl").read_text().splitlines():
        for node in json.loads(line).get("nodes", []):
            told[node["node"]] = told.get(node["node"], 0) + node["answers"]
    return told


def show(what: str, same: bool, seconds: float, out: Path) -> bool:
    print(f"{what:44} {'same bytes' if same else 'OTHER BYTES':12} {seconds:6.1f} s  {nodes(out)}", flush=True)
    return same


@contextlib.contextmanager
def running(kind: str, count: int) -> Iterator[Cluster]:
    cluster = CLUSTERS[kind]()
    try:
        for _ in range(count):
            cluster.join()
        yield cluster
    finally:
        cluster.close()


def driver(kind: str, port: int, evaluations: int, out: Path) -> subprocess.Popen[bytes]:
    """A driver in a process of its own, for somebody to kill."""
    words = [sys.executable, __file__, "drive", "--on", kind, "--evaluations", str(evaluations), "--out", str(out)]
    return start([*words, "--port", str(port)], "driver")


def of_bytes(given: argparse.Namespace) -> bool:
    """The same bytes as alone, whatever dies."""
    random.seed(given.seed)
    experiment = load(given.evaluations)
    alone = fresh("alone")
    began = time.perf_counter()
    ct.evolve(experiment, alone, threads=2, progress=False)
    alone_s = time.perf_counter() - began
    wanted = log(alone)
    print(f"alone, 2 threads: {rows(alone) - 1} trials in {alone_s:.1f} s", flush=True)
    good = True
    for kind in given.on:
        with running(kind, 2) as cluster:
            out = fresh(f"{kind}-whole")
            began = time.perf_counter()
            cluster.evolve(experiment, out)
            good &= show(f"{kind}: two nodes", log(out) == wanted, time.perf_counter() - began, out)
            for _ in range(given.kills):
                out = fresh(f"{kind}-killed")
                at = random.uniform(0.1, 0.8) * alone_s
                with disturbed(cluster, at):
                    began = time.perf_counter()
                    cluster.evolve(experiment, out)
                    seconds = time.perf_counter() - began
                what = f"{kind}: a node killed after {at:.1f} s, one joins"
                good &= show(what, log(out) == wanted, seconds, out)
            out = fresh(f"{kind}-driver")
            began = time.perf_counter()
            process = driver(kind, getattr(cluster, "port", 0), given.evaluations, out)
            while rows(out) < given.evaluations // 3 and process.poll() is None:
                time.sleep(0.05)
            kill(process)
            before = rows(out)
            cluster.evolve(experiment, out, resume=True)
            what = f"{kind}: the driver killed with {before} rows, resumed"
            good &= show(what, log(out) == wanted and before < rows(out), time.perf_counter() - began, out)
    return good


@contextlib.contextmanager
def disturbed(cluster: Cluster, after_s: float) -> Iterator[None]:
    """Loses a node after so long, and starts another one two seconds later."""
    import threading

    def disturb() -> None:
        time.sleep(after_s)
        cluster.lose()
        time.sleep(2)
        cluster.join()

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def drive(given: argparse.Namespace) -> bool:
    """A driver that is going to be killed."""
    [kind] = given.on
    cluster = CLUSTERS[kind].__new__(CLUSTERS[kind])
    cluster.port = given.port
    cluster.client = None
    cluster.evolve(load(given.evaluations), Path(given.out))
    return True


def cpu_s(cluster: Cluster) -> dict[str, float]:
    """CPU time of the processes of a cluster and of this driver, by name."""
    spent: dict[str, float] = {"driver": sum(os.times()[:2])}
    for root in [*cluster.nodes, getattr(cluster, "head", None)]:
        if root is None:
            continue
        for one in [psutil.Process(root.pid), *psutil.Process(root.pid).children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                times = one.cpu_times()
                spent[f"{one.name()} {one.pid}"] = times.user + times.system
    return spent


def overhead(given: argparse.Namespace) -> bool:
    """Cluster against local threads, as many workers as threads."""
    experiment = load(given.evaluations)
    for kind, workers in [(kind, workers) for kind in given.on for workers in given.workers]:
        with running(kind, workers) as cluster:
            cluster.evolve(load(20), fresh(f"{kind}-warm"))
            times: dict[str, list[float]] = {"local": [], kind: []}
            busy: dict[str, float] = {}
            for _ in range(given.rounds):
                for how in times:
                    out = fresh(f"{how}-time")
                    before = cpu_s(cluster)
                    began = time.perf_counter()
                    if how == "local":
                        ct.evolve(experiment, out, threads=workers, progress=False)
                    else:
                        cluster.evolve(experiment, out)
                    times[how].append(time.perf_counter() - began)
                    if how == kind:
                        for name, seconds in cpu_s(cluster).items():
                            busy[name] = busy.get(name, 0.0) + seconds - before.get(name, 0.0)
            ratios = sorted(b / a for a, b in zip(times["local"], times[kind], strict=True))
            local, there = statistics.median(times["local"]), statistics.median(times[kind])
            print(
                f"{kind}, {workers} workers: {there:.2f} s, local {local:.2f} s (medians of {given.rounds});"
                f" ratio {statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})",
                flush=True,
            )
            shares = sorted(((seconds / sum(times[kind]), name) for name, seconds in busy.items()), reverse=True)
            print("    share of a core: " + ", ".join(f"{name} {share:.0%}" for share, name in shares if share > 0.005))
    return True


SLEEPER = """
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if "hello" in asked:
        said = {"protocol": 1, "engine": "sleeper", "version": "1"}
    else:
        time.sleep(asked["parameters"]["sleep_s"])
        said = {"id": asked["id"], "values": {"time_s": asked["parameters"]["x"]}}
    print(json.dumps(said), flush=True)
"""


def sleeper(seconds: float, questions: int, parallel: int) -> Path:
    """An experiment whose runs sleep."""
    folder = WORK / f"sleep-{seconds}-{parallel}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sleeper.py").write_text(SLEEPER)
    file = folder / "sleep.toml"
    file.write_text(
        f"""
[engine]
command = ["{sys.executable}", "sleeper.py"]
name = "sleeper"
[parameters]
x = {{ range = [0.0, 1.0], default = 0.5 }}
sleep_s = {seconds}
[scenario.bed]
kind = "engine"
limit_s = 10.0
replicas = 1
[target.time]
value = "time_s"
unit = "s"
equals = 0.25
tolerance = 0.1
[search]
optimizer = "random"
evaluations = {questions}
parallel = {parallel}
finalists = 1
select_replicas = 20
report_replicas = 20
profile_share = 0.0
"""
    )
    return file


def scaling(given: argparse.Namespace) -> bool:
    """How much of the workers' time is work, by their number and the time of an evaluation."""
    print("| cluster | sleep | workers | parallel | evaluations | wall | ideal | efficiency | evaluations/s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for kind in given.on:
        for sleep_ms in given.sleep:
            for workers in given.workers:
                with running(kind, 0) as cluster:
                    cluster.join(workers)
                    parallel = 16 * workers * max(1, round(100 / sleep_ms))
                    count = max(2 * parallel, round(given.seconds * 1000 / sleep_ms * workers / parallel) * parallel)
                    if sleep_ms >= 1000:
                        count = parallel
                    cluster.evolve(ct.Experiment.load(sleeper(sleep_ms / 1000, 4 * workers, 4 * workers)), fresh("warm"))
                    experiment = ct.Experiment.load(sleeper(sleep_ms / 1000, count, parallel))
                    out = fresh("scaling")
                    cluster.evolve(experiment, out)
                    told = [json.loads(line) for line in (out / "timing.jsonl").read_text().splitlines()]
                    # The batches of the search; the check on fresh seeds has too few runs for many workers.
                    search = [one for one in told if one["rows"] == parallel]
                    wall = sum(one["seconds"] for one in search)
                    done = sum(one["rows"] for one in search)
                    ideal = done * sleep_ms / 1000 / workers
                    print(
                        f"| {kind} | {sleep_ms} ms | {workers} | {parallel} | {done} | {wall:.2f} s | {ideal:.2f} s |"
                        f" {ideal / wall:.1%} | {done / wall:.1f} |",
                        flush=True,
                    )
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["bytes", "overhead", "scaling", "drive"])
    parser.add_argument("--on", nargs="+", choices=list(CLUSTERS), default=["ray", "dask"])
    parser.add_argument("--evaluations", type=int, default=400)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--sleep", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--out", default="")
    parser.add_argument("--port", type=int, default=0)
    given = parser.parse_args()
    what = {"bytes": of_bytes, "overhead": overhead, "scaling": scaling, "drive": drive}[given.what]
    sys.exit(0 if what(given) else 1)


if __name__ == "__main__":
    main()
