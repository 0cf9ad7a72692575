"""The kernel of a study whose user brings none: what is believed about how outcomes vary."""

from __future__ import annotations

import numpy as np

from pathmax import gp
from pathmax.gp.embedding import Embedding, Properties
from pathmax.gp.fingerprints import keep_fingerprints
from pathmax.gp.kernels.embedded import Embedded
from pathmax.gp.kernels.nearness import Nearness
from pathmax.gp.kernels.tanimoto import Tanimoto
from pathmax.space.axes import Axis

# What two categories with the same properties have in common, as is expected. With 0.5, as without
# properties, or with nothing left to learn predictions are worse: benchmarks/descriptors.py
EXPLAINED = 0.97


REACH = 2.0  # of a fidelity: the two ends of its range are expected to be correlated by 0.83


def default_kernel(
    axes: tuple[Axis, ...], form: type[gp.Matern52] | type[gp.RBF] = gp.Matern52, *, separable: bool
) -> gp.Kernel:
    """Matern-5/2 (the `form`), a length scale per number, times a Hamming kernel on categories.

    The best row of the comparison of surrogates (benchmarks/). On a Grid (`separable`) the Matern
    of the Euclidean distance gives way to the product of one-dimensional ones, which is not the
    same kernel, but lets exact paths be drawn on the whole grid through its Kronecker structure.

    Properties that describe categories are numbers like the others to the Matern kernel; what they
    do not explain is left to the Hamming kernel. Molecules have a Tanimoto kernel, and a fidelity
    is a factor of its own (`Nearness`).
    """
    searched = [(i, axis) for i, axis in enumerate(axes) if axis.target is None]
    numbers = tuple(i for i, axis in searched if axis.kind != "categorical")
    absent = tuple(i for i in numbers if axes[i].conditional)
    plain = [(i, axis) for i, axis in searched if axis.molecules is None]
    categories = tuple(i for i, axis in plain if axis.kind == "categorical")
    factors: list[gp.Kernel] = []
    described = [(i, axis.properties) for i, axis in enumerate(axes) if axis.properties is not None]
    embedding = Embedding(tuple(Properties(i, rows) for i, rows in described), absent)
    numbers += tuple(range(len(axes), len(axes) + embedding.extra))
    if separable:
        factors += [form(on=(i,)) for i in numbers]
    elif numbers:
        factors.append(form(lengthscale=np.ones(len(numbers)), on=numbers))
    if categories:
        alike = [0.5 if axes[i].properties is None else EXPLAINED for i in categories]
        factors.append(gp.Categorical(rho=np.array(alike), on=categories))
    for i, axis in enumerate(axes):
        if (known := axis.molecules) is not None:
            keep_fingerprints(known.key, known.elements, known.ends)
            factors.append(Tanimoto(known.key, on=(i,)))
        if axis.target is not None:  # a fidelity; the codes of levels by name end at the target
            factors.append(Nearness(REACH * max(axis.target, 1.0), on=(i,)))
    kernel = factors[0] if len(factors) == 1 else gp.Product(tuple(factors))
    return Embedded(kernel, embedding) if described or absent else kernel
