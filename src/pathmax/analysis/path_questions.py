"""What sample paths tell of a study, whether it has one outcome or several.

With one outcome a path is a guess at the objective; with several a draw has a path of each, and
costs more, so that fewer are drawn unless a number is given.
"""

from __future__ import annotations

from collections.abc import Callable

from pathmax.analysis import best, regret, replication
from pathmax.analysis.best import Ranking
from pathmax.analysis.joint_best import joint_best_probabilities
from pathmax.analysis.joint_path_maxima import JOINT_PATHS
from pathmax.analysis.joint_regret import joint_regret
from pathmax.analysis.joint_replication import replicate_or_explore_jointly
from pathmax.analysis.regret import Regret
from pathmax.analysis.replication import Advice
from pathmax.session.session import Session

ROUGH_PATHS = 16

__all__ = ["best_probabilities", "expected_regret", "replicate_or_explore"]


def best_probabilities(session: Session, n_paths: int | None) -> Ranking:
    """How probably each row or region holds the best."""
    if session.problem.goals.is_single:
        return best.single_best_probabilities(session, 1000 if n_paths is None else n_paths)
    return joint_best_probabilities(session, JOINT_PATHS if n_paths is None else n_paths)


def expected_regret(
    session: Session,
    n_paths: int | None,
    *,
    rough: bool = False,
    enough: Callable[[Regret], bool] | None = None,
) -> Regret:
    """What may be lost by stopping now; roughly, under the most probable parameters."""
    single = session.problem.goals.is_single
    if n_paths is None:
        n_paths = ROUGH_PATHS if rough else 400 if single else JOINT_PATHS
    if not single:
        return joint_regret(session, n_paths, rough=rough, enough=enough)
    if rough:
        return regret.rough_regret(session, n_paths)
    return regret.regret(session, n_paths, enough)


def replicate_or_explore(session: Session, n_paths: int | None) -> Advice:
    """Whether to measure a point again or a new one."""
    if session.problem.goals.is_single:
        return replication.single_replicate_or_explore(session, 100 if n_paths is None else n_paths)
    return replicate_or_explore_jointly(session, 16 if n_paths is None else n_paths)
