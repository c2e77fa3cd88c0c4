"""Tests of the viewer in a browser: the page that `scripts/web` builds in the folder `dist`."""

import io
import json
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import ASSETS, ROOT, ignore
from picture import Picture
from playwright.sync_api import Browser, BrowserContext
from tab import TIMEOUT_S, Tab

DIST = ROOT / "dist"
# Only as large as the panels need, because software rendering draws every pixel.
SIZE = WIDTH, HEIGHT = 960, 600
# Positions in the timeline. They do not begin at its upper edge, because dragging the edge resizes the timeline.
TIMELINE_HEIGHTS = range(int(HEIGHT * 0.75), int(HEIGHT * 0.95), 8)
HANDS = ASSETS / "mrtk/two-hands.bin"
HANDS_LINK = "/dist/?file=../assets/mrtk/two-hands.bin"
ARM = [("arm-swing.animj", ASSETS / "animj/arm-swing.animj"), ("arm.glb", ASSETS / "animj/arm-swing.glb")]


class Viewer:
    """A tab with the page. The canvas has a label for screen readers, which says what the viewer shows."""

    def __init__(self, tab: Tab, address: str) -> None:
        self.tab, self.address = tab, address
        self.press, self.screenshot, self.settle = tab.press, tab.screenshot, tab.wait_until_settled

    def open(self, path: str, label: str) -> None:
        self.tab.open(self.address + path)
        self.wait_for(label)

    def open_gallery(self) -> None:
        self.open("/dist/", "The gallery")

    def label(self) -> str:
        return self.tab.run("return document.getElementById('mutoscope').ariaLabel ?? ''")

    def line(self) -> str:
        return self.tab.run("const line = document.getElementById('line'); return line.hidden ? '' : line.textContent")

    def wait_for(self, *texts: str, timeout_s: float = TIMEOUT_S) -> str:
        """Waits until the label contains one of the texts, and returns the label."""
        found = lambda: (label := self.label()) and any(text in label for text in texts) and label
        return self.tab.wait_until(found, f"a label with {' or '.join(texts)}", timeout_s)

    def wait_until_open(self, name: str) -> None:
        self.wait_for(f"{name} plays", f"{name}, paused")

    def pause(self) -> float:
        """Pauses, and returns the time in seconds."""
        if " plays" in self.label():
            self.press("Space")
        return self.paused_time(self.wait_for("paused at"))

    def paused_time(self, label: str | None = None) -> float:
        label = label or self.label()
        return float(label.split("paused at ")[1].split(" s")[0])

    def drop(self, *files: tuple[str, Path | bytes]) -> None:
        """Drops files onto the page, given as a name and the content or its path."""
        contents = [(name, file if isinstance(file, bytes) else file.read_bytes()) for name, file in files]
        self.tab.run(
            "const data = new DataTransfer();"
            "for (const [name, bytes] of arguments[0]) data.items.add(new File([new Uint8Array(bytes)], name));"
            "dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))",
            [(name, list(content)) for name, content in contents],
        )

    def type(self, text: str) -> None:
        self.tab.page.keyboard.type(text, delay=60)
        self.tab.page.wait_for_timeout(1000)

    def export(self, name: str, timeout_s: float = TIMEOUT_S) -> bytes:
        """Exports the open recording, and returns the file. The extension of the name selects the format."""
        self.settle()
        self.press("Control+e")
        # The path field gets the keyboard focus when the dialog opens.
        self.tab.page.wait_for_timeout(1000)
        self.settle()
        self.type(name)

        def confirm() -> None:
            self.press("Enter")
            self.wait_for(f"Wrote {name}", timeout_s=timeout_s)

        saved, content = self.tab.download(confirm)
        assert saved == name
        self.press("Escape")
        return content

    def run_command(self, command: str, name: str) -> str:
        """Runs a command from the palette, enters a name into its dialog, and returns the file."""
        self.press("Control+p")
        self.tab.page.wait_for_timeout(2000)
        self.type(command)
        self.press("Enter")
        self.tab.page.wait_for_timeout(2000)
        self.settle()
        self.type(name)

        def confirm() -> None:
            self.press("Enter")
            self.wait_for(f"Wrote {name}")

        saved, content = self.tab.download(confirm)
        assert saved == name
        self.press("Escape")
        return content.decode()


def list_sample_slugs() -> list[str]:
    """Returns the slugs of all examples, as `sample_slug` in src/session/view/link.rs creates them."""
    table = (ROOT / "src/session/samples.rs").read_text(encoding="utf-8").split("pub static SAMPLES")[1]
    names = [line.split('"')[1] for line in table.splitlines() if line.startswith('        name: "')]
    cleaned = ["".join(char if char.isalnum() else " " for char in name.lower()) for name in names]
    return ["-".join(name.split()) for name in cleaned]


@pytest.fixture(scope="session")
def site(serve: Callable[..., str]) -> str:
    # Serve the page from a subfolder, as other sites may do.
    return serve(ROOT)


@pytest.fixture(scope="session")
def context(browser: Browser) -> BrowserContext:
    """A context for all tests, because it caches the compiled WebAssembly, which takes a new context 15 s."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    context.add_init_script("if (location.protocol !== 'file:') localStorage.clear()")
    return context


@pytest.fixture
def viewer(context: BrowserContext, site: str, pytestconfig: pytest.Config) -> Iterator[Viewer]:
    tab = Tab(context, pytestconfig.getoption("--pictures"))
    yield Viewer(tab, site)
    tab.page.close()


def test_page_starts_with_the_gallery(viewer: Viewer) -> None:
    viewer.open_gallery()
    assert viewer.settle().count_colors() > 50


@pytest.mark.parametrize("slug", list_sample_slugs())
def test_sample_moves(viewer: Viewer, slug: str) -> None:
    viewer.open(f"/dist/?sample={slug}&at=0.4", "paused at 0.400 s")
    first = viewer.settle()
    assert first.count_colors() > 20
    for _ in range(3):
        viewer.press("Shift+ArrowRight")
        viewer.tab.wait_until(lambda: viewer.paused_time() != 0.4, "a later time")
    assert first.count_different(viewer.settle()) > 100


def test_dropped_files_open_and_broken_files_show_a_message(viewer: Viewer) -> None:
    viewer.open_gallery()
    viewer.drop((HANDS.name, HANDS))
    viewer.wait_until_open("two-hands.bin")
    viewer.drop(*ARM)
    viewer.wait_until_open("arm-swing.animj")
    viewer.pause()
    viewer.settle()
    assert viewer.screenshot("dropped-with-skeleton").count_colors() > 20
    hands = HANDS.read_bytes()
    viewer.drop(("cut.bin", hands[: len(hands) // 2]))
    # The open recording stays open.
    assert "arm-swing.animj" in viewer.wait_for("cut.bin ")
    viewer.drop(("noise.anim", b"\x00\x01 no motion at all"))
    viewer.wait_for("noise.anim")
    viewer.drop((HANDS.name, HANDS))
    viewer.wait_until_open("two-hands.bin")


def test_mouse_drags_the_playhead(viewer: Viewer) -> None:
    viewer.open(f"{HANDS_LINK}&at=1.25", "paused at 1.250 s")
    viewer.settle()
    # The ruler is the topmost strip of the timeline. Its position varies, so try several heights.
    for y in TIMELINE_HEIGHTS:
        viewer.tab.drag((WIDTH * 0.5, y), (WIDTH * 0.7, y))
        if "paused at" in viewer.label() and abs(viewer.paused_time() - 1.25) > 0.2:
            return
    pytest.fail("dragging along the timeline does not change the time")


def test_touch_controls_camera_and_playhead(viewer: Viewer) -> None:
    """Checks that one finger orbits, two fingers pan and zoom, and a finger on the timeline drags the playhead."""
    viewer.open(f"{HANDS_LINK}&at=1.25", "paused at 1.250 s")
    x, y = WIDTH * 0.45, HEIGHT * 0.35
    line = lambda dx, dy: [(x + dx * step / 4, y + dy * step / 4) for step in range(5)]
    spread = [[(x - 30 - 15 * step, y) for step in range(5)], [(x + 30 + 15 * step, y) for step in range(5)]]
    pan = [line(60, 40), [(left + 40, top) for left, top in line(60, 40)]]
    before = viewer.settle()
    for name, paths in {"orbit": [line(120, 40)], "zoom": spread, "pan": pan}.items():
        viewer.tab.touch(*paths)
        now = viewer.settle()
        assert before.count_different(now) > 1000, name
        before = now
    assert viewer.paused_time() == 1.25
    # On a busy machine a frame may take a second.
    for timeout_ms in (600, 3000):
        for y in TIMELINE_HEIGHTS:
            viewer.tab.touch([(WIDTH * (0.5 + 0.05 * step), y) for step in range(5)])
            viewer.tab.page.wait_for_timeout(timeout_ms)
            if "paused at" in viewer.label() and abs(viewer.paused_time() - 1.25) > 0.2:
                return
    pytest.fail("dragging along the timeline by touch does not change the time")


def test_link_restores_the_view(viewer: Viewer, site: str) -> None:
    viewer.tab.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site)
    values = ["at=1.25", "range=0.5..2.5", "select=right/IndexTip", "camera=30,20,1.5"]
    viewer.open(f"{HANDS_LINK}&{'&'.join(values)}", "paused at 1.250 s")
    assert viewer.settle().count_colors() > 20
    viewer.press("Shift+V")
    viewer.tab.wait("return navigator.clipboard.readText().then((text) => text.includes('?'))")
    copied = viewer.tab.run("return navigator.clipboard.readText()")
    assert [value for value in ["file=../assets/mrtk/two-hands.bin", *values] if value not in copied] == [], copied


def test_fonts_are_loaded_when_a_name_needs_them(viewer: Viewer) -> None:
    requested: list[str] = []
    viewer.tab.page.on("response", lambda response: requested.append(response.url) if response.ok else None)
    viewer.open_gallery()
    assert not any("/fonts/" in url for url in requested)
    walk = (ASSETS / "bvh/walk.bvh").read_text(encoding="utf-8")
    viewer.drop(("walk.bvh", walk.replace("ROOT Hips", "ROOT 頭").encode()))
    viewer.wait_until_open("walk.bvh")
    viewer.tab.wait_until(lambda: any(url.endswith("/fonts/DroidSansFallbackFull.ttf") for url in requested), "a font")
    assert not any("Emoji" in url for url in requested)
    viewer.drop(("hand.bvh", walk.replace("ROOT Hips", "ROOT 😀").encode()))
    viewer.wait_until_open("hand.bvh")
    viewer.tab.wait_until(lambda: any(url.endswith("/fonts/NotoEmoji-Regular.ttf") for url in requested), "a font")
    viewer.pause()
    viewer.screenshot("fonts")


def test_other_servers_are_read_only_if_they_allow_it(viewer: Viewer, serve: Callable[..., str]) -> None:
    closed_site, open_site = serve(ASSETS), serve(ASSETS, allows="*")
    viewer.open(f"/dist/?file={open_site}/mrtk/two-hands.bin", "two-hands.bin")
    viewer.wait_until_open("two-hands.bin")
    viewer.tab.open(f"{viewer.address}/dist/?file={closed_site}/mrtk/two-hands.bin")
    viewer.tab.wait_until(lambda: "Access-Control-Allow-Origin" in viewer.line(), "the message about the other server")
    viewer.tab.open(f"{viewer.address}/dist/?file=missing.bin&speed=2")
    viewer.tab.wait_until(lambda: "404" in (line := viewer.line()) and "speed" in line, "the messages about the link")
    # No link names that server now, so the content security policy blocks it.
    answer = "return fetch(arguments[0]).then(() => 'loaded', () => 'refused')"
    assert viewer.tab.run(answer, f"{open_site}/mrtk/two-hands.bin") == "refused"


@pytest.mark.parametrize("path", ["mrtk/two-hands.bin", "animj/arm-swing.animj", "mcmocap/a-day.mcmocap_rec"])
def test_export_matches_the_desktop(viewer: Viewer, program: Path, tmp_path: Path, path: str) -> None:
    source = ASSETS / path
    viewer.open_gallery()
    viewer.drop((source.name, source))
    viewer.wait_until_open(source.name)
    # A recording that plays never comes to rest.
    viewer.pause()
    found = viewer.export(f"{source.stem}.glb")
    # The file contains its own name, so both files need the same one.
    expected = tmp_path / f"{source.stem}.glb"
    subprocess.run([program, "convert", "-o", expected, source], check=True)
    assert found == expected.read_bytes()


def test_fbx_matches_the_desktop(viewer: Viewer, program: Path, tmp_path: Path) -> None:
    """Compares joint positions instead of bytes, because the last bits of sines differ between systems."""
    if b"Kaydara FBX Binary" not in (DIST / "mutoscope_bg.wasm").read_bytes():
        ignore("the page was built without clang, so it cannot read FBX")

    def sample_positions(path: Path) -> dict:
        command = [str(program), "sample", "--times", "0.2,0.5", str(path)]
        poses = map(json.loads, subprocess.run(command, check=True, capture_output=True).stdout.splitlines())
        return {(pose["time"], node["name"]): node["world"]["translation"] for pose in poses for node in pose["nodes"]}

    source = ROOT / "tests/data/characters/mixamo_names.fbx"
    viewer.open_gallery()
    viewer.drop((source.name, source))
    viewer.wait_until_open(source.name)
    viewer.pause()
    exported = tmp_path / f"{source.stem}.glb"
    exported.write_bytes(viewer.export(exported.name))
    found, expected = sample_positions(exported), sample_positions(source)
    assert len(expected) == 64
    for key, position in expected.items():
        # GLB stores f32. The positions are in metres.
        assert found[key] == pytest.approx(position, abs=2e-5), key


def test_labels_are_saved_as_downloads(viewer: Viewer) -> None:
    """Creates labels with keys, drops, saves and exports them. Checks that a report plays the recording."""
    viewer.open(f"{HANDS_LINK}&at=1&range=1..2.5", "paused at 1.000 s")
    viewer.settle()
    # Turn the range into a label.
    viewer.press("w")
    viewer.tab.page.wait_for_timeout(2000)
    viewer.type("reach")
    viewer.press("Enter")
    viewer.tab.page.wait_for_timeout(2000)

    def save() -> None:
        viewer.press("Control+s")
        viewer.wait_for("Saved two-hands.labels.csv")

    name, saved = viewer.tab.download(save)
    assert name == "two-hands.labels.csv" and b"reach" in saved
    assert b"1" in saved.splitlines()[1].split(b",")[0]
    viewer.drop(("more.labels.csv", b"start_s,end_s,label\n3,4,grasp\n"))
    viewer.wait_for("Imported 1 label")
    both = viewer.run_command("export labels", "both.TextGrid")
    assert "reach" in both and "grasp" in both
    page = viewer.run_command("report", "hands.html")
    assert '"label":"grasp"' in page and '<figure class="motion"' in page


def test_full_page_contains_the_viewer(open_tab: Callable[..., Tab], program: Path, tmp_path: Path) -> None:
    """Opens a page by `convert --full` from the disk, without a network, with a skeleton and a range."""
    arm, page = ASSETS / "animj/arm-swing", tmp_path / "full.html"
    options = ["--rig", f"{arm}.glb", "--range", "0.5..2", f"--full={DIST}", "-o", str(page)]
    subprocess.run([str(program), "convert", *options, f"{arm}.animj"], check=True)
    viewer = Viewer(open_tab(SIZE, offline=True), page.as_uri())
    viewer.open("", "arm-swing.animj")
    viewer.wait_until_open("arm-swing.animj")
    viewer.pause()
    viewer.press("Home")
    viewer.wait_for("paused at 0.500 s")
    first = viewer.settle()
    assert first.count_colors() > 20
    viewer.press("Shift+ArrowRight")
    viewer.wait_for("paused at 1.500 s")
    assert first.count_different(viewer.settle()) > 100
    assert [url for url in viewer.tab.requests[1:] if not url.startswith(("blob:", "data:"))] == []


@pytest.mark.videos
def test_videos_are_saved_as_downloads(viewer: Viewer) -> None:
    """Exports the range as a GIF and as images in a zip file, and checks their number, size and content."""
    viewer.open(f"{HANDS_LINK}&at=1&range=1..1.08", "paused at")
    # Each image takes several frames, and software rendering draws one or two frames per second.
    gif = viewer.export("hands.gif", 3 * TIMEOUT_S)
    assert gif[:6] == b"GIF89a"
    assert gif.count(b"\x21\xf9\x04") == 2
    assert (int.from_bytes(gif[6:8], "little"), int.from_bytes(gif[8:10], "little")) == (1280, 720)
    with zipfile.ZipFile(io.BytesIO(viewer.export("hands.zip", 3 * TIMEOUT_S))) as frames:
        assert frames.namelist() == ["00001.png", "00002.png"]
        first, last = (Picture(frames.read(name)) for name in frames.namelist())
    assert first.count_colors() > 20 and first != last
