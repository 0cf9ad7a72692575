"""Acquisitions: which point to evaluate next, given a posterior."""

from pathmax.acquisition.choose import METHODS, choose
from pathmax.acquisition.pending import believe
from pathmax.acquisition.step import Choice
from pathmax.search.box import Box
from pathmax.search.domains import Maximum
from pathmax.search.maximize import maximize
from pathmax.search.mixed import Mixed
from pathmax.search.rows import GridDomain, Pool

__all__ = [
    "METHODS",
    "Box",
    "Choice",
    "GridDomain",
    "Maximum",
    "Mixed",
    "Pool",
    "believe",
    "choose",
    "maximize",
]
