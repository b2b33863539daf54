# SPDX-License-Identifier: GPL-3.0-or-later
"""Grids of designs, searches among them, frontiers, and what to buy."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Union

import numpy as np

from . import _engine
from ._design import Design, Path
from ._table import Table, columns_file, from_rows, setting_text

Axes = Union[str, Iterable[str], Mapping[str, Any]]


def open_design(what: Union[Design, Path, Mapping[str, Any]]) -> Design:
    """A design as it is, of a preset's id, of a file, or of the document of one."""
    if isinstance(what, Design):
        return what
    if isinstance(what, Mapping):
        return Design.from_dict(what)
    return Design(_engine.open_design(os.fspath(what)))


def texts(given: Union[str, Iterable[str], None]) -> list[str]:
    """One text or several as a list."""
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)


def axis_texts(axes: Axes) -> list[str]:
    """Axes as --axis takes them."""
    if not isinstance(axes, Mapping):
        return texts(axes)
    return [f"{path}={_values_text(path, values)}" for path, values in axes.items()]


def _values_text(path: str, values: Any) -> str:
    if isinstance(values, str):
        return values
    if isinstance(values, np.ndarray):
        values = values.tolist()
    cells = [setting_text(value) for value in (values if isinstance(values, Iterable) else [values])]
    for cell in cells:
        if "," in cell:
            raise ValueError(f"{path}: a value of an axis has no comma: {cell!r}")
    return ",".join(cells)


class Swept(Table):
    """The points of a study, one a row: axes, feasible, metrics in the units of ``units``, bound.

    ``study``: its name; ``computed``, ``reused``: points evaluated now, and found in the store; ``seconds``.
    """

    study: str
    computed: int
    reused: int
    seconds: float

    def __array_finalize__(self, source: Any) -> None:
        super().__array_finalize__(source)
        for name, otherwise in (("study", ""), ("computed", 0), ("reused", 0), ("seconds", float("nan"))):
            setattr(self, name, getattr(source, name, otherwise))


def _swept(found: Mapping[str, Any]) -> Swept:
    table = Table(found["table"], found["units"], found["labels"]).view(Swept)
    table.study, table.computed, table.reused = found["study"], found["computed"], found["reused"]
    table.seconds = found["seconds"]
    return table


def sweep(
    design: Union[Design, Path],
    axes: Axes = (),
    *,
    points: Any = None,
    metrics: Union[str, Iterable[str]] = (),
    store: Path | None = None,
    name: str = "",
    jobs: int = 0,
) -> Swept:
    """Evaluates every point of a grid of designs, on all cores; numbers are those of ``heteroscape-cli sweep``.

    design: a design, a preset's id, a file, or a paper's figure by its id (``figures()``), which has axes of its own.
    axes: values by paths, ``{"workload.batch": [1, 2, 4], "nodes.gpu.count": "1:8", "model": "*"}``, texts as
    ``--axis`` takes them; or a list of such texts, "workload.batch=1:64:*2". The first axis varies slowest.
    points: in place of axes, a CSV file, a dict of columns, a structured array or a DataFrame: each row a design.
    metrics: those wanted, also of nodes ("nodes.gpu.decode_ms"); all of them where none is named.
    store: a file in which points are kept and looked up; without it all are computed in memory.
    jobs: threads; 0: one a core.
    """
    wanted, where = texts(metrics), None if store is None else os.fspath(store)
    if not axes and points is None and isinstance(design, str) and design in _engine.figures():
        return _swept(_engine.sweep_figure(design, wanted, where, name, jobs))
    held = open_design(design)._held
    with columns_file(points) as file:
        return _swept(_engine.sweep(held, axis_texts(axes), file, wanted, where, name, jobs))


def figures() -> list[str]:
    """Ids of the papers' figures that ``sweep()`` takes."""
    return _engine.figures()


_METRICS: dict[str, Mapping[str, str]] = {}


def metric_table() -> dict[str, Mapping[str, str]]:
    """Every metric of a system by its key: label, unit, better, about."""
    if not _METRICS:
        _METRICS.update({row["key"]: row for row in _engine.metric_table()})
    return _METRICS


class Found:
    """What a search found. Tables have a column for each axis, objective and limited metric, bound and point."""

    def __init__(self, design: Design, document: Mapping[str, Any], axes: Sequence[str]) -> None:
        self._design = design.copy()
        self._document = document
        self._axes = list(axes)

    def _table(self, rows: Iterable[Mapping[str, Any]]) -> Table:
        rows = list(rows)
        last = ["bound", "truth", "point"]
        names = list(dict.fromkeys(name for row in rows for name in row))
        middle = [name for name in names if name not in self._axes and name not in last]
        order = [*self._axes, *middle, *(name for name in last if name in names)]
        units = {name: spec["unit"] for name, spec in metric_table().items() if name in names and spec["unit"]}
        for path in self._axes:
            if unit := self._design.parameter(path).unit:
                units[path] = unit
        return from_rows([{name: row.get(name) for name in order} for row in rows], units)

    @property
    def objectives(self) -> list[str]:
        """What is maximised or minimised: "max throughput_tok_s"."""
        return self._document["objectives"]

    @property
    def points(self) -> int:
        """Points looked at."""
        return self._document["points"]

    @property
    def running(self) -> int:
        """Of which so many can run."""
        return self._document["running"]

    @property
    def within_limits(self) -> int:
        """Of which so many keep all limits."""
        return self._document["within_limits"]

    @property
    def unmet(self) -> str:
        """Where no design keeps all limits: which cannot be met, by how much, and where; else empty."""
        return self._document.get("unmet", "")

    @property
    def front(self) -> Table:
        """Designs that no other beats in all objectives, best first in the first."""
        return self._table(self._document["front"])

    @property
    def best(self) -> dict[str, Table]:
        """By objective its best designs, best first."""
        return {objective: self._table(rows) for objective, rows in (self._document["best"] or {}).items()}

    @property
    def reached(self) -> dict[str, dict[str, Table]]:
        """By objective and axis, the best that each value of the axis can reach: value, best, point."""
        return {
            objective: {path: from_rows(values) for path, values in axes.items()}
            for objective, axes in (self._document["reached"] or {}).items()
        }

    def design(self, row: Any = 0) -> Design:
        """The design of a row of a table, or of the front's row of that place."""
        if isinstance(row, (int, np.integer)):
            row = self.front[row]
        return self._design.copy().set({path: row[path] for path in self._axes})

    def to_dict(self) -> Mapping[str, Any]:
        """The document of ``heteroscape-cli find --json``."""
        return self._document

    def __repr__(self) -> str:
        return f"<Found: {self.within_limits} of {self.points} points within limits, {len(self._document['front'])} on the front>"

    def _repr_html_(self) -> str:
        return self.front._repr_html_()


def find(
    design: Union[Design, Path],
    axes: Axes,
    *,
    maximize: Union[str, Iterable[str]] = (),
    minimize: Union[str, Iterable[str]] = (),
    limits: Union[str, Iterable[str]] = (),
    best: int = 10,
    method: str = "exhaustive",
    evaluations: int = 10_000,
    seed: int = 1,
    jobs: int = 0,
) -> Found:
    """Finds the best designs of a grid within limits.

    axes: as ``sweep()`` takes them. maximize, minimize: one to three objectives in all: metrics, metrics of nodes,
    paths of axes, or "devices". limits: "ttft_s<=1", "price_usd<=1000000", "devices<=64", "metric=from:to",
    "measured". best: so many of each objective. method: "exhaustive", or "evolutionary" with so many `evaluations`
    and a `seed`. jobs: threads; 0: one a core.
    """
    opened = open_design(design)
    written = axis_texts(axes)
    document = _engine.find(
        opened._held, written, texts(maximize), texts(minimize), texts(limits), best, method, evaluations, seed, jobs
    )
    return Found(opened, document, [text.split("=", 1)[0] for text in written])


class Frontier(Table):
    """Points of a frontier, one a row: system, server, precision, layout, users, devices, what they reach, whether they
    are on the front of their system, and ``why`` they have no answer.

    ``document``: what ``heteroscape-cli frontier --json`` prints; ``measured``: shipped measurements beside them.
    """

    document: Mapping[str, Any]
    measured: Table | None

    def __array_finalize__(self, source: Any) -> None:
        super().__array_finalize__(source)
        self.document = getattr(source, "document", {})
        self.measured = getattr(source, "measured", None)


def _limit(what: str, value: float | None) -> float:
    if value is None:
        return -1.0
    if not value >= 0:
        raise ValueError(f"{what}: a limit is 0 (none) or more, not {value}")
    return float(value)


def frontiers() -> list[str]:
    """Ids of the shipped frontiers."""
    return _engine.frontiers()


def frontier(
    definition: Path,
    *,
    systems: Mapping[str, Union[Design, Path]] | None = None,
    per: str = "",
    against: str = "",
    load: str = "",
    ttft: float | None = None,
    tpot: float | None = None,
    price: float | None = None,
    users: Iterable[float] = (),
    all: bool = False,
    measured: bool = False,
    jobs: int = 0,
) -> Frontier:
    """Throughput a device against interactivity, over layouts, users, formats and servers.

    definition: id of a shipped frontier (``frontiers()``), a file, or a design's file that keeps one. systems: your own
    designs beside its systems, by names. per, against, load: as the options of ``heteroscape-cli frontier``. ttft (s),
    tpot (ms), price ($): limits; 0: none. users: how many. What is not given is as the definition has it. all: every
    point, not the fronts alone. measured: shipped measurements too. jobs: threads; 0: one a core.
    """
    opened = [(name, open_design(design)._held) for name, design in (systems or {}).items()]
    document = _engine.frontier(
        os.fspath(definition),
        opened,
        per,
        against,
        load,
        _limit("ttft", ttft),
        _limit("tpot", tpot),
        _limit("price", price),
        [float(count) for count in users],
        all,
        measured,
        jobs,
    )
    first = ["system", "server", "precision", "layout", "users", "devices"]
    rows = [{**{name: row.get(name) for name in first}, "front": False, **row} for row in document["points"]]
    units = _engine.frontier_units()
    table = from_rows(rows, units).view(Frontier)
    table.document = document
    table.measured = from_rows(document["measured"], units) if measured else None
    return table


class Figure(NamedTuple):
    """A figure of a system: 80 % lie between ``low`` and ``high``; both are the value where no band is known."""

    value: float
    low: float
    high: float


class RecommendedSystem(NamedTuple):
    """A whole system that may be bought."""

    design: Design
    """As it was simulated: to evaluate, change and save."""
    ready: str
    """Id of the ready server."""
    name: str
    servers: int
    devices: int
    software: str
    weights: str
    layout: str
    figures: Mapping[str, Figure]
    """By key, which tells the unit: "usd_per_year", "price_usd", "ttft_p99_s", "tpot_p99_s", "rated_w", ..."""
    kept: float
    """Share of the draws in which it keeps all limits."""
    too_close: str
    """Why it and the first of its list are too close to call; empty: they are apart."""

    def __repr__(self) -> str:
        return f"<RecommendedSystem: {self.servers} x {self.name}, {self.software} {self.weights}, {self.layout}>"


class RecommendedList(NamedTuple):
    """Systems that rest on the same, the cheapest first: those of two lists are no comparison."""

    truth: str
    """What they rest on: "served", "kernels", "class", ..."""
    systems: tuple[RecommendedSystem, ...]
    nearest: str
    """The ready server that comes nearest where none keeps the limits; else empty."""


def _system(held: "_engine.Design", row: Mapping[str, Any]) -> RecommendedSystem:
    def number(value: float | None) -> float:
        return float("nan") if value is None else value

    return RecommendedSystem(
        Design(held),
        row["ready"],
        row["name"],
        int(row["servers"]),
        int(row["devices"]),
        row["software"],
        row["weights"],
        row["layout"],
        {key: Figure(*(number(one[edge]) for edge in Figure._fields)) for key, one in row["figures"].items()},
        row["kept"],
        row["too_close"] or "",
    )


class Recommendation:
    """What to buy: systems by what they rest on, the robust best, what to measure first, why the others fell out."""

    def __init__(
        self, document: Mapping[str, Any], designs: Sequence[Sequence["_engine.Design"]], robust: "_engine.Design | None"
    ) -> None:
        self._document = document
        self.lists: tuple[RecommendedList, ...] = tuple(
            RecommendedList(
                row["truth"],
                tuple(_system(held, system) for held, system in zip(held, row["systems"])),
                row["nearest"] or "",
            )
            for held, row in zip(designs, document["lists"])
        )
        """What says most first."""
        self.robust: RecommendedSystem | None = (
            None if robust is None else _system(robust, document["robust"]["system"])
        )
        """The cheapest that keeps all limits with a probability of 90 %; None: none does, or none was looked for."""

    @property
    def best(self) -> RecommendedSystem | None:
        """The first system of the first list that has one."""
        return next((one.systems[0] for one in self.lists if one.systems), None)

    @property
    def measurements(self) -> Table:
        """What changes the answer most comes first: what, of which ready server, in how many draws."""
        return from_rows(self._document["robust"]["measurements"])

    @property
    def others(self) -> Table:
        """Who fell out, and why: ready, name, truth, why."""
        return from_rows([{**row, "ready": row["ready"] or "", "truth": row["truth"] or ""} for row in self._document["others"]])

    def to_dict(self) -> Mapping[str, Any]:
        """The document of ``heteroscape-cli recommend --json``."""
        return self._document

    def __repr__(self) -> str:
        return f"<Recommendation: {', '.join(f'{len(one.systems)} {one.truth}' for one in self.lists) or 'nothing'}>"


def recommend(
    model: str,
    *,
    prompt_tokens: Any = 1024,
    output_tokens: Any = 1024,
    users: Any = 1,
    ttft: Any = None,
    tpot: Any = None,
    power: Any = None,
    price: Any = None,
    cost: Any = None,
    mean_tpot: bool = False,
    rented: bool = False,
    per_token: bool = False,
    vendors: Union[str, Iterable[str]] = (),
    ready: Union[str, Iterable[str]] = (),
    software: Union[str, Iterable[str]] = (),
    formats: Union[str, Iterable[str]] = (),
    length_ratio: Any = 0.8,
    length_error: Any = 0.2,
    draws: int = 200,
    seed: int = 1,
    jobs: int = 0,
) -> Recommendation:
    """What should I buy? The cheapest whole systems out of the ready servers that serve a model within limits.

    model: id of a model. prompt_tokens, output_tokens: at most; lengths are uniform from `length_ratio` of these. users:
    who send one request after another. Limits, None: none; a number in the unit told here, or a text with its own
    ("50 ms", "$1M"): ttft (s), p99 of the time to first token; tpot (ms), p99 of the time per output token, its mean with
    `mean_tpot`; power (kW), what the servers are rated for; price ($) to buy; cost ($/Mtok) of output tokens.
    rented: by the hour in place of bought. per_token: the best is the cheapest a token, not a year. vendors ("NVIDIA"),
    ready ("hgx-h200"), software ("vllm", "class-rule"), formats ("fp8"): only these. length_error: 80 % of the mean
    lengths lie within it, for the robust best, which is looked for with so many `draws` (0: not) of a `seed`. jobs:
    threads; 0: one a core. Works without Python's lock; Ctrl+C stops it.
    """
    given = {
        "prompt_tokens": prompt_tokens,
        "output_tokens": output_tokens,
        "users": users,
        "ttft_s": ttft,
        "tpot_ms": tpot,
        "power_kw": power,
        "price_usd": price,
        "usd_per_mtok": cost,
        "length_ratio": length_ratio,
        "length_error": length_error,
        "draws": draws,
        "seed": seed,
    }
    numbers = {key: setting_text(value) for key, value in given.items() if value is not None}
    allowed = (texts(vendors), texts(ready), texts(software), texts(formats))
    return Recommendation(*_engine.recommend(model, numbers, rented, per_token, mean_tpot, *allowed, jobs))
