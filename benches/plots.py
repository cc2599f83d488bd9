"""Draws what `claims.py growth` or `claims.py accuracy` measured: plots.py FILE.json FOLDER"""
import json, os, sys

import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

INK, MUTED, GRID = "#24292f", "#57606a", "#e3e7eb"
COLORS = {"W2": "#1f6feb", "W4b": "#d9730d"}
NAMES = {"W2": "social force (W2)", "W4b": "five forces (W4b)"}
plt.rcParams.update({
    "font.family": "DejaVu Sans", "font.size": 11, "text.color": INK, "axes.labelcolor": MUTED, "xtick.color": MUTED,
    "ytick.color": MUTED, "axes.edgecolor": "#9aa4ae", "svg.fonttype": "path", "svg.hashsalt": "crowdtune",
    "figure.facecolor": "white", "axes.facecolor": "white",
})


def dress(axes, title, x):
    axes.set_title(title, loc="left", fontsize=13, pad=12)
    axes.set_xlabel(x)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(length=0)


def start(title, x, y):
    figure, axes = plt.subplots(figsize=(7.2, 4.2), layout="constrained")
    dress(axes, title, x)
    axes.set_ylabel(y)
    return figure, axes


def plain(value, _=None):
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def agents(axes, sizes):
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator(sizes))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(plain))
    axes.set_xlim(sizes[0] / 1.25, sizes[-1] * 1.25)


def line(axes, x, y, color):
    axes.plot(x, y, color=color, linewidth=2, marker="o", markersize=5.5, markeredgecolor="white", markeredgewidth=1)


def label(axes, x, y, text, color, shift=(0, 10), ha="center", va="bottom"):
    axes.annotate(text, (x, y), shift, textcoords="offset points", color=color, ha=ha, va=va, fontweight="bold")


def save(figure, folder, name):
    figure.savefig(os.path.join(folder, name + ".svg"), metadata={"Date": None})
    plt.close(figure)


def speed(found, folder):
    figure, axes = start("Speed against the number of agents, one core", "agents", "million agent-steps per second")
    for workload, rows in found.items():
        x = [row["agents"] for row in rows]
        y = [row["agent_steps_per_s"] / 1e6 for row in rows]
        line(axes, x, y, COLORS[workload])
        label(axes, x[3], y[3], NAMES[workload], COLORS[workload])
    agents(axes, x)
    axes.set_yscale("log")
    rates = [row["agent_steps_per_s"] / 1e6 for rows in found.values() for row in rows]
    ticks = [t for t in (0.5, 1, 2, 5, 10, 20, 50) if min(rates) / 2.2 < t < max(rates) * 2.2]
    axes.yaxis.set_major_locator(FixedLocator(ticks))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(plain))
    axes.set_ylim(ticks[0], ticks[-1])
    save(figure, folder, "growth_speed")


def memory(found, folder):
    figure, axes = start("Peak memory against the number of agents", "agents", "MB of the whole process")
    for workload, rows in found.items():
        x = [row["agents"] for row in rows]
        y = [row["peak_rss_bytes"] / 1e6 for row in rows]
        line(axes, x, y, COLORS[workload])
        text = f"{NAMES[workload]}\n{rows[-1]['bytes_per_agent']:,.0f} bytes per agent"
        left = rows[-1]["peak_rss_bytes"] == max(r[-1]["peak_rss_bytes"] for r in found.values())
        shift, ha, va = ((-10, 8), "right", "bottom") if left else ((10, -8), "left", "top")
        label(axes, x[4], y[4], text, COLORS[workload], shift, ha, va)
    agents(axes, x)
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(FixedLocator([5, 10, 20, 50, 100, 200]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(plain))
    save(figure, folder, "growth_memory")


def threads(rows, folder):
    figure, axes = start("Search speed against the number of threads", "threads", "evaluations per second")
    x, y = [row["threads"] for row in rows], [row["evaluations_per_s"] for row in rows]
    axes.plot([0, x[-1]], [0, y[0] * x[-1]], color="#9aa4ae", linewidth=1.2, linestyle=(0, (4, 3)))
    line(axes, x, y, COLORS["W2"])
    for row in rows:
        label(axes, row["threads"], row["evaluations_per_s"], f"{row['evaluations_per_s']:.2f}", COLORS["W2"], (8, -6),
              "left", "top")
    axes.annotate("one thread times their number", (x[-1] / 2, y[0] * x[-1] / 2), (-8, 10), textcoords="offset points",
                  color=MUTED, ha="right")
    axes.xaxis.set_major_locator(FixedLocator(x))
    axes.set_xlim(0, x[-1] * 1.15)
    axes.set_ylim(0, y[0] * x[-1] * 1.15)
    save(figure, folder, "growth_threads")


def accuracy(rows, folder):
    """Two panels: what a smaller step buys, and what a farther cut-off does."""
    steps = sorted((r for r in rows[1:] if r["negligible_m_per_s2"] == 1e-4), key=lambda r: r["step_ms"])
    cuts = sorted((r for r in rows[1:] if r["step_ms"] == 10), key=lambda r: r["negligible_m_per_s2"])
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained")
    for axes, title, x in ((left, "Smaller steps", "microseconds of CPU per person-second"),
                           (right, "Farther cut-offs, step 10 ms", "forces below this are left out, m/s²")):
        dress(axes, title, x)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_ylim(0.08, 10)
        axes.yaxis.set_major_locator(FixedLocator([0.1, 0.2, 0.5, 1, 2, 5, 10]))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(FuncFormatter(plain))
    left.set_ylabel("mean distance from the reference, mm")
    for second, color in ((1, COLORS["W2"]), (3, COLORS["W4b"])):
        cost = [r["cpu_s_per_person_s"] * 1e6 for r in steps]
        line(left, cost, [r[f"mean_{second}_m"] * 1e3 for r in steps], color)
        line(right, [r["negligible_m_per_s2"] for r in cuts], [r[f"mean_{second}_m"] * 1e3 for r in cuts], color)
        left.plot([], [], color=color, linewidth=2, label=f"after {second} s")
    for r in steps:
        label(left, r["cpu_s_per_person_s"] * 1e6, r["mean_1_m"] * 1e3, f"{r['step_ms']} ms", COLORS["W2"], (6, 4), "left")
    left.xaxis.set_major_locator(FixedLocator([5, 10, 20, 50, 100]))
    left.xaxis.set_minor_locator(NullLocator())
    left.xaxis.set_major_formatter(FuncFormatter(plain))
    left.margins(x=0.18)
    left.legend(frameon=False, loc="lower left", fontsize=10)
    save(figure, folder, "accuracy")


with open(sys.argv[1]) as file:
    measured = json.load(file)
if isinstance(measured, list):
    accuracy(measured, sys.argv[2])
else:
    speed(measured["speed"], sys.argv[2])
    memory(measured["speed"], sys.argv[2])
    if measured["threads"]:
        threads(measured["threads"], sys.argv[2])
