"""pathmax's suggestions in an Optuna study: `optuna.create_study(sampler=PathmaxSampler(seed=0))`.

    sampler.py         when Optuna asks for parameters, and what it is given
    importing.py       an Optuna study as one of ours, to go on with
    trials.py          Optuna's trials -> a history, which is all that a suggestion needs
    distributions.py   Optuna's distributions <-> a space, and the values of either in the other
    tree.py            which parameters are asked for only where another has certain values

The sampler mirrors nothing: what is known stays in Optuna's storage, and every suggestion reads it
there.
"""

from pathmax.errors import MissingExtraError

try:
    import optuna  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingExtraError(
        'PathmaxSampler needs Optuna, which is not installed; run: pip install "pathmax[optuna]"'
    ) from error

from pathmax.integrations.optuna.importing import Imported, import_study
from pathmax.integrations.optuna.sampler import PathmaxSampler

__all__ = ["Imported", "PathmaxSampler", "import_study"]
