"""The screenshots of the page, from a server and a browser as the tests have them.

python docs/figures/page.py
"""

from __future__ import annotations

import io
import math
import sys
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

from PIL import Image

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

import pathmax  # noqa: E402
from pathmax.storage import Storage  # noqa: E402
from pathmax.web import demo  # noqa: E402
from tests.web import browser  # noqa: E402
from tests.web.browser import Page  # noqa: E402
from tests.web.conftest import TOKEN, running  # noqa: E402

RESULTS = 26  # of the demonstration, when the pictures are taken


def make_studies() -> Storage:
    """The study of `pathmax serve --demo` some time later, and a network that is being trained."""
    storage, chance = demo.demo_storage(), Random(7)
    study = pathmax.Study.load(demo.NAME, storage=storage)
    while len(study.trials) < RESULTS:
        demo.experiment(study, chance)
    study.ask(2)
    train(storage)
    return storage


def train(storage: Storage) -> None:
    """A study with curves, of which some were stopped early, and two that go on."""
    space = {
        "rate": pathmax.Float(1e-5, 1e-1, log=True),
        "layers": pathmax.Int(1, 6),
        "optimizer": pathmax.Categorical(["sgd", "adam"]),
        "momentum": pathmax.Float(0, 0.99, when="optimizer == 'sgd'"),
    }
    study = pathmax.Study(space, direction="minimize", name="training", storage=storage, seed=0)
    sheet = {"objective": "loss", "units": {}, "units_row": False, "ignored": [], "pool": {}}
    storage.update("training", attributes={"sheet": sheet})
    chance = Random(0)

    def loss(params: dict, epoch: int) -> float:
        off = (math.log10(params["rate"]) + 3) ** 2 * 0.08 + (params["layers"] - 3) ** 2 * 0.03
        slow = 4 + 2 * abs(math.log10(params["rate"]) + 3)
        return 0.2 + off + (0.8 + off) * math.exp(-epoch / slow) + chance.gauss(0, 0.01)

    for number in range(24):
        trial = study.ask()
        epochs = 30 if number < 22 else 9 + number % 2 * 5
        for epoch in range(1, epochs + 1):
            study.report(trial, epoch, loss(trial.params, epoch))
            verdict = study.should_stop(trial)
            if verdict and number < 22:
                study.stop(trial, str(verdict))
                break
        else:
            if number < 22:
                study.tell(trial, loss(trial.params, 30))


def shoot(driver: Any, name: str) -> None:
    """What is to be seen, in all its colours: with fewer of them grounds get a tint."""
    picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    picture.save(HERE / f"{name}.png", optimize=True)


def main() -> None:
    storage = make_studies()
    at = quote(demo.NAME)
    driver = browser.start()
    with running(storage=storage) as settings:
        try:
            page = Page(driver, settings.origin)
            page.resize(1280, 890)
            page.open(f"/studies/{at}?token={TOKEN}")
            page.see("expected; 95 %", ".tiles")
            page.until(lambda: page.count("#parallel path") > 10)
            shoot(driver, "page")
            page.resize(1280, 1120)
            page.open(f"/model/{at}")
            page.until(lambda: page.count("#slices path.c-band") >= 2)
            page.see("Stopping now costs", "#ranking")
            page.until(lambda: page.count("#validation circle.c-dot") > 10)
            shoot(driver, "page-model")
            page.resize(1280, 1400)
            page.open("/studies/training")
            page.see("expected; 95 %", ".tiles")
            page.until(lambda: page.count("#curves path.c-curve") > 10)
            page.until(lambda: page.count("#parallel path") > 10)
            shoot(driver, "page-curves")
            page.resize(390, 900)
            page.run("localStorage.setItem('pathmax-theme', 'dark')")
            page.open(f"/studies/{at}")
            page.see("expected; 95 %", ".tiles")
            shoot(driver, "page-phone")
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
