"""Reads all files of one exported run with PedPy and USD, and says how far they are from the table."""
import csv
import pathlib
import sys

import pedpy
from pxr import Usd, UsdGeom

stem = sys.argv[1]
path = lambda ending: pathlib.Path(f"{stem}.{ending}")
with path("csv").open() as file:
    rows = list(csv.DictReader(file))
table = {(int(r["id"]), round(float(r["time_s"]) * 10)): (float(r["x_m"]), float(r["y_m"])) for r in rows}
text = pedpy.load_trajectory_from_txt(trajectory_file=path("txt"))
database = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=path("sqlite"))
vadere = pedpy.load_trajectory_from_vadere(trajectory_file=path("traj"), frame_rate=10.0)


def worst(data, first):
    found = {(int(i) - first, int(f)): (x, y) for i, f, x, y in data.data[["id", "frame", "x", "y"]].values}
    return len(found), max(max(abs(a - b) for a, b in zip(found[k], table[k])) for k in found if k in table)


print("csv", len(table))
print("txt", *worst(text, 0), text.frame_rate)
print("sqlite", *worst(database, 0), database.frame_rate)
print("traj", *worst(vadere, 1))
print("area", pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=path("sqlite")).area)
stage = Usd.Stage.Open(str(path("usda")))
people = UsdGeom.PointInstancer(stage.GetPrimAtPath("/crowd/people"))
frames = int(stage.GetEndTimeCode()) + 1
seen, apart = 0, 0.0
for frame in range(frames):
    hidden = set(people.GetInvisibleIdsAttr().Get(frame) or [])
    for number, p in zip(people.GetIdsAttr().Get(), people.GetPositionsAttr().Get(frame)):
        if number not in hidden:
            seen += 1
            apart = max(apart, abs(p[0] - table[number, frame][0]), abs(p[1] - table[number, frame][1]))
print("usda", seen, apart, stage.GetTimeCodesPerSecond(), UsdGeom.GetStageMetersPerUnit(stage), UsdGeom.GetStageUpAxis(stage))
bounds = UsdGeom.BBoxCache(0, ["default"]).ComputeWorldBound(stage.GetPrimAtPath("/crowd/people")).ComputeAlignedRange()
print("bounds", *bounds.GetMin(), *bounds.GetMax())
