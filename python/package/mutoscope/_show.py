"""Web pages and notebook widgets that play recordings."""

from __future__ import annotations

import functools
import html
from collections.abc import Sequence
from importlib import resources
from typing import Any

from . import _native

#: The colours of recordings that are compared with the first, as in the viewer.
TINTS = ((185, 217, 87), (242, 166, 90), (197, 139, 242), (95, 208, 216), (240, 143, 176))

#: From how many characters on, a page is not kept in a notebook for readers without its kernel.
MAX_STATIC_PAGE_CHARS = 8_000_000


def to_html(
    *clips: Any,
    against: Any = (),
    offsets: float | Sequence[float] | None = None,
    rates: float | Sequence[float] | None = None,
    at: float | None = None,
    range: tuple[float, float] | None = None,
    select: str | None = None,
    title: str | None = None,
    autoplay: bool = True,
    loop: bool = True,
    exact: bool = False,
) -> str:
    """Creates a web page that plays recordings on one clock. The page is one file and needs no network.

    Parameters
    ----------
    clips : Clip, path, bytes or binary file object
        The recordings. Only a path, bytes or file object has the models of Prime characters, a clip does not.
    against : Clip, path, bytes, binary file object, or a sequence of them
        Recordings to compare with, each in its own colour.
    offsets : float or sequence of float, optional
        For each of `against`: the clock time of its time 0, in seconds, such as `Comparison.offset` [default: 0].
    rates : float or sequence of float, optional
        For each of `against`: the seconds of the recording that play in one second of the clock [default: 1].
    at : float, optional
        The initial time in seconds [default: the start].
    range : (float, float), optional
        The in point and the out point, in seconds.
    select : str, optional
        The name of the selected node.
    title : str, optional
        The title of the page [default: the name of the first recording or file].
    autoplay, loop : bool
        If true, the page starts to play when it is opened, unless the reader prefers reduced motion, and loops.
    exact : bool
        If true, the page contains every key in double precision. Otherwise nodes are exact to 0.1 mm and 0.05°.

    Returns
    -------
    str
    """
    recordings = _recordings(clips, against, offsets, rates)
    return _native._page(recordings, _view(title, at, range, select, autoplay, loop, exact))


def show(
    *clips: Any,
    against: Any = (),
    offsets: float | Sequence[float] | None = None,
    rates: float | Sequence[float] | None = None,
    at: float | None = None,
    range: tuple[float, float] | None = None,
    select: str | None = None,
    autoplay: bool = False,
    loop: bool = True,
    height: int = 420,
) -> Any:
    """Plays recordings in a notebook: Jupyter, VS Code, Colab or marimo. Needs ``pip install anywidget``, but no network.

    The returned widget has the attributes ``time`` (clock time in seconds), ``playing``, ``selection`` (the name of a
    node, or None) and ``range`` (in and out point, or None). Setting an attribute updates the cell. Input in the cell
    updates the attributes: ``w.observe(print, "time")``.

    Parameters
    ----------
    clips, against, offsets, rates, at, range, select, autoplay, loop
        As in `to_html`.
    height : int
        The height of the widget in pixels.

    Returns
    -------
    anywidget.AnyWidget
    """
    recordings = _recordings(clips, against, offsets, rates)
    view = _view(None, at, range, select, autoplay, loop, False)
    return _widget_class()(recordings, view, height)


def _view(
    title: str | None,
    at: float | None,
    range: tuple[float, float] | None,
    select: str | None,
    autoplay: bool,
    loop: bool,
    exact: bool,
) -> dict[str, Any]:
    # The parameter `range` hides the built-in function.
    if range is not None and not range[0] < range[1]:
        raise ValueError(f"range: expected a start before the end, found {range[0]} and {range[1]}")
    found = {"title": title, "at": at, "range": range, "select": select}
    return {**found, "autoplay": autoplay, "loop": loop, "exact": exact}


def _recordings(
    clips: Sequence[Any],
    against: Any,
    offsets: float | Sequence[float] | None,
    rates: float | Sequence[float] | None,
) -> list[tuple[Any, float, float, tuple[int, int, int] | None]]:
    if not clips:
        raise TypeError("expected at least one recording")
    others = list(against) if isinstance(against, (list, tuple)) else [against]
    own = [(clip, 0.0, 1.0, None) for clip in clips]
    all_offsets = _per_recording("offsets", offsets, 0.0, len(others))
    all_rates = _per_recording("rates", rates, 1.0, len(others))
    timing = zip(all_offsets, all_rates, strict=True)
    compared = [
        (clip, offset, rate, TINTS[index % len(TINTS)])
        for index, (clip, (offset, rate)) in enumerate(zip(others, timing, strict=True))
    ]
    for _, offset, rate, _ in compared:
        if not (abs(offset) < float("inf") and 0.0 < rate < float("inf")):
            raise ValueError(f"expected a finite offset and a rate above 0, found {offset} and {rate}")
    return [*own, *compared]


def _per_recording(name: str, given: float | Sequence[float] | None, default: float, count: int) -> list[float]:
    if given is None:
        return [default] * count
    numbers = [float(number) for number in given] if isinstance(given, Sequence) else [float(given)]
    if len(numbers) != count:
        raise ValueError(f"{name}: expected one number for each of the {count} recordings of against, found {len(numbers)}")
    return numbers


@functools.cache
def _widget_class() -> Any:
    """Returns the class of the widget. Imports anywidget only when it is needed."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        message = "show() needs anywidget. Install it: pip install anywidget. to_html() works without it"
        raise ImportError(message) from None

    class Player(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
        """A player for recordings in a notebook."""

        _esm = _native._element_script() + resources.files(__package__).joinpath("_widget.js").read_text("utf-8")
        _pack = traitlets.Bytes(read_only=True).tag(sync=True)
        height = traitlets.Int(420).tag(sync=True)
        #: Seconds on the clock.
        time = traitlets.Float(0.0).tag(sync=True)
        playing = traitlets.Bool(False).tag(sync=True)
        #: The name of a node.
        selection = traitlets.Unicode(None, allow_none=True).tag(sync=True)
        #: The in point and the out point.
        range = traitlets.Tuple(traitlets.Float(), traitlets.Float(), default_value=None, allow_none=True).tag(sync=True)

        def __init__(self, recordings: list[Any], view: dict[str, Any], height: int) -> None:
            first = {"time": view["at"]} if view["at"] is not None else {}
            super().__init__(height=height, playing=view["autoplay"], selection=view["select"], range=view["range"], **first)
            # The widget decides itself when to play.
            self.set_trait("_pack", _native._pack(recordings, {**view, "autoplay": False}))
            self._recordings, self._view = recordings, view

        def to_html(self) -> str:
            """Returns a web page with the current time, range and selection."""
            current = {"at": self.time, "range": self.range, "select": self.selection}
            return _native._page(self._recordings, {**self._view, **current})

        def _repr_mimebundle_(self, **arguments: Any) -> Any:
            bundle = super()._repr_mimebundle_(**arguments)
            data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
            page = self.to_html()
            if len(page) < MAX_STATIC_PAGE_CHARS:
                # Readers without a kernel show this HTML, so that a static export of the notebook still plays.
                data = {**(data or {}), "text/html": _iframe(page, self.height)}
            return data, metadata

    return Player


def _iframe(page: str, height: int) -> str:
    escaped = html.escape(page, quote=True)
    return (
        f'<iframe srcdoc="{escaped}" sandbox="allow-scripts" title="Mutoscope" '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )
