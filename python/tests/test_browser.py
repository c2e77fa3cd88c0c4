"""Tests of the widget in a browser: in JupyterLab, marimo, a page by nbconvert, and a host without require.js.

`scripts/python --notebooks` runs these tests. They are skipped without JupyterLab, marimo and Playwright.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mutoscope as mu
import pytest
from conftest import ASSETS, REPOSITORY

# Jupyter does not wait for kernels that it asks to end.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::DeprecationWarning"
)

HANDS = ASSETS / "mrtk/two-hands.bin"
TIMEOUT_S = 120.0

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("playwright")
# The tests of pages control the browser in the same way.
sys.path.insert(0, str(REPOSITORY / "tests/page"))
tab_module: Any = importlib.import_module("tab")

# Some notebooks put the outputs of cells into shadow roots.
FIND_PLAYER = """
const find = (root) => {
  const here = root.querySelector('mutoscope-player');
  if (here) return here;
  for (const one of root.querySelectorAll('*')) {
    const there = one.shadowRoot && find(one.shadowRoot);
    if (there) return there;
  }
  return null;
};
const player = find(document);
"""

#: What the notebook's side has seen, a line each.
SHOW_CODE = f"""
import mutoscope as mu
w = mu.open({str(HANDS)!r}).show(autoplay=True, height=300)
def record(change):
    with open("changes.txt", "a") as file:
        print(change["name"], change["new"], file=file)
w.observe(record, ["time", "selection", "playing"])
"""

#: What is set from Python.
SET_CODE = """
w.time = 1.5
w.selection = "right/IndexTip"
"""


class Browser:
    """A tab without access to other machines."""

    def __init__(self, tab: Any) -> None:
        self.tab, self.open, self.screenshot = tab, tab.open, lambda: tab.screenshot("cell")
        for scheme in ("https", "wss"):
            tab.context.route(f"{scheme}://**", lambda route: route.abort())

    def run_script(self, script: str, *arguments: Any) -> Any:
        return self.tab.run(FIND_PLAYER + script, *arguments)

    def wait(self, script: str, what: str) -> Any:
        return self.tab.wait_until(lambda: self.run_script(script), what, TIMEOUT_S)

    def part_rect(self, part: str) -> tuple[float, float, float, float]:
        # Scroll the player into view, because the notebook may have scrolled elsewhere.
        self.run_script("player.scrollIntoView({ block: 'center' })")
        left, top, width, height = self.run_script(
            "const it = player.shadowRoot.querySelector(arguments[0]).getBoundingClientRect();"
            "return [it.left, it.top, it.width, it.height]",
            part,
        )
        return left, top, width, height


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with tab_module.start_chromium() as started:
        yield started


@pytest.fixture
def browser(chromium: Any) -> Iterator[Browser]:
    context = chromium.new_context(viewport={"width": 1000, "height": 640})
    yield Browser(tab_module.Tab(context, None))
    context.close()


def wait_until(ask: Callable[[], Any]) -> Any:
    end = time.monotonic() + TIMEOUT_S
    while not (found := ask()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


@contextlib.contextmanager
def run_server(folder: Path, command: list[str], status_path: str) -> Iterator[str]:
    """Runs a server in a folder while the context is open. Yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = folder / "server.log"
    with log.open("wb") as out:
        command = [sys.executable, "-m", *command, f"--port={port}"]
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        assert process.poll() is None, log.read_text()
        with contextlib.suppress(OSError), urllib.request.urlopen(address + status_path, timeout=5):
            return True
        return False

    try:
        assert wait_until(answers), log.read_text()
        yield address
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def recorded_values(folder: Path, name: str) -> list[str]:
    path = folder / "changes.txt"
    lines = path.read_text().splitlines() if path.exists() else []
    return [line.split(" ", 1)[1] for line in lines if line.startswith(name + " ")]


def check_motion(browser: Browser, folder: Path) -> None:
    """Checks that the cell shows motion, and that the kernel receives its time."""
    browser.wait("return player !== null && Number.isFinite(player.duration)", "the recording in the cell")
    browser.wait("return player.currentTime > 0.2 && !player.paused", "playback after the start")
    # Pause before the screenshot, because software rendering on a busy machine cannot keep up with playback.
    browser.run_script("player.pause(); player.currentTime = 0.8")
    browser.part_rect(".scene")
    first = browser.screenshot()
    browser.run_script("player.currentTime = 2.6")
    assert first.count_colors() > 20
    assert first.count_different(browser.screenshot()) > 100
    assert wait_until(lambda: "False" in recorded_values(folder, "playing"))
    assert wait_until(lambda: recorded_values(folder, "time")[-1] == "2.6"), recorded_values(folder, "time")


def check_synchronisation(browser: Browser, folder: Path) -> None:
    """Checks that the cell shows the values set from Python, and that the kernel receives input in the cell."""
    browser.wait("return player.paused && player.currentTime === 1.5", "the time set by Python")
    browser.wait("return player.selection === 'right/IndexTip'", "the selection set by Python")
    left, top, width, height = browser.part_rect(".timeline")
    browser.tab.drag((left + 0.3 * width, top + height / 2), (left + 0.8 * width, top + height / 2))
    now = browser.run_script("return player.currentTime")
    assert 2.8 < now < 3.6
    assert wait_until(lambda: recorded_values(folder, "time")[-1] == str(now)), (now, recorded_values(folder, "time")[-3:])
    browser.run_script("player.shadowRoot.querySelector('[data-node]').click()")
    name = browser.run_script("return player.selection")
    assert wait_until(lambda: recorded_values(folder, "selection")[-1] == name), recorded_values(folder, "selection")


def test_jupyterlab_plays_and_synchronises(browser: Browser, tmp_path: Path) -> None:
    pytest.importorskip("jupyterlab")
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(SHOW_CODE + "w"), nbformat.v4.new_code_cell(SET_CODE)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    nbformat.write(notebook, tmp_path / "take.ipynb")
    options = ["--no-browser", "--allow-root", "--expose-app-in-browser", "--IdentityProvider.token=", "--ServerApp.password="]
    with run_server(tmp_path, ["jupyterlab", *options, f"--ServerApp.root_dir={tmp_path}"], "/api") as address:
        browser.open(f"{address}/lab/tree/take.ipynb?reset")
        browser.wait(
            "return window.jupyterapp?.shell.currentWidget?.context?.sessionContext?.session?.kernel?.status === 'idle'",
            "the kernel",
        )
        run = "window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')"
        browser.run_script(run)
        check_motion(browser, tmp_path)
        browser.run_script(run)
        check_synchronisation(browser, tmp_path)
        get_foreign_urls = (
            "const urls = performance.getEntriesByType('resource').map((entry) => entry.name);"
            " return urls.filter((url) => !url.startsWith(arguments[0]))"
        )
        assert [url for url in browser.run_script(get_foreign_urls, address) if url.startswith("http")] == []


def test_marimo_plays_and_synchronises(browser: Browser, tmp_path: Path) -> None:
    pytest.importorskip("marimo")
    indented = lambda text: "".join(f"    {line}\n" for line in text.strip().splitlines())
    (tmp_path / "take.py").write_text(
        "import marimo\napp = marimo.App()\n\n"
        f"@app.cell\ndef _():\n    import marimo as mo\n{indented(SHOW_CODE)}    w\n    return mo, w\n\n"
        "@app.cell\ndef _(mo):\n    go = mo.ui.run_button(label='go')\n    go\n    return (go,)\n\n"
        f"@app.cell\ndef _(go, mo, w):\n    mo.stop(not go.value)\n{indented(SET_CODE)}    return\n\n"
        "if __name__ == '__main__':\n    app.run()\n"
    )
    with run_server(tmp_path, ["marimo", "run", "take.py", "--headless", "--no-token"], "/health") as address:
        browser.open(address)
        check_motion(browser, tmp_path)
        press = (
            "const all = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);"
            "const go = all(document).find((one) => one.localName === 'button' && one.textContent.trim() === 'go');"
            "go?.click(); return Boolean(go)"
        )
        browser.wait(press, "the button")
        check_synchronisation(browser, tmp_path)


def test_page_of_nbconvert_plays_without_a_network(browser: Browser, tmp_path: Path) -> None:
    nbclient, nbconvert = pytest.importorskip("nbclient"), pytest.importorskip("nbconvert")
    source = f"import mutoscope as mu\nmu.open({str(HANDS)!r}).show(height=300)"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    # If the notebook stores widget states, nbconvert prefers them to the HTML and loads a script from a server.
    nbclient.NotebookClient(notebook, kernel_name="python3", store_widget_state=False).execute()
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    (tmp_path / "take.html").write_text(page, "utf-8")
    browser.open((tmp_path / "take.html").as_uri())
    browser.tab.page = browser.tab.page.frames[1]
    browser.wait("return player !== null && Number.isFinite(player.duration)", "the recording in the page")
    browser.run_script("return player.play()")
    browser.wait("return player.currentTime > 0.3", "motion in the page")


#: A host as VS Code's: the module of the widget comes as a blob, there is no require.js, and nothing may be loaded.
HOST_PAGE = """<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src data:">
<body style="margin:0"><div id="cell"></div>
<script id="esm" type="text/plain">ESM</script>
<script type="module">
const listeners = new Map();
const values = { time: 0.5, playing: false, selection: null, range: null, height: 300,
  _pack: new DataView(Uint8Array.from(atob('PACK'), (one) => one.charCodeAt(0)).buffer) };
const model = {
  get: (name) => values[name],
  set: (name, value) => { values[name] = value; for (const listener of listeners.get(`change:${name}`) ?? []) listener(); },
  on: (name, listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]),
  off: (name, listener) => listeners.set(name, (listeners.get(name) ?? []).filter((one) => one !== listener)),
  save_changes: () => { window.saved = { ...values, _pack: null }; },
};
const esm = JSON.parse(document.getElementById('esm').textContent);
const address = URL.createObjectURL(new Blob([esm], { type: 'text/javascript' }));
// Twice, as with two widgets in one notebook: the tag is defined once.
for (let time = 0; time < 2; time++) {
  const { default: widget } = await import(address + (time ? '#again' : ''));
  window.done?.();
  document.getElementById('cell').replaceChildren();
  window.done = widget.render({ model, el: document.getElementById('cell') });
}
window.model = model;
window.left = () => [...listeners.values()].flat().length;
</script>"""


def test_host_without_require_js_plays_and_synchronises(browser: Browser, tmp_path: Path) -> None:
    widget = mu.open(HANDS).show()
    esm = json.dumps(widget._esm).replace("</", "<\\/")
    pack = base64.b64encode(bytes(widget._pack)).decode()
    (tmp_path / "host.html").write_text(HOST_PAGE.replace("PACK", pack).replace("ESM", esm), "utf-8")
    browser.open((tmp_path / "host.html").as_uri())
    browser.wait("return player !== null && Number.isFinite(player.duration)", "the recording")
    assert browser.wait("return player.currentTime", "the time of the model") == 0.5
    browser.run_script("window.model.set('time', 1.5)")
    browser.wait("return player.currentTime === 1.5", "the time set by the model")
    browser.run_script("player.selection = 'right/IndexTip'; player.currentTime = 2.25")
    browser.wait("return window.saved.time === 2.25 && window.saved.selection === 'right/IndexTip'", "the values set by the cell")
    browser.run_script("window.done()")
    assert browser.run_script("return [window.left(), document.querySelector('mutoscope-player')]") == [0, None]
    assert browser.tab.log == []
