"""Tests of the light player, in the pages that `cargo test -p mutoscope-player` writes.

Every page is opened from the disk without a network.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, ignore
from tab import Tab

PLAYER = ROOT / "crates/mutoscope-player/player"
PHONE = (390, 780)
# The longest task that may block a page during playback, in milliseconds.
MAX_BLOCKED_MS = 200

FIND_PLAYER = "const player = document.querySelector('mutoscope-player'); const root = player.shadowRoot; "
GET_POSITIONS = "return player.nodeNames.map((name) => player.positionOf(name))"
PLAYED_PART = "return (player.currentTime - player.startTime) / player.duration"
DISABLE_WEBGL = """HTMLCanvasElement.prototype.getContext = ((get) => function (kind, ...more) {
  return kind === 'webgl2' ? null : get.call(this, kind, ...more);
})(HTMLCanvasElement.prototype.getContext)"""
# Records the tasks that block the page for more than 50 ms, in milliseconds.
RECORD_TASKS = """window.tasks = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ startTime, duration }) => [startTime, duration])))
  .observe({ type: 'longtask', buffered: true })"""


class Player:
    """A tab with a page that plays a recording."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.press, self.screenshot = tab.press, tab.screenshot

    def run(self, script: str, *arguments):
        return self.tab.run(FIND_PLAYER + script, *arguments)

    def wait(self, script: str, *arguments):
        return self.tab.wait(FIND_PLAYER + script, *arguments, timeout_s=60)

    def open(self, path: Path) -> None:
        self.tab.open(path.resolve().as_uri())
        self.wait("return Number.isFinite(player.duration) || !root.querySelector('.fallback').hidden")

    def wait_for_frame(self) -> None:
        self.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def seek(self, part: float) -> None:
        """Pauses at a part of the duration, from 0 to 1."""
        self.run("player.pause(); player.currentTime = player.startTime + arguments[0] * player.duration", part)
        self.wait_for_frame()

    def wait_until_still(self):
        """Waits until the pose stops changing, because the player may first unpack the keys at the current time."""
        before = None

        def is_still() -> bool:
            nonlocal before
            last, before = before, self.run(GET_POSITIONS)
            self.tab.page.wait_for_timeout(500)
            return before == last

        self.tab.wait_until(is_still, "a pose that stops changing")
        self.wait_for_frame()
        return before

    def timeline(self) -> tuple[float, float, float, float]:
        return tuple(self.run("const { left, top, width, height } = root.querySelector('.timeline').getBoundingClientRect();"
                              " return [left, top, width, height]"))  # fmt: skip

    def check_quiet(self) -> None:
        """Checks that the page has no messages, and requests nothing except itself."""
        assert self.tab.log == []
        assert self.tab.requests[1:] == []


@pytest.fixture
def player(open_tab: Callable[..., Tab]) -> Player:
    return Player(open_tab((1280, 720), offline=True))


@pytest.fixture(scope="session")
def pages(target: Path) -> Path:
    return target / "tmp/pages"


@pytest.fixture(scope="session")
def hands(pages: Path) -> Path:
    return pages / "two-hands.bin.html"


def test_modules_work_in_node() -> None:
    if not shutil.which("node"):
        ignore("Node.js is missing")
    subprocess.run(["node", "--test", *sorted(PLAYER.glob("tests/*.test.mjs"))], check=True)


def test_every_sample_moves(player: Player, pages: Path) -> None:
    """Checks that two screenshots of each page, at different times, are neither blank nor equal."""
    paths = sorted(path for path in pages.glob("*.html") if not path.stem.endswith("-exact") and path.stem != "names")
    assert len(paths) > 10
    for path in paths:
        player.open(path)
        player.wait("return player.currentTime > player.startTime || player.duration === 0")
        player.seek(0.3)
        first, positions = player.screenshot(path.stem), player.run(GET_POSITIONS)
        assert first.count_colors() > 20, path.name
        player.seek(0.62)
        moved = first.count_different(player.screenshot(f"{path.stem}-later"))
        # This file has a track of every value type, but none moves a node, so its poses are equal.
        moves = player.run(GET_POSITIONS) != positions
        assert moves != path.stem.startswith("all_types"), path.name
        assert moved > 100 or not moves, path.name
        player.check_quiet()


def test_mouse_scrubs_and_orbits(player: Player, hands: Path) -> None:
    player.open(hands)
    player.seek(0.1)
    left, top, width, height = player.timeline()
    before = player.screenshot("scrub-before")
    player.tab.drag((left + 0.3 * width, top + height / 2), (left + 0.7 * width, top + height / 2))
    assert 0.6 < player.run(PLAYED_PART) < 0.75
    assert player.run("return player.paused")
    scrubbed = player.screenshot("scrub-after")
    assert scrubbed.count_different(before) > 100
    player.tab.drag((640, 300), (760, 320))
    assert player.screenshot("orbited").count_different(scrubbed) > 100


def test_keyboard_shortcuts_match_the_viewer(player: Player, hands: Path) -> None:
    player.open(hands)
    player.wait("return !player.paused")
    player.press("Space")
    assert player.run("return player.paused")
    player.press("End")
    assert player.run(PLAYED_PART) > 1 - 1e-6
    player.press("Home")
    assert player.run(PLAYED_PART) == 0
    player.press("ArrowRight")
    assert 0 < player.run("return player.currentTime - player.startTime") < 0.5
    player.press("k")
    assert player.run("return player.playbackRate") == 2
    player.press("4")
    assert player.run("return player.playbackRate") == 1
    player.press("i", "Shift+ArrowRight", "o")
    assert player.run("return player.range") is not None
    player.press("Alt+i")
    assert player.run("return player.range") is None
    player.seek(0.4)
    before = player.screenshot("names-before")
    player.press("n")
    player.wait_for_frame()
    assert player.screenshot("names").count_different(before) > 100
    player.press("n", "?")
    assert player.run("return !root.querySelector('.panel').hidden")
    player.press("Escape")
    assert player.run("return root.querySelector('.panel').hidden")
    player.check_quiet()


def test_touch_orbits_zooms_and_scrubs(open_tab: Callable[..., Tab], hands: Path) -> None:
    player = Player(open_tab(PHONE, offline=True, has_touch=True))
    player.open(hands)
    player.seek(0.4)
    before = player.screenshot("phone")
    player.tab.touch([(200, 300), (230, 300), (280, 310)])
    turned = player.screenshot("phone-turned")
    assert turned.count_different(before) > 100
    player.tab.touch([(150, 300), (130, 300), (100, 300)], [(250, 300), (270, 300), (300, 300)])
    assert player.screenshot("phone-near").count_different(turned) > 100
    left, top, width, _ = player.timeline()
    player.tab.touch([(left + part * width, top + 30) for part in (0.2, 0.5, 0.8)])
    assert 0.7 < player.run(PLAYED_PART) < 0.9
    assert player.run("return document.documentElement.scrollWidth") <= PHONE[0]
    assert player.run("const bar = root.querySelector('.transport'); return bar.scrollWidth - bar.clientWidth") <= 0
    heights = player.run(
        "return [...root.querySelectorAll('.transport button')].filter((it) => it.offsetWidth > 0).map((it) => it.offsetHeight)"
    )
    assert heights and min(heights) >= 40


def test_reduced_motion_prevents_autoplay(open_tab: Callable[..., Tab], hands: Path) -> None:
    player = Player(open_tab((1280, 720), offline=True, reduced_motion="reduce"))
    player.open(hands)
    player.tab.page.wait_for_timeout(500)
    assert player.run("return player.paused && player.currentTime === player.startTime")
    player.press("Space")
    player.wait("return player.currentTime > player.startTime")


def test_controls_have_accessible_names(player: Player, hands: Path) -> None:
    player.open(hands)
    player.seek(0.5)
    assert " of " in player.run("return root.querySelector('.timeline').getAttribute('aria-valuetext')")
    assert "Motion of" in player.run("return root.querySelector('.scene').getAttribute('aria-label')")
    names = player.run(
        "return [...root.querySelectorAll('button, select')].map((it) => it.getAttribute('aria-label') || it.textContent.trim())"
    )
    assert names and all(names)
    # The list of nodes is for keyboard users.
    player.run("root.querySelector('[data-node]').click()")
    assert player.run("return player.selection") is not None
    assert player.run("return root.querySelector('[data-node]').getAttribute('aria-pressed')") == "true"


def test_names_are_escaped(player: Player, pages: Path) -> None:
    """Opens a page whose names contain markup, and checks that the markup is escaped."""
    player.open(pages / "names.html")
    assert player.run("return [window.hacked, document.querySelectorAll('img').length, root.querySelectorAll('img').length]") == [
        None,
        0,
        0,
    ]
    assert "<img" in player.tab.page.title()
    player.press("?")
    assert "<img" in player.run("return root.querySelector('.panel').textContent")
    player.check_quiet()


def test_page_without_scripts_shows_a_picture(open_tab: Callable[..., Tab], hands: Path) -> None:
    tab = open_tab((1280, 720), offline=True, java_script_enabled=False)
    tab.open(hands.resolve().as_uri())
    assert tab.screenshot("without-scripts").count_colors() > 20


def test_page_without_webgl_shows_a_message(player: Player, hands: Path) -> None:
    player.tab.page.add_init_script(DISABLE_WEBGL)
    player.open(hands)
    assert "WebGL 2" in player.run("return root.querySelector('.fallback').textContent")
    assert player.run("return document.querySelector('svg').getBoundingClientRect().width") > 300


def test_element_behaves_like_video(open_tab: Callable[..., Tab], serve: Callable[..., str], hands: Path, tmp_path: Path) -> None:
    """Tests the example of the package on a local server, with a page as the source."""
    site = tmp_path / "site"
    shutil.copytree(PLAYER, site, ignore=shutil.ignore_patterns("tests"))
    shutil.copy(hands, site / "take.html")
    address = serve(site)
    player = Player(open_tab((1280, 720)))
    player.tab.open(f"{address}/example.html")
    player.wait("return Number.isFinite(player.duration)")
    # Check that requests are recorded, because other tests check that there are none.
    assert f"{address}/take.html" in player.tab.requests
    names = ["play", "pause", "timeupdate", "select", "ratechange", "seeked", "ended"]
    player.run(
        "window.events = []; for (const name of arguments[0]) player.addEventListener(name, () => events.push(name))", names
    )
    assert player.run("return player.src").endswith("/take.html")
    player.run("return player.play()")
    player.wait("return events.includes('timeupdate')")
    player.run("player.pause(); player.currentTime = 0.25; player.playbackRate = 0.5; player.selection = player.nodeNames[0]")
    assert set(names) - set(player.run("return events")) == {"ended"}
    assert player.run("return player.currentTime") == 0.25
    player.run("player.loop = false; player.playbackRate = 8; player.currentTime = player.startTime + player.duration - 0.2;"
               " return player.play()")  # fmt: skip
    player.wait("return player.ended && player.paused && events.includes('ended')")
    player.run("player.src = 'missing.html'")
    player.wait("return root.querySelector('.notice').textContent.includes('404')")


@pytest.mark.parametrize("name", ["minute", "hour"])
def test_long_page_stays_responsive(player: Player, target: Path, name: str) -> None:
    """Scrubs and plays a recording of a minute or an hour at 60 Hz."""
    player.tab.page.add_init_script(RECORD_TASKS)
    player.open(target / f"tmp/{name}/{name}.html")
    player.wait("return player.currentTime > player.startTime")
    started = player.run("return performance.now()")
    left, top, width, height = player.timeline()
    player.tab.drag(*[(left + part * width, top + height / 2) for part in (0.1, 0.9, 0.2, 0.8, 0.35, 0.5, 0.65, 0.97)])
    for part in (0.5, 0.999):
        player.seek(part)
        positions = player.wait_until_still()
        shown = player.screenshot(f"{name}-{part}")
        player.run("player.currentTime -= 0.4")
        assert player.wait_until_still() != positions
        assert player.screenshot(f"{name}-{part}-before").count_different(shown) > 100
    # Play across the end of a chunk, so that the next chunk is unpacked during playback.
    player.run("player.playbackRate = 8; player.currentTime = player.startTime + 0.3 * player.duration; return player.play()")
    player.wait("return player.currentTime > arguments[0] + 25", player.run("return player.currentTime"))
    player.run("player.pause()")
    blocked = [duration for start, duration in player.run("return tasks") if start > started]
    assert max(blocked, default=0) < MAX_BLOCKED_MS
    player.check_quiet()
