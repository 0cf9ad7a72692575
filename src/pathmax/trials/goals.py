"""Goals: which way each outcome is better."""

from __future__ import annotations

from pathmax.errors import SettingsError

SIGNS = {"maximize": 1.0, "minimize": -1.0}


def sign_of(direction: str) -> float:
    """+1 when larger is better, -1 when smaller is."""
    if direction not in SIGNS:
        raise SettingsError(
            f'direction must be "maximize" or "minimize", got {direction!r}; '
            "choose which way is better"
        )
    return SIGNS[direction]
