"""A study and its run in one call: `pathmax.maximize` and `pathmax.minimize`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, TypedDict, Unpack

from pathmax.acquisition import Method
from pathmax.errors import SettingsError
from pathmax.gp import Kernel
from pathmax.running.evaluation import Objective
from pathmax.running.result import Result
from pathmax.running.run_options import Callback, OnError, Stop, Terms
from pathmax.session.opening import SpaceLike, StorageLike, as_domain
from pathmax.space.context import Context
from pathmax.space.known_constraints import Rule
from pathmax.study import Study
from pathmax.suggestion.settings import RefitEvery


class Keywords(TypedDict, total=False):
    """What `Study.optimize` takes, and then what `Study` takes."""

    budget: float | None
    timeout: float | None
    executor: Executor | None
    workers: int | None
    on_error: OnError
    progress: bool
    ordered: bool
    stop: Stop | None
    prefetch: bool
    callbacks: Iterable[Callback]
    context: Context | Callable[[], Context] | None

    constraints: Mapping[str, Any] | None
    where: Sequence[Rule]
    name: str | None
    storage: StorageLike
    method: str | Method | None
    seed: int | None
    kernel: Kernel | None
    noise: float | Mapping[str, float] | None
    initial: int | None
    refit_every: RefitEvery
    replicates: bool | None
    warp: bool | None
    model: str | None
    options: Mapping[str, Any] | None
    stopping: str | Mapping[str, Any] | None
    learn_from: Any


N_TRIALS = 50
OF_OPTIMIZE = {field.name for field in fields(Terms)}


def maximize(
    objective: Objective,
    space: SpaceLike,
    n_trials: int | None = None,
    **keywords: Unpack[Keywords],
) -> Result:
    """Find the params for which `objective(params)` is largest.

        result = pathmax.maximize(f, {"x": pathmax.Float(0, 1)}, n_trials=50, seed=0)
        result.best_params, result.best_value

    It makes 50 trials unless `n_trials` or a `budget`, which counts what trials cost, is given.

    Further keywords are those of `Study` (`seed`, `method`, `storage`, ...) and of `Study.optimize`
    (`executor`, `timeout`, `progress`, ...).
    """
    return _optimize("maximize", objective, space, n_trials, dict(keywords))


def minimize(
    objective: Objective,
    space: SpaceLike,
    n_trials: int | None = None,
    **keywords: Unpack[Keywords],
) -> Result:
    """Find the params for which `objective(params)` is smallest. Otherwise as `maximize`."""
    return _optimize("minimize", objective, space, n_trials, dict(keywords))


def _optimize(
    direction: str,
    objective: Objective,
    space: SpaceLike,
    n_trials: int | None,
    keywords: dict[str, Any],
) -> Result:
    check_keywords(direction, keywords)
    if n_trials is None and keywords.get("budget") is None:
        n_trials = N_TRIALS
    how = {name: keywords.pop(name) for name in OF_OPTIMIZE & keywords.keys()}
    domain = as_domain(space, keywords.pop("where", ()))
    Terms(n_trials=n_trials, **how).checked(objective, domain)  # before a study is stored
    return Study(domain, direction=direction, **keywords).optimize(objective, n_trials, **how)


def check_keywords(function: str, keywords: Iterable[str]) -> None:
    """Refuse a keyword that there is not, and say which one may have been meant."""
    known = ["n_trials", *Keywords.__annotations__]
    for name in keywords:
        if name in known:
            continue
        near = get_close_matches(name, known, n=1)
        remedy = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known)}"
        if name == "direction":
            remedy = "it is in the name: call pathmax.maximize or pathmax.minimize"
        raise SettingsError(f"{function} has no keyword {name!r}; {remedy}")
