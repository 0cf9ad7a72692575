"""Which library a study was made with: fingerprints of the same rows, held or not.

A pool that is held has a hash of its columns, one after the other, as version 0.1 stored it. A
library is gone through by many workers and has a hash of its rows instead (`stable_keys`). Each can
be computed for the other, so that a study goes on with the same rows whatever holds them.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from pathmax.space.library import Library
from pathmax.space.library_blocks import LibraryReading
from pathmax.space.library_columns import Head
from pathmax.space.library_files import Part
from pathmax.space.stable_keys import LIBRARY_PREFIX

__all__ = ["chained", "is_library"]


def is_library(fingerprint: str) -> bool:
    """Whether a fingerprint is that of a library."""
    return fingerprint.startswith(LIBRARY_PREFIX)


def chained(library: Library) -> str:
    """The fingerprint that the same rows have where they are held: a pass for each column."""
    digest = blake2b(digest_size=16)
    for name, head in library.columns.items():
        digest.update(repr((name, name == library.id, head.categories)).encode())
        asked = [(name, library.plain)] * len(library.parts)
        pieces = library.each(column_bytes, asked)
        if is_list(library.id, head):
            digest.update(b"[" + b", ".join(piece for piece in pieces if piece) + b"]")
        else:
            for piece in pieces:
                digest.update(piece)
    return digest.hexdigest()


def column_bytes(part: Part, asked: tuple[str, LibraryReading]) -> bytes:
    """The cells of a column as the fingerprint of rows that are held has them."""
    name, reading = asked
    head, pieces = reading.heads[name], []
    listed = is_list(reading.columns.id, head)
    names = None if reading.columns.skip_incomplete else [name]
    for batch in reading.batches(part, names=names):
        if listed:
            pieces.append(", ".join(map(repr, head.ids(batch))).encode())
        else:
            pieces.append(np.asarray(head.values(batch), dtype="<f8").tobytes())
    return (b", " if listed else b"").join(pieces)


def is_list(id: str | None, head: Head) -> bool:
    """Whether a column is held as a list of objects: ids are, if they are not whole numbers."""
    return head.name == id and head.kind != "whole"
