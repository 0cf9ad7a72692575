"""What a study knows beyond the next trial."""

from typing import TYPE_CHECKING

from pathmax.lazy_names import on_first_use

if TYPE_CHECKING:
    from pathmax.analysis import (
        asked_points,
        cross_validation,
        early_stopping,
        figures,
        importances,
        joint_predictions,
        path_questions,
        predictions,
        replay,
        study_relations,
    )

__all__ = [
    "asked_points",
    "cross_validation",
    "early_stopping",
    "figures",
    "importances",
    "joint_predictions",
    "path_questions",
    "predictions",
    "replay",
    "study_relations",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(__name__, {"": " ".join(__all__)})
