"""From a choice to what is stored with it (`trials.info`): why this point, in the user's units.

A choice is made in the units of the model, where larger is better and values are bent towards a
normal shape. What is about values is stored in the user's units; `xi` and `eta` count standard
deviations of the model, as the method used them, and stay as they are. The numbers of the model
that go with them, so that mean + xi std = g* can be checked, are in the section of the outcome.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pathmax.acquisition import Choice
from pathmax.suggestion.available_points import params_at
from pathmax.suggestion.fitted_models import Surrogate
from pathmax.suggestion.kept_rows import FAILURES, MOST_FAILED, RESULTS
from pathmax.suggestion.landscape import Landscape
from pathmax.suggestion.settings import Settings
from pathmax.trials import info
from pathmax.trials.history import History
from pathmax.trials.value_transform import ValueTransform, constant

# Which version of the algorithm chose. A trial of another engine is derived again with this one: if
# that leads elsewhere, `replay` says so. To be raised with every change that moves a suggestion.
#     1  version 0.1
#     2  exact paths on grids by the symmetric root; sines and cosines of paths by polynomials
#        (rounding only); fits that end in short length scales begin again from a cold start; a
#        point counts as known when its deviation is half that of the noise
#     3  with many parameters the maximum of a path is that among some points (`Pims.looks`)
#     4  an outcome with one bound may be modelled about it; lower bounds count as such when a
#        fidelity is chosen
#     5  with several objectives the paths' front is that among some points (`front_looks`), the gap
#        is a volume where it is small (`targets`), and priors are wider (`gp.priors`)
#     6  a study looks for the other explanation of its data when results have grown by a tenth;
#        with several outcomes running trials count among the data (`points_at_target`); how alike
#        categories are has a size in common, which is expected by their number (`gp.priors`);
#        a point is not tried closely while it is running at another fidelity; where gaps of a
#        front are small, its hypervolume is expected to grow most (`joint_improvement`);
#        older results count where it is more probable that they tell something (`borrowing_fit`);
#        from three real parameters on the maximum of a path is that among some points, whose number
#        grows with the results, or the highest mean (`Pims.looks`);
#        points are brought inside known constraints without projecting each (`polytope_steps`);
#        a first design is at the cheapest fidelity
#     7  a first design of more points than `initial` is one Latin hypercube (`latin_complement`);
#        where its choice is known PIMS looks elsewhere without a bowl, and everywhere (`pims`);
#        parameters are learnt when results have grown by a twentieth or one is surprising, from
#        where they were (`surrogate`, `parameter_posterior`); in a box the score is looked at
#        beside the best data from the start, and the highest mean is sought at once where a path
#        promises less (`Searched`);
#        beside two results older ones count where that is ten times as probable, and the unit of
#        few results is not smaller than their spread (`borrowing_fit`, `source_models`);
#        under known constraints too that is so, and the maximum of a path is that among some
#        points; what is held does not count (`Searched.looks`); curves have exact slopes
#        (`region_pieces`);
#        values of one objective are bent only where they are more probable so (`surrogate`)
#     8  whether they are is told by at most 300 results (`surrogate`);
#        with a reference of the user the hypervolume above it is expected from the first results on
#        (`joint_improvement`);
#        where nothing is borrowed, a trial at the best of older results has the place of the
#        nearest point of the first design (`first_left`), and each weight of older results begins
#        where the one before ended (`borrowing_fit`);
#        fits and, with many parameters, ascents round in another way (`descent`, `update_sums`);
#        half of the points of a paths' front are recombined (`front_looks`), and its ends are worth
#        their price (`front_ends`)
#     9  while results are fewer than five older ones count where that is ten times as probable
#        (`borrowing_fit`);
#        under noise the bowl is given up once results are several for each number (`surrogate`)
#    10  results that have none of the outcomes of changed goals are left out (`read_history`);
#        where no path keeps the bounds anywhere each further one is tried once (`draw_beyond`)
#    11  of several objectives one whose bad values explode may have the unit of its better half
#        (`standardise_by_better`); where results are at a bound and none inside, models are held to
#        one a little beyond (`model_bounds`)
#    12  frequencies of random features are spread evenly, and 256 do (`kernels.frequencies`);
#        second looks at every fifth more results, fewer looks and starts (`parameter_posterior`,
#        `algorithm`, `searched_surface`); no further path where none is expected to promise more
ENGINE = 12

VALUES = ("mean", "g_star", "g_stars", "reference", "m_hat")  # what a choice says in units of y
IN_STANDARD_UNITS = ("mean", "std", "g_star")


def of_design(
    method: str, settings: Settings, history: History, facts: Mapping[str, Any]
) -> dict[str, Any]:
    """The info of a trial that no model chose."""
    return info.write(**_made_from(method, settings, history), facts=facts)


def of_choice(landscape: Landscape, choice: Choice, jitter: float) -> dict[str, Any]:
    """The info of a trial that the model of the one objective chose."""
    problem, history = landscape.problem, landscape.history
    outcome = problem.goals.first.name
    surrogate = landscape.surrogates[outcome]
    found = {name: value for name, value in choice.info.items() if value is not None}
    standard = {name: found[name] for name in IN_STANDARD_UNITS if name in found}
    facts = json_ready(in_user_units(found, surrogate.transform))
    if "x_star" in found:
        row = facts.pop("x_star_index", None)
        u = np.asarray(found["x_star"], dtype=float)
        facts["x_star"] = params_at(problem.space, u, row)
    model = stored_model(surrogate, jitter)
    n, values = surrogate.observed.n, surrogate.observed.values
    alike = n > 1 and constant(values)
    return info.write(
        **_made_from(problem.settings.method, problem.settings, history),
        facts=facts | {"kernel": model["kernel"]},
        outcomes={
            outcome: {
                **{name: facts[name] for name in ("mean", "std") if name in facts},
                **({"target": facts["g_star"]} if "g_star" in facts else {}),
                "standard": json_ready(standard),
                "model": model,
            }
        },
        remark=f"all {n} values are equal: exploring where least is known"
        if alike
        else remark_on_models(landscape),
    )


def of_joint_choice(landscape: Landscape, choice: Choice) -> dict[str, Any]:
    """The info of a trial that several outcomes chose: a section for each."""
    problem = landscape.problem
    sections: dict[str, dict[str, Any]] = {}
    for name, standard in choice.info["outcomes"].items():
        surrogate = landscape.surrogates[name]
        transform = surrogate.transform
        section = {
            "mean": transform.outward(standard["mean"]),
            "std": transform.spread(standard["mean"], standard["std"]),
        }
        if "target" in standard:
            section["target"] = transform.outward(standard["target"])
        jitter = landscape.model(name).jitter
        sections[name] = json_ready(section) | {
            "standard": json_ready(standard),
            "model": stored_model(surrogate, jitter),
        }
    found = {name: v for name, v in choice.info.items() if name not in ("outcomes", "method")}
    facts = json_ready({name: value for name, value in found.items() if value is not None})
    row = facts.pop("x_star_index", None)
    facts["x_star"] = params_at(problem.space, np.asarray(found["x_star"], dtype=float), row)
    return info.write(
        **_made_from(problem.settings.method, problem.settings, landscape.history),
        facts=facts,
        outcomes=sections,
        remark=remark_on_models(landscape),
    )


def stored_model(surrogate: Surrogate, jitter: float) -> dict[str, Any]:
    """The model of an outcome as it is stored; `kept` says how many results it has, if not all."""
    kept = {"kept": surrogate.model.n} if surrogate.left_out else {}
    return surrogate.fit.to_json() | {"jitter": jitter} | kept


def remark_on_models(landscape: Landscape) -> str:
    """What the user should know about the models: what they leave out, if they do."""
    left_out = any(one.left_out for one in landscape.surrogates.values())
    remarks = [RESULTS] if left_out else []
    remarks += [FAILURES] if len(landscape.history.failed) > MOST_FAILED else []
    return "; ".join(remarks)


def in_user_units(found: Mapping[str, Any], transform: ValueTransform) -> dict[str, Any]:
    """What a method computed, with the values among it as the user knows them."""
    facts = dict(found)
    facts["std"] = transform.spread(found["mean"], found["std"])
    for name in VALUES:
        if name in facts:
            facts[name] = transform.outward(facts[name])
    if "log_ei" in facts:
        facts["log_ei"] += math.log(transform.scale * transform.unit)  # exact where T' = 1
    return facts


def _made_from(method: str, settings: Settings, history: History) -> dict[str, Any]:
    """What a suggestion was made from: enough, with the trials before it, to make it again."""
    return {
        "engine": ENGINE,
        "method": method,
        "seed": (settings.seed, history.number),
        "n_observations": history.n,
        "pending": history.pending_numbers,
        "corrected": history.corrected,
        "settings": settings.to_json(),
    }


def json_ready(found: Mapping[str, Any]) -> dict[str, Any]:
    """Plain numbers and lists; a number that is not finite is left out."""
    ready: dict[str, Any] = {}
    for name, value in found.items():
        plain = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        if not isinstance(plain, float) or math.isfinite(plain):
            ready[name] = plain
    return ready
