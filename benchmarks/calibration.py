"""Does what is reported hold? Coverage and sharpness of predictions and of `regret()`.

    python -m benchmarks.peers ioh botorch
    python -m benchmarks.calibration run --set reported --seeds 2
    python -m benchmarks.calibration report --set reported --figure docs/images/calibration.png
    python -m benchmarks.calibration limits     what the true model would reach at five results

pathmax gathers 40 results of each function (`development_functions`). At 5, 10, 20 and 40 results
it is asked for the 95 % interval of 200 uniform points and of 50 points about the best result
(normal, std 0.1), and for its regret. Three models answer from the same data: the most probable
parameters alone (MAP), the mixture over parameters that is reported, and BoTorch's SingleTaskGP.

Intervals are of what is reported, mean -+ 1.96 std in the units of the model, turned to the units
of the user. NLPD and CRPS are of f in units of its standard deviation over the space.

`run` adds a line for each function and seed, and skips those of this engine that are there.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import pathmax
from benchmarks import peer_runs
from benchmarks.development_functions import Array, Function, functions
from benchmarks.peers import Peer, PeerError
from pathmax.analysis import regret as regrets
from pathmax.gp import Matern52
from pathmax.gp.mixture import mix
from pathmax.suggestion.beliefs import Belief
from pathmax.trials.value_transform import ValueTransform

TRACES = Path(__file__).parent / "traces" / "calibration"
KEY = ("function", "seed")
SIZES = (5, 10, 20, 40)
WIDTH = 1.959964
PATHS = 40  # of a regret: the second largest of them is the 95 % quantile
MODELS = {"map": "most probable parameters", "mixture": "mixture", "botorch": "BoTorch"}
# quantiles of the standard normal by which a predictive distribution is turned to user units
LEVELS = (np.arange(64) + 0.5) / 64


def normal_quantiles(levels: Array) -> Array:
    from scipy.special import ndtri

    return np.asarray(ndtri(levels))


Parts = Sequence[tuple[float, Array, Array, ValueTransform]]  # weight, mean, std, their units


def scores(parts: Parts, units: ValueTransform, truth: Array, unit: float) -> dict[str, float]:
    """Coverage of the 95 % interval, median NLPD and mean CRPS at some points.

    The interval is what is reported: of the mean and standard deviation of all parts together. The
    other two are of the mixture itself.
    """
    mean, std = mix((weight, units.convert(own, m, s)) for weight, m, s, own in parts)
    covered = np.abs(units.inward(truth) - mean) <= WIDTH * np.maximum(std, 1e-9)
    z, logs, draws, weights = normal_quantiles(LEVELS)[:, None], [], [], []
    for weight, m, s, own in parts:
        s, h = np.maximum(s, 1e-9), 1e-6 * unit
        slope = np.abs(own.inward(truth + h) - own.inward(truth - h)) / (2 * h) * unit
        density = -0.5 * ((own.inward(truth) - m) / s) ** 2 - np.log(s)
        logs.append(np.log(weight) + density + np.log(np.maximum(slope, 1e-300)))
        draws.append(own.outward((m + s * z).ravel()).reshape(len(LEVELS), -1))
        weights.append(np.full(len(LEVELS), weight / len(LEVELS)))
    nlpd = 0.5 * math.log(2 * math.pi) - np.logaddexp.reduce(logs, axis=0)
    values, shares = np.concatenate(draws), np.concatenate(weights)
    order = np.argsort(values, axis=0)
    values, share = np.take_along_axis(values, order, axis=0), shares[order]
    level = np.cumsum(share, axis=0) - 0.5 * share
    apart = (share * np.abs(values - truth)).sum(axis=0)
    crps = (apart - (share * values * (2 * level - 1)).sum(axis=0)) / unit
    return {
        "coverage": float(covered.mean()),
        "nlpd": float(np.median(nlpd)),
        "crps": float(crps.mean()),
    }


def run_one(function: Function, seed: int, botorch: Peer | None) -> list[dict[str, Any]]:
    """What each model says of one run, at each size."""
    d = function.dimension
    space = {f"x{j}": pathmax.Float(0, 1) for j in range(d)}
    study = pathmax.Study(space, seed=seed)
    rng = np.random.default_rng([seed, 11])
    X, y, found = [], [], []
    while len(y) < max(SIZES):
        trial = study.ask()
        u = np.array(list(trial.params.values()), dtype=float)
        told = float(function.values(u[None])[0] + function.noise * rng.standard_normal())
        study.tell(trial, told)
        X.append(u)
        y.append(told)
        if len(y) in SIZES:
            found += look(study, function, np.array(X), np.array(y), rng, seed, botorch)
    return found


def look(
    study: pathmax.Study,
    function: Function,
    X: Array,
    y: Array,
    rng: np.random.Generator,
    seed: int,
    botorch: Peer | None,
) -> list[dict[str, Any]]:
    n, d, session = len(y), function.dimension, study._session
    U = rng.uniform(0, 1, (200, d))
    V = np.clip(X[np.argmax(y)] + 0.1 * rng.standard_normal((50, d)), 0, 1)
    there = {"everywhere": (U, function.values(U)), "near": (V, function.values(V))}
    unit = max(float(there["everywhere"][1].std()), 1e-12)
    landscape = session.landscape()
    transform = landscape.surrogates["value"].transform
    beliefs = session.beliefs()
    rows = []
    for name, held in {"map": (Belief(1.0, landscape),), "mixture": beliefs}.items():
        row: dict[str, Any] = {"model": name, "n": n}
        for where, (points, truth) in there.items():
            parts = [
                (b.weight, *b.landscape.model("value").predict(points), transform_of(b))
                for b in held
            ]
            row[where] = scores(parts, transform, truth, unit)
        row["regret"] = regret_holds(study, function, held)
        rows.append(row)
    if botorch is not None:
        rows.append(ask_botorch(botorch, n, X, y, there, unit, seed))
    return rows


def transform_of(belief: Belief) -> ValueTransform:
    return belief.landscape.surrogates["value"].transform


def regret_holds(study: pathmax.Study, function: Function, beliefs: tuple[Belief, ...]) -> bool:
    """Whether the true regret is at most the 95 % quantile, under these beliefs."""
    session = study._session
    own = session.beliefs
    session.beliefs = lambda: beliefs  # type: ignore[method-assign]
    try:
        said = regrets.regret(session, PATHS)
    finally:
        session.beliefs = own  # type: ignore[method-assign]
    u = np.array([list(said.params.values())], dtype=float)
    true = function.best - float(function.values(u)[0])
    return bool(true <= said.quantile(0.95) + 1e-12 * abs(function.best))


def ask_botorch(
    peer: Peer, n: int, X: Array, y: Array, there: dict[str, Any], unit: float, seed: int
) -> dict[str, Any]:
    row: dict[str, Any] = {"model": "botorch", "n": n, "regret": None}
    points = np.concatenate([at for at, _ in there.values()])
    said = peer.call("predict", X=X.tolist(), y=y.tolist(), at=points.tolist(), seed=seed)
    mean, std = np.array(said["mean"]), np.array(said["std"])
    start = 0
    for where, (at, truth) in there.items():
        part = slice(start, start + len(at))
        plain = ValueTransform(1.0)
        row[where] = scores([(1.0, mean[part], std[part], plain)], plain, truth, unit)
        start += len(at)
    return row


def run(which: str, seeds: list[int], alone: bool = False) -> None:
    file = TRACES / f"{which}.jsonl"
    done = peer_runs.done(file, True, KEY)
    botorch: Peer | None = None
    try:
        botorch = None if alone else Peer("botorch posterior")
    except PeerError as error:
        print(f"without BoTorch: {error}")
    listed = functions(which)  # type: ignore[arg-type]
    half = len(listed) // 2  # in turn of both kinds, so that a part of them is a fair sample
    chosen = [one for pair in zip(listed[:half], listed[half:], strict=True) for one in pair]
    for seed in seeds:
        for function in chosen:
            if (function.name, seed) in done:
                continue
            rows = run_one(function, seed, botorch)
            line = {"function": function.name, "seed": seed, "rows": rows}
            peer_runs.keep(file, line, True, KEY)


def load(which: str) -> list[dict[str, Any]]:
    return peer_runs.rows(TRACES / f"{which}.jsonl")


def summary(which: str) -> dict[tuple[str, int], dict[str, float]]:
    """(model, n) -> what the table shows."""
    found: dict[tuple[str, int], dict[str, float]] = {}
    rows = [row for line in load(which) for row in line["rows"]]
    for model in MODELS:
        for n in SIZES:
            chosen = [row for row in rows if row["model"] == model and row["n"] == n]
            if not chosen:
                continue
            everywhere, near = ([row[where] for row in chosen] for where in ("everywhere", "near"))
            held = [row["regret"] for row in chosen if row["regret"] is not None]
            found[model, n] = {
                "everywhere": 100 * float(np.mean([one["coverage"] for one in everywhere])),
                "near": 100 * float(np.mean([one["coverage"] for one in near])),
                "worst": 100 * min(one["coverage"] for one in everywhere),
                "worst_near": 100 * min(one["coverage"] for one in near),
                "regret": 100 * float(np.mean(held)) if held else math.nan,
                "nlpd": float(np.median([one["nlpd"] for one in everywhere])),
                "nlpd_near": float(np.median([one["nlpd"] for one in near])),
                "crps": float(np.mean([one["crps"] for one in everywhere])),
                "crps_near": float(np.mean([one["crps"] for one in near])),
            }
    return found


def report(which: str) -> str:
    """The table as Markdown."""
    header = (
        "model", "results", "covered, %", "near the best, %", "worst run, %", "regret(), %",
        "NLPD", "NLPD near", "CRPS", "CRPS near",
    )  # fmt: skip
    lines = ["| " + " | ".join(header) + " |", "| --- |" + " --- |" * (len(header) - 1)]
    for (model, n), one in summary(which).items():
        regret = "" if math.isnan(one["regret"]) else f"{one['regret']:.0f}"
        cells = [
            MODELS[model], f"{n}", f"{one['everywhere']:.0f}", f"{one['near']:.0f}",
            f"{one['worst']:.0f}, {one['worst_near']:.0f}", regret, f"{one['nlpd']:.2f}",
            f"{one['nlpd_near']:.2f}", f"{one['crps']:.3f}", f"{one['crps_near']:.3f}",
        ]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return f"{len(load(which))} runs\n\n" + "\n".join(lines)


def limits(runs: int = 600) -> str:
    """How the true posterior of functions that are drawn from a known process does in such runs."""
    rng = np.random.default_rng(0)
    covered, scored = [], []
    for run_number in range(runs):
        d = 1 + run_number % 6
        X, U = rng.uniform(0, 1, (5, d)), rng.uniform(0, 1, (200, d))
        kernel = Matern52(0.5 * math.sqrt(d))
        K = kernel(X) + 1e-8 * np.eye(5)
        y = np.linalg.cholesky(K) @ rng.standard_normal(5)
        V = np.clip(X[np.argmax(y)] + 0.1 * rng.standard_normal((50, d)), 0, 1)
        W = np.concatenate([U, V])
        gain = kernel(W, X) @ np.linalg.inv(K)
        S = kernel(W) - gain @ kernel(X, W) + 1e-8 * np.eye(250)
        off = np.linalg.cholesky(S + 1e-7 * np.eye(250)) @ rng.standard_normal(250)
        std = np.sqrt(np.diag(S))
        unit, z = float((gain @ y + off)[:200].std()), off / std
        held = np.abs(z) < WIDTH
        covered.append([held[:200].mean(), held[200:].mean()])
        for width in (1.0, 0.67):
            nlpd = 0.5 * math.log(2 * math.pi) + np.log(std * width / unit) + 0.5 * (z / width) ** 2
            scored.append([float(np.median(nlpd[:200])), float(np.median(nlpd[200:]))])
    share, below = np.mean(covered, axis=0), np.mean(np.array(covered) < 0.6, axis=0)
    true, narrow = np.median(np.reshape(scored, (runs, 2, 2)), axis=0)
    return (
        f"everywhere / near: covered {share[0]:.1%} / {share[1]:.1%}, runs below 60 % "
        f"{below[0]:.1%} / {below[1]:.1%}; median NLPD {true[0]:.2f} / {true[1]:.2f}, "
        f"with 0.67 of the deviation {narrow[0]:.2f} / {narrow[1]:.2f}"
    )


def draw(which: str, target: Path) -> None:
    """How often the 95 % interval holds, by the number of results."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    found = summary(which)
    figure, panels = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True, layout="constrained")
    colours = {"map": "#999999", "mixture": "#0072B2", "botorch": "#D55E00"}
    for axes, where, title in zip(
        panels, ("everywhere", "near"), ("everywhere", "near the best result"), strict=True
    ):
        axes.axhline(95, color="black", linewidth=0.8, linestyle=":")
        for model, name in MODELS.items():
            at = [n for n in SIZES if (model, n) in found]
            share = [found[model, n][where] for n in at]
            axes.plot(at, share, "o-", color=colours[model], label=name)
        axes.set(xscale="log", title=title, xlabel="results", ylim=(60, 100))
        axes.set_xticks(SIZES, [str(n) for n in SIZES])
        axes.minorticks_off()
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("95 % interval holds, %")
    panels[1].legend(frameon=False, loc="lower right")
    figure.savefig(target, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["run", "report", "limits"])
    parser.add_argument("--set", dest="which", default="reported", choices=["tuning", "reported"])
    parser.add_argument("--seeds", type=int, default=1, help="runs of each function")
    parser.add_argument("--alone", action="store_true", help="without BoTorch (run)")
    parser.add_argument("--figure", type=Path, help="where to draw the coverage (report)")
    options = parser.parse_args()
    if options.do == "run":
        run(options.which, list(range(options.seeds)), options.alone)
        return
    if options.do == "limits":
        print(limits())
        return
    print(report(options.which))
    if options.figure is not None:
        draw(options.which, options.figure)


if __name__ == "__main__":
    main()
