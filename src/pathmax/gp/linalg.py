"""Dense linear algebra for positive definite matrices, straight on LAPACK and BLAS.

A covariance matrix K is held by its lower Cholesky factor L, K = L L'. Factors are kept in
Fortran order, so that no call below copies its argument to transpose it.

`factorize` makes up for rounding: where that has made K indefinite it adds the least jitter, from
1e-10 to 1e-1 of the mean variance in steps of ten, that makes it definite, and says how much it
added.

SciPy's linear algebra takes 0.2 s to import, which only those wait for who have a model: commands
that show or keep trials do without.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError

SMALLEST_JITTER = 1e-10
LARGEST_JITTER = 1e-1
MOST_INVERTED = 1000  # rows of a factor
UNDIVIDED = 64  # rows that are inverted in one piece
BLOCK_CELLS = 1 << 16  # of a block of rows: half a megabyte, which stays in the cache
MORE_CELLS = 1 << 19  # at n = 3000, 1000 points are predicted in 0.29 s with it, 0.46 s without
FEWEST_ROWS = 8


@final
class _Routines:
    """Those of BLAS and LAPACK, looked up once: importing them in each call takes 2 us."""

    def __getattr__(self, name: str) -> Any:
        from scipy.linalg import blas, lapack

        routine = getattr(blas, name, None) or getattr(lapack, name)
        setattr(self, name, routine)
        return routine


ROUTINES = _Routines()


def factorize(K: Array, variance: float = 0.0) -> tuple[Array, float]:  # (n, n) -> (n, n), jitter
    """The lower Cholesky factor of K + jitter I, and the jitter that was needed (most often 0).

    variance: where K is a difference of two matrices, the mean variance of the first: rounding, and
    the jitter that it calls for, are relative to that.
    """
    L = try_cholesky(K)
    if L is not None:
        return L, 0.0
    diagonal = np.arange(len(K))
    mean_variance = float(np.mean(K[diagonal, diagonal])) if len(K) else 1.0
    jitter = SMALLEST_JITTER * (mean_variance or variance or 1.0)
    largest = LARGEST_JITTER * (max(mean_variance, variance) or 1.0)
    while jitter <= 1.001 * largest and np.isfinite(mean_variance):  # rounding of ten times ten
        raised = K.copy()
        raised[diagonal, diagonal] += jitter
        L = try_cholesky(raised)
        if L is not None:
            return L, jitter
        jitter *= 10.0
    raise ModelError(
        "the covariance matrix is not positive definite even with jitter; expected finite inputs "
        f"and a finite kernel, got a matrix with mean variance {mean_variance:g}; "
        "check the kernel's length scales and output scale"
    )


def try_cholesky(K: Array, *, overwrite: bool = False) -> Array | None:  # (n, n) -> (n, n)
    """The lower Cholesky factor of K in Fortran order, or None when K is not positive definite.

    overwrite: K is not needed any more, and its memory may be taken.
    """
    L, failed = ROUTINES.dpotrf(K.T, lower=1, clean=1, overwrite_a=overwrite)
    if failed or (len(L) and not math.isfinite(L[-1, -1])):
        return None
    return np.asarray(L)


def extend(L: Array, cross: Array, corner: Array) -> Array | None:
    """The factor of [[K, C], [C', D]] from the factor L of K: (n, n), (n, m), (m, m) -> (n+m, n+m).

    n^2 m operations instead of n^3. None when the Schur complement is not positive definite.
    """
    n, m = cross.shape
    off_diagonal = solve_lower(L, cross)
    schur = try_cholesky(corner - off_diagonal.T @ off_diagonal)
    if schur is None:
        return None
    extended = np.zeros((n + m, n + m), order="F")
    extended[:n, :n] = L
    extended[n:, :n] = off_diagonal.T
    extended[n:, n:] = schur
    return extended


def solve_lower(L: Array, B: Array) -> Array:  # (n, n), (n, m) -> (n, m)
    """L^{-1} B. Pass B in Fortran order to spare a copy; B itself is left alone."""
    if not len(L):
        return B
    return np.asarray(ROUTINES.dtrsm(1.0, L, B, lower=1))


def solve_upper(L: Array, B: Array) -> Array:  # (n, n), (n, m) -> (n, m)
    """L'^{-1} B."""
    if not len(L):
        return B
    return np.asarray(ROUTINES.dtrsm(1.0, L, B, lower=1, trans_a=1))


def solve(L: Array, B: Array) -> Array:  # (n, n), (n, m) -> (n, m)
    """K^{-1} B with K = L L'."""
    return solve_upper(L, solve_lower(L, B))


def solve_small(A: Array, b: Array) -> Array | None:  # (p, p), (p,) -> (p,)
    """A^{-1} b for a handful of unknowns: a quarter of NumPy's time. None if A is singular."""
    if not len(b):
        return b
    *_, x, failed = ROUTINES.dgesv(A, b)
    return None if failed else np.asarray(x)


@final
class Root:
    """A Cholesky factor that is solved with again and again: by products with its inverse if small.

    For n = 20 to 1000 a product with the inverse triangle takes half to a third of the time of a
    substitution with 24 columns or more. With more rows, computing the inverse costs more than a
    suggestion saves by it.
    """

    def __init__(self, L: Array, most_inverted: int = MOST_INVERTED) -> None:  # (n, n)
        self.inverted = len(L) <= most_inverted
        self._triangle = inverse_lower(L) if self.inverted and len(L) else L
        # rows times columns to solve for at once: the whole factor is read again for each block
        self.cells = BLOCK_CELLS if self.inverted else MORE_CELLS

    def lower(self, B: Array) -> Array:  # (n, m) -> (n, m)
        """L^{-1} B."""
        if not self.inverted or not len(B):
            return solve_lower(self._triangle, B)
        return np.asarray(ROUTINES.dtrmm(1.0, self._triangle, B, lower=1))

    def upper(self, B: Array) -> Array:  # (n, m) -> (n, m)
        """L'^{-1} B."""
        if not self.inverted or not len(B):
            return solve_upper(self._triangle, B)
        return np.asarray(ROUTINES.dtrmm(1.0, self._triangle, B, lower=1, trans_a=1))


def half_inverse(L: Array, *, overwrite: bool = False) -> Array:  # (n, n) -> (n, n)
    """The upper triangle of K^{-1} with K = L L', below it zeros, in C order."""
    if len(L) > UNDIVIDED:
        lower, failed = ROUTINES.dlauum(inverse_lower(L), lower=1, overwrite_c=1)
    else:
        lower, failed = ROUTINES.dpotri(L, lower=1, overwrite_c=overwrite)
    assert not failed, "a Cholesky factor has a positive diagonal"
    return np.asarray(lower.T)


def inverse(L: Array) -> Array:  # (n, n) -> (n, n)
    """K^{-1} with K = L L', both triangles filled."""
    upper = half_inverse(L)
    full = upper + upper.T
    full.flat[:: len(full) + 1] *= 0.5
    return np.asarray(full)


def add_outer_above(A: Array, scale: float, v: Array) -> None:  # (n, n) in C order, (n,)
    """A += scale v v' on the diagonal and above it, in place."""
    ROUTINES.dsyr(scale, v, a=A.T, lower=1, overwrite_a=1)


def inverse_lower(L: Array) -> Array:  # (n, n) -> (n, n)
    """L^{-1}, by halves: in half the time of LAPACK's own way (benchmarks/choices.md)."""
    if len(L) <= UNDIVIDED:
        inverted, failed = ROUTINES.dtrtri(L, lower=1)
        assert not failed, "a Cholesky factor has a positive diagonal"
        return np.asarray(inverted)
    half = len(L) // 2
    first, last = inverse_lower(L[:half, :half]), inverse_lower(L[half:, half:])
    whole = np.zeros(L.shape, order="F")
    whole[:half, :half], whole[half:, half:] = first, last
    whole[half:, :half] = ROUTINES.dtrmm(
        -1.0, last, ROUTINES.dtrmm(1.0, first, L[half:, :half], side=1, lower=1), lower=1
    )
    return whole


def blocks(rows: int, columns: int, cells: int = BLOCK_CELLS) -> Iterator[slice]:
    """Slices of the rows of a matrix, in blocks of about so many cells.

    A Matern kernel passes over its matrix ten times, which takes down to half the time where blocks
    of it stay in the cache (benchmarks/choices.md).
    """
    size = max(FEWEST_ROWS, cells // max(columns, 1))
    for start in range(0, rows, size):
        yield slice(start, start + size)


def log_determinant(L: Array) -> float:
    """log |K| with K = L L'."""
    return 2.0 * float(np.log(L.diagonal()).sum())
