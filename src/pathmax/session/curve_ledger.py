"""The curves of a study as they were last read; only what is new is read again."""

from __future__ import annotations

from pathmax.storage import Storage, StudyKey
from pathmax.trials.curves import Curves, TrialCurve, curves_of


class CurveLedger:
    """Reads the curves of one study."""

    def __init__(self, storage: Storage, key: StudyKey) -> None:
        self._storage, self._key = storage, key
        self._revision = 0
        self._curves: dict[int, TrialCurve] = {}

    @property
    def revision(self) -> int:
        """Up to where the study was read."""
        return self._revision

    @property
    def known(self) -> Curves:
        """What was read so far."""
        return self._curves

    def read(self) -> Curves:
        """All curves, as they are now."""
        self._revision, new = self._storage.reports(self._key, self._revision)
        for number, curve in curves_of(new).items():
            known = self._curves.get(number, TrialCurve()).points
            self._curves[number] = TrialCurve(dict(sorted({**known, **curve.points}.items())))
        return self._curves
