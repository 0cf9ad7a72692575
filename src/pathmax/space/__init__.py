"""What may be tried: parameters, spaces, pools of candidates, grids."""

from typing import TYPE_CHECKING

from pathmax.lazy_names import on_first_use

if TYPE_CHECKING:
    from pathmax.scalars import Scalar
    from pathmax.space.axes import Axis
    from pathmax.space.candidates import Candidates
    from pathmax.space.fidelity import Fidelity
    from pathmax.space.grid import Grid
    from pathmax.space.mixtures import Mixture
    from pathmax.space.parameters import Categorical, Fixed, Float, Int, Parameter
    from pathmax.space.space import Space

__all__ = [
    "Axis",
    "Candidates",
    "Categorical",
    "Fidelity",
    "Fixed",
    "Float",
    "Grid",
    "Int",
    "Mixture",
    "Parameter",
    "Scalar",
    "Space",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(
        __name__,
        {
            "pathmax.scalars": "Scalar",
            "axes": "Axis",
            "candidates": "Candidates",
            "fidelity": "Fidelity",
            "grid": "Grid",
            "mixtures": "Mixture",
            "parameters": "Categorical Fixed Float Int Parameter",
            "space": "Space",
        },
    )
