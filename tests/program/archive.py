"""Writes fuzz/corpus/archive, as files of the Pedestrian Dynamics Data Archive are: `pip install h5py; python3 tests/program/archive.py`."""
import os

import h5py
import numpy

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fuzz", "corpus", "archive")
PLACE = "POLYGON ((-1 -1, 6 -1, 6 2, -1 2, -1 -1))"
# Two people: one walks 1 m/s along x, one stands; 3 s at 10 frames a second.
ROWS = [(person, frame, x, y, 1.7) for frame in range(31) for person, x, y in ((1, 0.1 * frame, 0.25), (7, 5.0, 1.5))]


def write(name, columns, fps, place, **packed):
    with h5py.File(os.path.join(OUT, name), "w") as file:
        rows = numpy.array(ROWS, dtype=[(column, kind) for column, kind in columns])
        table = file.create_dataset("trajectory", data=rows, **packed)
        table.attrs["fps"] = fps
        file.attrs["wkt_geometry"] = place


write("plain.h5", zip(("id", "frame", "x", "y", "z"), ("i8", "i4", "f8", "f8", "f8")), 10.0, PLACE)
# Other numbers, another byte order, packed; a string of fixed length.
write("packed.h5", zip(("id", "frame", "x", "y", "z"), (">u2", ">f8", ">f4", "<f4", "f4")), 10, numpy.bytes_(PLACE), chunks=(16,), compression="gzip", shuffle=True)
