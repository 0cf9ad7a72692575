"""The data of the charts that ask the model: slices, the likeliest best, importances, checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pathmax.analysis.cross_validation import FEWEST_RESULTS
from pathmax.analysis.regret import FAR_FRONT, Regret
from pathmax.errors import TrialError
from pathmax.plots.slices import BAND, along, line_starts
from pathmax.plots.style import ParameterScale, scales
from pathmax.scalars import Scalar
from pathmax.space.any_space import AnySpace
from pathmax.trials.trial import Trial
from pathmax.workspace.contexts import context_to_look_at
from pathmax.workspace.judgement import JUDGING_PATHS, MOST_JUDGED
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.ranking import likeliest_best
from pathmax.workspace.views.charts import JsonObject, axis, column_of
from pathmax.workspace.views.snapshot import Snapshot
from pathmax.workspace.views.thinning import MOST_CANDIDATES, evenly, shown_of
from pathmax.workspace.views.wording import Words, expected

# Each path has to be maximised: 250 of them give a probability to within 3 %.
RANKING_PATHS, REGRET_PATHS, JOINT_PATHS = 250, 100, 64


def slices(
    opened: Opened, snapshot: Snapshot, column: str | None = None, through: int | None = None
) -> JsonObject:
    """What the model expects of an outcome along each parameter, through one trial."""
    column = column_of(snapshot, column)
    goal = snapshot.goal(column)
    centre = _centre(snapshot, through)
    told = [t for t in snapshot.complete if goal.name in t.outcomes]
    if not told:
        raise TrialError(f"no trial has a value of {column} yet, so there is nothing to expect")
    domain, words = snapshot.layout.domain, Words(snapshot.layout)
    cuts = {s.name: (s, _rows(domain, s, centre)) for s in scales(domain, told)}
    cuts = {name: cut for name, cut in cuts.items() if cut[1]}
    everything = [params for _, rows in cuts.values() for params in rows]
    if not everything:
        raise TrialError(
            f"trial {centre.number} has no parameter along which to cut, or known constraints "
            "allow no other value"
        )
    mean, std = opened.study.predict(everything, goal.name)
    shown = evenly(len(told), MOST_CANDIDATES, [told.index(centre)] if centre in told else [])
    drawn = [told[i] for i in shown.tolist()]
    found, at = [], 0
    for scale, rows in cuts.values():
        m, s = mean[at : at + len(rows)], std[at : at + len(rows)]
        with np.errstate(over="ignore"):  # of huge results: what has no end is null in JSON
            lower, upper = m - BAND * s, m + BAND * s
        at += len(rows)
        found.append(
            {
                "axis": axis(scale, words),
                "kind": _kind(domain, scale),
                "x": _positions(scale, [params[scale.name] for params in rows]),
                "starts": line_starts(scale, rows),
                "mean": m.tolist(),
                "lower": lower.tolist(),
                "upper": upper.tolist(),
                "results": [
                    [x, trial.outcomes[goal.name], trial.number]
                    for trial in drawn
                    if (x := _position(scale, trial.params.get(scale.name))) is not None
                ],
                "centre": _position(scale, centre.params.get(scale.name)),
                "setting": words.setting(scale.name, centre.params.get(scale.name)),
            }
        )
    return {
        "outcome": column,
        "label": words.label(column),
        "through": centre.number,
        "value": centre.outcomes.get(goal.name),
        "slices": found,
        "remark": shown_of(len(drawn), len(told), "evenly by number"),
    }


def ranking(
    opened: Opened, context: Mapping[str, Any] | None = None, count: int = 10
) -> JsonObject:
    """The likeliest best rows or regions, and what stopping now may cost, in words and numbers."""
    paths, draws = _paths(opened)
    found = likeliest_best(opened, count, paths, draws, context)
    words, columns = Words(opened.layout), opened.layout.results
    names = [name for name in opened.layout.domain.names if _varies(opened, name)]
    return {
        "names": [words.label(name) for name in names],
        "outcomes": [words.label(column) for column in columns],
        "paths": found.ranking.n_paths,
        "exact": found.ranking.exact,
        "regions": bool(found.ranking.extents),
        "front": found.ranking.front,
        "bounded": found.ranking.feasibility is not None,
        "context": _given(opened, found.context),
        "contenders": [
            {
                "settings": [_extent(words, name, c.params.get(name), c.extent) for name in names],
                "probability": c.probability,
                "error": found.ranking.error(min(c.probability, 1.0)),
                "expected": [
                    expected(*c.outcomes.get(outcome, (c.mean, c.std)))
                    for outcome in columns.values()
                ],
                "within": c.feasibility,
                "tried": c.tried,
            }
            for c in found.contenders
        ],
        "regret": {
            **_cost(opened, found.regret),
            "recommended": [
                [words.label(name), words.setting(name, value)]
                for name, value in found.regret.params.items()
            ],
        },
    }


def regret(opened: Opened, context: Mapping[str, Any] | None = None) -> JsonObject:
    """What stopping now may cost, as a number with its unit."""
    study = opened.study
    context = context_to_look_at(study, context)
    found = study.regret(_paths(opened)[1], context=context)
    return {**_cost(opened, found), "context": _given(opened, context)}


def _given(opened: Opened, context: Mapping[str, Any] | None) -> list[list[str]]:
    """The context that is spoken of: each parameter with its unit, and its value."""
    words = Words(opened.layout)
    return [
        [words.label(name), words.setting(name, value)] for name, value in (context or {}).items()
    ]


def _cost(opened: Opened, found: Regret) -> JsonObject:
    """With several objectives the cost is a share of the front, or so many times its extent."""
    scale, unit = found.shown
    return {
        "mean": scale * found.mean,
        "quantile": scale * found.quantile(0.95),
        "unit": unit or _first_unit(opened),
        "remark": FAR_FRONT if found.beyond else "",
    }


def _first_unit(opened: Opened) -> str:
    names = {outcome: column for column, outcome in opened.layout.results.items()}
    return Words(opened.layout).unit(names[opened.study.goals.first.name])


def _paths(opened: Opened) -> tuple[int, int]:
    """How many paths for a ranking, and how many for a regret, which is the same everywhere."""
    if opened.study.goals.is_single:
        return RANKING_PATHS, REGRET_PATHS
    return JOINT_PATHS, JOINT_PATHS


def importances(opened: Opened, snapshot: Snapshot, column: str | None = None) -> JsonObject:
    """How much each parameter matters for an outcome, with intervals."""
    column = _judged(snapshot, column)
    found = opened.study.importances(snapshot.columns[column], n_paths=JUDGING_PATHS)
    words = Words(snapshot.layout)
    return {
        "outcome": column,
        "importances": [
            {
                "label": words.label(one.name),
                "share": one.total.mean,
                "low": one.total.low,
                "high": one.total.high,
                "alone": one.first.mean,
            }
            for one in found
        ],
        "remark": found.sentence,
    }


def validation(opened: Opened, snapshot: Snapshot, column: str | None = None) -> JsonObject:
    """Each result beside what a model of all the others expects."""
    column = _judged(snapshot, column)
    check = opened.study.cross_validate(snapshot.columns[column])
    shown = evenly(len(check), MOST_CANDIDATES).tolist()
    return {
        "outcome": column,
        "label": Words(snapshot.layout).label(column),
        "points": [
            [float(part[i]) for part in (check.measured, check.mean, check.low, check.high)]
            + [check.trials[i]]
            for i in shown
        ],
        "words": str(check),
        "remark": shown_of(len(shown), len(check), "evenly by number"),
    }


def _judged(snapshot: Snapshot, column: str | None) -> str:
    """The column that is meant, if it has results enough and not too many."""
    column = column_of(snapshot, column)
    outcome = snapshot.columns[column]
    count = sum(outcome in trial.outcomes for trial in snapshot.complete)
    if not FEWEST_RESULTS <= count <= MOST_JUDGED:
        raise TrialError(
            f"there are {count} results of {column}; this is said of {FEWEST_RESULTS} to "
            f"{MOST_JUDGED}"
        )
    return column


def _extent(words: Words, name: str, value: Scalar, extent: Any) -> str:
    if name not in extent or extent[name][0] == extent[name][1]:
        return words.setting(name, value)
    low, high = extent[name]
    return f"{words.setting(name, low)} to {words.setting(name, high)}"


def _varies(opened: Opened, name: str) -> bool:
    domain = opened.layout.domain
    searched = getattr(domain, "searched_names", domain.names)
    return name in searched or name == getattr(domain, "id", None)


def _centre(snapshot: Snapshot, through: int | None) -> Trial:
    if through is None:
        found = snapshot.centre
    else:
        found = next((t for t in snapshot.complete if t.number == through), None)
    if found is None:
        which = "no trial has a value yet" if through is None else f"trial {through} has no value"
        raise TrialError(f"{which}; a slice goes through a trial with a result")
    return found


def _rows(domain: AnySpace, scale: ParameterScale, centre: Trial) -> list[dict[str, Scalar]]:
    if not domain.is_pool and scale.name not in centre.params:
        return []
    return along(domain, scale, centre)


def _kind(domain: AnySpace, scale: ParameterScale) -> str:
    if domain.is_pool:
        return "dots"
    if scale.choices is not None:
        return "choices"
    return "steps" if scale.whole or scale.lattice is not None else "band"


def _position(scale: ParameterScale, value: Scalar) -> float | None:
    if scale.choices is not None:
        return float(scale.choices.index(value)) if value in scale.choices else None
    return None if value is None or isinstance(value, str) else float(value)


def _positions(scale: ParameterScale, values: list[Scalar]) -> list[float]:
    positions: list[float] = scale.positions(values).tolist()
    return positions
