# SPDX-License-Identifier: GPL-3.0-or-later
"""Designs of hardware that serves language models: what they reach, what limits them, and why.

    import heteroscape
    design = heteroscape.design("served/gpt-oss-120b-h100")
    design["workload.batch"] = 32
    design.evaluate()["throughput_tok_s"]

Numbers are in the units that tables, ``Parameter.unit`` and ``Evaluation.unit()`` tell, and are those of
``heteroscape-cli`` to the last bit. What is wrong raises ``Error`` in the engine's words; what is worth a word is a
warning (``Note``). Work is done without Python's lock; Ctrl+C stops it.
"""

from __future__ import annotations

import os as _os
from collections.abc import Mapping as _Mapping
from typing import Any as _Any
from typing import Union as _Union

from . import _engine
from ._design import Design, Diagnostic, Evaluation, ExpectedError, Parameter, Path, Simulation
from ._engine import Error, Machine, Operator, Term, kinds, presets_folder
from ._measurements import (
    Calibration,
    Comparison,
    PaperComparison,
    Validated,
    Validation,
    calibrate,
    compare,
    compare_paper,
    constants,
    validate,
)
from ._notes import Note
from ._notes import warn as _warn
from ._studies import (
    Figure,
    Found,
    Frontier,
    Recommendation,
    RecommendedList,
    RecommendedSystem,
    Swept,
    figures,
    find,
    frontier,
    frontiers,
    metric_table,
    open_design,
    recommend,
    sweep,
)
from ._table import Table, from_rows as _from_rows
from ._timing import timing_model, timing_models

__version__: str = _engine.version

__all__ = [
    "Calibration",
    "Comparison",
    "Design",
    "Diagnostic",
    "Error",
    "Evaluation",
    "ExpectedError",
    "Figure",
    "Found",
    "Frontier",
    "Machine",
    "Note",
    "Operator",
    "PaperComparison",
    "Parameter",
    "Recommendation",
    "RecommendedList",
    "RecommendedSystem",
    "Simulation",
    "Swept",
    "Table",
    "Term",
    "Validated",
    "Validation",
    "calibrate",
    "catalog",
    "compare",
    "compare_paper",
    "constants",
    "design",
    "entry",
    "figures",
    "find",
    "frontier",
    "frontiers",
    "kinds",
    "launched",
    "metric_table",
    "open",
    "presets",
    "presets_folder",
    "recommend",
    "sweep",
    "timing_model",
    "timing_models",
    "validate",
]


def design(preset: _Union[str, _Mapping[str, _Any]]) -> Design:
    """A design of the catalogue by its id (``presets()``), or of the document of a file (``Design.to_dict()``)."""
    return open_design(preset)


def open(path: Path) -> Design:  # noqa: A001
    """The design of a file, as ``Design.save()``, the window and the command line write it (.hscape)."""
    return Design(_engine.open_design(_os.fspath(path)))


def launched(
    lines: str,
    device: str = "h100-sxm",
    model: str = "",
    users: float = 64,
    prompt_tokens: float = 1024,
    output_tokens: float = 1024,
) -> Design:
    """The design of commands that start vLLM, SGLang or TensorRT-LLM, on a device of the catalogue and under a closed
    loop of users. Options that say nothing of a design are warned of; ``model``: a preset's id in place of the model
    that the commands name."""
    held, aside = _engine.launched_design(lines, device, model, users, prompt_tokens, output_tokens)
    for option in aside:
        _warn(f"says nothing of a design: {option}")
    return Design(held)


def presets() -> list[str]:
    """Ids of the designs of the catalogue."""
    return [row["id"] for row in _engine.rows("presets")]


def catalog(kind: str = "presets") -> Table:
    """What the catalogue has of a kind (``kinds()``): id, name, about."""
    return _from_rows(_engine.rows(kind))


def entry(kind: str, id: str) -> dict[str, _Any]:
    """One entry of the catalogue as its file has it: a dict to change and to put into a design. Kinds: "device",
    "model" (also a file, or a folder with a config.json), "runtime", "server", "workload", "link"."""
    return _engine.entry(kind, id)
