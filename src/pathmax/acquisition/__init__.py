"""Acquisitions: which point to evaluate next, given a posterior."""

from pathmax.acquisition.choose import METHODS, choose
from pathmax.acquisition.domain import Box, GridDomain, Mixed, Pool
from pathmax.acquisition.maximize import maximize
from pathmax.acquisition.maximum import Maximum
from pathmax.acquisition.pending import believe
from pathmax.acquisition.step import Choice

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
