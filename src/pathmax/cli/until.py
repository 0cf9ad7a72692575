"""`--until`: suggest nothing more when the best is near enough, and say so."""

from __future__ import annotations

from pathmax.cli.opening import Opened
from pathmax.cli.options import Place
from pathmax.cli.output import number, say, say_json, settings
from pathmax.precision import rounded
from pathmax.regret import StopWhen


def reached(place: Place, opened: Opened, until: float | None) -> bool:
    """Whether the regret is small enough, with 95 %; if so the answer is given here."""
    if until is None:
        return False
    study, layout = opened.study, opened.layout
    verdict = StopWhen(regret=until)(study)
    if not verdict:
        if not place.as_json and str(verdict):
            say(f"Not there yet: {verdict}, 0.95 is asked for.")
            say()
        return False
    params = study.recommend()
    mean, std = study.predict([params])
    if place.as_json:
        found = {"params": params, "mean": float(mean[0]), "std": float(std[0])}
        say_json({"study": study.name, "suggestions": [], "done": str(verdict), "best": found})
    else:
        named = settings(rounded(layout.domain, params), layout.labelled)
        say(f"Nothing more to try: {verdict}, if the model is right.")
        say(f"Best: {named}; expected {number(float(mean[0]))} ± {number(float(std[0]), 2)}")
    return True
