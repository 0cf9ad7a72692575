"""What joint choices are made from: the posteriors of several outcomes on one domain.

A path of every outcome is drawn (`draw`), and what they promise leads to a point (`follow`). An
outcome with two bounds takes part twice, the second time upside down. Bounds are in the units of
the models.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from pathmax.acquisition.front_looks import best_results
from pathmax.acquisition.joint import AllReach, JointRule, JointScore
from pathmax.acquisition.joint_improvement import KnownResults
from pathmax.acquisition.joint_optima import promise
from pathmax.acquisition.mirror_images import Mirrored, MirroredPath
from pathmax.acquisition.objective_units import ObjectiveUnits
from pathmax.acquisition.pims import known_below
from pathmax.acquisition.step import Choice
from pathmax.acquisition.surfaces.moved_data import moved
from pathmax.acquisition.surfaces.path_score import PathScore, draw_on
from pathmax.acquisition.surfaces.searched_surface import length_scales
from pathmax.acquisition.targets import Targets, targets_among
from pathmax.acquisition.weighted_path import Weight, pick
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess, GridPosterior
from pathmax.search.domains import Domain, FiniteDomain
from pathmax.search.maximization import maximize
from pathmax.trials.value_transform import ValueTransform

JOINT_DRAWS = 4  # among which a guess decides: each takes a search of the front
FRONT_HINTS = 64  # points of the paths' front that a search may begin at
EMPTY_TRIES = 8  # draws until the paths allow a point somewhere


@final
@dataclass(frozen=True, eq=False)
class Outcome:
    """One outcome as a choice sees it: larger is better, bounds in the units of the model."""

    posterior: GaussianProcess | GridPosterior
    is_objective: bool
    low: float = -math.inf
    high: float = math.inf
    reference: float | None = None
    transform: ValueTransform | None = None  # to the units of the model; None: they are the user's

    @property
    def model(self) -> GaussianProcess:
        return self.posterior.process


@final
class OutcomePosteriors:
    """The posteriors of several outcomes on one domain: objectives first, then bounds."""

    def __init__(
        self,
        outcomes: Mapping[str, Outcome],
        domain: Domain,
        rng: np.random.Generator,
        data: Array,
        effort: float,
        likely: Weight | None = None,
        looks: int = 0,
    ) -> None:
        self.outcomes, self.domain, self.rng, self.likely = outcomes, domain, rng, likely
        self.data, self.effort, self.looks = moved(domain, data), effort, looks
        self.objectives = [name for name, outcome in outcomes.items() if outcome.is_objective]
        bounds = [(name, 1.0, o.low) for name, o in outcomes.items() if math.isfinite(o.low)]
        bounds += [(name, -1.0, -o.high) for name, o in outcomes.items() if math.isfinite(o.high)]
        self.columns = [(name, 1.0) for name in self.objectives]
        self.columns += [(name, sign) for name, sign, _ in bounds]
        self.bounds = np.array([bound for _, _, bound in bounds])
        transforms = [outcomes[name].transform for name in self.objectives]
        known = tuple(one for one in transforms if one is not None)
        self.units = ObjectiveUnits(known if len(known) == len(transforms) else ())
        references = [outcomes[name].reference for name in self.objectives]
        given = len(references) > 1 and all(point is not None for point in references)
        self.reference = np.array(references, dtype=float) if given else None
        scales = [length_scales(o.model.kernel, domain.dimension) for o in outcomes.values()]
        self.scales = np.min(scales, axis=0)
        rows = domain.rows()
        self.rows = domain if rows is None else rows

    def follow(self, method: str, targets: Targets) -> Choice:
        """What a draw leads to."""
        if method == "ts":
            return self.explained(method, targets.u, targets.index, targets)
        rule: JointRule = AllReach(targets.values)
        expected = method == "ei" or self.results.know_front(targets)
        if expected:
            rule = self.results.improvement(targets)
        u, index = self.top(rule, self.promising(targets))
        choice = self.explained(method, u, index, targets)
        if expected:
            choice.info["decided_by"] = self.results.kind_of_improvement
        return choice

    def promising(self, targets: Targets) -> Array:  # -> (k, d)
        """Where the targets are reached, then points of the paths' front, for a search to try."""
        if len(self.objectives) == 1:
            return targets.u[None]
        some = self.rng.permutation(len(targets.points))[:FRONT_HINTS]
        return np.concatenate([targets.u[None], targets.points[some]])

    @cached_property
    def results(self) -> KnownResults:
        return KnownResults(self.means(self.data), self.bounds, self.reference, self.units)

    def draw(self, tries: int = EMPTY_TRIES) -> Targets:
        """What paths promise together: of the first draw that allows a point somewhere.

        With a guess it is one of several draws, by how likely the point is that sets the targets.
        """
        if self.likely is None:
            return self.draw_allowed(tries)
        several = [self.draw_allowed(tries) for _ in range(JOINT_DRAWS)]
        tops = np.stack([found.u for found in several])
        return several[pick(self.likely, tops, self.rng)]

    def draw_allowed(self, tries: int) -> Targets:
        """The first draw that allows a point somewhere, or the last of so many."""
        for left in reversed(range(tries)):
            targets = self.draw_once()
            if targets.feasible or not left:
                break
        return targets

    def draw_beyond(self, first: Targets, resolution: float) -> Targets | None:
        """A further draw; None where one objective promises nothing better than is known.

        Where the first one allows no point, in all of its tries, this one has a single try.
        """
        targets = self.draw(EMPTY_TRIES if first.feasible else 1)
        if len(self.objectives) == 1 and targets.feasible:
            model = self.outcomes[self.objectives[0]].model
            return targets if targets.gap > known_below(resolution, model.noise) else None
        return targets

    def draw_once(self) -> Targets:
        if self.is_gridded:
            held = {n: self.grid(o).draw(self.rng) for n, o in self.outcomes.items()}
            values = np.stack([sign * held[name] for name, sign in self.columns], axis=1)
            first = self.grid(next(iter(self.outcomes.values())))
            at = first.axes.index(self.data) if len(self.data) else np.empty(0, np.intp)
            return targets_among(
                values, self.finite.points, values[at], self.bounds, self.rng,
                reference=self.reference,
            )  # fmt: skip
        return self.promised({name: self.path(name) for name in self.outcomes})

    def promised(self, paths: Mapping[str, PathScore]) -> Targets:
        """What a path of every outcome promises."""
        scores = [paths[n] if sign > 0 else MirroredPath(paths[n]) for n, sign in self.columns]
        k, best = len(self.objectives), self.data
        if self.looks and k > 1 and len(best):
            best = best[best_results(self.means(best), self.bounds, self.rng)]
        return promise(
            scores[:k], scores[k:], self.rows, self.data, self.rng,
            bounds=self.bounds, reference=self.reference, scales=self.scales, effort=self.effort,
            looks=self.looks, best=best,
        )  # fmt: skip

    def path(self, name: str) -> PathScore:
        whole, model = self.domain.whole(), self.outcomes[name].model
        drawn = draw_on(whole, model, self.rng, 1, kind="pathwise", n_features=None)
        return PathScore(drawn[0], self.domain.dimension)

    def top(self, rule: JointRule, hints: Array) -> tuple[Array, int | None]:
        """The point with the largest score."""
        if self.is_gridded:
            mean, std = self.grid_moments()
            free = self.finite.free
            index = int(free[np.argmax(rule(mean[free], std[free]))])
            return self.finite.points([index])[0], index
        best = maximize(
            JointScore(self.models, rule),
            self.domain,
            self.rng,
            hints=np.concatenate([hints, self.hints]),
            scales=self.scales,
            effort=self.effort,
        )
        return best.u, best.index

    def explained(self, method: str, u: Array, index: int | None, targets: Targets) -> Choice:
        """The choice with what is expected of each outcome there, and what it should reach."""
        wanted: dict[str, list[float]] = {}
        for (name, sign), target in zip(self.columns, targets.values, strict=True):
            if math.isfinite(target):
                wanted.setdefault(name, []).append(float(sign * target))
        sections: dict[str, Any] = {}
        for name, outcome in self.outcomes.items():
            mean, std = outcome.model.look(u[None])
            sections[name] = {"mean": float(mean[0]), "std": float(std[0])}
            if outcome.is_objective and name in wanted:
                sections[name]["target"] = wanted[name][0]
        info = {
            "method": method,
            "outcomes": sections,
            "x_star": targets.u,
            "x_star_index": targets.index,
            "feasible": targets.feasible,
            "gap": targets.gap,
        }
        return Choice(u, index if self.rows is self.domain else None, info)

    def unknown(self, choice: Choice, resolution: float) -> float:
        """The largest std of an outcome there, in units of that below which it counts as known."""
        known = {
            name: known_below(resolution, outcome.model.noise)
            for name, outcome in self.outcomes.items()
        }
        sections = choice.info["outcomes"].items()
        return float(max(section["std"] / known[name] for name, section in sections))

    @property
    def is_gridded(self) -> bool:
        """Whether every outcome is held on the points of a grid."""
        return all(o.posterior.gridded is not None for o in self.outcomes.values())

    @property
    def finite(self) -> FiniteDomain:
        """The points of a grid that outcomes are held on."""
        rows = self.domain.rows()
        assert rows is not None, "asked for only where outcomes are held on a grid"
        return rows

    @property
    def models(self) -> Sequence[Any]:
        """A posterior for every column."""
        own = {name: outcome.model for name, outcome in self.outcomes.items()}
        return [own[name] if sign > 0 else Mirrored(own[name]) for name, sign in self.columns]

    def means(self, U: Array) -> Array:  # (m, d) -> (m, K + J)
        return np.stack([model.look(U).mean for model in self.models], axis=1)

    @property
    def hints(self) -> Array:  # (k, d)
        """Data points that are likely allowed and good."""
        if not len(self.data):
            return np.empty((0, self.domain.dimension))
        short = np.minimum(self.means(self.data)[:, len(self.objectives) :] - self.bounds, 0.0)
        return self.data[np.argsort(-short.sum(axis=1), kind="stable")[:16]]

    def grid(self, outcome: Outcome) -> GridPosterior:
        held = outcome.posterior.gridded
        assert held is not None, "asked for only where every outcome is gridded"
        return held

    def grid_moments(self) -> tuple[Array, Array]:
        held = {name: self.grid(outcome) for name, outcome in self.outcomes.items()}
        mean = np.stack([sign * held[name].mean for name, sign in self.columns], axis=1)
        return mean, np.stack([held[name].std for name, _ in self.columns], axis=1)
