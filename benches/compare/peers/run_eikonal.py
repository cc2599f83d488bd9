"""W6 with scikit-fmm or eikonalfm, first order: run_eikonal.py W6-open|W6-obst SIDE PACKAGE. A step is a solve."""
import sys
import common
import numpy

workload, side, package = sys.argv[1], int(sys.argv[2]), sys.argv[3]
middle = side // 2
i, j = numpy.indices((side, side))
near = (abs(i - middle) <= 4) & (abs(j - middle) <= 4)
blocked = ((i // 4 + 7 * (j // 4)) % 11 == 0) & ~near & (workload == "W6-obst")
if package == "scikit-fmm":
    import skfmm
    phi = numpy.ones((side, side))
    phi[middle, middle] = 0.0
    phi = numpy.ma.MaskedArray(phi, blocked) if blocked.any() else phi
    speed = numpy.ones((side, side))
    solve = lambda: skfmm.travel_time(phi, speed, dx=1.0, order=1)
else:
    import eikonalfm
    speed = numpy.where(blocked, 1e-6, 1.0)  # it knows no masks
    solve = lambda: eikonalfm.fast_marching(speed, (middle, middle), (1.0, 1.0), 1)
arrival = solve()
solves = max(3, min(400, 4_000_000 // (side * side)))
seconds = common.timed(lambda: [solve() for _ in range(solves)])
common.emit(package, workload, side * side, solves, seconds, {"corner": float(arrival[side - 1, side - 1])})
