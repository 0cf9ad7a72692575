"""A simulated reaction for demonstrations: which temperature, time and solvent are best?"""

from __future__ import annotations

import math

from pathmax.space.parameters import Categorical, Float
from pathmax.space.space import Space

REACTION_SPACE = Space(
    {
        "temperature": Float(20, 120),
        "minutes": Float(5, 240, log=True),
        "solvent": Categorical(["DMF", "THF", "water"]),
    }
)
UNITS = {"temperature": "°C", "minutes": "min", "yield": "%"}
# (how fast the product forms, how fast it decomposes) in each solvent, per minute at 70 °C
SOLVENTS = {"DMF": (0.030, 0.006), "THF": (0.018, 0.003), "water": (0.004, 0.002)}


def reaction_yield(temperature: float, minutes: float, solvent: str) -> float:
    """Per cent of product after a while: it forms, and what has formed decomposes.

    Two first-order steps in a row; heat speeds up the second more than the first.
    """
    forms, decomposes = SOLVENTS[solvent]
    forms *= 2 ** ((temperature - 70) / 14)
    decomposes *= 2 ** ((temperature - 70) / 8)
    if math.isclose(forms, decomposes):
        return 100 * forms * minutes * math.exp(-forms * minutes)
    left = math.exp(-forms * minutes) - math.exp(-decomposes * minutes)
    return 100 * forms / (decomposes - forms) * left
