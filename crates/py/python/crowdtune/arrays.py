"""Arrays of the user as the native module takes them, and tables from arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._native import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def floats(given: Any, dimensions: int, what: str) -> Floats:
    """Any array of numbers as contiguous, aligned float64; a copy only where it has to be one."""
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise InputError(f"{what}: no array, because its rows have different lengths") from error
    if array.dtype.kind not in "fiu" and array.size > 0:
        raise InputError(f"{what}: an array of {array.dtype}; allowed: numbers")
    if array.ndim != dimensions:
        raise InputError(f"{what}: an array of {array.ndim} dimensions; allowed: {dimensions}")
    return np.require(array, np.float64, ["C", "A"])


def table(given: Any, what: str) -> Floats:
    """The same with a row for each entry; a single column may be flat."""
    array = np.asarray(given)
    return floats(array.reshape(-1, 1) if array.ndim == 1 else array, 2, what)


def integers(given: Any, what: str) -> Ints:
    """A column of whole numbers as contiguous, aligned int64."""
    array = np.asarray(given)
    if array.dtype.kind == "f" and np.array_equal(array, np.floor(array)):
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise InputError(f"{what}: an array of {array.dtype}; allowed: whole numbers")
    if array.ndim != 1:
        raise InputError(f"{what}: an array of {array.ndim} dimensions; allowed: 1")
    return np.require(array, np.int64, ["C", "A"])


def frame(columns: Mapping[str, Any], library: str = "pandas") -> Any:
    """Columns as a DataFrame of pandas or polars, or a table of Arrow, which shares the memory of the arrays."""
    if library == "pandas":
        import pandas

        return pandas.DataFrame(dict(columns), copy=False)
    if library == "polars":
        import polars

        return polars.DataFrame(dict(columns))
    if library == "arrow":
        import pyarrow

        return pyarrow.table(dict(columns))
    raise InputError(f"`{library}` is no library of tables; allowed: pandas, polars, arrow")


def text(value: Any) -> str:
    """A value of Python as an experiment file writes it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        inside = ", ".join(f"{quoted(str(key))} = {text(one)}" for key, one in value.items())
        return "{ " + inside + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text(one) if not isinstance(one, str) else quoted(one) for one in value) + "]"
    if isinstance(value, float):
        return repr(value)
    return str(value)


def quoted(word: str) -> str:
    """A word in the quotes of TOML."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def pairs(overrides: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Overrides as `--set` pairs."""
    return [(str(key), text(value)) for key, value in (overrides or {}).items()]
