# SPDX-License-Identifier: GPL-3.0-or-later
"""Designs, what is evaluated and simulated of them, and how it came about."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, Iterable, NamedTuple, Union

import numpy as np

from . import _engine
from ._picture import design_html, design_svg
from ._table import Table, column_of, columns_file, from_columns, from_csv, setting_text

Value = Union[bool, int, float, str, None]
Path = Union[str, "os.PathLike[str]"]


class Parameter(NamedTuple):
    """One property of a design, as the tables of the engine have it."""

    path: str
    label: str
    about: str
    value: Value
    """In ``unit``; None where it is not set."""
    unit: str
    minimum: float
    """Least that is allowed, in ``unit``; NaN for choices and switches."""
    maximum: float
    integer: bool
    choices: tuple[str, ...]
    """What a choice takes; empty for numbers and switches."""
    source: str
    """Where the value comes from."""

    @staticmethod
    def _of(row: Mapping[str, Any]) -> "Parameter":
        value = row["value"]
        integer = bool(row.get("integer", False))
        return Parameter(
            row["path"],
            row["label"],
            row["about"],
            int(value) if integer and isinstance(value, float) and value.is_integer() else value,
            row.get("unit", ""),
            row.get("minimum", float("nan")),
            row.get("maximum", float("nan")),
            integer,
            tuple(row.get("allowed", ())),
            row.get("source", ""),
        )


class Diagnostic(NamedTuple):
    """A finding about a design: ``severity`` is "error", "warning" or "note"."""

    severity: str
    subject: str
    message: str
    remedy: str
    code: str


class ExpectedError(NamedTuple):
    """How far a figure is expected to be off."""

    percent: float | None
    """Half of the systems that were measured lay within so many per cent; None: not known."""
    low: float | None
    """80 % lie between ``low`` and ``high``, in the unit of the figure; None: no band is known."""
    high: float | None
    evidence: str
    """"interpolated", "another_device", "beyond", "at_best" or "class"."""
    text: str


class Evaluation(Mapping):
    """Metrics of a design by their paths: ``evaluation["throughput_tok_s"]``, in the unit that ``unit()`` tells.

    NaN: the design has no such value. Iterating gives the paths of all metrics; those of operators
    ("nodes.gpu.decode.q_proj_ms") are found by path too.
    """

    def __init__(self, held: "_engine.Evaluation", diagnostics: tuple[Diagnostic, ...]) -> None:
        self._held = held
        self._rows: dict[str, tuple[str, float, str, str, str]] | None = None
        self.diagnostics = diagnostics
        """Warnings and notes about the design."""

    def _all(self) -> dict[str, tuple[str, float, str, str, str]]:
        if self._rows is None:
            self._rows = {row[0]: row for row in self._held.metrics()}
        return self._rows

    def _row(self, path: str) -> tuple[str, float, str, str, str]:
        row = self._all().get(path)
        return row if row is not None else self._held.metric(path)

    def __getitem__(self, path: str) -> float:
        return self._row(path)[1]

    def get(self, path: str, default: Any = None) -> Any:
        """The metric, or `default` where there is none of that path."""
        try:
            return self[path]
        except _engine.Error:
            return default

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __contains__(self, path: object) -> bool:
        return path in self._all()

    def unit(self, path: str) -> str:
        """The unit of a metric; empty for counts and shares."""
        return self._row(path)[2]

    def label(self, path: str) -> str:
        """A metric as people call it."""
        return self._row(path)[3]

    def note(self, path: str) -> str:
        """What a metric counts, where that is worth a word (prices, powers); else empty."""
        return self._row(path)[4]

    @property
    def feasible(self) -> bool:
        """Whether the design can run."""
        return self._held.feasible

    @property
    def reason(self) -> str:
        """Why it cannot."""
        return self._held.reason

    @property
    def bound(self) -> str:
        """What limits the throughput: "gpu decode memory"."""
        return self._held.bound

    @property
    def bound_label(self) -> str:
        """The same for people."""
        return self._held.bound_label

    @property
    def truth(self) -> str:
        """What the figures rest on: "ideal", "modelled", "class", "kernels" or "served"."""
        return self._held.truth

    @property
    def truth_text(self) -> str:
        """The same for people."""
        return self._held.truth_text

    def expected_error(self, path: str) -> ExpectedError | None:
        """How far a metric is expected to be off; None where nothing that it rests on was measured."""
        return self.expected_errors([path])[path]

    def expected_errors(self, paths: Iterable[str] | None = None) -> dict[str, ExpectedError | None]:
        """The same of several metrics; of all of them without `paths`."""
        return self._held.errors(list(self if paths is None else paths))

    @property
    def bands(self) -> dict[str, tuple[float, float]]:
        """By metric, in its unit, what 80 % of the measured systems lay between."""
        return {
            path: (error.low, error.high)
            for path, error in self.expected_errors().items()
            if error is not None and error.low is not None and error.high is not None and self[path] == self[path]
        }

    def to_dict(self, *, operators: bool = False, explain: Iterable[str] = ()) -> dict[str, Any]:
        """The document of ``heteroscape-cli evaluate --json``: the same keys and numbers; None: no value."""
        return self._held.document(operators, list(explain))

    def to_table(self) -> Table:
        """Columns metric, value, unit, label; metrics without a value are left out."""
        rows = [row for row in self._all().values() if row[1] == row[1]]
        return from_columns(
            {
                "metric": np.array([row[0] for row in rows], dtype=str),
                "value": np.array([row[1] for row in rows], dtype=float),
                "unit": np.array([row[2] for row in rows], dtype=str),
                "label": np.array([row[3] for row in rows], dtype=str),
            }
        )

    def __repr__(self) -> str:
        if not self.feasible:
            return f"<Evaluation: cannot run: {self.reason}>"
        return f"<Evaluation: {self['throughput_tok_s']:.5g} tok/s, limited by {self.bound_label}>"

    def _repr_html_(self) -> str:
        return self.to_table()._repr_html_()


class Simulation(Mapping):
    """Requests of a design simulated one by one. Its metrics by key, in their units: ``simulation["ttft_p99_s"]``."""

    def __init__(self, held: "_engine.Simulation") -> None:
        self._held = held
        self._document = held.document()
        self._metrics = {
            key: float("nan") if value is None else value for key, value in self._document["metrics"].items()
        }

    def __getitem__(self, key: str) -> float:
        return self._metrics[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)

    def to_dict(self) -> dict[str, Any]:
        """The document of ``heteroscape-cli simulate --json``."""
        return self._document

    @property
    def requests(self) -> Table:
        """The finished requests that were recorded, by id: arrival_s, prompt_tokens, output_tokens,
        prefill_start_s, first_token_s, decode_start_s, finish_s, and their wait_s, ttft_s, tpot_s, e2e_s."""
        return from_csv(self._held.requests_csv(), whole=("request", "prompt_tokens", "output_tokens"))

    @property
    def segments(self) -> Table:
        """The timeline of the recorded requests: lane, place, request, requests, phase, start_s, end_s,
        waited_s, waited_for."""
        return from_csv(
            self._held.segments_csv(),
            whole=("request", "requests"),
            words=("lane", "place", "phase", "waited_for"),
        )

    @property
    def queue(self) -> Table:
        """Mean numbers of requests over time: start_s, end_s, waiting, staged, running, most_waiting."""
        return from_csv(self._held.queue_csv(), whole=("most_waiting",))

    def save_trace(self, path: Path) -> None:
        """Writes the timeline as a Chrome trace, for Perfetto or chrome://tracing."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._held.trace())

    def __repr__(self) -> str:
        of = self._document
        return f"<Simulation: {of['done']} done, {of['queued']} queued, {of['refused']} refused in {of['seconds']} s>"


class Design:
    """A system, and what it serves. Its parameters are read and set by their paths::

        design["nodes.gpu.count"] = 8
        design["nodes.gpu.runtime.weight_bits"]

    A device, model, workload, runtime or type of link may be a dict, as the JSON of a preset has it, or the path of
    such a file; a model also the config.json of a Hugging Face checkpoint.
    """

    def __init__(self, held: "_engine.Design") -> None:
        self._held = held

    @staticmethod
    def from_dict(document: Mapping[str, Any], where: str = "design") -> "Design":
        """A design from the document of its file, as ``to_dict()`` gives it; `where` names it in errors."""
        return Design(_engine.read_design(json.dumps(document), where))

    def to_dict(self) -> dict[str, Any]:
        """The document of its file."""
        return self._held.document()

    def save(self, path: Path) -> None:
        """Writes its file (.hscape), as a whole; the window and the command line open it."""
        self._held.save(os.fspath(path))

    def copy(self) -> "Design":
        """The same design, to be changed on its own."""
        return Design(self._held.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Design":
        return self.copy()

    def __reduce__(self) -> Any:
        return Design.from_dict, (self.to_dict(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Design) and self._held.equals(other._held)

    __hash__ = None  # type: ignore[assignment]

    @property
    def name(self) -> str:
        """As lists and titles have it."""
        return self._held.name

    @name.setter
    def name(self, name: str) -> None:
        self._held.describe(name, self.about)

    @property
    def about(self) -> str:
        """What its author says of it."""
        return self._held.about

    @about.setter
    def about(self, about: str) -> None:
        self._held.describe(self.name, about)

    @property
    def key(self) -> str:
        """32 hexadecimal digits: equal where designs, names apart, are."""
        return self._held.key

    # ---- Parameters

    def __getitem__(self, path: str) -> Value:
        return self.parameter(path).value

    def __setitem__(self, path: str, value: Any) -> None:
        if isinstance(value, Mapping):
            self._held.put_part(path, json.dumps(value))
        else:
            self._held.put(path, setting_text(value))

    def set(self, settings: Mapping[str, Any] | None = None) -> "Design":
        """Sets several parameters by their paths, in order; gives the design back."""
        for path, value in (settings or {}).items():
            self[path] = value
        return self

    def __iter__(self) -> Iterator[str]:
        return iter(self._held.paths())

    def __contains__(self, path: object) -> bool:
        return path in self._held.paths()

    def parameter(self, path: str) -> Parameter:
        """One parameter with label, unit, range and source."""
        return Parameter._of(self._held.parameter(path))

    @property
    def parameters(self) -> list[Parameter]:
        """All parameters, in the design's order."""
        return [Parameter._of(row) for row in self._held.parameters()]

    def parameter_table(self) -> Table:
        """The same as a table: path, value (as text), unit, minimum, maximum, label, source."""
        all_of_them = self.parameters
        return from_columns(
            {
                "path": column_of([one.path for one in all_of_them]),
                "value": np.array(["" if one.value is None else str(one.value) for one in all_of_them], dtype=str),
                "unit": column_of([one.unit for one in all_of_them]),
                "minimum": np.array([one.minimum for one in all_of_them]),
                "maximum": np.array([one.maximum for one in all_of_them]),
                "label": column_of([one.label for one in all_of_them]),
                "source": column_of([one.source for one in all_of_them]),
            }
        )

    def serve(self, model: Union[Mapping[str, Any], Path]) -> "Design":
        """Serves a model, with its KV cache in the bits that its checkpoint asks for: a dict (a config of Hugging
        Face, or an entry of the catalogue), or the path of a config.json, its folder, or an entry."""
        if isinstance(model, Mapping):
            self._held.serve(json.dumps(model), "model")
        else:
            self._held.serve("", os.fspath(model))
        return self

    def time_by(self, node: str, model: str, phases: Iterable[str] = ("prefill", "decode")) -> "Design":
        """Times a node's steps by a timing model, also a function (``heteroscape.timing_model()``); gives the design
        back. Parameters that the model has in common with the one before keep their values."""
        _engine.use_timing_model(self._held, node, model, [phases] if isinstance(phases, str) else list(phases))
        return self

    def to_python(self) -> str:
        """Lines of Python that make this design: of the preset or file that it was opened as, by what differs; its
        whole document where parameters cannot say it."""
        return self._held.python_text()

    def to_command(self) -> str:
        """The same for a shell: a command that evaluates it."""
        return self._held.command_text()

    def to_launch(self, kubernetes: bool = False) -> str:
        """The commands that start its servers (vLLM, SGLang, TensorRT-LLM), for a shell; or a manifest for Kubernetes.
        ``heteroscape.launched()`` reads such commands."""
        return self._held.launch_text(kubernetes)

    # ---- Answers

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong or worth a word; with an "error" the design is not evaluated."""
        return tuple(Diagnostic(*row) for row in self._held.diagnostics())

    def evaluate(self) -> Evaluation:
        """Its metrics. Where its requests are simulated, they are. Raises Error where it is not valid."""
        return Evaluation(self._held.evaluate(), self.diagnostics)

    def explain(self, metric: str) -> "_engine.Term":
        """How a metric came about: a tree of terms down to constants with their sources. str() shows all of it."""
        return self._held.explain(metric)

    def simulate(
        self,
        *,
        arrivals: str = "",
        requests: int | None = None,
        rate: float | None = None,
        trace: Any = None,
        seed: int | None = None,
        until: float | None = None,
        recorded: int = 100_000,
    ) -> Simulation:
        """Simulates its requests one by one.

        arrivals: id of a kind ("poisson", "closed_loop", ...); requests: how many; rate: Poisson arrivals, requests/s;
        trace: recorded requests, a CSV file, a dict of columns or a DataFrame (arrival_s, prompt_tokens, output_tokens);
        seed: of random arrivals; until: simulated seconds after which it ends; recorded: so
        many requests, from the first, are kept for ``requests`` and ``segments``. What is not given is as the design
        has it.
        """
        text = lambda value: "" if value is None else setting_text(value)  # noqa: E731
        with columns_file(trace) as file:
            return Simulation(
                self._held.simulate(
                    arrivals,
                    text(requests),
                    text(rate),
                    file,
                    text(seed),
                    None if until is None else float(until),
                    recorded,
                )
            )

    # Studies, see _studies.py
    def sweep(self, axes: Any = (), **options: Any) -> Table:
        """Evaluates a grid of designs: see ``heteroscape.sweep()``."""
        from ._studies import sweep

        return sweep(self, axes, **options)

    def find(self, axes: Any, **options: Any) -> Any:
        """Finds the best designs of a grid: see ``heteroscape.find()``."""
        from ._studies import find

        return find(self, axes, **options)

    # ---- Shown

    def __repr__(self) -> str:
        return f"<Design {self.name!r}>"

    def _repr_svg_(self) -> str:
        return design_svg(self.to_dict())

    def _repr_html_(self) -> str:
        return design_html(self)
