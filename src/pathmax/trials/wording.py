"""Trials in a few words, the same wherever they are shown."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise

from pathmax.scalars import Scalar
from pathmax.trials.goals import VALUE
from pathmax.trials.trial import Trial, TrialState

MANY_PARAMETERS = 20  # more are counted where they are mentioned beside something else
FEW_RESULTS = 10  # results: with fewer, how f varies is assumed more than seen


def caution(n: int) -> str:
    """How far to trust what is reported from n results; nothing to say when they are many."""
    if not 0 < n < FEW_RESULTS:
        return ""
    return (
        f"From {plural(n, 'result')} only: how much the value varies is assumed more than seen, so "
        f"take probabilities and ± as rough until there are about {FEW_RESULTS}."
    )


def show(params: Mapping[str, Scalar], most: int | None = None) -> str:
    """Parameters on one line, at most so many."""
    said = [
        f"{name} = {f'{value:.6g}' if isinstance(value, float) else repr(value)}"
        for name, value in islice(params.items(), most)
    ]
    others = len(params) - len(said)
    return ", ".join(said) + (f" and {others} others" if others else "")


def outcome(trial: Trial) -> str:
    """How a trial ended, or that it has not."""
    if trial.state is TrialState.FAILED:
        return f"failed: {first_line(trial.error)}"
    if trial.state is TrialState.STOPPED:
        return f"stopped: {first_line(trial.error)}"
    return measured(trial) if trial.outcomes else "still running"


def measured(trial: Trial, names: Sequence[str] = ()) -> str:
    """What came out of a trial: the number, or each outcome by name, those of `names` first."""
    if list(trial.outcomes) == [VALUE] and set(names) <= {VALUE}:
        return number(trial.outcomes[VALUE], 6)
    told = {name: trial.outcomes[name] for name in names if name in trial.outcomes}
    told |= {name: value for name, value in trial.outcomes.items() if name not in told}
    return ", ".join(f"{name} {number(value, 6)}" for name, value in told.items())


def as_typed(outcomes: Mapping[str, float]) -> str:
    """Outcomes as `pathmax tell` takes them."""
    if list(outcomes) == [VALUE]:
        return f"{outcomes[VALUE]:.12g}"
    return _pairs({name: f"{value:.12g}" for name, value in outcomes.items()})


def to_be_typed(names: Iterable[str], value: str = "VALUE") -> str:
    """The same while the values are not known."""
    return _pairs(dict.fromkeys(names, value))


def _pairs(typed: Mapping[str, str]) -> str:
    return " ".join(shlex.quote(f"{name}={value}") for name, value in typed.items())


def corrections(trial: Trial) -> list[Trial]:
    """The trial as it was before each correction; outcomes that came later corrected nothing."""
    steps = pairwise([*trial.earlier, trial])
    return [was for was, now in steps if not is_completed(was, now)]


def is_completed(was: Trial, now: Trial) -> bool:
    """Whether outcomes came later, and those that were there stayed as they were."""
    return bool(was.outcomes) and was.outcomes.items() < now.outcomes.items()


def first_line(error: str | None) -> str:
    """What went wrong, without where."""
    return (error or "no reason given").splitlines()[0]


def best_so_far(best: Trial | None) -> str:
    """The best trial, if there is one."""
    return "" if best is None else f"best {measured(best)} (trial {best.number})"


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def number(value: float | None, digits: int = 4) -> str:
    """A number to so many digits, or to the nearest whole; no exponent where it can be avoided."""
    if value is None:
        return ""
    if value and not 1e-4 <= abs(value) < 1e7:
        return f"{value:.{digits}g}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value)))) if value else 0
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
