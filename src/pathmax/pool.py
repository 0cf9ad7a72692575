"""The names that `pathmax.space.domains` has had since 0.2; this module goes with 0.3."""

from pathmax.space.domains import Candidates, Domain, Grid, difference, from_json

__all__ = ["Candidates", "Domain", "Grid", "difference", "from_json"]
