# SPDX-License-Identifier: GPL-3.0-or-later
"""Papers, designs beside each other, measurements, and constants fitted to them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, Union

from . import _engine
from ._design import Design, Path
from ._studies import metric_table, open_design, texts
from ._table import Table, from_rows


class Comparison:
    """Designs beside each other."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    @property
    def table(self) -> Table:
        """One row a metric and design: metric, unit, design, value, alike (where they rest on the same evidence),
        ratio to the first design, no_result: the ratio says nothing at the accuracy that there is."""
        rows = []
        names = self.designs
        for key, of in self._document["metrics"].items():
            for place, name in enumerate(names):
                rows.append(
                    {
                        "metric": key,
                        "unit": metric_table()[key]["unit"],
                        "design": name,
                        "value": of["own"][place],
                        "alike": of["alike"][place] if "alike" in of else None,
                        "ratio": of["ratio"][place],
                        "no_result": of["no_result"][place],
                    }
                )
        return from_rows(rows)

    @property
    def designs(self) -> list[str]:
        """Their names."""
        return [design["name"] for design in self._document["designs"]]

    @property
    def truths(self) -> list[str]:
        """What the figures of each rest on."""
        return [design["truth"] for design in self._document["designs"]]

    @property
    def compared_by(self) -> str:
        """What they are held against each other by, where their own figures rest on unlike evidence; else empty."""
        return self._document.get("compared_by", "")

    @property
    def unlike(self) -> bool:
        """Whether nothing makes them alike: ratios mean nothing then."""
        return self._document["unlike"]

    def to_dict(self) -> Mapping[str, Any]:
        """The document of ``heteroscape-cli compare --json``."""
        return self._document

    def __repr__(self) -> str:
        return f"<Comparison: {', '.join(self.designs)}>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def compare(*designs: Union[Design, Path]) -> Comparison:
    """Holds two or more designs against each other, the first one being what ratios are of."""
    if len(designs) < 2:
        raise TypeError("compare() takes two designs or more")
    return Comparison(_engine.compare_designs([open_design(design)._held for design in designs]))


class PaperComparison:
    """A paper's claims beside the model's own numbers."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    @property
    def paper(self) -> str:
        """Its id."""
        return self._document["paper"]

    @property
    def title(self) -> str:
        """Its title."""
        return self._document["title"]

    @property
    def misfits(self) -> int:
        """How many claims are off by more than they may be."""
        return self._document["misfits"]

    @property
    def claims(self) -> Table:
        """One row a claim: id, quantity, condition, unit, paper, model, error (model / paper - 1), kind, misfit, ..."""
        return _table(self._document["claims"])

    def to_dict(self) -> Mapping[str, Any]:
        """The document of ``heteroscape-cli compare PAPER --json``."""
        return self._document

    def __repr__(self) -> str:
        return f"<PaperComparison: {self.paper}, {len(self._document['claims'])} claims, {self.misfits} misfits>"

    def _repr_html_(self) -> str:
        return self.claims._repr_html_()


def compare_paper(paper: str) -> PaperComparison:
    """Evaluates every claim of a paper, by its id."""
    return PaperComparison(_engine.compare_paper(paper))


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Cells of one row: members of dicts by their names, both ends of a band."""
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            cells.update({f"{name}_{inner}": one for inner, one in _flat(value).items()})
        elif isinstance(value, list) and len(value) == 2 and name.rpartition("_")[0].endswith("band"):
            cells[f"{name}_low"], cells[f"{name}_high"] = value
        elif not (isinstance(value, list) and any(isinstance(one, Mapping) for one in value)):
            cells[name] = value
    return cells


def _table(rows: Iterable[Mapping[str, Any]]) -> Table:
    return from_rows([_flat(row) for row in rows])


class Validated:
    """Measured rows of one sort beside what the models give for them."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    @property
    def unit(self) -> str:
        """The unit of kernels ("us") and servers ("ms"); rows of metrics have their own."""
        return self._document.get("unit", "")

    @property
    def by(self) -> list[str]:
        """What rows are grouped by."""
        return self._document["by"]

    @property
    def groups(self) -> Table:
        """Errors of each group, per cent: rows, median, 90th percentile, bias; and what it is grouped by."""
        return _table(self._document["groups"])

    @property
    def rows(self) -> Table:
        """Measured and predicted, one row each, with its file and line."""
        return _table(self._document["rows"])

    @property
    def unanswered(self) -> Table:
        """The rows that the models have no answer for, and why."""
        return _table(self._document["unanswered"])

    @property
    def all(self) -> Mapping[str, Any]:
        """Errors of all rows as one group; empty where none has an answer."""
        return self._document.get("all", {})

    def to_dict(self) -> Mapping[str, Any]:
        """This part of the document of ``heteroscape-cli validate --json``."""
        return self._document

    def _repr_html_(self) -> str:
        return self.groups._repr_html_()


class Validation:
    """Measurements beside what the models give for them, by what was measured; None: there are no such rows."""

    def __init__(self, document: Mapping[str, Any], sorts: Iterable[str]) -> None:
        self._document = document
        parts = {}
        for sort in sorts:  # the first stands without a name
            parts[sort] = Validated(document[sort] if parts else document)
        self.kernels: Validated | None = parts.get("kernels")
        """Kernels, us."""
        self.serving: Validated | None = parts.get("serving")
        """Time to first token and per output token of servers, ms."""
        self.metrics: Validated | None = parts.get("metrics")
        """Metrics of servers, each in its unit."""

    def to_dict(self) -> Mapping[str, Any]:
        """The document of ``heteroscape-cli validate --json``."""
        return self._document


def validate(files: Union[Path, Iterable[Path]] = (), by: Union[str, Iterable[str]] = ()) -> Validation:
    """Holds the models against measurements: of CSV files, or of the shipped ones where none is named.

    by: what rows are grouped by, such as "op", "device", "framework".
    """
    names = [files] if isinstance(files, (str, os.PathLike)) else files
    document, sorts = _engine.validate([os.fspath(file) for file in names], texts(by))
    return Validation(document, sorts)


def constants() -> Table:
    """The constants of kernels that can be fitted: family, constant, usual, minimum, maximum."""
    return from_rows(
        {"family": of["family"], "constant": one["key"], **{key: one[key] for key in ("usual", "minimum", "maximum")}}
        for of in _engine.constants()["families"]
        for one in of["constants"]
    )


class Calibration:
    """Constants fitted to measurements."""

    def __init__(self, document: Mapping[str, Any], result: Any, fits: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        self._document = document
        self._fits = list(fits)
        self.result: Any = result
        """What carries the fitted constants: the dict of a runtime (``design["nodes.gpu.runtime"] = result``) or of
        a device (``design["nodes.gpu.device"] = result``), or a Design."""

    @property
    def errors(self) -> Mapping[str, Any]:
        """Rows, and median and 90th percentile of the errors, per cent, before and after: of "training" rows and of
        those "held_out". Of fits of a device, each has its own: ``to_dict()["fits"]``."""
        return self._document.get("errors", {})

    @property
    def constants(self) -> Table:
        """of, constant, before, after, standard_error_percent, standing ("fitted", "at its bound", "kept")."""
        return _table({"of": title, **one} for title, fit in self._fits for one in fit["constants"])

    @property
    def points(self) -> Table:
        """Of a design, the measured metrics: line, metric, measured, before, after, held_out."""
        return _table(self._document.get("points", ()))

    def to_dict(self) -> Mapping[str, Any]:
        """The document of ``heteroscape-cli calibrate --json``."""
        return self._document

    def _repr_html_(self) -> str:
        return self.constants._repr_html_()


def calibrate(
    files: Union[Path, Iterable[Path]],
    *,
    fit: Union[str, Iterable[str]] = (),
    bounds: Mapping[str, tuple[float, float]] | None = None,
    design: Union[Design, Path, None] = None,
    device: Union[str, Mapping[str, Any], None] = None,
    loss: str = "",
    loss_scale: float | None = None,
    held_out: float | None = None,
    seed: int | None = None,
    starts: int | None = None,
    runtime: str = "",
    id: str = "",
) -> Calibration:
    """Fits constants to measurements in files.

    Of kernels (columns of presets/measured/kernels.csv, experts.csv, attention.csv): `fit` names constants ("e_c",
    "gemm.e_c", "all"; the usual ones where none is named); `runtime`, `id`: the runtime that the result begins from, and
    its id. Of a `design`: `fit` names its quantities by path, the file has columns of metrics and of the parameters that
    rows set, or files are runs of vLLM's or SGLang's serving benchmark (JSON). Of a `device` (an id, or a dict): its power constants to watts, or its shares of the rule of its class.

    bounds: (low, high) by name, in the shown unit. loss: "squares", "huber" or "soft_l1", of log(model / measured), with
    its `loss_scale`. held_out: share of rows that nothing is fitted on, 0 to 0.9. seed: which. starts: points that a fit
    of kernels begins from. What is not given is as the engine has it.
    """
    names = [os.fspath(file) for file in ([files] if isinstance(files, (str, os.PathLike)) else files)]
    if design is not None and device is not None:
        raise ValueError("a device and a design are not fitted at once: leave one of them out")
    if device is not None and bounds:
        raise ValueError("a device is fitted without bounds")
    wishes = _engine.FitWishes(
        texts(fit),
        [f"{name}={float(low)!r}:{float(high)!r}" for name, (low, high) in (bounds or {}).items()],
        loss,
        loss_scale,
        held_out,
        seed,
        starts,
    )
    if design is None and device is None:
        document, carrier = _engine.calibrate_kernels(names, wishes, runtime, id)
        fits = [(f"{of['family']} of {', '.join(of['names'])}", of["fit"]) for of in document["entries"] if "fit" in of]
        return Calibration(document, carrier, fits)
    if design is not None:
        document, fitted = _engine.calibrate_design(open_design(design)._held, names, wishes)
        return Calibration(document, Design(fitted), [("design", document["fit"])])
    if len(names) != 1:
        raise ValueError("a device is fitted to one file")
    told = json.dumps(device) if isinstance(device, Mapping) else os.fspath(device)
    document = _engine.calibrate_device(told, names[0], wishes)
    return Calibration(document, document["device"], [(of["of"], of["fit"]) for of in document["fits"]])
