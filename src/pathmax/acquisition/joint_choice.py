"""One entry to every method with several outcomes: `choose_jointly(method, outcomes, domain, rng)`.

    paths   = one of every outcome
    targets = what they promise together               `joint_optima`, `targets`
    choice  = argmax  sum_i log Phi((mean_i - target_i) / std_i)        `joint`

and once the gap that the paths see is small, where the hypervolume of the front is expected to grow
most, above the nadir of the paths' front less a tenth (`joint_improvement`).

With one objective and no bounds this is PIMS.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pathmax.acquisition.outcome_posteriors import Outcome, OutcomePosteriors
from pathmax.acquisition.step import Choice
from pathmax.acquisition.weighted_path import Weight
from pathmax.arrays import Array
from pathmax.errors import SettingsError
from pathmax.search.domains import Domain

JOINT_METHODS = ("pims", "ts", "ei", "random")
JOINT_OPTIONS = ("effort", "resolution", "looks")
MORE_DRAWS = 8  # more draws where the choice is known already


def choose_jointly(
    method: str,
    outcomes: Mapping[str, Outcome],
    domain: Domain,
    rng: np.random.Generator,
    *,
    data: Array,
    resolution: float = 0.0,
    effort: float = 1.0,
    looks: int = 0,
    likely: Weight | None = None,
) -> Choice:
    """The point of `domain` to evaluate next, when several outcomes count.

    Args:
        method: "pims", "ts", "ei" or "random".
        outcomes: Those that have a model, by name; at least one is an objective.
        domain: Where to choose.
        rng: All the randomness of the choice.
        data: The points (n, d) that were evaluated.
        resolution: Where every outcome is known to a standard deviation below this, or to half
            that of its noise, other paths are asked for something better.
        effort: Multiplies the looks and the starts of a search.
        looks: Points of a box among which several objectives promise something; 0: all of it.
        likely: Where an expert expects the best: weights of points (m, d) -> (m,).
    """
    if method not in JOINT_METHODS:
        raise SettingsError(
            f"{method} is for one objective without constraints; with several outcomes use "
            f"{', '.join(JOINT_METHODS)}"
        )
    if method == "random":
        return Choice(*domain.random(rng), {"method": method})
    scene = OutcomePosteriors(outcomes, domain, rng, data, effort, likely, looks)
    first = scene.draw()
    choice = scene.follow(method, first)
    if resolution == 0.0 or "decided_by" in choice.info:  # an expectation follows no path
        return choice
    for _ in range(MORE_DRAWS):
        if scene.unknown(choice, resolution) >= 1.0:
            break
        targets = scene.draw_beyond(first, resolution)
        if targets is None:
            continue
        other = scene.follow(method, targets)
        if scene.unknown(other, resolution) > scene.unknown(choice, resolution):
            choice = Choice(other.u, other.index, other.info | {"looked_elsewhere": True})
    return choice
