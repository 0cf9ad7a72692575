"""Settings: checked when a study is made, stored whole, read back equal."""

import json

import numpy as np
import pytest

from pathmax import gp
from pathmax.errors import SettingsError
from pathmax.suggestion.settings import Settings, checked, complete_settings


def test_settings_survive_json():
    kernel = gp.Matern52(lengthscale=[0.2, 0.3]) * gp.RBF(on=(0,))
    settings = Settings(method="ei", seed=7, kernel=kernel, noise=1e-6, refit_every=None)
    again = Settings.from_json(json.loads(json.dumps(settings.to_json())))
    assert again == settings
    assert again.fixed


def test_a_later_version_may_store_more():
    assert Settings.from_json(Settings().to_json() | {"from the future": 1}) == Settings()


def test_a_seed_is_drawn_when_there_is_none():
    assert complete_settings({}, 2).seed != complete_settings({}, 2).seed
    assert complete_settings({"seed": np.int64(3)}, 2).seed == 3


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"method": "pimms"}, "method must be one of pims, .*got 'pimms'"),
        ({"seed": -1}, "seed must be a whole number, 0 or more"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"seed": True}, "seed must be a whole number"),
        ({"initial": "many"}, "initial must be a whole number"),
        ({"refit_every": 0}, "refit_every must be a whole number, 1 or more"),
        ({"noise": -1.0}, "noise must be a variance"),
        ({"noise": "low"}, "noise must be a variance"),
        ({"kernel": "rbf"}, "kernel must be a kernel such as"),
        ({"options": {"beta": 2}}, "options: pims takes .*resolution, got 'beta'; leave it out"),
        ({"options": {"confidence": 2}}, "belongs to gp-ucb and irgp-ucb; leave it out, or choose"),
        ({"method": "random", "options": {"effort": 2}}, "random takes none, got 'effort'"),
        ({"method": 3}, "a method is .* a frozen dataclass .*, got 3"),
        ({"options": 3}, "options must be a dict such as .*, got 3"),
        ({"options": {"resolution": "fine"}}, "resolution must be a number, .* 'fine'"),
        ({"options": {"effort": -1}}, "effort must be a number, zero or more, got -1"),
        ({"method": "mes", "options": {"n_samples": 0}}, "n_samples must be a whole number, 1 or"),
        ({"method": "ts", "options": {"kind": "fast"}}, "kind must be one of pathwise, rff, exact"),
        ({"method": "gp-ucb", "options": {"confidence": -1}}, 'confidence must be "theoretical'),
        ({"replicates": "no"}, "replicates must be True or False, got the text 'no'"),
        ({"warp": 0}, "warp must be True or False, got 0"),
        ({"initial": "5"}, "initial must be a whole number.*got the text '5'; write 5 without quo"),
        ({"kernel": gp.RBF([1.0, 2.0, 3.0])}, "does not fit the space, which has 2 coordinates"),
        ({"kernel": gp.RBF(on=(5,))}, "does not fit the space, which has 2 coordinates"),
        ({"refit_every": None}, "kernel and noise must be given too"),
        ({"refit_every": None, "kernel": gp.RBF()}, "kernel and noise must be given too"),
    ],
    ids=str,
)
def test_a_bad_setting_is_refused_with_a_remedy(given: dict[str, object], words: str):
    with pytest.raises(SettingsError, match=words):
        complete_settings(given, 2)


def test_plain_numbers_come_out():
    given = {"seed": 2.0, "noise": np.float32(0.5), "refit_every": "auto", "kernel": None}
    assert checked(given) == {"seed": 2, "noise": 0.5}
    assert checked({"replicates": np.True_, "warp": None}) == {"replicates": True}
    assert checked({"refit_every": None}) == {"refit_every": None}
