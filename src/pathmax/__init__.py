"""Bayesian optimisation with nothing to tune: posterior sample paths decide what to try next.

    import pathmax

    result = pathmax.maximize(f, {"x": pathmax.Float(0, 1)}, n_trials=50, seed=0)
    result.best_params, result.best_value

This module holds the public names and nothing else. Each is imported when it is first used, so that
`import pathmax` and `pathmax --help` cost next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathmax import acquisition, errors, gp, theory
    from pathmax.analysis.stopping import StopWhen
    from pathmax.running.result import Result
    from pathmax.shortcuts import maximize, minimize
    from pathmax.space import Candidates, Categorical, Fidelity, Float, Grid, Int, Mixture, Space
    from pathmax.study import Study
    from pathmax.trials.trial import Trial, TrialState

__version__ = "0.1.0"

__all__ = [
    "Candidates",
    "Categorical",
    "Fidelity",
    "Float",
    "Grid",
    "Int",
    "Mixture",
    "Result",
    "Space",
    "StopWhen",
    "Study",
    "Trial",
    "TrialState",
    "acquisition",
    "errors",
    "gp",
    "maximize",
    "minimize",
    "theory",
]

_HOMES = {  # where each name lives that is not a module itself
    "pathmax.analysis.stopping": {"StopWhen"},
    "pathmax.running.result": {"Result"},
    "pathmax.shortcuts": {"maximize", "minimize"},
    "pathmax.space": set("Candidates Categorical Fidelity Float Grid Int Mixture Space".split()),
    "pathmax.study": {"Study"},
    "pathmax.trials.trial": {"Trial", "TrialState"},
}

if not TYPE_CHECKING:  # a type checker reads the imports above instead

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'pathmax' has no attribute {name!r}")
        home = next((module for module, names in _HOMES.items() if name in names), None)
        value = getattr(import_module(home), name) if home else import_module(f"pathmax.{name}")
        globals()[name] = value  # the next look-up does not come here
        return value

    def __dir__() -> list[str]:
        return sorted([*__all__, "__version__"])
