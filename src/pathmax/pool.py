"""The names that `pathmax.space.any_space` has had since 0.2; this module goes with 0.3."""

from pathmax.space.any_space import AnySpace as Domain
from pathmax.space.any_space import Candidates, Grid, difference, from_json

__all__ = ["Candidates", "Domain", "Grid", "difference", "from_json"]
