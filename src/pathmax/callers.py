"""Where a warning points: at the line of the user, however deep in pathmax it is given."""

from __future__ import annotations

import os
import sys

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def level_outside() -> int:
    """The `stacklevel` with which the caller's warning is about the first line outside pathmax."""
    frame, level = sys._getframe(1), 1
    while frame.f_code.co_filename.startswith(_PACKAGE) and frame.f_back is not None:
        frame, level = frame.f_back, level + 1
    return level
