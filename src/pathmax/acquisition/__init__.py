"""Acquisitions: which point to evaluate next, given a posterior."""

from pathmax.acquisition.choose import choose
from pathmax.acquisition.entropy import Jes, Mes
from pathmax.acquisition.improvement import Ei, Eims, GpEst, Pi
from pathmax.acquisition.methods import METHODS, Method, Random, register
from pathmax.acquisition.pending import believe
from pathmax.acquisition.pims import Pims
from pathmax.acquisition.scores import PointScore, Rule
from pathmax.acquisition.step import Choice, Step
from pathmax.acquisition.thompson import Ts
from pathmax.acquisition.ucb import GpUcb, IrgpUcb
from pathmax.search.box import Box
from pathmax.search.domains import Domain, Maximum
from pathmax.search.maximize import maximize
from pathmax.search.mixed import Mixed
from pathmax.search.rows import GridDomain, Pool
from pathmax.search.scores import Score

__all__ = [
    "METHODS",
    "Box",
    "Choice",
    "Domain",
    "Ei",
    "Eims",
    "GpEst",
    "GpUcb",
    "GridDomain",
    "IrgpUcb",
    "Jes",
    "Maximum",
    "Mes",
    "Method",
    "Mixed",
    "Pi",
    "Pims",
    "PointScore",
    "Pool",
    "Random",
    "Rule",
    "Score",
    "Step",
    "Ts",
    "believe",
    "choose",
    "maximize",
    "register",
]
