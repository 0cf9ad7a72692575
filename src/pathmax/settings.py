"""How a study suggests, as a frozen value that is stored with it.

Everything that a suggestion depends on besides the history is here, defaults filled in, so that a
study continues and replays in the same way after the defaults of a later version have changed.
"""

from __future__ import annotations

import dataclasses
import math
import secrets
from collections.abc import Mapping
from typing import Any, Literal

from pathmax import acquisition
from pathmax.errors import SettingsError
from pathmax.gp import Kernel, from_json
from pathmax.scalars import describe, plain, whole

RefitEvery = int | Literal["auto"] | None
AUTO: Literal["auto"] = "auto"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a study; `Study` documents each."""

    method: str = "pims"
    seed: int = 0
    kernel: Kernel | None = None
    noise: float | None = None
    initial: int = 5
    refit_every: RefitEvery = AUTO
    replicates: bool = False
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.method not in acquisition.METHODS:
            known = ", ".join(acquisition.METHODS)
            raise SettingsError(f"method must be one of {known}, got {self.method!r}")
        if self.kernel is not None and not isinstance(self.kernel, Kernel):
            raise SettingsError(
                "kernel must be a kernel such as pathmax.gp.Matern52(), "
                f"got {describe(self.kernel)}; leave it out for the default"
            )
        if self.noise is not None and not 0.0 <= self.noise < math.inf:
            raise SettingsError(
                f"noise must be a variance, zero or more, got {self.noise!r}; "
                "leave it out to have it learnt"
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

    def to_json(self) -> dict[str, Any]:
        stored = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        kernel = None if self.kernel is None else self.kernel.to_json()
        return stored | {"kernel": kernel, "options": dict(self.options)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Settings:
        known = {field.name for field in dataclasses.fields(cls)}
        kept = {name: value for name, value in stored.items() if name in known}
        if kept.get("kernel") is not None:
            kept["kernel"] = from_json(kept["kernel"])
        return cls(**kept)


def complete(given: Mapping[str, Any], dimension: int) -> Settings:
    """Settings from what the caller gave; a seed is drawn and the first design sized if need be."""
    filled = {"seed": secrets.randbits(32), "initial": default_initial(dimension)}
    return Settings(**(filled | checked(given)))


def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the caller gave, as plain numbers, or a `SettingsError`."""
    settings = dict(given)
    for name, least in (("seed", 0), ("initial", 0), ("refit_every", 1)):
        if settings.get(name) not in (None, AUTO):
            settings[name] = _whole(name, settings[name], least)
    if settings.get("noise") is not None:
        noise = plain(settings["noise"])
        if isinstance(noise, bool) or not isinstance(noise, int | float):
            raise SettingsError(f"noise must be a variance, got {describe(noise)}")
        settings["noise"] = float(noise)
    return settings


def default_initial(dimension: int) -> int:
    """How many trials are spread over the space before a model chooses: the paper's five."""
    return 5


def _whole(name: str, value: object, least: int) -> int:
    number = whole(plain(value))
    if number is None or number < least:
        raise SettingsError(
            f"{name} must be a whole number, {least} or more, got {describe(plain(value))}"
        )
    return number
