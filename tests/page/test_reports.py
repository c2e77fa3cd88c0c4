"""Tests of the pages of reports that `cargo test -p mutoscope-cli --test cli report` writes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tab import Tab
from test_player import DISABLE_WEBGL

SIZE = (1280, 720)
# `click` returns `true` if the element handled a click, and `false` if it left the click to the browser.
HELPERS = """const figures = [...document.querySelectorAll('figure.motion')];
const click = (element, more) => {
  let handled;
  addEventListener('click', (event) => { handled = event.defaultPrevented; event.preventDefault(); }, { once: true });
  element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...more }));
  return handled;
};
"""
FIND_ROW = "const link = document.querySelector('#recording-0 td a[data-command], #recording-0 th a[data-command]'); "
ALL_PICTURES_SHOW = "return figures.every((it) => it.querySelector('svg').getBoundingClientRect().width > 200)"


class Report:
    """A tab with the page of a report."""

    def __init__(self, tab: Tab) -> None:
        self.tab, self.screenshot = tab, tab.screenshot

    def run(self, script: str, *arguments):
        return self.tab.run(HELPERS + script, *arguments)

    def wait(self, script: str, *arguments):
        return self.tab.wait(HELPERS + script, *arguments, timeout_s=60)

    def open(self, path: Path) -> None:
        self.tab.open(path.resolve().as_uri())

    def show(self, index: int) -> None:
        """Scrolls a figure into view, and waits until its player is ready."""
        self.run("figures[arguments[0]].scrollIntoView({ block: 'center' })", index)
        self.wait("return Number.isFinite(figures[arguments[0]].player?.duration)", index)

    def read_state(self, index: int) -> dict:
        return self.run(
            "const { currentTime, range, selection, paused } = figures[arguments[0]].player;"
            " return { currentTime, range, selection, paused }",
            index,
        )


@pytest.fixture
def report(open_tab: Callable[..., Tab]) -> Report:
    return Report(open_tab(SIZE, offline=True))


@pytest.fixture(scope="session")
def folder(target: Path) -> Path:
    return target / "tmp/reports"


def test_report_plays_the_clicked_time(report: Report, folder: Path) -> None:
    report.open(folder / "two.html")
    report.show(0)
    assert report.read_state(0)["paused"]
    first = report.screenshot("report")
    assert first.count_colors() > 20
    # Click a bar of the timeline.
    bar = report.run(
        'const link = document.querySelector(\'svg.timeline a[href*="range"][href*="Wrist"]\');'
        " link.scrollIntoView({ block: 'center' }); const box = link.querySelector('rect').getBoundingClientRect();"
        " const query = new URL(link.getAttribute('href')).searchParams;"
        " return { x: box.x + box.width / 2, y: box.y + box.height / 2, at: Number(query.get('at')),"
        " range: query.get('range').split('..').map(Number), node: query.get('select') }"
    )
    report.tab.page.mouse.click(bar["x"], bar["y"])
    report.wait("return figures[0].player.currentTime === arguments[0]", bar["at"])
    state = report.read_state(0)
    assert (state["range"], state["selection"]) == (bar["range"], bar["node"])
    link, command = report.run("const link = document.querySelector('a.open'); return [link.href, link.dataset.command]")
    assert link.endswith(f"&at={bar['at']:.4f}") and command.endswith(f" --at {bar['at']:.4f}")
    assert report.run("return document.querySelectorAll('svg.timeline .now').length") == 1
    report.run("figures[0].scrollIntoView({ block: 'start' })")
    assert first.count_different(report.screenshot("report-moved")) > 100
    # Click a point of the timeline without a bar.
    point = report.run(
        "const svg = document.querySelector('svg.timeline'); svg.scrollIntoView({ block: 'center' });"
        " const box = svg.getBoundingClientRect(); const [start, end, left, right] = svg.dataset.scale.split(' ').map(Number);"
        " return { x: box.x + box.width * (left + right) / 2000, y: box.bottom - 3, middle: (start + end) / 2 }"
    )
    report.tab.page.mouse.click(point["x"], point["y"])
    report.wait("return Math.abs(figures[0].player.currentTime - arguments[0]) < 0.02", point["middle"])
    assert report.read_state(0)["range"] is None
    # Click a row of an event table. With Ctrl, it behaves as an ordinary link.
    assert report.run(FIND_ROW + "return click(link, { ctrlKey: true })") is False
    assert report.run(FIND_ROW + "return click(link)") is True
    at = report.run(FIND_ROW + "return Number(new URL(link.getAttribute('href')).searchParams.get('at'))")
    report.wait("return figures[0].player.currentTime === arguments[0]", at)
    assert report.run("return click(document.querySelector('a.open'))") is False


def test_recordings_have_separate_players(report: Report, folder: Path) -> None:
    report.open(folder / "two.html")
    report.show(0)
    before = report.read_state(0)
    report.show(1)
    assert report.run("return figures.length") == 2
    report.run("click(document.querySelector('#recording-1 svg.timeline a'))")
    report.wait("return figures[1].player.paused && document.querySelectorAll('#recording-1 .now').length === 1")
    assert report.read_state(0) == before
    # The names of the second recording contain markup.
    assert report.run("return [window.hacked, document.querySelectorAll('img').length]") == [None, 0]
    assert (report.tab.log, report.tab.requests[1:]) == ([], [])


def test_only_a_few_players_stay_alive(report: Report, folder: Path) -> None:
    report.open(folder / "many.html")
    count = report.run("return figures.length")
    for index in range(count):
        report.show(index)
    assert count > 8 and report.run("return document.querySelectorAll('mutoscope-player').length") <= 6
    assert report.run("return figures[0].player") is None
    report.run("click(document.querySelector('#recording-0 svg.timeline a[href*=\"range\"]'))")
    report.wait("return figures[0].player?.range")


def test_report_without_scripts_shows_pictures(open_tab: Callable[..., Tab], folder: Path) -> None:
    # The pictures follow the tables of measures and checks.
    report = Report(open_tab((SIZE[0], 6 * SIZE[1]), offline=True, java_script_enabled=False))
    report.open(folder / "two.html")
    pixels = report.screenshot("report-without-scripts").pixels
    background_rows = pixels[(pixels[:, 200] == [0x1B, 0x1D, 0x21]).all(axis=1)]
    assert len(background_rows) > 300
    assert len({tuple(pixel) for row in background_rows for pixel in row[200:800]}) > 10


def test_dark_report_is_printed_with_pictures(open_tab: Callable[..., Tab], folder: Path) -> None:
    report = Report(open_tab(SIZE, offline=True, color_scheme="dark"))
    report.open(folder / "two.html")
    report.show(0)
    report.screenshot("report-dark")
    report.tab.page.emulate_media(media="print")
    assert report.run(ALL_PICTURES_SHOW)
    assert report.run("return figures[0].player.getBoundingClientRect().width") == 0
    report.screenshot("report-paper")


def test_report_without_webgl_shows_pictures(report: Report, folder: Path) -> None:
    report.tab.page.add_init_script(DISABLE_WEBGL)
    report.open(folder / "two.html")
    report.run("figures[0].scrollIntoView()")
    report.wait("return figures[0].fails")
    assert report.run(ALL_PICTURES_SHOW)
    assert report.run("return click(document.querySelector('svg.timeline a'))") is False
