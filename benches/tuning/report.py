"""Tables of a file of searches: ranks with intervals, and medians of every experiment."""
import math, random, statistics

DRAWS = 2000
MARK = ("<!-- tuning -->", "<!-- /tuning -->")


def key(fresh):
    """Orders recommendations by their fresh runs, the better first: healthy, feasible, then the loss."""
    loss = math.inf if fresh["loss"] is None else fresh["loss"]
    return (fresh["failed"] is not None, fresh["violation"], loss)


def ranks(keys):
    """Ranks from 1, equal keys sharing their mean."""
    order = sorted(keys)
    return [statistics.fmean(i + 1 for i, k in enumerate(order) if k == mine) for mine in keys]


def interval(groups, seed=1):
    """Mean over groups of their means, with a 95 % interval from drawing the members of each group anew."""
    rng = random.Random(seed)
    mean = lambda sets: statistics.fmean(statistics.fmean(s) for s in sets)
    draws = sorted(mean([rng.choices(s, k=len(s)) for s in groups]) for _ in range(DRAWS))
    return mean(groups), draws[int(0.025 * DRAWS)], draws[int(0.975 * DRAWS)]


def complete(rows, names):
    """{(experiment, seed): {optimizer: row}} for the pairs that every optimizer has searched."""
    found = {}
    for row in rows:
        found.setdefault((row["experiment"], row["seed"]), {})[row["optimizer"]] = row
    return {pair: of for pair, of in sorted(found.items()) if all(name in of for name in names)}


def mean_ranks(pairs, names, of):
    """{name: (mean rank, low, high)} and how often each was the best, sharing where several were."""
    experiments = sorted({experiment for experiment, _ in pairs})
    rank = {name: {e: [] for e in experiments} for name in names}
    best = {name: 0.0 for name in names}
    for (experiment, _), found in pairs.items():
        keys = [key(found[name][of]) for name in names]
        first = [name for name, k in zip(names, keys) if k == min(keys)]
        for name in first:
            best[name] += 1 / len(first)
        for name, r in zip(names, ranks(keys)):
            rank[name][experiment].append(r)
    return {name: interval(list(rank[name].values())) for name in names}, best


def median(judged):
    """The lower median, with a mark where it is infeasible."""
    failed, violation, loss = sorted(map(key, judged))[(len(judged) - 1) // 2]
    return "failed" if failed else f"{loss:.3f}" + ("!" if violation > 0 else "")


def table(rows):
    """A heading and lines of markdown for the searches of one budget."""
    names = list(dict.fromkeys(row["optimizer"] for row in rows))
    pairs = complete(rows, names)
    if not pairs:
        return "no experiment was searched by every optimizer", []
    experiments = sorted({experiment for experiment, _ in pairs})
    seeds = sorted({seed for _, seed in pairs})
    means, best = mean_ranks(pairs, names, "fresh")
    searched, _ = mean_ranks(pairs, names, "search")
    names.sort(key=lambda name: means[name][0])

    def above(name, what):
        """Median of the fresh loss less what was promised, if nearly all searches have both."""
        both = [(found[name]["fresh"]["loss"], what(found[name])) for found in pairs.values()]
        differences = [fresh - promised for fresh, promised in both if fresh is not None and promised is not None]
        return f"{statistics.median(differences):.3f}" if len(differences) > 0.9 * len(pairs) else ""

    def row(name, facts, of):
        cells = [median([of(found) for (e, _), found in pairs.items() if e == experiment]) for experiment in experiments]
        return f"| {name} | " + " | ".join(facts + cells) + " |"

    heads = ["optimizer", "mean rank", "95 %", "best of all", "rank in the search", "fresh - seen", "fresh - expected",
             *(f"`{e}`" for e in experiments)]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for name in names:
        mean, low, high = means[name]
        facts = [f"{mean:.2f}", f"{low:.2f} to {high:.2f}", f"{best[name]:.0f}", f"{searched[name][0]:.2f}",
                 above(name, lambda row: row["search"]["loss"]), above(name, lambda row: row.get("expected"))]
        lines.append(row(name, facts, lambda found: found[name]["fresh"]))
    lines.append(row("(defaults)", [""] * 6, lambda found: next(iter(found.values()))["fresh_of_defaults"]))
    return f"{len(experiments)} experiments, {len(seeds)} seeds ({seeds[0]} to {seeds[-1]}), {len(pairs)} searches each", lines


def report(rows, docs):
    """Prints the tables, and writes them between the marks of a page."""
    lines = []
    for row in rows:
        row["search"].setdefault("failed", None)
    for evaluations in sorted({row["evaluations"] for row in rows}):
        of = [row for row in rows if row["evaluations"] == evaluations]
        said, body = table(of)
        lines += [f"{evaluations} evaluations, {said}:", "", *body, ""]
    text = "\n".join(lines)
    print(text)
    if docs:
        with open(docs) as f:
            page = f.read()
        before, rest = page.split(MARK[0])
        after = rest.split(MARK[1])[1]
        with open(docs, "w") as f:
            f.write(f"{before}{MARK[0]}\n{text}{MARK[1]}{after}")
