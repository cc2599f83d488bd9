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


def table(rows, of="fresh"):
    """Lines of markdown for the searches of one budget."""
    names = list(dict.fromkeys(row["optimizer"] for row in rows))
    pairs = complete(rows, names)
    if not pairs:
        return ["No experiment was searched by every optimizer."]
    experiments = sorted({experiment for experiment, _ in pairs})
    seeds = sorted({seed for _, seed in pairs})
    rank = {name: {e: [] for e in experiments} for name in names}
    wins = {name: 0.0 for name in names}
    for (experiment, _), found in pairs.items():
        keys = [key(found[name][of]) for name in names]
        first = [name for name, k in zip(names, keys) if k == min(keys)]
        for name in first:
            wins[name] += 1 / len(first)
        for name, r in zip(names, ranks(keys)):
            rank[name][experiment].append(r)
    means = {name: interval(list(rank[name].values())) for name in names}
    names.sort(key=lambda name: means[name][0])

    def median(experiment, name):
        keys = sorted(key(found[name][of]) for (e, _), found in pairs.items() if e == experiment)
        failed, violation, loss = keys[(len(keys) - 1) // 2]
        return "failed" if failed else f"{loss:.3f}" + ("!" if violation > 0 else "")

    def defaults(experiment):
        keys = sorted(key(next(iter(found.values()))["fresh_of_defaults"]) for (e, _), found in pairs.items() if e == experiment)
        failed, violation, loss = keys[(len(keys) - 1) // 2]
        return "failed" if failed else f"{loss:.3f}" + ("!" if violation > 0 else "")

    lines = [f"{len(experiments)} experiments, {len(seeds)} seeds ({seeds[0]} to {seeds[-1]}), {len(names)} optimizers:", "",
             "| optimizer | mean rank | 95 % | best of all | " + " | ".join(f"`{e}`" for e in experiments) + " |",
             "|---" * (4 + len(experiments)) + "|"]
    for name in names:
        mean, low, high = means[name]
        cells = " | ".join(median(e, name) for e in experiments)
        lines.append(f"| {name} | {mean:.2f} | {low:.2f} to {high:.2f} | {wins[name]:.0f} | {cells} |")
    lines.append("| (defaults) | | | | " + " | ".join(defaults(e) for e in experiments) + " |")
    return lines


def report(rows, docs):
    """Prints the tables, and writes them between the marks of a page."""
    lines = []
    for evaluations in sorted({row["evaluations"] for row in rows}):
        of = [row for row in rows if row["evaluations"] == evaluations]
        lines += [f"**{evaluations} evaluations.** " + table(of)[0], *table(of)[1:], ""]
    text = "\n".join(lines)
    print(text)
    if docs:
        with open(docs) as f:
            page = f.read()
        before, rest = page.split(MARK[0])
        after = rest.split(MARK[1])[1]
        with open(docs, "w") as f:
            f.write(f"{before}{MARK[0]}\n{text}{MARK[1]}{after}")
