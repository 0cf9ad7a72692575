"""Moved to `pathmax.space.any_space`; these names stay here until 0.3, for code written for 0.1."""

from pathmax.space import Candidates, Grid, Space
from pathmax.space.any_space import difference, from_json

__all__ = ["Candidates", "Domain", "Grid", "difference", "from_json"]

Domain = Space | Candidates | Grid
