"""Kernels by name: what makes a kernel from what was stored, kernels of one's own included."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar, final

from pathmax.arrays import Array
from pathmax.errors import ModelError, UnregisteredKernelError
from pathmax.gp.embedding import Embedding
from pathmax.gp.kernels.base import JSON, Kernel, Link
from pathmax.gp.kernels.categorical import Categorical
from pathmax.gp.kernels.combinations import Combination
from pathmax.gp.kernels.embedded import Embedded
from pathmax.gp.kernels.linear import Linear
from pathmax.gp.kernels.nearness import Nearness
from pathmax.gp.kernels.products import Product
from pathmax.gp.kernels.stationary import RBF, Matern12, Matern32, Matern52
from pathmax.gp.kernels.sums import Sum
from pathmax.gp.kernels.tanimoto import Tanimoto

OUR_KERNELS = (
    RBF,
    Matern12,
    Matern32,
    Matern52,
    Linear,
    Categorical,
    Tanimoto,
    Nearness,
    Product,
    Sum,
    Embedded,
)
KERNEL_KINDS: dict[str, type[Kernel]] = {kind.__name__: kind for kind in OUR_KERNELS}

Kind = TypeVar("Kind", bound=type[Kernel])


def register(kind: Kind) -> Kind:
    """Make a kernel of one's own known by its name, so that stored studies that use it can go on.

    Use it as a decorator, or call it before such a study is loaded: `gp.register(MyKernel)`. A
    kernel that is given to a `Study` is registered by that.
    """
    if not (isinstance(kind, type) and issubclass(kind, Kernel)):
        raise ModelError(f"register takes a class of kernels, got {kind!r}")
    known = KERNEL_KINDS.get(kind.__name__, kind)
    if (known.__module__, known.__qualname__) != (kind.__module__, kind.__qualname__):
        raise ModelError(
            f"there is a kernel {kind.__name__} already, {known.__module__}.{known.__qualname__}; "
            "kernels are stored by their name: choose another one"
        )
    KERNEL_KINDS[kind.__name__] = kind  # also when a notebook cell has defined it again
    return kind


def register_parts(kernel: Kernel) -> None:
    """Register the class of a kernel and those of its parts."""
    if isinstance(kernel, Combination):
        for part in kernel.parts:
            register_parts(part)
    elif isinstance(kernel, Embedded):
        register_parts(kernel.inner)
    elif not isinstance(kernel, Unregistered):
        register(type(kernel))


def from_json(stored: dict[str, Any]) -> Kernel:
    """The kernel that `to_json` wrote."""
    if unknown(stored):
        Unregistered(stored).refuse()
    try:
        fields = dict(stored)
        name = fields.pop("kernel")
        for parts in ("factors", "terms"):
            if parts in fields:
                fields[parts] = tuple(from_json(part) for part in fields[parts])
        if "inner" in fields:
            fields["inner"] = from_json(fields["inner"])
            fields["embedding"] = Embedding.from_json(fields["embedding"])
        if (on := fields.get("on")) is not None:
            fields["on"] = tuple(on)
        return KERNEL_KINDS[name](**fields)
    except (KeyError, TypeError, ValueError) as mistake:
        raise ModelError(
            f"a stored kernel must be one of {', '.join(KERNEL_KINDS)} with its parameters; "
            f"got {stored!r}"
        ) from mistake


def read_or_keep(stored: dict[str, Any]) -> Kernel:
    """`from_json`, but a kernel that is not registered here is kept as it is stored."""
    return Unregistered(stored) if unknown(stored) else from_json(stored)


def unknown(stored: Any) -> list[str]:
    """The names in a stored kernel that are not registered."""
    if not isinstance(stored, dict) or not isinstance(name := stored.get("kernel"), str):
        return []
    parts = [part for key in ("factors", "terms") for part in stored.get(key) or ()]
    parts += [stored["inner"]] if "inner" in stored else []
    return [
        *([] if name in KERNEL_KINDS else [name]),
        *(one for part in parts for one in unknown(part)),
    ]


@final
class Unregistered(Kernel):
    """A stored kernel whose class this process does not know: it can be stored again, not used."""

    outputscale = 1.0

    def __init__(self, stored: JSON) -> None:
        self.stored = stored

    def refuse(self) -> NoReturn:
        """Say what is missing."""
        names = ", ".join(unknown(self.stored))
        raise UnregisteredKernelError(
            f"this study uses the kernel {names}, which this process does not know: import the "
            f"class and call pathmax.gp.register({names}), then load the study again; without it "
            "results can be read and told, but nothing can be suggested or predicted. Known are "
            f"{', '.join(KERNEL_KINDS)}"
        )

    def value(self, X: Array, Z: Array) -> Array:
        self.refuse()

    def input_gradient(self, X: Array, Z: Array) -> Array:
        self.refuse()

    def length_scales(self, d: int) -> Array:
        self.refuse()

    def link(self, X: Array, Z: Array | None = None) -> Link:
        self.refuse()

    def diagonal(self, X: Array) -> Array:
        self.refuse()

    @property
    def theta(self) -> Array:
        self.refuse()

    def axis_kernels(self, d: int) -> list[Kernel] | None:
        self.refuse()

    def to_json(self) -> JSON:
        return self.stored
