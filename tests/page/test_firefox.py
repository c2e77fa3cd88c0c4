"""Tests of the light player in Firefox, by Mozilla's driver. Playwright drives only a Firefox of its own.

`scripts/test-page -m firefox` runs them. They need Debian's firefox-esr, and a virtual display, because Firefox has no
WebGL without one.
"""

import base64
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ignore
from picture import Picture
from test_player import FIND_PLAYER, GET_POSITIONS, PLAYED_PART

pytestmark = [pytest.mark.firefox, pytest.mark.filterwarnings("ignore")]

# Returns the errors and warnings of pages since the last call.
TAKE_MESSAGES = """
const isFromPage = (message) =>
    message instanceof Ci.nsIScriptError && message.innerWindowID !== 0 && !/^(chrome|resource):/.test(message.sourceName);
const found = Services.console.getMessageArray().filter(isFromPage).map((message) => message.errorMessage);
Services.console.reset();
return found;
"""


@pytest.fixture(scope="module")
def firefox() -> Iterator[Any]:
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if not program or not shutil.which("Xvfb"):
        ignore("firefox-esr or Xvfb is missing")
    from marionette_driver.marionette import Marionette

    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as display:
        assert display.stdout
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("DISPLAY", f":{display.stdout.readline().strip()}")
            arguments = ["--remote-allow-system-access"]
            client = Marionette(
                bin=str(Path(program).resolve()), app_args=arguments, prefs={"webgl.force-enabled": True}, gecko_log="/dev/null"
            )
            client.start_session()
            client.set_window_rect(width=1280, height=900)
            yield client
            client.quit(in_app=False)
        display.terminate()


class Player:
    """A page with a player in Firefox."""

    def __init__(self, firefox: Any, page: Path) -> None:
        self.firefox = firefox
        firefox.navigate(page.resolve().as_uri())
        self.wait("return player.currentTime > player.startTime || player.duration === 0")

    def run(self, script: str, *arguments: Any) -> Any:
        return self.firefox.execute_script(FIND_PLAYER + script, script_args=arguments, sandbox=None)

    def wait(self, script: str) -> None:
        end = time.monotonic() + 60
        while not self.run(script):
            assert time.monotonic() < end, f"timed out waiting for {script}"
            time.sleep(0.05)

    def seek(self, part: float) -> Picture:
        """Pauses at a part of the duration, from 0 to 1, and returns a screenshot."""
        self.run("player.pause(); player.currentTime = player.startTime + arguments[0] * player.duration", part)
        return self.screenshot()

    def screenshot(self) -> Picture:
        self.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return Picture(base64.b64decode(self.firefox.screenshot(full=False)))

    def read_messages(self) -> list[str]:
        with self.firefox.using_context("chrome"):
            return self.firefox.execute_script(TAKE_MESSAGES)


def test_every_sample_moves(firefox: Any, target: Path) -> None:
    for path in sorted(path for path in target.glob("tmp/pages/*.html") if not path.stem.endswith("-exact")):
        player = Player(firefox, path)
        first, positions = player.seek(0.3), player.run(GET_POSITIONS)
        assert first.count_colors() > 20, path.name
        moved = first.count_different(player.seek(0.62))
        assert moved > 100 or player.run(GET_POSITIONS) == positions, path.name
        assert player.read_messages() == [], path.name


@pytest.mark.parametrize("pointer", ["mouse", "touch"])
def test_pointer_scrubs_and_orbits(firefox: Any, target: Path, pointer: str) -> None:
    player = Player(firefox, target / "tmp/pages/two-hands.bin.html")
    before = player.seek(0.1)
    scene, timeline = (
        player.run(f"return root.querySelector('{name}').getBoundingClientRect()") for name in (".scene", ".timeline")
    )

    def drag(rect: dict, start: float, end: float) -> None:
        points = [(int(rect["left"] + part * rect["width"]), int(rect["top"] + rect["height"] / 2)) for part in (start, end)]
        actions = firefox.actions.sequence("pointer", pointer, {"pointerType": pointer})
        actions.pointer_move(*points[0]).pointer_down().pointer_move(*points[1], duration=300).pause(300).pointer_up().perform()

    drag(timeline, 0.2, 0.7)
    assert 0.6 < player.run(PLAYED_PART) < 0.8
    scrubbed = player.screenshot()
    assert scrubbed.count_different(before) > 100
    drag(scene, 0.5, 0.6)
    assert player.screenshot().count_different(scrubbed) > 100


def test_keys_control_the_player(firefox: Any, target: Path) -> None:
    player = Player(firefox, target / "tmp/pages/two-hands.bin.html")
    keys = firefox.actions.sequence("key", "keyboard")
    keys.send_keys(" ").perform()
    assert player.run("return player.paused")
    firefox.actions.sequence("key", "keyboard").send_keys("\ue011").perform()
    assert player.run(PLAYED_PART) == 0
