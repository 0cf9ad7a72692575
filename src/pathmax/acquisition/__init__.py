"""Acquisitions: which point to evaluate next, given a posterior."""

from pathmax.acquisition.choose import METHODS, choose
from pathmax.acquisition.pending import believe
from pathmax.acquisition.step import Choice
from pathmax.search.domains import Box, GridDomain, Maximum, Mixed, Pool
from pathmax.search.maximize import maximize

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
