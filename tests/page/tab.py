"""A tab of a headless Chromium."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from picture import Picture
from playwright.sync_api import Browser, BrowserContext, sync_playwright

# Software rendering is slow on a busy machine, so the limit is generous. Only one test asserts a duration.
TIMEOUT_S = 240.0
# Renders WebGL without a graphics card.
CHROMIUM_OPTIONS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars"]
# Messages of the graphics driver, which say nothing about the page.
DRIVER_MESSAGES = ("GPU stall", "GL Driver")


@contextmanager
def start_chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


class Tab:
    """A tab with a page. Records the requests and messages of the page."""

    def __init__(self, context: BrowserContext, pictures: Path | None) -> None:
        self.context, self.pictures = context, pictures
        self.page = context.new_page()
        self.page.set_default_timeout(1000 * TIMEOUT_S)
        self.log: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.record(message.type, message.text))
        self.page.on("pageerror", lambda error: self.record("error", str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def record(self, kind: str, text: str) -> None:
        if not any(part in text for part in DRIVER_MESSAGES):
            self.log.append(f"{kind}: {text}")

    def open(self, address: str) -> None:
        self.log.clear()
        self.requests.clear()
        self.page.goto(address)

    def run(self, script: str, *arguments: Any) -> Any:
        """Runs a script in the page. The script finds `arguments` in an array of that name."""
        return self.page.evaluate("(arguments_) => (function () {" + script + "}).apply(null, arguments_)", list(arguments))

    def wait(self, script: str, *arguments: Any, timeout_s: float = TIMEOUT_S) -> Any:
        """Waits until a script returns a value that counts as true, and returns the value."""
        return self.wait_until(lambda: self.run(script, *arguments), script, timeout_s)

    def wait_until(self, condition: Callable[[], Any], what: str, timeout_s: float = TIMEOUT_S) -> Any:
        end = time.monotonic() + timeout_s
        while not (found := condition()):
            assert time.monotonic() < end, f"timed out waiting for {what}. {self.describe()}"
            self.page.wait_for_timeout(50)
        return found

    def describe(self) -> str:
        """Returns what helps to understand why the page is not as expected."""
        texts = "(id) => document.querySelector(id)?.textContent"
        canvas = self.page.evaluate("() => document.querySelector('canvas')?.ariaLabel")
        return f"Canvas: {canvas!r}, status line: {self.page.evaluate(texts, '#line')!r}, log: {self.log}"

    def screenshot(self, name: str) -> Picture:
        png = self.page.screenshot()
        if self.pictures:
            self.pictures.mkdir(parents=True, exist_ok=True)
            (self.pictures / f"{name}.png").write_bytes(png)
        return Picture(png)

    def wait_until_settled(self) -> Picture:
        """Waits until the picture stops changing, because shaders have to compile and the camera moves smoothly."""
        before = self.screenshot("settling")

        def is_settled() -> bool:
            nonlocal before
            self.page.wait_for_timeout(700)
            now, last = self.screenshot("settling"), before
            before = now
            return now == last and now.count_colors() > 1

        self.wait_until(is_settled, "a picture that stops changing")
        return before

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key, delay=60)

    def drag(self, *path: tuple[float, float]) -> None:
        """Presses the mouse button at the first point of a path, and releases it at the last."""
        self.page.mouse.move(*path[0])
        self.page.wait_for_timeout(300)
        self.page.mouse.down()
        for point in path[1:]:
            self.page.mouse.move(*point, steps=4)
            self.page.wait_for_timeout(150)
        self.page.wait_for_timeout(300)
        self.page.mouse.up()

    def touch(self, *paths: list[tuple[float, float]]) -> None:
        """Touches the page with several fingers, moves each along its path in steps, and lifts them."""
        devtools = self.context.new_cdp_session(self.page)

        def send(kind: str, step: int | None = None) -> None:
            points = [] if step is None else [{"x": path[step][0], "y": path[step][1], "id": id} for id, path in enumerate(paths)]
            devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
            self.page.wait_for_timeout(300)

        send("touchStart", 0)
        for step in range(1, len(paths[0])):
            send("touchMove", step)
        send("touchEnd")
        devtools.detach()

    def download(self, action: Callable[[], None]) -> tuple[str, bytes]:
        """Returns the name and the content of the file that the page saves during `action`."""
        with self.page.expect_download() as waiting:
            action()
        return waiting.value.suggested_filename, waiting.value.path().read_bytes()
