"""How a study suggests, as a frozen value that is stored with it.

Everything that a suggestion depends on besides the history is here, defaults filled in, so that a
study continues and replays in the same way after the defaults of a later version have changed.
"""

from __future__ import annotations

import dataclasses
import secrets
import warnings
from collections.abc import Mapping
from math import inf
from typing import Any, Literal

import numpy as np

from pathmax import acquisition, gp
from pathmax.arguments import real_number, whole_number, yes_or_no
from pathmax.errors import IgnoredOptionWarning, ModelError, SettingsError
from pathmax.scalars import describe
from pathmax.suggestion.stopping_rule import StoppingRule, read_rule

RefitEvery = int | Literal["auto"] | None
MODELS = ("pathmax", "paper", "drawn")
INITIAL = 5  # trials that are spread over the space before a model chooses, as in the paper
PAPER_REFIT = 5  # "marginal likelihood maximization every 5 iteration"
AUTO: Literal["auto"] = "auto"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a study; `Study` documents each."""

    method: str = "pims"
    seed: int = 0
    kernel: gp.Kernel | None = None
    noise: float | Mapping[str, float] | None = None
    initial: int = 5
    refit_every: RefitEvery = AUTO
    replicates: bool = False
    warp: bool = True
    model: str = "pathmax"
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    stopping: StoppingRule = dataclasses.field(default_factory=StoppingRule)

    def __post_init__(self) -> None:
        if self.kernel is not None and not isinstance(self.kernel, gp.Kernel):
            raise SettingsError(
                "kernel must be a kernel such as pathmax.gp.Matern52(), "
                f"got {describe(self.kernel)}; leave it out for the default"
            )
        if self.noise is not None:
            _variances(self.noise)
        if not isinstance(self.options, Mapping):
            raise SettingsError(
                'options must be a dict such as {"confidence": 2.0}, got ' + describe(self.options)
            )
        if self.model not in MODELS:
            raise SettingsError(
                f"model must be one of {', '.join(MODELS)}, got {describe(self.model)}"
            )
        if self.fixed and self.model != "pathmax":
            raise SettingsError(
                f"refit_every=None keeps the model as it is given, so model={self.model!r}, which "
                "learns one, cannot be given too; leave one of them out"
            )
        if self.refit_every is None and (self.kernel is None or self.noise is None):
            raise SettingsError(
                "refit_every=None keeps the model as it is given, so kernel and noise must be "
                "given too, as in Study(space, kernel=gp.RBF(lengthscale=0.2), noise=1e-6, "
                "refit_every=None)"
            )

    @property
    def fixed(self) -> bool:
        """Whether the model is given once and for all; then values are taken as they are."""
        return self.refit_every is None

    def of_outcome(self, name: str) -> Settings:
        """The same with the variance of one outcome, where each has its own."""
        if not isinstance(self.noise, Mapping):
            return self
        return dataclasses.replace(self, noise=self.noise.get(name))

    @property
    def variance(self) -> float | None:
        """Of the one outcome that these settings are for."""
        assert not isinstance(self.noise, Mapping), "asked for of_outcome only"
        return self.noise

    def to_json(self) -> dict[str, Any]:
        """A dict that `json.dumps` takes."""
        stored = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        kernel = None if self.kernel is None else self.kernel.to_json()
        return stored | {
            "noise": dict(self.noise) if isinstance(self.noise, Mapping) else self.noise,
            "kernel": kernel,
            "options": dict(self.options),
            "stopping": self.stopping.to_json(),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Settings:
        """The settings that `to_json` wrote. Those of a later version are left out."""
        known = {field.name for field in dataclasses.fields(cls)}
        kept = {name: value for name, value in stored.items() if name in known}
        if kept.get("kernel") is not None:
            from pathmax.gp.kernels.registry import read_or_keep

            kept["kernel"] = read_or_keep(kept["kernel"])  # results are readable without
        # Whoever wrote them, they are checked as if they were given.
        return cls(**(kept | checked(kept))).with_own_options(warn=True)

    def with_own_options(self, *, warn: bool) -> Settings:
        """The same less the options that the method does not take, which version 0.1 ignored.

        Those of a method that is not known in this process stay, for the process that knows it.
        """
        if not self.options:
            return self
        methods = acquisition.methods
        if not methods.is_registered(self.method):
            return self
        foreign = methods.foreign(self.method, self.options)
        if foreign and warn:
            warnings.warn(
                f"{self.method} does not take {', '.join(foreign)}: an earlier version stored that "
                "with the study and ignored it, as it is ignored now",
                IgnoredOptionWarning,
                stacklevel=3,
            )
        kept = {name: value for name, value in self.options.items() if name not in foreign}
        return dataclasses.replace(self, options=kept) if foreign else self

    def updated(self, given: Mapping[str, Any]) -> Settings:
        """These settings with what a caller gives on top, checked.

        Along with another method only those options are kept that it takes as well.
        """
        on_top = checked(given)
        settings = dataclasses.replace(self, **on_top)
        if not on_top.keys() & {"method", "options"}:
            return settings
        if "options" not in on_top:
            settings = settings.with_own_options(warn=False)
        methods = acquisition.methods
        options = methods.all_options(methods.make(settings.method, settings.options))
        asked_for = {name: options[name] for name in settings.options if name in options}
        return dataclasses.replace(settings, options=asked_for)


def complete_settings(given: Mapping[str, Any], dimension: int, *, lent: bool = False) -> Settings:
    """Settings from what the caller gave; a seed is drawn and the first design sized if need be.

    lent: whether older results are there, so that a model chooses from the first trial on.
    """
    initial = 0 if lent else INITIAL
    filled = Settings(seed=secrets.randbits(32), initial=initial)
    if given.get("model") == "paper":
        filled = dataclasses.replace(filled, refit_every=PAPER_REFIT, warp=False)
    settings = filled.updated(given)
    if settings.kernel is None:
        return settings
    from pathmax.gp.kernels.registry import Unregistered, register_parts

    if not isinstance(settings.kernel, Unregistered):
        register_parts(settings.kernel)  # the next suggestion reads it from what is stored
        check_fit(settings.kernel, dimension)
    return settings


def check_fit(kernel: gp.Kernel, dimension: int) -> None:
    """Refuse a kernel that was made for another number of coordinates."""
    try:
        kernel(np.zeros((1, dimension)))
    except (ModelError, IndexError) as error:
        raise SettingsError(
            f"the kernel does not fit the space, which has {dimension} coordinates: {error}; give "
            "one length scale, or one per parameter that varies, in the order of the space"
        ) from error


def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the caller gave, as plain numbers, or a `SettingsError`; None and "auto" give nothing.

    Only for `refit_every` None is a value: it keeps the model as it is given.
    """
    left_out = {name for name, value in given.items() if value is None and name != "refit_every"}
    settings = {name: value for name, value in given.items() if name not in left_out}
    if settings.get("refit_every") == AUTO:
        del settings["refit_every"]
    for name, least in (("seed", 0), ("initial", 0), ("refit_every", 1)):
        if settings.get(name) is not None:
            settings[name] = whole_number(name, settings[name], least)
    if settings.get("noise") is not None:
        settings["noise"] = _variances(settings["noise"])
    if "stopping" in settings and not isinstance(settings["stopping"], StoppingRule):
        settings["stopping"] = read_rule(settings["stopping"])
    for name in ("replicates", "warp"):
        if name in settings:
            settings[name] = yes_or_no(name, settings[name])
    method = settings.get("method")
    if method is not None and not isinstance(method, str):
        if "options" in settings:
            raise SettingsError(
                f"the options of {describe(method)} are its own, as in "
                "method=acquisition.GpUcb(confidence=2.0), got options= as well; leave these out"
            )
        settings["options"] = acquisition.methods.stored(method)
        settings["method"] = method.name
    return settings


def _variances(noise: object) -> float | dict[str, float]:
    """A variance for every outcome alike, or one for each by name."""
    if isinstance(noise, Mapping):
        return {str(name): _variance(f"noise of {name}", each) for name, each in noise.items()}
    return _variance("noise", noise)


def _variance(name: str, noise: object) -> float:
    remedy = "leave it out to have it learnt"
    return real_number(name, noise, "a variance, zero or more", lambda v: 0.0 <= v < inf, remedy)
