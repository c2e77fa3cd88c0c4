"""Tests of web pages and of the notebook widget."""

from __future__ import annotations

import html
import inspect
import re
import subprocess
import sys

import mutoscope as mu
import pytest
from conftest import ASSETS, RECORDINGS

HANDS = ASSETS / "mrtk/two-hands.bin"
WALK = ASSETS / "bvh/walk.bvh"
WALKER = ASSETS / "gltf/walker.glb"


@pytest.mark.parametrize("name", RECORDINGS)
def test_page_matches_convert(name, tmp_path):
    path, options = RECORDINGS[name]
    clip = mu.open(path, **options)
    mu.convert(clip, tmp_path / "take.html")
    assert clip.to_html() == (tmp_path / "take.html").read_text("utf-8")


def test_exact_page_matches_convert(tmp_path):
    clip = mu.open(WALK)
    mu.convert(clip, tmp_path / "take.html", to="html-exact")
    assert clip.to_html(exact=True) == (tmp_path / "take.html").read_text("utf-8")


def test_paths_and_clips_give_the_same_page():
    assert mu.to_html(WALKER) == mu.open(WALKER).to_html()
    assert mu.to_html(str(HANDS)) == mu.open(HANDS).to_html()


def test_page_contains_both_recordings():
    first, second = mu.open(WALK).to_html(), mu.to_html(mu.open(WALK), against=WALKER, offsets=0.25, title="Walks")
    assert len(second) > len(first)
    assert "<title>Walks</title>" in second


def test_title_is_escaped():
    page = mu.open(WALK).to_html(title="</title><script>alert(1)</script>")
    assert "<script>alert" not in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"select": "tail"}, "no node"),
        ({"range": (2.0, 1.0)}, "range"),
        ({"offsets": [0.0]}, "offsets"),
        ({"against": WALKER, "rates": 0.0}, "rate above 0"),
    ],
)
def test_invalid_options_are_rejected(options, message):
    with pytest.raises(ValueError, match=message):
        mu.open(WALK).to_html(**options)
    options.pop("exact", None)
    with pytest.raises(ValueError, match=message):
        mu.open(WALK).show(**options)


def test_page_without_recordings_is_rejected():
    with pytest.raises(TypeError, match="at least one"):
        mu.to_html()


def test_methods_and_functions_have_the_same_keywords():
    for name in ("show", "to_html"):
        function = list(inspect.signature(getattr(mu, name)).parameters.values())[1:]
        method = list(inspect.signature(getattr(mu.Clip, name)).parameters.values())[1:]
        assert [(item.name, item.default) for item in method] == [(item.name, item.default) for item in function], name


def test_widget_has_the_recording_and_the_view():
    widget = mu.open(HANDS).show(at=1.5, range=(1, 2), select="right/IndexTip", height=300)
    assert (widget.time, widget.range, widget.selection) == (1.5, (1.0, 2.0), "right/IndexTip")
    assert (widget.height, widget.playing) == (300, False)
    assert widget._pack[:9] == mu.open(HANDS).show()._pack[:9] != b""
    assert "customElements.define('mutoscope-player'" in widget._esm
    assert "export default { render }" in widget._esm


def test_widget_rejects_values_of_other_types():
    widget = mu.open(HANDS).show()
    for name, value in {"time": "soon", "range": (1,), "selection": 5}.items():
        with pytest.raises(Exception, match=name):
            setattr(widget, name, value)


def test_notebook_without_a_kernel_still_plays():
    widget = mu.open(HANDS).show(height=200)
    widget.time, widget.selection = 2.5, "left/Wrist"
    data, _ = widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    frame = data["text/html"]
    assert 'sandbox="allow-scripts"' in frame and "height:200px" in frame
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1])
    assert page == mu.open(HANDS).to_html(at=2.5, select="left/Wrist", autoplay=False)


def test_anywidget_is_imported_only_by_show():
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import mutoscope as mu\n"
        f"clip = mu.open({str(WALK)!r}); assert clip.to_html()\n"
        "try: clip.show()\n"
        "except ImportError as why: print(why)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert "pip install anywidget" in done.stdout


def test_page_is_small():
    # The page contains the player, a still image, and a recording of 4 s.
    assert len(mu.open(HANDS).to_html()) < 400_000
