"""Which library draws: matplotlib, for paper and files, or plotly, interactive in a notebook.

Every figure but the overview, which is matplotlib's, has both; they show the same numbers. Plotly
is imported when the first one is drawn.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from pathmax.errors import MissingExtraError, SettingsError

BACKENDS = ("matplotlib", "plotly")
HEIGHT = 420
LETTERS = 90  # of a line of the title


def is_interactive(backend: str) -> bool:
    """Whether plotly is asked for; refuses what is neither."""
    if backend not in BACKENDS:
        raise SettingsError(
            f'backend must be "matplotlib" or "plotly", got {backend!r}; leave it out for the first'
        )
    return backend == "plotly"


def plotly() -> Any:
    """The module whose traces and figures are drawn with."""
    return _module("plotly.graph_objects")


def panels(rows: int, columns: int, **options: Any) -> Any:
    """A figure of several plots beside each other."""
    return _module("plotly.subplots").make_subplots(rows=rows, cols=columns, **options)


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError(
            "interactive figures need plotly, which is not installed; run: "
            'pip install "pathmax[notebook]"'
        ) from error


def plain_text(text: object) -> str:
    """Text of which plotly makes no tags: a parameter may be called <b>."""
    return html.escape(str(text), quote=False)


def dress(
    figure: Any, title: str, x: str = "", y: str = "", height: int = HEIGHT, top: int = 60
) -> Any:
    """Title, names of the axes and the same look for all."""
    figure.update_layout(
        title="<br>".join(textwrap.wrap(plain_text(title), LETTERS)),
        template="plotly_white",
        height=height,
        legend={"orientation": "h", "yref": "container", "y": 0.0, "yanchor": "bottom"},
        margin={"l": 60, "r": 20, "t": top, "b": 90},
    )
    if x:
        figure.update_xaxes(title=plain_text(x))
    if y:
        figure.update_yaxes(title=plain_text(y))
    return figure


def dots(x: Iterable[Any], y: Iterable[Any], name: str, colour: str, **options: Any) -> Any:
    """Points with a name in the legend."""
    marker = {"color": colour, "size": 7, **options.pop("marker", {})}
    return plotly().Scatter(
        x=list(x), y=list(y), mode="markers", name=name, marker=marker, **options
    )


def line(x: Iterable[Any], y: Iterable[Any], name: str, colour: str, **options: Any) -> Any:
    """A line with a name in the legend."""
    style = {"color": colour, **options.pop("line", {})}
    return plotly().Scatter(x=list(x), y=list(y), mode="lines", name=name, line=style, **options)
