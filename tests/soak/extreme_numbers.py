"""Studies at the ends of the range of numbers: values, noises, ranges and offsets as they may be.

Driven like the studies by chance; whatever is told, what is said of it is finite, and a warning is
an error.
"""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import numpy as np

from pathmax import Candidates, Categorical, Float, Grid, Int, Study, gp
from pathmax.errors import PathmaxError, SpaceError
from tests.soak.random_studies import Driven, drive

ENDS = (
    5e-324, 1e-323, 0.0, 1e-308, 2.3e-308, 1e-160, 1e-12, 1.0, 1e12, 1e150, 1e160, 1e300, 1.7e308,
)  # fmt: skip
NOISES = (0.0, 5e-324, 1e-300, 1e-12, 1.0, 1e300, 1.7e308)
RANGES = (
    (1e-300, 1e300), (5e-324, 1e-320), (-1.7e308, 1.7e308), (1e300, 1.7e308), (1e16, 1e16 + 64),
    (1e9, 1e9 + 1e-6), (-1e-300, 1e-300), (0.0, 5e-324), (1.0, 1.0 + 1e-15), (-1e15, 1.0),
)  # fmt: skip

LOG_RANGES = ((1e-300, 1e-10), (1e-150, 1e150), (1e-10, 1e290), (5e-324, 1e-300), (1.0, 1.0 + 1e-9))


def run(seed: int, number: int) -> Counter[str]:
    """One study, from its first trial to its last check; what was done."""
    rng = np.random.default_rng([seed, number, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            driven = Driven(_study(rng, f"extreme {seed} {number}"), rng, _value)
        except SpaceError:  # values that are too near to tell apart, say
            return Counter({"refused": 1})
        done = drive(driven, int(rng.integers(3, 12)))
        return done + _ask_all(driven.study)


def _value(rng: np.random.Generator) -> float:
    if rng.random() < 0.2:
        return float(rng.normal())
    return float(rng.choice(ENDS) * rng.choice([-1.0, 1.0]))


def _study(rng: np.random.Generator, name: str) -> Study:
    settings: dict[str, Any] = {"initial": int(rng.integers(0, 4))}
    if rng.random() < 0.5:
        settings["noise"] = float(rng.choice(NOISES))
    if rng.random() < 0.5:
        settings["warp"] = bool(rng.random() < 0.5)
    if rng.random() < 0.15:
        kernel = gp.RBF(0.3) if rng.random() < 0.5 else gp.Matern52(0.3)
        settings |= {"kernel": kernel, "noise": float(rng.choice(NOISES)), "refit_every": None}
    goals: dict[str, Any] = {"direction": str(rng.choice(["maximize", "minimize"]))}
    if rng.random() < 0.2 and "kernel" not in settings:
        bound = f"<= {float(rng.choice(ENDS))!r}"
        goals = {"objectives": {"a": "maximize"}, "constraints": {"b": bound}}
        if rng.random() < 0.5:
            goals["objectives"]["c"] = "minimize"
    return Study(_space(rng), name=name, seed=int(rng.integers(2**31)), **goals, **settings)


def _space(rng: np.random.Generator) -> Any:
    fate = rng.random()
    if fate < 0.15:
        return Candidates({"x": rng.choice([*ENDS, *(-e for e in ENDS)], 12).tolist(),
                           "i": list(range(12))})  # fmt: skip
    if fate < 0.3:
        return Grid({"x": sorted({float(v) for v in rng.choice(ENDS, 6)}), "c": ["u", "v"]})
    count = int(rng.integers(1, 4))
    return {"xyz"[i]: _parameter(rng) for i in range(count)}


def _parameter(rng: np.random.Generator) -> Any:
    low, high = RANGES[int(rng.integers(len(RANGES)))]
    match int(rng.integers(6)):
        case 0:
            return Float(*rng.choice(LOG_RANGES), log=True)
        case 1:
            return Int(-(10**14), 10**14)
        case 2:
            return Categorical(["a", 5e-324, 1.7e308, None])
        case 3:
            return Float(values=sorted({float(v) for v in rng.choice(ENDS, 5)} | {-1.0, 2.0}))
        case _:
            return Float(low, high)


def _ask_all(study: Study) -> Counter[str]:
    """What there is to say of a study, which is finite wherever it is said."""
    asked: Counter[str] = Counter()
    questions = {
        "rank": lambda: study.best_probabilities(n_paths=8).mean,
        "regret": lambda: study.regret(n_paths=8).mean,
        "recommended": lambda: study.predict([study.recommend()]).mean,
        "left out": lambda: study.cross_validate(study.goals.names[0]).mean,
    }
    for name, question in questions.items():
        try:
            found = question()
        except PathmaxError:
            continue  # too few results, several objectives, none within bounds
        asked[name] += 1
        if name != "regret" or study.goals.is_single:  # infinite where no bound is kept for sure
            assert np.isfinite(found).all(), name
    return asked
