"""The screenshots of the page, from a server and a browser as the tests have them.

python docs/figures/page.py
"""

from __future__ import annotations

import io
import math
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

import pathmax  # noqa: E402
from tests.web import browser  # noqa: E402
from tests.web.browser import Page  # noqa: E402
from tests.web.conftest import TOKEN, running  # noqa: E402

UNITS = {"yield": "%", "temperature": "°C", "minutes": "min", "catalyst": "mol%"}
SHEET = {"objective": "yield", "units": UNITS, "units_row": False, "ignored": [], "pool": {}}
FAILURES = {7: "reactor clogged", 11: "stirrer stopped", 15: "reactor clogged"}


def measured(params: dict, rng: np.random.Generator) -> float:
    """A made-up reaction."""
    solvent = {"DMF": 8.0, "THF": 0.0, "water": -14.0}[params["solvent"]]
    warm = ((params["temperature"] - 88) / 22) ** 2 * 9
    long = (math.log(params["minutes"] / 55) / 1.1) ** 2 * 10
    much = ((params["catalyst"] - 2.6) / 1.3) ** 2 * 6
    return float(np.clip(72 + solvent - warm - long - much + 1.3 * rng.normal(), 0, 100))


def make_study(storage: str) -> None:
    """A study of 26 trials, three of them failed, and two to do."""
    space = {
        "temperature": pathmax.Float(20, 120),
        "minutes": pathmax.Float(5, 240, log=True),
        "catalyst": pathmax.Float(0.1, 5),
        "solvent": pathmax.Categorical(["DMF", "THF", "water"]),
    }
    study, rng = (
        pathmax.Study(space, name="suzuki", storage=storage, seed=3),
        np.random.default_rng(1),
    )
    study.storage.update("suzuki", attributes={"sheet": SHEET})
    for number in range(26):
        trial = study.ask()
        if number in FAILURES:
            study.fail(trial, FAILURES[number])
        else:
            study.tell(trial, round(measured(trial.params, rng), 1))
    study.ask(2)


def shoot(driver: Any, name: str) -> None:
    """What is to be seen, in 256 colours: a page has few, and so the file is small."""
    picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    picture.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        HERE / f"{name}.png", optimize=True
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        storage = f"sqlite:///{Path(folder) / 'lab.db'}"
        make_study(storage)
        driver = browser.start()
        with running(storage=storage) as settings:
            try:
                page = Page(driver, settings.origin)
                page.resize(1280, 870)
                page.open(f"/studies/suzuki?token={TOKEN}")
                page.see("expected; 95 %", ".tiles")
                page.until(lambda: page.count("#parallel path") > 10)
                shoot(driver, "page")
                page.resize(1280, 1120)
                page.open("/model/suzuki")
                page.until(lambda: page.count("#slices path.c-band") == 3)
                page.see("Stopping now costs", "#ranking")
                page.until(lambda: page.count("#validation circle.c-dot") > 10)
                shoot(driver, "page-model")
                page.resize(390, 900)
                page.open("/studies/suzuki")
                page.run("localStorage.setItem('pathmax-theme', 'dark')")
                page.open("/studies/suzuki")
                page.see("expected; 95 %", ".tiles")
                shoot(driver, "page-phone")
            finally:
                driver.quit()


if __name__ == "__main__":
    main()
