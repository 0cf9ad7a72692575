"""Which rule stops trials early, as `Study(stopping=...)` takes it and as it is stored.

    "posterior"     stop when a trial has next to no chance to end as the best (the default)
    "asha"          successive halving: at 1, 4, 16, ... steps the best quarter so far goes on
    "hyperband"     several such brackets, which begin to halve at different steps
    "never"         report only

A dict states what a rule leaves open: {"rule": "asha", "min_steps": 3, "reduction": 3}.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from pathmax.arguments import whole_number
from pathmax.errors import SettingsError
from pathmax.scalars import describe

RULE_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "posterior": ("steps",),
    "asha": ("min_steps", "reduction"),
    "hyperband": ("min_steps", "reduction", "steps"),
    "never": (),
}
# Of ASHA (Li et al. 2020, arXiv 1810.05934) and of Hyperband (Li et al. 2018, JMLR 18), as papers
# and peers have them.
REDUCTION = {"asha": 4, "hyperband": 3}


@final
@dataclass(frozen=True, slots=True)
class StoppingRule:
    """A rule by name, and what it was given."""

    name: str = "posterior"
    min_steps: int = 1  # steps before the first halving
    reduction: int = 4  # one of so many goes on
    steps: int | None = None  # of a whole trial; learnt from those that are complete when None

    def to_json(self) -> dict[str, Any]:
        known = {name: getattr(self, name) for name in RULE_OPTIONS[self.name]}
        return {"rule": self.name} | {key: v for key, v in known.items() if v is not None}


def read_rule(given: object) -> StoppingRule:
    """The rule that was given by name or as a dict, or a `SettingsError`."""
    options = dict(given) if isinstance(given, Mapping) else {}
    name = options.pop("rule", None) if isinstance(given, Mapping) else given
    if not isinstance(name, str) or name not in RULE_OPTIONS:
        raise SettingsError(
            f"stopping must be one of {', '.join(RULE_OPTIONS)}, or a dict such as "
            f'{{"rule": "asha", "min_steps": 3}}, got {describe(given)}'
        )
    for option in options:
        if option not in RULE_OPTIONS[name]:
            takes = ", ".join(RULE_OPTIONS[name]) or "no options"
            raise SettingsError(f'stopping "{name}" takes {takes}, got {option!r}; leave it out')
    least = {"min_steps": 1, "reduction": 2, "steps": 1}
    read = {
        option: whole_number(f"{option} of stopping", value, least[option])
        for option, value in options.items()
        if value is not None
    }
    return StoppingRule(name, **({"reduction": REDUCTION.get(name, 4)} | read))
