# SPDX-License-Identifier: GPL-3.0-or-later
"""What people should know beside an answer."""

import warnings


class Note(UserWarning):
    """A note or a warning of the engine, in its words. To silence all: ``warnings.simplefilter("ignore", Note)``."""


def warn(line: str) -> None:
    """Says a line, at the place outside of this package that asked."""
    level = 2
    try:
        import sys

        frame = sys._getframe(1)
        while frame and frame.f_globals.get("__name__", "").startswith("heteroscape"):
            frame = frame.f_back
            level += 1
    except ValueError:
        pass
    warnings.warn(line, Note, stacklevel=level)
