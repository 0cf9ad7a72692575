"""Which surrogate? The default, changed in one thing at a time, on problems outside the suite.

    python -m benchmarks.surrogate run default "Matern 3/2"
    python -m benchmarks.surrogate report

The loop is the bare algorithm: first design, fit, PIMS (or the method named). The problems are
BBOB functions, instances and dimensions that are not in the development suite, and textbook
functions, so that the suite stays a test of what was chosen here. The tables are kept in
benchmarks/surrogate.md.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks import efficiency, peer_runs, ranks, warps
from benchmarks.suite import Problem, held_out, textbook
from pathmax import acquisition, gp
from pathmax.search.sobol import latin_hypercube, sobol
from pathmax.suggestion.algorithm import KNOWN_STD
from pathmax.trials import yeo_johnson
from pathmax.trials.value_transform import standardise

Array = np.ndarray


def standardised(y: Array) -> Array:
    return (y - y.mean()) / (y.std() or 1.0)


def bent(y: Array) -> Array:
    """What a study does: standardised, then the power transform."""
    return standardise(1.0, y).inward(y)


def only_apart(y: Array) -> Array:
    """The power transform with p >= 1."""
    z = standardised(y)
    if len(z) < yeo_johnson.FEWEST_VALUES:
        return z
    return z if yeo_johnson.most_normal(z) < 1.0 else bent(y)


def clipped(y: Array) -> Array:
    """Values far below the median, five robust standard deviations, count as that far."""
    centre = np.median(y)
    spread = 1.4826 * np.median(np.abs(y - centre)) or y.std() or 1.0
    return standardised(np.maximum((y - centre) / spread, -5.0))


def first(n: int) -> Callable[[int], int]:
    return lambda d: n


def dimension_and_one(d: int) -> int:
    return d + 1


def twice_the_dimension(d: int) -> int:
    return max(4, 2 * d)


def five_or_more(d: int) -> int:
    return max(5, d + 1)


def centred(n: int, d: int, rng: np.random.Generator) -> Array:
    """The centre of the cube, then Sobol points."""
    return np.vstack([np.full((1, d), 0.5), sobol(n - 1, d, rng)])


@dataclass(frozen=True)
class Variant:
    """A surrogate and a start; `changed` replaces fields of the default priors."""

    kernel: Callable[[Array], gp.Kernel] = gp.Matern52
    changed: dict[str, Any] = field(default_factory=dict)
    lengthscale: tuple[float, float] | None = None  # of log l, less ln(d) / 2
    restarts: int = 0
    bowl: bool = True
    initial: Callable[[int], int] = five_or_more
    start: Callable[[int, int, np.random.Generator], Array] = latin_hypercube
    warp: Callable[[Array], Array] = bent
    method: str = "pims"
    resolution: float = KNOWN_STD
    bends_inputs: bool = False

    def priors(self, d: int) -> gp.Priors:
        priors = replace(gp.default_priors(d), **self.changed)
        if self.lengthscale is None:
            return priors
        location, spread = self.lengthscale
        scale = gp.LogNormal(location + 0.5 * math.log(d), spread)
        return replace(priors, lengthscale=scale)

    def run(self, problem: Problem, seed: int, evaluations: int = 60) -> list[float]:
        """The losses of one run, in order."""
        d = len(problem.space)
        names = [p["name"] for p in problem.space]
        low, high = (np.array([p[end] for p in problem.space]) for end in ("low", "high"))
        priors, box = self.priors(d), acquisition.Box(d)

        def loss(u: Array) -> float:
            return problem.loss(dict(zip(names, (low + u * (high - low)).tolist(), strict=True)))

        errors = problem.noise * np.random.default_rng(seed).standard_normal(evaluations)
        X = self.start(self.initial(d), d, np.random.default_rng(seed))
        losses = [loss(u) for u in X]
        warp = warps.straight(d)
        for t in range(len(losses), evaluations):
            rng = np.random.default_rng([seed, t])
            kernel, y = self.kernel(np.ones(d)), self.warp(-np.array(losses) - errors[:t])
            bowl_on = tuple(range(d)) if self.bowl else ()
            fit = partial(
                gp.fit, kernel, y=y, priors=priors, restarts=self.restarts, rng=rng, bowl_on=bowl_on
            )
            model = fit(warp.inward(X) if self.bends_inputs else X)
            if self.bends_inputs:
                warp = warps.learn(warp, model, X, y, priors)
                model = fit(warp.inward(X))
            choice = acquisition.choose(
                self.method, model, box, rng, t=t, resolution=self.resolution
            )
            u = warp.outward(choice.u) if self.bends_inputs else choice.u
            X = np.vstack([X, u])
            losses.append(loss(u))
        return losses


BOTORCH = (math.sqrt(2.0), math.sqrt(3.0))
VARIANTS = {
    "default": Variant(),
    "RBF": Variant(kernel=gp.RBF),
    "Matern 3/2": Variant(kernel=gp.Matern32),
    "BoTorch's length scales": Variant(lengthscale=BOTORCH),
    "RBF, BoTorch's length scales": Variant(kernel=gp.RBF, lengthscale=BOTORCH),
    "length scales 1.5 times as long": Variant(lengthscale=(0.4, 1.0)),
    "length scales alike": Variant(changed={"anisotropy": 0.3}),
    "noise LogN(-4, 1)": Variant(changed={"noise": gp.LogNormal(-4.0, 1.0)}),
    "noise LogN(-12, 2)": Variant(changed={"noise": gp.LogNormal(-12.0, 2.0)}),
    "output scale 1": Variant(changed={"outputscale": gp.LogNormal(0.0, 0.02)}),
    "output scale LogN(0, 1.5)": Variant(changed={"outputscale": gp.LogNormal(0.0, 1.5)}),
    "mean 0": Variant(changed={"mean_spread": 1e-3}),
    "no bowl": Variant(bowl=False),
    "mean free": Variant(changed={"mean_spread": 10.0}),
    "three more starts": Variant(restarts=3),
    "values only standardised": Variant(warp=standardised),
    "good values never drawn together": Variant(warp=only_apart),
    "values clipped": Variant(warp=clipped),
    "first design 2 d": Variant(initial=twice_the_dimension),
    "first design d + 1": Variant(initial=dimension_and_one),
    "first design 5": Variant(initial=first(5)),
    "first design 3": Variant(initial=first(3)),
    "first design Sobol": Variant(start=sobol),
    "first design with the centre": Variant(start=centred),
    "inputs bent": Variant(bends_inputs=True),
    "EI instead of PIMS": Variant(method="ei"),
    "one path however little it promises": Variant(resolution=0.0),
}


def run(names: list[str]) -> None:
    """Run what is missing, in the form of the traces of `efficiency`."""
    for name in names:
        done = efficiency.load("surrogate", name)
        file = efficiency.trace_file("surrogate", name)
        started = time.perf_counter()
        for seed, (problem, _) in enumerate(efficiency.runs(held_out() + textbook())):
            if (problem.name, seed) not in done:
                losses = [float(f"{loss:.6g}") for loss in VARIANTS[name].run(problem, seed)]
                row = {"problem": problem.name, "seed": seed, "losses": losses}
                peer_runs.keep(file, row, ours=True)
        print(f"{name}: {time.perf_counter() - started:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["run", "report"])
    parser.add_argument("variants", nargs="*", help="; ".join(VARIANTS))
    options = parser.parse_args()
    names = options.variants or list(VARIANTS)
    if options.do == "run":
        run(names)
    else:
        traces = {name: efficiency.load("surrogate", name) for name in names}
        print(ranks.table({n: t for n, t in traces.items() if t}, (15, 30, 60), "default"))


if __name__ == "__main__":
    main()
