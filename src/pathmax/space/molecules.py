"""A column of molecules: SMILES, of which RDKit makes counts of the pieces of their structure.

Pieces are those of Morgan (radius 2, as in ECFP4), not folded: each has a number of its own. A
molecule is known by its SMILES as it is written; two ways to write one have the same pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathmax.errors import MissingExtraError
from pathmax.space.columns import Column, Refusal, missing_cells
from pathmax.space.molecule_sets import Molecules

__all__ = ["molecule_column", "without_invalid"]

RADIUS = 2
MOST_OFTEN = 1024  # a piece that is in a molecule more often than this is counted this often
SHOWN_SMILES, MOST_ROWS_NAMED = 5, 100


def molecule_column(name: str, raw: NDArray[Any], refuse: Refusal) -> Column:
    """SMILES as the numbers of the molecules, with their fingerprints; invalid ones are named."""
    texts = raw.tolist()
    codes: dict[str, int] = {}
    values = np.empty(len(texts), dtype=np.int32)
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise refuse(row, name, f"expected a SMILES such as 'CCO', got {text!r}")
        values[row] = codes.setdefault(text, len(codes))
    sets = list(pieces(codes))
    wrong = [i for i, one in enumerate(sets) if not len(one)]
    if wrong:
        raise invalid(name, texts, values, wrong, refuse)
    return Column(name, values, tuple(codes), Molecules.of(sets))


def without_invalid(raw: NDArray[Any]) -> NDArray[Any]:
    """The same cells, with None where there is no molecule, so that such rows can be left out."""
    cells = np.array(raw, dtype=object)
    there = np.flatnonzero(~missing_cells(cells))
    sets = pieces(str(cells[i]) for i in there)
    cells[[i for i, one in zip(there, sets, strict=True) if not len(one)]] = None
    return cells


def pieces(smiles: Iterable[str]) -> Iterator[NDArray[np.int64]]:
    """The elements of each molecule; none where RDKit reads no molecule, or one without atoms."""
    try:
        from rdkit import Chem, rdBase
        from rdkit.Chem import rdFingerprintGenerator
    except ImportError as error:
        raise MissingExtraError(
            "a column of molecules needs RDKit, which is not installed; "
            'run: pip install "pathmax[molecules]"'
        ) from error
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=RADIUS)
    with rdBase.BlockLogs():  # what cannot be read is said in our words
        for text in smiles:
            molecule = Chem.MolFromSmiles(text)
            counts = (
                {}
                if molecule is None
                else generator.GetSparseCountFingerprint(molecule).GetNonzeroElements()
            )
            yield elements(counts)


def elements(counts: dict[int, int]) -> NDArray[np.int64]:
    """Counts as a set: a piece that is there twice is two elements."""
    pieces = np.fromiter(counts.keys(), np.int64, len(counts))
    often = np.minimum(np.fromiter(counts.values(), np.int64, len(counts)), MOST_OFTEN)
    starts = np.cumsum(often) - often
    again = np.arange(int(often.sum())) - np.repeat(starts, often)
    return np.asarray(np.repeat(pieces, often) * MOST_OFTEN + again)


def invalid(
    name: str, texts: Sequence[str], values: NDArray[np.int32], wrong: list[int], refuse: Refusal
) -> Exception:
    """The error that names all rows whose SMILES cannot be read, the first few in words."""
    rows = np.flatnonzero(np.isin(values, wrong)).tolist()
    if len(rows) == 1:
        return refuse(
            rows[0],
            name,
            f"{texts[rows[0]]!r} is no SMILES that RDKit reads; correct it, remove the row, or "
            "leave out such rows (--skip-incomplete, or skip_incomplete=True)",
        )
    places = [_place(row, refuse) for row in rows[:MOST_ROWS_NAMED]]
    first = zip(places[:SHOWN_SMILES], rows[:SHOWN_SMILES], strict=True)
    shown = "; ".join(f"{place} {texts[row]!r}" for place, row in first)
    if len(rows) == len(texts):
        return refuse(
            None,
            name,
            f"none of the {len(texts)} cells is a SMILES that RDKit reads: {shown}, ...; name the "
            "column that has the molecules (--smiles, or smiles=)",
        )
    others = places[SHOWN_SMILES:]
    more = f"; also {', '.join(others)}" if others else ""
    more += f" and {len(rows) - len(places)} more" if len(rows) > MOST_ROWS_NAMED else ""
    return refuse(
        None,
        name,
        f"{len(rows)} of {len(texts)} SMILES cannot be read by RDKit: {shown}{more}. Correct them, "
        "remove the rows, or leave out such rows (--skip-incomplete, or skip_incomplete=True)",
    )


def _place(row: int, refuse: Refusal) -> str:
    """A row as the errors of these data name it: by its line in a CSV file."""
    return str(refuse(row, None, "")).removesuffix(": ").rpartition(", ")[2]
