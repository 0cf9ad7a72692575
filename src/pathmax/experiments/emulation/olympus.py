"""The Olympus emulators: Bayesian neural networks trained on real experiments.

Häse et al., "Olympus: a benchmarking framework for noisy optimization and experiment planning"
(2021). The trained weights are those of its wheel `olymp` 0.0.1b0 (MIT; the licence lies beside
them in `weights`), copied by benchmarks/olympus_weights.py. A layer with local reparameterisation
is

    h . loc  +  eps sqrt(h^2 . scale^2)  +  bias,        eps ~ N(0, 1) per row and unit,

then a leaky ReLU, and a ReLU at the output. Mean weights are eps = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError

LEAK = 0.2
LEAST_SCALE = 1.1920929e-07  # added to softplus(.) in training: the epsilon of float32


@dataclass(frozen=True, slots=True)
class Layer:
    """One dense layer with a normal law over its weights and a fixed bias."""

    loc: Array  # (inputs, units)
    scale: Array  # (inputs, units)
    bias: Array  # (units,)

    def __call__(self, h: Array, rng: np.random.Generator | None) -> Array:  # (m, inputs) -> (m, u)
        out = h @ self.loc + self.bias
        if rng is None:
            return out
        spread = np.sqrt(np.square(h) @ np.square(self.scale))
        return np.asarray(out + spread * rng.standard_normal(out.shape))


@dataclass(frozen=True, slots=True)
class Emulator:
    """A trained network: `emulator(X)` has mean weights, `emulator(X, rng)` draws some per row."""

    layers: tuple[Layer, ...]
    feature_mean: Array  # (d,)
    feature_std: Array  # (d,)
    target_mean: float

    def __call__(self, X: Array, rng: np.random.Generator | None = None) -> Array:  # (m,d) -> (m,)
        table = np.atleast_2d(np.asarray(X, dtype=np.float64))
        if table.shape[1] != len(self.feature_mean):
            raise ModelError(
                f"the emulator takes {len(self.feature_mean)} columns, got {table.shape[1]}"
            )
        h = (table - self.feature_mean) / self.feature_std
        for layer in self.layers[:-1]:
            h = layer(h, rng)
            h = np.where(h > 0.0, h, LEAK * h)
        return np.maximum(self.layers[-1](h, rng)[:, 0], 0.0) * self.target_mean


@dataclass(frozen=True, slots=True)
class _Training:
    """What the pickles of the wheel know and its weights do not."""

    n_layers: int
    feature_mean: Sequence[float]
    feature_std: Sequence[float]
    target_mean: float


_TRAINING = {
    "alkox": _Training(
        4,
        (0.48825301204819277, 5.253012048192771, 5.0602409638554215, 7.042168674698795),
        (0.3886925363216181, 3.886858841076847, 2.1472840654182366, 0.8017481625343206),
        11.334731949449655,
    ),
    "fullerenes": _Training(
        6,
        (17.298477157360406, 3.747715736040609, 126.04060913705584),
        (9.497905070416085, 1.545932065018012, 17.05644185538144),
        0.8033384111675127,
    ),
}


@cache
def emulator(name: str) -> Emulator:
    """The Bayesian network trained on the data set `name`: "alkox" or "fullerenes"."""
    if name not in _TRAINING:
        raise ModelError(f"there is an emulator for {', '.join(_TRAINING)}, got {name!r}")
    training = _TRAINING[name]
    return Emulator(
        layers=_read_layers(name, training.n_layers),
        feature_mean=np.array(training.feature_mean),
        feature_std=np.array(training.feature_std),
        target_mean=training.target_mean,
    )


def _read_layers(name: str, n_layers: int) -> tuple[Layer, ...]:
    file = resources.files("pathmax.experiments.emulation") / "weights" / f"{name}.npz"
    layers = []
    with file.open("rb") as stream, np.load(stream, allow_pickle=False) as kept:
        for i in range(n_layers):
            parts = (kept[f"{part}_{i}"] for part in ("loc", "raw_scale", "bias"))
            loc, raw_scale, bias = (part.astype(np.float64) for part in parts)
            scale = np.logaddexp(0.0, raw_scale) + LEAST_SCALE  # softplus
            layers.append(Layer(loc, scale, bias))
    return tuple(layers)
