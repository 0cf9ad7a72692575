"""Bayesian optimisation with nothing to tune: posterior sample paths decide what to try next.

    import pathmax

    result = pathmax.maximize(f, {"x": pathmax.Float(0, 1)}, n_trials=50, seed=0)
    result.best_params, result.best_value

This module holds the public names and nothing else. Each is imported when it is first used, so that
`import pathmax` and `pathmax --help` cost next to nothing.
"""

from typing import TYPE_CHECKING

from pathmax.lazy_names import on_first_use

if TYPE_CHECKING:
    from pathmax import acquisition, errors, gp, theory
    from pathmax.analysis.stopping import StopWhen
    from pathmax.running.result import Result
    from pathmax.shortcuts import maximize, minimize
    from pathmax.space import Candidates, Categorical, Fidelity, Float, Grid, Int, Mixture, Space
    from pathmax.study import Study
    from pathmax.trials.trial import Trial, TrialState

__version__ = "0.2.0"

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

if not TYPE_CHECKING:  # a type checker reads the imports above instead
    __getattr__, __dir__ = on_first_use(
        __name__,
        {
            "": "acquisition errors gp theory",
            "analysis.stopping": "StopWhen",
            "running.result": "Result",
            "shortcuts": "maximize minimize",
            "space": "Candidates Categorical Fidelity Float Grid Int Mixture Space",
            "study": "Study",
            "trials.trial": "Trial TrialState",
        },
    )
