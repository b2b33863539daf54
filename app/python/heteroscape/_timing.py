# SPDX-License-Identifier: GPL-3.0-or-later
"""Timing models and collectives that are functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Union

from . import _engine
from ._notes import warn

Times = Callable[["_engine.Operator", "_engine.Machine"], Union[float, tuple[float, str]]]


def timing_models() -> list[str]:
    """Ids of the timing models: those of the engine, and functions."""
    return _engine.timing_models()


def timing_model(
    id: str,
    seconds: Times | None = None,
    *,
    collective: Times | None = None,
    base: str = "operator_roofline",
    label: str = "",
    about: str = "",
    parameters: Mapping[str, Union[float, Mapping[str, Any]]] | None = None,
) -> str:
    """Makes functions a timing model, which designs, sweeps and searches then have as any other; gives its id.

    seconds(operator, machine): the time of one operator, once, in s; or (s, bound), a bound as "memory" or "compute".
    collective(operator, machine): the same of what devices do together. See ``Operator`` and ``Machine``: SI.
    Without `seconds` the engine's model `base` times the rest; without `collective` links do, as they are drawn.
    parameters: numbers that it is told, {"overhead_us": 5.0}, or of each a dict of initial, unit, label, about, minimum,
    maximum: they are paths of a design ("nodes.gpu.timing.decode.overhead_us"), and ``machine.settings`` has them.

    A function is called for each operator at some contexts of each step: some hundred times slower than a model of the
    engine, and by one thread at a time. Another one of the same id takes its place in what is set from then on.
    """
    if seconds is None and collective is None:
        raise TypeError("timing_model: give seconds, collective or both")
    told = []
    for key, one in (parameters or {}).items():
        given = dict(one) if isinstance(one, Mapping) else {"initial": one}
        told.append(
            _engine.TimingParameter(
                key,
                given.pop("label", key.replace("_", " ").capitalize()),
                given.pop("unit", ""),
                given.pop("about", ""),
                float(given.pop("initial")),
                float(given.pop("minimum", 0.0)),
                float(given.pop("maximum", 1e12)),
            )
        )
        if given:
            raise TypeError(f"timing_model: {key}: unknown: {', '.join(given)}")
    said = about or inspect.getdoc(seconds if seconds is not None else collective) or "A function."
    _engine.add_timing_model(id, label or id, said, told, seconds, collective, base)
    warn(f"note: timing model {id}: a function of Python, some hundred times slower than a model of the engine")
    return id
