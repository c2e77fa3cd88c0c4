#!/usr/bin/env python3
"""Tests the window of the program for Windows under Wine, and compares it with the program for Linux.

Both programs use Mesa's software Vulkan on a virtual display of the same size. For every sample, the script opens it
paused at the start, saves screenshots with the keyboard shortcut and compares their pixels, exports a GLB with the export
dialog and compares its bytes, drops another recording onto the window, and closes the window. The program must then exit
with 0. If $WINDOWS_PICTURES names a
folder, the screenshots are saved there.
"""

import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools" / "monkey"))
import x11  # noqa: E402 (it is found there)

# Software rendering is slow on a busy machine, so the limits are generous. No test asserts a duration.
TIMEOUT_S = 300.0
# Renderers round differently at edges, so this share of the pixels may differ by more than this much of 255.
MAX_DIFFERENT_SHARE, MAX_CHANNEL_DIFFERENCE = 0.01, 24


class Failed(Exception):
    """A failed check."""


def decode_png(path):
    """Decodes a PNG with three or four 8-bit channels. Returns width, height, number of channels and rows."""
    data = path.read_bytes()
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    if depth != 8 or kind not in (2, 6):
        raise Failed(f"{path}: expected an RGB or RGBA PNG with 8 bits per channel, found depth {depth}, colour type {kind}")
    channels = 3 if kind == 2 else 4
    packed, offset = b"", 8
    while offset < len(data):
        length, name = struct.unpack(">I4s", data[offset : offset + 8])
        if name == b"IDAT":
            packed += data[offset + 8 : offset + 8 + length]
        offset += 12 + length
    raw, stride = zlib.decompress(packed), width * channels
    rows, above = [], bytearray(stride)
    for row in range(height):
        begin = row * (stride + 1)
        rows.append(above := undo_filter(raw[begin], bytearray(raw[begin + 1 : begin + 1 + stride]), above, channels))
    return width, height, channels, rows


def undo_filter(kind, line, above, step):
    """Reverses the filter of a row of a PNG."""
    for offset in range(len(line)):
        left = line[offset - step] if offset >= step else 0
        up, corner = above[offset], above[offset - step] if offset >= step else 0
        if kind == 1:
            line[offset] = (line[offset] + left) & 255
        elif kind == 2:
            line[offset] = (line[offset] + up) & 255
        elif kind == 3:
            line[offset] = (line[offset] + (left + up) // 2) & 255
        elif kind == 4:
            guess = left + up - corner
            best = min((left, up, corner), key=lambda it: abs(guess - it))
            line[offset] = (line[offset] + best) & 255
    return line


def different_share(first, second):
    """Returns the share of pixels that differ by more than `MAX_CHANNEL_DIFFERENCE`, from 0 to 1."""
    width, height, channels, rows = decode_png(first)
    other_width, other_height, other_channels, other_rows = decode_png(second)
    if (width, height) != (other_width, other_height):
        raise Failed(f"{first} has {width}x{height} pixels and {second} {other_width}x{other_height}")
    count = 0
    for a, b in zip(rows, other_rows):
        for x in range(width):
            p, q = a[x * channels : x * channels + 3], b[x * other_channels : x * other_channels + 3]
            count += max(abs(i - j) for i, j in zip(p, q)) > MAX_CHANNEL_DIFFERENCE
    return count / (width * height)


class Display:
    def __enter__(self):
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.server.stdout
        self.name = f":{self.server.stdout.readline().strip()}"
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.server.wait()


class Viewer:
    """The program and its window, in a separate folder."""

    def __init__(self, command, display, folder, arguments):
        self.display, self.folder = display, folder
        environment = os.environ | {
            "DISPLAY": display.name,
            "XDG_CONFIG_HOME": str(folder / "settings"),
            # Wine 8 cannot compile shaders for Direct3D 12.
            "WGPU_BACKEND": "vulkan",
        }
        environment.pop("WAYLAND_DISPLAY", None)
        self.log = open(folder / "log.txt", "wb")
        self.process = subprocess.Popen([*command, *arguments], cwd=folder, env=environment, stdout=self.log, stderr=self.log)

    def run_xdotool(self, *arguments):
        environment = os.environ | {"DISPLAY": self.display.name}
        return subprocess.run(["xdotool", *arguments], env=environment, capture_output=True, text=True)

    def xdotool(self, *arguments):
        return self.run_xdotool(*arguments).returncode == 0

    def wait_until(self, condition, what, interval_s=0.3, action=lambda: None, action_interval_s=20.0):
        """Waits until `condition()` is true, and repeats `action` every `action_interval_s` seconds."""
        deadline, acted = time.monotonic() + TIMEOUT_S, -action_interval_s
        while True:
            if time.monotonic() - acted > action_interval_s:
                action()
                acted = time.monotonic()
            if condition():
                return
            if self.process.poll() is not None:
                raise Failed(f"the program exited with {self.process.returncode} before {what}: {self.read_log()}")
            if time.monotonic() > deadline:
                raise Failed(f"timed out waiting for {what}: {self.read_log()}")
            time.sleep(interval_s)

    def read_log(self):
        self.log.flush()
        return (self.folder / "log.txt").read_text(errors="replace")[-2000:]

    def wait_for_title(self, title):
        self.wait_until(lambda: self.xdotool("search", "--name", title), f"a window called {title}")
        self.xdotool("search", "--name", title, "windowfocus")
        self.xdotool("mousemove", "640", "60")
        time.sleep(3)

    def press(self, *keys):
        for key in keys:
            *held, key = key.split("+")
            for modifier in held:
                self.xdotool("keydown", modifier, "sleep", "0.4")
            self.xdotool("key", key, "sleep", "0.4")
            for modifier in held:
                self.xdotool("keyup", modifier, "sleep", "0.4")

    def screenshot(self):
        """Saves a screenshot with F12, and returns its path."""
        path = self.folder / "mutoscope-1.png"
        path.unlink(missing_ok=True)
        self.wait_until(path.exists, "a screenshot", action=lambda: self.press("F12"))
        return path

    def export(self, name):
        self.press("Escape", "ctrl+e")
        time.sleep(1)
        self.xdotool("type", "--delay", "60", name)
        self.press("Return")
        path = self.folder / name
        self.wait_until(path.exists, f"the export {name}")
        self.press("Escape")
        return path.read_bytes()

    def drop(self, path, title):
        """Drops a file onto the window, as a file manager does. The title of the window becomes the file name."""
        client = x11.Client(self.display.name)
        windows = self.run_xdotool("search", "--name", title).stdout.split()
        if not any(client.drop(int(window), [path], 30) for window in windows):
            raise Failed(f"the window rejected the dropped file {path.name}: {self.read_log()}")
        self.wait_for_title(path.name)

    def close(self, title):
        """Closes the window with Alt+F4, which Wine handles like the close button. Returns the exit status."""
        self.xdotool("search", "--name", title, "windowfocus")
        self.press("alt+F4")
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            raise Failed("the window does not close") from None

    def end(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


def list_settings_folders():
    """Lists the settings folders of the program for Windows: %APPDATA%\\mutoscope of each user of this Wine. No
    environment variable changes their location."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    prefix = Path(os.environ.get("WINEPREFIX") or cache / "mutoscope" / "wine")
    return list(prefix.glob("drive_c/users/*/AppData/Roaming/mutoscope"))


def test_viewer(command, display, folder, path, skeleton, closes):
    """Tests a viewer with a sample. Returns two screenshots and the exported bytes. `closes` tests closing the window, which
    needs Wine, because the virtual display has no window manager."""
    folder.mkdir(parents=True)
    if closes:
        # Delete the settings, because the last window size must not affect the next test. On Linux each test has its
        # own folder.
        for settings_folder in list_settings_folders():
            shutil.rmtree(settings_folder)
    shutil.copy(path, folder / path.name)
    arguments = [path.name, "--at", "0"]
    if skeleton:
        shutil.copy(skeleton, folder / skeleton.name)
        arguments += ["--rig", skeleton.name]
    viewer = Viewer(command, display, folder, arguments)
    try:
        viewer.wait_for_title(path.name)
        picture = viewer.screenshot().rename(folder / "start.png")
        viewer.press("shift+Right")
        later = viewer.screenshot().rename(folder / "later.png")
        if different_share(picture, later) == 0:
            raise Failed("the picture does not change within a second")
        exported = viewer.export("out.glb")
        # A title that no other window contains.
        dropped = folder / "dropped onto it.bvh"
        shutil.copy(ROOT / "assets" / "bvh" / "walk.bvh", dropped)
        viewer.drop(dropped, path.name)
        if closes:
            status = viewer.close(dropped.name)
            if status != 0:
                raise Failed(f"expected exit status 0 after closing, found {status}: {viewer.read_log()}")
            if not any((it / "settings.json").is_file() for it in list_settings_folders()):
                raise Failed("settings.json is missing in %APPDATA%\\mutoscope")
        return picture, later, exported
    finally:
        viewer.end()


def list_samples():
    for path in sorted((ROOT / "assets").glob("*/*")):
        if path.parent.name == "pictures" or path.suffix.lower() == ".cinf":
            continue
        others = [it for it in path.parent.glob(path.stem + ".*") if it != path]
        if path.suffix != ".glb" or not others:
            yield path, others[0] if others else None


def check_missing_driver(command, display):
    """Checks that the window and `render` print one error and exit with 1 if there is no graphics driver."""
    environment = os.environ | {
        "DISPLAY": display.name,
        "WGPU_BACKEND": "vulkan",
        # Hide Mesa's drivers, with the old and the new name of the variable.
        "VK_DRIVER_FILES": "/nowhere.json",
        "VK_ICD_FILENAMES": "/nowhere.json",
    }
    sample = str(ROOT / "assets" / "bvh" / "walk.bvh")
    with tempfile.TemporaryDirectory() as folder:
        for arguments in [[sample], ["render", sample, "-o", f"{folder}/no.png"]]:
            ran = subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True, timeout=TIMEOUT_S)
            errors = [line for line in ran.stderr.splitlines() if line.startswith("error: ")]
            if ran.returncode != 1 or len(errors) != 1 or "driver" not in errors[0]:
                raise Failed(
                    f"expected one error about the driver and exit status 1, found {ran.returncode}: {ran.stderr[-1000:]}"
                )
            print(f"without a driver: {errors[0]}", flush=True)


def stop_wine(windows):
    """Ends the background processes of Wine, because those started without a display never find one, nor a driver."""
    stop = [*windows[:-1], "wineboot", "--kill"]
    subprocess.run(stop, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=TIMEOUT_S)
    # Killed processes need a moment to end.
    time.sleep(2)


def main(linux, windows):
    failures = 0
    stop_wine(windows)
    with tempfile.TemporaryDirectory() as root, Display() as display:
        for command in ([linux], windows):
            try:
                check_missing_driver(command, display)
            except Failed as problem:
                failures += 1
                print(f"error: {problem}", file=sys.stderr, flush=True)
        for path, skeleton in list_samples():
            name = path.relative_to(ROOT / "assets")
            try:
                linux_results = test_viewer([linux], display, Path(root) / "linux" / name, path, skeleton, False)
                windows_results = test_viewer(windows, display, Path(root) / "windows" / name, path, skeleton, True)
                shares = [different_share(first, second) for first, second in zip(linux_results[:2], windows_results[:2])]
                same = "equal" if linux_results[2] == windows_results[2] else "NOT equal"
                print(f"{str(name):32} different pixels: {shares[0]:.3%}, {shares[1]:.3%}; exported GLB {same}", flush=True)
                if max(shares) > MAX_DIFFERENT_SHARE:
                    raise Failed(f"expected at most {MAX_DIFFERENT_SHARE:.0%} different pixels, found {max(shares):.3%}")
            except Failed as problem:
                failures += 1
                print(f"error: {name}: {problem}", file=sys.stderr, flush=True)
            pictures = os.environ.get("WINDOWS_PICTURES")
            if pictures:
                for system in ("linux", "windows"):
                    for picture in (Path(root) / system / name).glob("*.png"):
                        to = Path(pictures) / f"{path.stem}-{system}-{picture.name}"
                        to.parent.mkdir(parents=True, exist_ok=True)
                        shutil.copy(picture, to)
    sys.exit(failures > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("linux", help="the viewer for Linux")
    parser.add_argument("windows", nargs="+", help="starts the viewer for Windows: tools/wine.sh mutoscope.exe")
    arguments = parser.parse_args()
    main(arguments.linux, arguments.windows)
