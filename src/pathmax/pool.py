"""Moved to `pathmax.space.any_space`; these names stay here until 0.3, for code written for 0.1."""

from pathmax.space.any_space import AnySpace as Domain
from pathmax.space.any_space import Candidates, Grid, difference, from_json

__all__ = ["Candidates", "Domain", "Grid", "difference", "from_json"]
