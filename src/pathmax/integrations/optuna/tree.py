"""Tree: when parameters are asked for, as far as the trials of a study tell.

An objective of Optuna asks for its parameters one by one, and for some of them only where others
have certain values:

    model = trial.suggest_categorical("model", ["svm", "trees"])
    depth = trial.suggest_int("depth", 1, 20) if model == "trees" else None

A parameter that only some complete trials have is conditional on another one, a choice or a whole
number, if that tells the trials with it from those without: by its choices, or by a bound. More
trials may contradict that; then another one is found, or the parameter is not modelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import final

from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution
from optuna.trial import FrozenTrial, TrialState

from pathmax.integrations.optuna.distributions import inward
from pathmax.space.sentence_meaning import quoted

__all__ = ["Tree"]


@final
class Tree:
    """What the complete trials of a study have asked for. A trial is looked at once."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._ranges: dict[str, BaseDistribution | None] = {}  # None: it was not always the same
        self._values: dict[str, dict[int, float]] = {}  # by the number of the trial

    def see(self, trials: Iterable[FrozenTrial]) -> None:
        """Take notice of trials that are complete by now."""
        for trial in trials:
            if trial.state != TrialState.COMPLETE or trial.number in self._seen:
                continue
            self._seen.add(trial.number)
            for name, found in trial.distributions.items():
                known = self._ranges.setdefault(name, found)
                self._ranges[name] = found if known == found else None
                value = inward(found, trial.params[name])
                self._values.setdefault(name, {})[trial.number] = value

    def conditional(
        self, shared: Mapping[str, BaseDistribution]
    ) -> tuple[dict[str, BaseDistribution], dict[str, str]]:
        """The parameters that only some trials have, and the sentence for each.

        `shared` are those that all have; nothing else decides but these and what they decide.
        """
        found: dict[str, BaseDistribution] = {}
        sentences: dict[str, str] = {}
        left = {
            name: d
            for name, d in sorted(self._ranges.items())
            if d is not None and name not in shared and not d.single()
        }
        while left:
            deciding = {**shared, **found}
            told = {name: self._sentence(name, deciding) for name in left}
            new = {name: when for name, when in told.items() if when is not None}
            if not new:
                break
            sentences |= new
            found |= {name: left.pop(name) for name in new}
        return found, sentences

    def asked(self, name: str) -> bool:
        """Whether a complete trial has the parameter."""
        return name in self._values

    def _sentence(self, name: str, deciding: Mapping[str, BaseDistribution]) -> str | None:
        """What tells trials with a parameter from those without, choices before whole numbers."""
        there = self._values[name].keys()
        kinds = (CategoricalDistribution, IntDistribution)
        for kind in kinds:
            for other, found in deciding.items():
                if not isinstance(found, kind) or not there <= self._values[other].keys():
                    continue
                values = self._values[other]
                present = {values[number] for number in there}
                absent = {value for number, value in values.items() if number not in there}
                if kind is CategoricalDistribution and not present & absent:
                    listed = ", ".join(f"{value:g}" for value in sorted(present))
                    return f"{quoted(other)} in [{listed}]"
                if kind is IntDistribution and absent:
                    if min(present) > max(absent):
                        return f"{quoted(other)} >= {min(present):g}"
                    if max(present) < min(absent):
                        return f"{quoted(other)} <= {max(present):g}"
        return None
