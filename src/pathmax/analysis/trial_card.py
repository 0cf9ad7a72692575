"""The card of a trial: why this point, in a dozen lines.

Trial 12 of suzuki: suggested by pims from 11 results
  temperature = 83.2, solvent = "THF"
  result            still running
  expected here     71.9 ± 4.1
  ...
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pathmax.analysis.borrowing import relations
from pathmax.suggestion.algorithm import suggest
from pathmax.suggestion.beliefs import Plausible, forecast
from pathmax.suggestion.landscape import Landscape
from pathmax.suggestion.problem import StudyProblem
from pathmax.trials import html
from pathmax.trials.goals import Goals
from pathmax.trials.history import History
from pathmax.trials.info import Info
from pathmax.trials.reference_point import beyond_results
from pathmax.trials.trial import Trial
from pathmax.trials.wording import MANY_PARAMETERS, corrections, is_completed, outcome, plural, show

OTHERS = {"ts": "Thompson sampling", "ei": "EI", "gp-ucb": "GP-UCB"}


class Card(str):
    """Text that an interactive session shows as it reads."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return html.preformatted(self)


def card(
    problem: StudyProblem,
    study: str,
    trial: Trial,
    past: History,
    corrected: Sequence[tuple[Trial, Trial]] = (),
    *,
    settings_known: bool = True,
) -> Card:
    """What explains the trial: the path's maximum, the posterior, the nearest data, other rules.

    `corrected` are results before it that were corrected later: as it knew them, and as they are.
    When the settings it was suggested with are not known, no other rule can be asked.
    """
    lines = [headline(study, trial, past), f"  {show(trial.params)}"]
    found = facts(problem, trial, past)
    info = Info(trial.info)
    if info.is_modelled and settings_known and problem.goals.is_single:
        found += alternatives(problem, past)
    elif info.is_modelled and not settings_known:
        found.append(("other methods", "not known: an earlier version did not keep the settings"))
    found[1:1] = [("corrected", f"was {outcome(was)}") for was in corrections(trial)[-1:]]
    found += [
        (
            "told since" if is_completed(was, now) else "corrected since",
            f"trial {was.number}, then {outcome(was)}, now {outcome(now)}",
        )
        for was, now in corrected
    ]
    width = max(len(label) for label, _ in found)
    return Card("\n".join(lines + [f"  {label:<{width}}  {text}" for label, text in found]))


def headline(study: str, trial: Trial, past: History) -> str:
    """Which trial it is and where it came from, in a line."""
    method = Info(trial.info).method
    if method is None:
        return f"Trial {trial.number} of {study}: not a suggestion, its parameters were given"
    if method == "design":
        return (
            f"Trial {trial.number} of {study}: a point of the first design, spread over the space"
        )
    if method == "random":
        return f"Trial {trial.number} of {study}: drawn at random"
    stopped = len(past.expected)
    ends = f" and the ends expected of {plural(stopped, 'stopped trial')}" if stopped else ""
    known = plural(past.n - stopped, "result")
    return f"Trial {trial.number} of {study}: suggested by {method} from {known}{ends}"


def facts(problem: StudyProblem, trial: Trial, past: History) -> list[tuple[str, str]]:
    """The lines of the card: what they are about, and what they say."""
    info = Info(trial.info)
    found = [("result", outcome(trial))]
    found += of_objective(info) if problem.goals.is_single else of_outcomes(problem.goals, info)
    if len(found) > 1:
        found += over_parameters(problem, trial, past)
    found += [] if problem.goals.is_single else choice_lines(info)
    found += of_unknown_bounds(problem, info, past)
    if "g_star" in info:
        where = _where(info)
        if "looks" in info:
            where += f", of {info['looks']:,} points and the results"
        found.append((f"path's {problem.goals.first.extreme}", f"{info['g_star']:.5g}{where}"))
    for name, meaning in (
        ("xi", "standard deviations from the mean to it: how far this trial explores"),
        ("eta", "standard deviations of the path above the mean"),
    ):
        if name in info:
            found.append((name, f"{info[name]:.3g} ({meaning})"))
    if info.get("looked_elsewhere"):
        found.append(("looked elsewhere", "what a first path chose was known already"))
    if "fidelity" in info:
        found.append(("expected at", f"the target fidelity, {problem.space.target_words}"))
        chosen = f"{info['fidelity']}, which costs {info['cost']:.3g}"
        found.append(("fidelity", f"{chosen}: tells most about the target for that"))
    if info.pending:
        found.append(("running then", f"{plural(len(info.pending), 'trial')}, taken into account"))
    found += of_reference(problem, past)
    found += nearest_result(problem, trial, past)
    found += borrowed_facts(problem, info, past)
    if info.remark:
        found.append(("remark", info.remark))
    return found


def borrowed_facts(problem: StudyProblem, info: Info, past: History) -> list[tuple[str, str]]:
    """What the model had from older studies."""
    if not (problem.older and info.is_modelled):
        return []
    landscape = Landscape(problem, past, problem.surrogates(past))
    return [("borrowed", sentence) for sentence in relations(landscape).sentences]


def over_parameters(problem: StudyProblem, trial: Trial, past: History) -> list[tuple[str, str]]:
    """What is expected there under all the parameters of the model that the results leave open.

    A suggestion comes from the most probable ones; what `predict` says is over all of them. Both
    are at the target, at whatever fidelity the trial is run.
    """
    landscape = Landscape(problem, past, problem.surrogates(past))
    names = [name for name in problem.goals.names if name in landscape.surrogates]
    beliefs = Plausible.of(landscape).beliefs(landscape) if names else []
    if len(beliefs) <= 1:
        return []
    fidelity, _ = problem.space.fidelity or ("", None)
    where = {key: value for key, value in trial.params.items() if key != fidelity}
    U = problem.space.encode_many([problem.space.aimed(where)])
    shown = []
    for name in names:
        units = landscape.surrogates[name].transform
        mean, std = forecast(beliefs, name, U, units)
        text = f"{units.outward(mean)[0]:.5g} ± {units.spread(mean, std)[0]:.3g}"
        shown.append(text if problem.goals.is_single else f"{name} {text}")
    models = "the model" if problem.goals.is_single else "the models"
    said = f"{', '.join(shown)}, with those of {models} as uncertain as they are"
    return [("whatever the parameters", said)]


def of_objective(info: Info) -> list[tuple[str, str]]:
    """What was expected of the only outcome."""
    if "mean" not in info:
        return []
    return [("expected here", f"{info['mean']:.5g} ± {info['std']:.3g}")]


def of_outcomes(goals: Goals, info: Info) -> list[tuple[str, str]]:
    """What was expected of each of several outcomes, what it should reach, and its bounds."""
    found, decided = [], info.get("decided_by")
    bounds = {goal.name: f", to keep {goal.bound_words}" for goal in goals.constraints}
    for name, section in info.sections.items():
        if "mean" not in section:  # drawn at random: nothing was expected
            continue
        text = f"{section['mean']:.5g} ± {section['std']:.3g}"
        if "target" in section:
            wanted = "should reach" if decided is None else "one path promises"
            text += f", {wanted} {section['target']:.5g}"
        text += bounds.get(name, "")
        found.append((f"expected {name}", text))
    return found


def choice_lines(info: Info) -> list[tuple[str, str]]:
    """What decided between points, where there are several outcomes."""
    found, decided = [], info.get("decided_by")
    targets = sum("target" in section for section in info.sections.values())
    if "gap" in info and targets > 1:  # of one objective it is in the units of the model
        found.append(("gap", f"{info['gap']:.3g}: by so much results fall short of a path's front"))
    if decided is not None:
        found.append(("decided by", f"{decided}, which is largest here"))
    if info.get("feasible") is False:
        found.append(("bounds", "no path keeps them all: going where they are least broken"))
    return found


def of_unknown_bounds(problem: StudyProblem, info: Info, past: History) -> list[tuple[str, str]]:
    """The bounded outcomes of which nothing was known, so that their bounds had no part in it."""
    bounded = [goal.name for goal in problem.goals.constraints] if info.is_modelled else []
    blank = [name for name in bounded if np.isnan(past.measured[name]).all()]
    return [("bounds", f"nothing was known of {' and '.join(blank)} yet")] if blank else []


def of_reference(problem: StudyProblem, past: History) -> list[tuple[str, str]]:
    """That the reference is beyond all results that were known, if it is."""
    names = problem.goals.names
    known = zip(*(past.measured[name] for name in names), strict=True)
    results = [
        {name: float(value) for name, value in zip(names, row, strict=True) if np.isfinite(value)}
        for row in known
    ]
    said = beyond_results(problem.goals, results)
    return [("reference", said)] if said else []


def alternatives(problem: StudyProblem, past: History) -> list[tuple[str, str]]:
    """What other methods would have chosen from the same history, with the same randomness."""
    return [
        (f"{title} would try", show(suggest(problem.by(method), past).params, MANY_PARAMETERS))
        for method, title in OTHERS.items()
        if method != problem.settings.method
    ]


def nearest_result(problem: StudyProblem, trial: Trial, past: History) -> list[tuple[str, str]]:
    """The nearest result that was known, by distance in the unit cube."""
    if not past.n:
        return []
    u, axes = problem.space.encode(trial.params), problem.space.axes
    unlike = np.array([axis.kind == "categorical" for axis in axes])
    gaps = np.where(unlike, past.X != u, past.X - u)
    measure = "in the unit cube"
    for i, axis in enumerate(axes):
        if axis.molecules is not None:
            gaps[:, i] = axis.molecules.unlike(int(u[i]), past.X[:, i].astype(int))
            measure = "(of molecules: 1 - their similarity)"
    distances = np.sqrt((gaps**2).sum(axis=1))
    at = int(np.argmin(distances))
    value = f"{past.measured[problem.goals.first.name][at]:.5g}"
    if not problem.goals.is_single:
        told = ((goal.name, past.measured[goal.name][at]) for goal in problem.goals)
        value = ", ".join(f"{name} {one:.5g}" for name, one in told if np.isfinite(one))
    number = past.numbers[at]
    there = f"{value} in trial {number}"
    if number in past.expected:
        there = f"{value} expected of trial {number}, which was stopped"
    return [("nearest result", f"{there}, {distances[at]:.2g} away {measure}")]


def _where(info: Info) -> str:
    there = info.get("x_star")
    return f" at {show(there, MANY_PARAMETERS)}" if isinstance(there, dict) else ""
