"""Fixtures and options of the tests in this folder. `scripts/test-page` runs them."""

import functools
import http.server
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from playwright.sync_api import Browser
from tab import Tab, start_chromium

ROOT = Path(__file__).resolve().parent.parent.parent
ASSETS = ROOT / "assets"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--target", type=Path, default=ROOT / "target", help="cargo's target folder")
    parser.addoption("--pictures", type=Path, help="a folder for all screenshots")


def ignore(reason: str) -> NoReturn:
    """Ignores the current test, or fails it if no test may be ignored, as in CI."""
    if os.environ.get("MUTOSCOPE_REQUIRE_ALL"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def target(pytestconfig: pytest.Config) -> Path:
    return pytestconfig.getoption("--target")


@pytest.fixture(scope="session")
def program(target: Path) -> Path:
    """The command line, built by `cargo build -p mutoscope-cli`."""
    return target / "debug/mutoscope-cli"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with start_chromium() as browser:
        yield browser


@pytest.fixture
def open_tab(browser: Browser, pytestconfig: pytest.Config) -> Iterator[Callable[..., Tab]]:
    """A function that opens a tab in a new context, with Playwright's options of `new_context`."""
    contexts = []

    def open_tab(size: tuple[int, int], **options: Any) -> Tab:
        contexts.append(browser.new_context(viewport={"width": size[0], "height": size[1]}, **options))
        return Tab(contexts[-1], pytestconfig.getoption("--pictures"))

    yield open_tab
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., str]]:
    """A function that serves a folder, and returns the address. `allows` is the origin whose pages may read the files."""
    servers = []

    def serve(folder: Path, allows: str | None = None) -> str:
        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

            def end_headers(self) -> None:
                if allows:
                    self.send_header("Access-Control-Allow-Origin", allows)
                super().end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        servers.append(http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
