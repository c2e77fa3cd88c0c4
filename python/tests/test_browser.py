"""The widget in notebooks that are open in a browser: JupyterLab, marimo, a page of nbconvert, and a host without require.js.

`scripts/python --notebooks` runs these; without JupyterLab, marimo and Chromium they are skipped.
"""

from __future__ import annotations

import base64
import contextlib
import importlib.machinery
import importlib.util
import json
import shutil
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
PATIENCE = 120.0

nbformat = pytest.importorskip("nbformat")
if not shutil.which("chromedriver"):
    pytest.skip("no chromedriver", allow_module_level=True)

# Some notebooks put the outputs of cells into shadow roots.
FIND = """
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
SHOW = f"""
import mutoscope as mu
w = mu.open({str(HANDS)!r}).show(autoplay=True, height=300)
def see(change):
    with open("seen.txt", "a") as file:
        print(change["name"], change["new"], file=file)
w.observe(see, ["time", "selection", "playing"])
"""

#: What is set from Python.
SET = """
w.time = 1.5
w.selection = "right/IndexTip"
"""


def chromium() -> Any:
    """`scripts/web-test`, which knows how to use a browser."""
    loader = importlib.machinery.SourceFileLoader("web_test", str(REPOSITORY / "scripts/web-test"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class Browser:
    """A Chromium that reaches this machine alone."""

    def __init__(self, folder: Path) -> None:
        self.tools = chromium()
        self.of = self.tools.Browser(folder)
        self.of.devtools("Network.enable")
        self.of.devtools("Network.setBlockedURLs", urls=["https://*", "wss://*"])
        self.of.devtools("Emulation.setDeviceMetricsOverride", width=1000, height=640, deviceScaleFactor=1, mobile=False)

    def ask(self, script: str, *arguments: Any) -> Any:
        return self.of.script(FIND + script, *arguments)

    def wait(self, script: str, what: str) -> Any:
        found = until(lambda: self.ask(script))
        assert found, f"no {what}: {self.of.log()}"
        return found

    def settle(self) -> None:
        self.of.ask("POST", "/execute/async", {
            "script": "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))", "args": []})  # fmt: skip

    def picture(self) -> Any:
        self.settle()
        return self.tools.Picture(base64.b64decode(self.of.ask("GET", "/screenshot")))

    def place(self, part: str) -> tuple[float, float, float, float]:
        # Scroll the player into view, because the notebook may have scrolled elsewhere.
        self.ask("player.scrollIntoView({ block: 'center' })")
        left, top, width, height = self.ask(
            "const it = player.shadowRoot.querySelector(arguments[0]).getBoundingClientRect();"
            "return [it.left, it.top, it.width, it.height]",
            part,
        )
        return left, top, width, height


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    made = Browser(tmp_path_factory.mktemp("downloads"))
    yield made
    made.of.close()
    made.of.process.wait()
    made.of.process.stdout.close()


def until(ask: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := ask()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


@contextlib.contextmanager
def served(folder: Path, command: list[str], is_up: str) -> Iterator[str]:
    """Runs a server in a folder until it is no longer needed; its address."""
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
        with contextlib.suppress(OSError), urllib.request.urlopen(address + is_up, timeout=5):
            return True
        return False

    try:
        assert until(answers), log.read_text()
        yield address
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def seen(folder: Path, name: str) -> list[str]:
    path = folder / "seen.txt"
    lines = path.read_text().splitlines() if path.exists() else []
    return [line.split(" ", 1)[1] for line in lines if line.startswith(name + " ")]


def moves(browser: Browser, folder: Path) -> None:
    """What a cell shows moves, and the notebook's side follows."""
    browser.wait("return player !== null && Number.isFinite(player.duration)", "recording in the cell")
    browser.wait("return player.currentTime > 0.2 && !player.paused", "motion by itself")
    # Pause before the screenshot, because software rendering on a busy machine cannot keep up with playback.
    browser.ask("player.pause(); player.currentTime = 0.8")
    browser.place(".scene")
    first = browser.picture()
    browser.ask("player.currentTime = 2.6")
    assert first.colors() > 20
    assert first.differs_from(browser.picture()) > 100
    assert until(lambda: "False" in seen(folder, "playing"))
    assert until(lambda: seen(folder, "time")[-1] == "2.6"), seen(folder, "time")


def follows_and_is_followed(browser: Browser, folder: Path) -> None:
    """`w.time = 1.5` was run: it is seen. What is done in the cell is seen in Python."""
    browser.wait("return player.paused && player.currentTime === 1.5", "time that Python has set")
    browser.wait("return player.selection === 'right/IndexTip'", "selection that Python has set")
    left, top, width, height = browser.place(".timeline")
    browser.of.drag([(left + 0.3 * width, top + height / 2), (left + 0.8 * width, top + height / 2)])
    now = browser.ask("return player.currentTime")
    assert 2.8 < now < 3.6
    assert until(lambda: seen(folder, "time")[-1] == str(now)), (now, seen(folder, "time")[-3:])
    browser.ask("player.shadowRoot.querySelector('[data-node]').click()")
    name = browser.ask("return player.selection")
    assert until(lambda: seen(folder, "selection")[-1] == name), seen(folder, "selection")


def test_jupyterlab_plays_and_follows(browser: Browser, tmp_path: Path) -> None:
    pytest.importorskip("jupyterlab")
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(SHOW + "w"), nbformat.v4.new_code_cell(SET)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    nbformat.write(notebook, tmp_path / "take.ipynb")
    options = ["--no-browser", "--allow-root", "--expose-app-in-browser", "--IdentityProvider.token=", "--ServerApp.password="]
    with served(tmp_path, ["jupyterlab", *options, f"--ServerApp.root_dir={tmp_path}"], "/api") as address:
        browser.of.open(f"{address}/lab/tree/take.ipynb?reset")
        browser.wait(
            "return window.jupyterapp?.shell.currentWidget?.context?.sessionContext?.session?.kernel?.status === 'idle'",
            "kernel",
        )
        run = "window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')"
        browser.ask(run)
        moves(browser, tmp_path)
        browser.ask(run)
        follows_and_is_followed(browser, tmp_path)
        elsewhere = "return performance.getEntriesByType('resource').map((one) => one.name).filter((one) => !one.startsWith(arguments[0]))"
        assert [one for one in browser.ask(elsewhere, address) if one.startswith("http")] == []


def test_marimo_plays_and_follows(browser: Browser, tmp_path: Path) -> None:
    pytest.importorskip("marimo")
    indented = lambda text: "".join(f"    {line}\n" for line in text.strip().splitlines())
    (tmp_path / "take.py").write_text(
        "import marimo\napp = marimo.App()\n\n"
        f"@app.cell\ndef _():\n    import marimo as mo\n{indented(SHOW)}    w\n    return mo, w\n\n"
        "@app.cell\ndef _(mo):\n    go = mo.ui.run_button(label='go')\n    go\n    return (go,)\n\n"
        f"@app.cell\ndef _(go, mo, w):\n    mo.stop(not go.value)\n{indented(SET)}    return\n\n"
        "if __name__ == '__main__':\n    app.run()\n"
    )
    with served(tmp_path, ["marimo", "run", "take.py", "--headless", "--no-token"], "/health") as address:
        browser.of.open(address)
        moves(browser, tmp_path)
        press = (
            "const all = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);"
            "const go = all(document).find((one) => one.localName === 'button' && one.textContent.trim() === 'go');"
            "go?.click(); return Boolean(go)"
        )
        browser.wait(press, "button")
        follows_and_is_followed(browser, tmp_path)


def test_page_of_nbconvert_plays_without_a_network(browser: Browser, tmp_path: Path) -> None:
    nbclient, nbconvert = pytest.importorskip("nbclient"), pytest.importorskip("nbconvert")
    source = f"import mutoscope as mu\nmu.open({str(HANDS)!r}).show(height=300)"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    # If the notebook stores widget states, nbconvert prefers them to the HTML and loads a script from a server.
    nbclient.NotebookClient(notebook, kernel_name="python3", store_widget_state=False).execute()
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    (tmp_path / "take.html").write_text(page, "utf-8")
    browser.of.open((tmp_path / "take.html").as_uri())
    browser.of.ask("POST", "/frame", {"id": 0})
    try:
        browser.wait("return player !== null && Number.isFinite(player.duration)", "recording in the page")
        browser.ask("return player.play()")
        browser.wait("return player.currentTime > 0.3", "motion")
    finally:
        browser.of.ask("POST", "/frame", {"id": None})


#: A host as VS Code's: the module of the widget comes as a blob, there is no require.js, and nothing may be loaded.
HOST = """<!doctype html><meta charset="utf-8">
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


def test_host_without_require_js_plays_and_follows(browser: Browser, tmp_path: Path) -> None:
    widget = mu.open(HANDS).show()
    esm = json.dumps(widget._esm).replace("</", "<\\/")
    pack = base64.b64encode(bytes(widget._pack)).decode()
    (tmp_path / "host.html").write_text(HOST.replace("PACK", pack).replace("ESM", esm), "utf-8")
    browser.of.log()
    browser.of.open((tmp_path / "host.html").as_uri())
    browser.wait("return player !== null && Number.isFinite(player.duration)", "recording")
    assert browser.wait("return player.currentTime", "time of the model") == 0.5
    browser.ask("window.model.set('time', 1.5)")
    browser.wait("return player.currentTime === 1.5", "time that the model has set")
    browser.ask("player.selection = 'right/IndexTip'; player.currentTime = 2.25")
    browser.wait("return window.saved.time === 2.25 && window.saved.selection === 'right/IndexTip'", "what the cell has set")
    browser.ask("window.done()")
    assert browser.ask("return [window.left(), document.querySelector('mutoscope-player')]") == [0, None]
    assert [line for line in browser.of.log() if "GPU stall" not in line] == []
