"""What is stored with a suggestion: one writer, one reader, and a version.

`trial.info` explains a suggestion and says what is needed to make it again. Version 2:

    version, engine     of this layout, and of the code that chose
    method, seed, n_observations, pending, corrected, settings
                        what the suggestion was made from
    mean, std, g_star, xi, x_star, ...
                        what the method found at the point, in the user's units; xi and eta count
                        standard deviations of the model
    outcomes            name -> {mean, std, target, standard, model}: a section for each outcome;
                        `standard` has the same numbers as the model sees them, `model` its kernel,
                        noise, prior_mean, bowl, transform, fitted_on and jitter, and in `kept`
                        how many results it has, if it leaves some out
    cost                where there is a fidelity: what the trial was expected to cost
    remark              what the user should know

Version 1, which carried no number, had one model, with its parts at the top; it is read as if it
were version 2. Nothing else in the package looks inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pathmax.trials.goals import VALUE

INFO_VERSION = 2
FIRST_MODEL = ("kernel", "noise", "prior_mean", "bowl", "fitted_on", "jitter")  # of version 1
BRIEF_FACTS = ("method", "mean", "std", "g_star", "xi", "remark", "cost", "version")


@dataclass(frozen=True, slots=True)
class Info:
    """What explains a suggestion, as it is stored in `trial.info`."""

    stored: Mapping[str, Any]

    def check(self) -> None:
        """Raise a ValueError, TypeError or the like when this is not what `write` makes."""
        if not self.is_suggestion:
            return
        if (version := self.stored.get("version", 1)) > INFO_VERSION:
            raise ValueError(
                f"version {version} of what explains a suggestion, where this pathmax knows "
                f"{INFO_VERSION}: a newer one wrote it"
            )
        settings, method = self.settings, self.method
        numbers = (*self.seed, self.n_observations, *self.pending, *self.corrected, self.engine)
        if not all(type(number) is int and number >= 0 for number in numbers):
            raise TypeError(f"expected whole numbers, got {numbers!r:.80}")
        if not (settings is None or isinstance(settings, Mapping)) or not isinstance(method, str):
            raise TypeError(f"expected settings and a method, got {settings!r:.40}, {method!r:.40}")
        for model in self.models.values():
            if not isinstance(model, Mapping):
                raise TypeError(f"expected a model, got {model!r:.80}")

    @property
    def is_suggestion(self) -> bool:
        """Whether the trial was suggested; else its params were given."""
        return "seed" in self.stored

    @property
    def engine(self) -> int:
        """Which version of the algorithm chose; 1 is that of pathmax 0.1."""
        return int(self.stored.get("engine", 1))

    @property
    def method(self) -> str | None:
        return self.stored.get("method")

    @property
    def seed(self) -> Sequence[int]:
        return tuple(self.stored["seed"])

    @property
    def n_observations(self) -> int:
        """How many results there were."""
        return int(self.stored["n_observations"])

    @property
    def pending(self) -> tuple[int, ...]:
        """Trials that were running."""
        return tuple(self.stored.get("pending", ()))

    @property
    def corrected(self) -> list[int]:
        """Trials whose results had been corrected by then, once for each time."""
        return list(self.stored.get("corrected", ()))

    @property
    def settings(self) -> Mapping[str, Any] | None:
        """The settings of that moment; the earliest versions did not keep them."""
        return self.stored.get("settings")

    @property
    def options(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.stored.get("options", {})
        return found

    @property
    def expected_cost(self) -> float | None:
        """What the trial was expected to cost when it was suggested; None if nobody said."""
        cost = self.stored.get("cost")
        return None if cost is None else float(cost)

    @property
    def remark(self) -> str:
        return str(self.stored.get("remark", ""))

    def __contains__(self, fact: str) -> bool:
        return fact in self.stored

    def __getitem__(self, fact: str) -> Any:
        return self.stored[fact]

    def get(self, fact: str, default: Any = None) -> Any:
        return self.stored.get(fact, default)

    def brief(self) -> dict[str, Any]:
        """What a list of trials shows of it, laid out in the same way; models are left out."""
        kept = {fact: self.stored[fact] for fact in BRIEF_FACTS if fact in self.stored}
        if "version" in self.stored:
            kept["outcomes"] = {
                name: {fact: part[fact] for fact in ("mean", "std") if fact in part}
                for name, part in self.sections.items()
            }
        return kept

    @property
    def is_modelled(self) -> bool:
        """Whether a model chose."""
        return bool(self.models)

    @property
    def models(self) -> Mapping[str, Mapping[str, Any]]:
        """The model of each outcome as it was used."""
        if "version" in self.stored:
            parts = self.sections.items()
            return {name: part["model"] for name, part in parts if "model" in part}
        if "kernel" not in self.stored:
            return {}
        first = {name: self.stored[name] for name in FIRST_MODEL if name in self.stored}
        return {VALUE: first | {"transform": self.stored["outcomes"]}}

    @property
    def sections(self) -> Mapping[str, Mapping[str, Any]]:
        """What is stored about each outcome: mean, std and target in the user's units."""
        if "version" in self.stored:
            found: Mapping[str, Mapping[str, Any]] = self.stored.get("outcomes", {})
            return found
        return {VALUE: {name: self.stored[name] for name in ("mean", "std") if name in self.stored}}

    def section(self, outcome: str) -> Mapping[str, Any]:
        """What is stored about one outcome."""
        return self.sections.get(outcome, {})


def write(
    *,
    engine: int,
    method: str,
    seed: Sequence[int],
    n_observations: int,
    pending: Sequence[int],
    corrected: Sequence[int],
    settings: Mapping[str, Any],
    facts: Mapping[str, Any] | None = None,
    outcomes: Mapping[str, Mapping[str, Any]] | None = None,
    remark: str = "",
) -> dict[str, Any]:
    """The info of a suggestion, ready to be stored."""
    return {
        "version": INFO_VERSION,
        "engine": engine,
        "method": method,
        "seed": list(seed),
        "n_observations": n_observations,
        "pending": list(pending),
        **({"corrected": list(corrected)} if corrected else {}),
        "settings": dict(settings),
        **(facts or {}),
        **({"outcomes": dict(outcomes)} if outcomes else {}),
        **({"remark": remark} if remark else {}),
    }
