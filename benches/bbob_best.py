#!/usr/bin/env python3
"""How far anyone has come on BBOB: shares of targets that the published results of COCO's archive reach in a budget.

    python3 benches/bbob_best.py [--dims 5,10,20] [--mult 100,1000]

COCO keeps, for each function and target, the least expected number of evaluations that any optimizer of its workshops needed: the best of
2009, and the best of 2009 to 2016, chosen in hindsight for each target by itself: no single one of them is as good. A target counts as reached
if that number is at most `mult` times the dimension; targets are the 51 from 10^2 to 10^-8 by which docs/optimizers.md judges. Its shares
count single runs on a few instances, the archive has means over fifteen and more, so the two compare only roughly. The archive comes with the package cocopp, which is put into target/bbob-best.
"""
import argparse, contextlib, io, os, warnings

import environment

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NEEDED = ["cocopp==2.9.1", "six==1.17.0"]
ARCHIVES = {"best of 2009": "best2009-bbob.tar.gz", "best of 2009 to 2016": "best09-16-bbob.tar.gz"}
GROUPS = {"all": range(1, 25), "1-5": range(1, 6), "6-9": range(6, 10), "10-14": range(10, 15), "15-19": range(15, 20), "20-24": range(20, 25)}


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--dims", type=numbers, default=[5, 10, 20])
    words.add_argument("--mult", type=numbers, default=[100, 1000])
    words = words.parse_args()
    environment.enter(os.path.join(ROOT, "target", "bbob-best"), NEEDED)
    warnings.simplefilter("ignore")  # it looks for newer archives than those that it brings
    with contextlib.redirect_stdout(io.StringIO()):
        import cocopp
        from cocopp import bestalg
        place = os.path.join(os.path.dirname(cocopp.__file__), "refalgs")
        archives = {name: bestalg.load_reference_algorithm(os.path.join(place, file), force=True) for name, file in ARCHIVES.items()}
    # A hair wider: the archive has results at these very numbers.
    targets = [(1.0 + 1e-9) * 10.0 ** (2.0 - k / 5.0) for k in range(51)]
    print("| functions | " + " | ".join(GROUPS) + " |\n|---|" + "---|" * len(GROUPS))
    for name, best in archives.items():
        for mult in words.mult:
            for n in words.dims:
                share = {f: sum(needed <= mult * n for needed in best[(n, f)].detERT(targets)) / len(targets) for f in GROUPS["all"]}
                cells = [f"{sum(share[f] for f in of) / len(of):.3f}" for of in GROUPS.values()]
                print(f"| {name}, {n} parameters, {mult} n | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
