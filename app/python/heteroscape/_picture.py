# SPDX-License-Identifier: GPL-3.0-or-later
"""A small picture of a design's system: nodes where they stand in the window, and the links between them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Mapping

if TYPE_CHECKING:
    from ._design import Design

_WIDTH, _HEIGHT = 168, 64  # of a node, in units of the picture
_ACROSS, _DOWN = 140, 40  # least gaps beside and below one another: the name of a link has room


def _name(part: Any) -> str:
    """Of a device or type of link, which is an id or a whole entry."""
    return part if isinstance(part, str) else part.get("name") or part.get("id", "")


def _number(quantity: Any) -> float | None:
    return quantity.get("value") if isinstance(quantity, Mapping) else quantity


def _places(nodes: list[Mapping[str, Any]]) -> list[tuple[float, float]]:
    """Where nodes stand: as in the file, spread so that none lies over another; in a row where it says nothing."""
    raw = [(node.get("x"), node.get("y")) for node in nodes]
    if any(x is None or y is None for x, y in raw) or len(set(raw)) < len(raw):
        return [(index * (_WIDTH + _ACROSS), 0.0) for index in range(len(nodes))]
    # The least factor by which no two overlap.
    factor = 0.0
    for i, (x, y) in enumerate(raw):
        for other_x, other_y in raw[:i]:
            across, down = abs(x - other_x), abs(y - other_y)
            needs = [
                size / away for size, away in ((_WIDTH + _ACROSS, across), (_HEIGHT + _DOWN, down)) if away > 0
            ]
            factor = max(factor, min(needs))
    return [(x * (factor or 1.0), y * (factor or 1.0)) for x, y in raw]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def design_svg(document: Mapping[str, Any]) -> str:
    """The picture of a design's document (``Design.to_dict()``)."""
    nodes = document.get("nodes", [])
    places = _places(nodes)
    left = min((x for x, _ in places), default=0.0) - 8
    top = min((y for _, y in places), default=0.0) - 8
    width = max((x for x, _ in places), default=0.0) + _WIDTH + 8 - left
    height = max((y for _, y in places), default=0.0) + _HEIGHT + 8 - top
    middle = {
        node["id"]: (x + _WIDTH / 2, y + _HEIGHT / 2) for node, (x, y) in zip(nodes, places)
    }
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.6g} {top:.6g} {width:.6g} {height:.6g}" '
        f'width="{min(width, 900):.6g}" font-family="sans-serif" font-size="12" role="img">',
        f"<title>{html.escape(document.get('name', ''))}</title>",
    ]
    for link in document.get("links", []):
        (x1, y1), (x2, y2) = middle[link["from"]], middle[link["to"]]
        parts.append(f'<line x1="{x1:.6g}" y1="{y1:.6g}" x2="{x2:.6g}" y2="{y2:.6g}" stroke="#7a8794" stroke-width="2"/>')
        parts.append(
            f'<text x="{(x1 + x2) / 2:.6g}" y="{(y1 + y2) / 2 - 4:.6g}" text-anchor="middle" font-size="10" '
            f'fill="#55606b" stroke="white" stroke-width="3" paint-order="stroke">{html.escape(_cut(_name(link["type"]), 24))}</text>'
        )
    for node, (x, y) in zip(nodes, places):
        count = _number(node.get("count", 1)) or 1
        title = node.get("name") or _name(node["device"])
        below = f"{count:g} devices" if count != 1 else "1 device"
        role = node.get("role", "")
        parts.append(
            f'<rect x="{x:.6g}" y="{y:.6g}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="#eef3f8" stroke="#3b6ea5"/>'
            f'<text x="{x + 10:.6g}" y="{y + 26:.6g}" font-weight="bold" fill="#1d2733">{html.escape(_cut(title, 22))}</text>'
            f'<text x="{x + 10:.6g}" y="{y + 46:.6g}" fill="#55606b">{html.escape(_cut(", ".join(t for t in (below, role) if t), 26))}</text>'
        )
    parts.append("</svg>")
    return "".join(parts)


def design_html(design: "Design") -> str:
    """The picture with the table of metrics, or why there are none."""
    errors = [found for found in design.diagnostics if found.severity == "error"]
    head = f"<h4>{html.escape(design.name)}</h4>{design._repr_svg_()}"
    if errors:
        return head + "".join(f"<p>{html.escape(found.message)}. {html.escape(found.remedy)}.</p>" for found in errors)
    import warnings

    from ._notes import Note

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        evaluation = design.evaluate()
    if not evaluation.feasible:
        return head + f"<p>Cannot run: {html.escape(evaluation.reason)}</p>"
    return head + f"<p>Limited by {html.escape(evaluation.bound_label)}</p>{evaluation._repr_html_()}"
