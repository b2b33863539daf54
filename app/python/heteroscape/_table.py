# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables: NumPy structured arrays that know the unit of each column."""

from __future__ import annotations

import contextlib
import csv
import html
import io
import os
import tempfile
from typing import Any, Iterable, Iterator, Mapping, Sequence

import numpy as np


class Table(np.ndarray):
    """A structured array of NumPy, one field a column: ``table["ttft_s"]`` is a plain array.

    ``units`` and ``labels`` say of columns what they are; a column without an entry has no unit. Numbers that there
    are none of are NaN, texts are empty.
    """

    units: dict[str, str]
    labels: dict[str, str]

    def __new__(
        cls,
        array: np.ndarray,
        units: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> "Table":
        table = np.asarray(array).view(cls)
        table.units = dict(units or {})
        table.labels = dict(labels or {})
        return table

    def __array_finalize__(self, source: Any) -> None:
        self.units = getattr(source, "units", {})
        self.labels = getattr(source, "labels", {})

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        return part.view(np.ndarray) if isinstance(part, Table) and part.dtype.names is None else part

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return self.dtype.names or ()

    def to_pandas(self) -> Any:
        """The same as a ``pandas.DataFrame``; its ``attrs["units"]`` has the units. Needs pandas."""
        import pandas

        frame = pandas.DataFrame({name: self[name] for name in self.columns})
        frame.attrs["units"] = dict(self.units)
        return frame

    def _repr_html_(self) -> str:
        rows = np.atleast_1d(self)
        shown = rows[:60]
        head = "".join(
            f"<th>{html.escape(name)}<br><small>{html.escape(self.units.get(name, ''))}</small></th>"
            for name in self.columns
        )
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell_text(row[name]))}</td>" for name in self.columns) + "</tr>"
            for row in shown
        )
        more = f"<p>{len(rows)} rows, the first {len(shown)} shown</p>" if len(rows) > len(shown) else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def cell_text(value: Any) -> str:
    """A value for people: five digits of a number, nothing for NaN."""
    if isinstance(value, (float, np.floating)):
        return "" if np.isnan(value) else f"{value:.5g}"
    return str(value)


def column_of(values: Sequence[Any]) -> np.ndarray:
    """Values as one array: bool, int, float (None: NaN) or text (None: empty)."""
    there = [value for value in values if value is not None]
    if there and all(isinstance(value, bool) for value in there) and len(there) == len(values):
        return np.array(values, dtype=bool)
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in there):
        if there and len(there) == len(values) and all(isinstance(value, int) for value in there):
            return np.array(values, dtype=np.int64)
        return np.array([np.nan if value is None else value for value in values], dtype=float)
    return np.array(["" if value is None else plain(value) for value in values], dtype=str)


def plain(value: Any) -> str:
    """A value of a cell as text: lists by commas."""
    if isinstance(value, (list, tuple)):
        return ", ".join(plain(part) for part in value)
    return str(value)


def from_columns(
    columns: Mapping[str, np.ndarray],
    units: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
) -> Table:
    """A table of columns of one length."""
    arrays = {name: np.asarray(values) for name, values in columns.items()}
    length = len(next(iter(arrays.values()))) if arrays else 0
    table = np.empty(length, dtype=np.dtype([(name, values.dtype) for name, values in arrays.items()], align=True))
    for name, values in arrays.items():
        table[name] = values
    return Table(table, units, labels)


def from_rows(rows: Iterable[Mapping[str, Any]], units: Mapping[str, str] | None = None) -> Table:
    """A table of dicts: columns in the order in which keys are met."""
    rows = list(rows)
    names: dict[str, None] = {}
    for row in rows:
        for name, value in row.items():
            if not isinstance(value, dict):
                names.setdefault(name)
    return from_columns({name: column_of([row.get(name) for row in rows]) for name in names}, units)


def from_csv(text: str, whole: Sequence[str] = (), words: Sequence[str] = ()) -> Table:
    """A table of a CSV that the engine wrote: numbers, empty cells NaN; `whole` ones as int, `words` as text."""
    reader = csv.reader(io.StringIO(text))
    names = next(reader)
    columns = list(zip(*reader)) or [()] * len(names)

    def column(name: str, cells: Sequence[str]) -> np.ndarray:
        if name in words:
            return np.array(cells, dtype=str)
        numbers = np.array([float(cell) if cell else np.nan for cell in cells], dtype=float)
        return numbers.astype(np.int64) if name in whole else numbers

    return from_columns(
        {name: column(name, cells) for name, cells in zip(names, columns)},
        {name: "s" for name in names if name.endswith("_s")},
    )


def setting_text(value: Any) -> str:
    """A value as --set takes it."""
    if value is None:
        return "none"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    raise TypeError(f"a parameter takes a number, a text, True, False, None or a dict, not {type(value).__name__}")


@contextlib.contextmanager
def columns_file(columns: Any) -> Iterator[str]:
    """The path of a CSV: of a file that there is, or of one that is written for as long as it is read, of a dict of
    columns, a structured array or a DataFrame. None: an empty path."""
    if columns is None or isinstance(columns, (str, os.PathLike)):
        yield "" if columns is None else os.fspath(columns)
        return
    names = list(columns.dtype.names if isinstance(columns, np.ndarray) and columns.dtype.names else columns)
    cells = [[setting_text(value) for value in np.asarray(columns[name]).tolist()] for name in names]
    handle, path = tempfile.mkstemp(prefix="heteroscape-", suffix=".csv")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(names)
            writer.writerows(zip(*cells))
        yield path
    finally:
        os.unlink(path)
