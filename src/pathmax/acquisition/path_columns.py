"""Sample paths of several outcomes as one function of points.

    p(x) = (p_1(x), ..., p_K(x), p_{K+1}(x), ..., p_{K+J}(x))      K objectives, J constraints

A path is a draw of its prior and what moves it through the data; the latter is evaluated for all
paths that have seen the same points at once (`gp.stacked`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, final

import numpy as np

from pathmax.acquisition.mirror_images import MirroredPath
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.arrays import Array
from pathmax.gp.linalg import blocks
from pathmax.gp.stacked import StackedShift, alike
from pathmax.search.scores import Score


class Signed(NamedTuple):
    """A path, or one upside down."""

    path: PathScore
    sign: float


class PathStack(NamedTuple):
    """Paths that have seen the same points."""

    columns: list[int]
    paths: list[Signed]
    shift: StackedShift


@final
class JointPaths:
    """Several paths as one function of points, a column for each."""

    def __init__(self, paths: Sequence[Score]) -> None:
        self.paths = tuple(paths)
        signed = {i: one for i, path in enumerate(self.paths) if (one := signed_path(path))}
        numbers, found = list(signed), list(signed.values())
        self.stacks: list[PathStack] = []
        for group in alike([one.path.shift for one in found]):
            if len(group) > 1:
                some = [found[i] for i in group]
                shift = StackedShift([one.path.shift for one in some], [one.sign for one in some])
                self.stacks.append(PathStack([numbers[i] for i in group], some, shift))
        stacked = {column for stack in self.stacks for column in stack.columns}
        self.alone = [i for i in range(len(self.paths)) if i not in stacked]

    def __len__(self) -> int:
        return len(self.paths)

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m, k)
        values = np.empty((len(U), len(self)))
        for i in self.alone:
            values[:, i] = self.paths[i](U)
        for stack in self.stacks:
            for i, (path, sign) in zip(stack.columns, stack.paths, strict=True):
                values[:, i] = sign * path.prior(U)
            move(values, stack, U)
        return values

    def look(self, U: Array) -> Array:  # (m, d) -> (m, k)
        """The same, cheaper and less precise where a path can do that."""
        values = np.empty((len(U), len(self)))
        for i in self.alone:
            values[:, i] = self.paths[i].approximate(U)
        for stack in self.stacks:
            for i, (path, sign) in zip(stack.columns, stack.paths, strict=True):
                values[:, i] = sign * path.prior.single(U)
            move(values, stack, U)
        return values

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # -> (m, k), (m, k, d)
        values = np.empty((len(U), len(self)))
        gradients = np.empty((len(U), len(self), U.shape[1]))
        for i in self.alone:
            values[:, i], gradients[:, i] = self.paths[i].value_and_gradient(U)
        for columns, paths, shift in self.stacks:
            for i, (path, sign) in zip(columns, paths, strict=True):
                value, gradient = path.prior.value_and_gradient(U)
                values[:, i], gradients[:, i] = sign * value, sign * gradient
            link = shift.link(U)
            values[:, columns] += shift.values(link)
            gradients[:, columns] += shift.gradients(link).transpose(1, 0, 2)
        return values, gradients


def signed_path(path: Score) -> Signed | None:
    """The path and its sign; None for a score of another kind."""
    if isinstance(path, MirroredPath) and isinstance(path.path, PathScore):
        return Signed(path.path, -1.0)
    return Signed(path, 1.0) if isinstance(path, PathScore) else None


def move(values: Array, stack: PathStack, U: Array) -> None:  # (m, k), (m, d)
    """Add to prior draws at U, in place, what moves them through the data."""
    for rows in blocks(len(U), stack.shift.n * stack.shift.size):
        values[rows, stack.columns] += stack.shift.values(stack.shift.link(U[rows]))
