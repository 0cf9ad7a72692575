"""The arrays that everything is made of: one name for each kind."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Index: TypeAlias = NDArray[np.intp]  # numbers of rows
Mask: TypeAlias = NDArray[np.bool_]
Words: TypeAlias = NDArray[np.uint64]  # of 64 bits: signs, digits, or keys of rows
Single: TypeAlias = NDArray[np.float32]
