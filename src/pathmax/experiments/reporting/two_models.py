"""The paper's surrogate and pathmax's priors on the same trials: what each of them shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pathmax.experiments.paper import is_plain
from pathmax.experiments.plan import Setting
from pathmax.experiments.reporting.claims import PaperClaim, name_of, regret_in_words
from pathmax.experiments.reporting.paired_trials import difference
from pathmax.experiments.reporting.summary import Methods
from pathmax.experiments.reporting.tables import table

PLAIN_MODEL, OUR_MODEL = "the paper's model", "pathmax's priors"
SIDE_BY_SIDE = """\
"Clearly" is by paired trials: more than two standard errors of the difference of final regrets, and
with few trials more than Student's t says for 95 %. The regret of PIMS is a mean ± one standard
error.
"""


def model_of(setting: str) -> str:
    """The surrogate of a setting of the benchmarks and emulators."""
    return PLAIN_MODEL if is_plain(setting) else OUR_MODEL


def side_by_side(settings: Mapping[Setting, Methods]) -> Iterable[str]:
    """PIMS against the others, with each surrogate; nothing when there is one surrogate only."""
    if len({is_plain(setting.name) for setting in settings}) < 2:
        return
    yield "\n### The two models side by side\n"
    yield SIDE_BY_SIDE
    rows = []
    for setting, methods in settings.items():
        if "pims" not in methods:
            continue
        pims = methods["pims"]
        gaps = {m: difference(pims, other) for m, other in methods.items() if m != "pims"}
        rows.append(
            [
                setting.name.removesuffix("-paper"),
                model_of(setting.name),
                regret_in_words(pims),
                names(m for m, gap in gaps.items() if gap.better),
                names(m for m, gap in gaps.items() if gap.worse),
            ]
        )
    head = ["problem", "model", "regret of PIMS", "clearly better than", "clearly worse than"]
    yield from table(head, rows)


def counts(by_part: Mapping[str, Sequence[PaperClaim]]) -> Iterable[str]:
    """How many statements come out, part by part."""
    verdicts = ("comes out", "does not come out", "cannot be told")
    rows = [
        [part, *(str(sum(claim.verdict == verdict for claim in claims)) for verdict in verdicts)]
        for part, claims in by_part.items()
    ]
    yield from table(["statements on", *verdicts], rows)


def names(methods: Iterable[str]) -> str:
    return ", ".join(map(name_of, methods)) or "none"
