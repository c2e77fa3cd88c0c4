#!/usr/bin/env python3
"""Updates the pictures of the README, the guide and the gallery with the current program.

Renders the pictures of recordings, and reads the pictures of the window from a virtual display. Needs xvfb, xdotool,
ffmpeg and a Vulkan driver (scripts/test installs them). All pictures take about ten minutes with software rendering.
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
OUT = ROOT / "assets/pictures"
SIZE = "1280x720"
TIMEOUT_S = 180

#: The gallery: the picture, and the arguments of `render`. Paths are below assets.
GALLERY = {
    "two-hands.png": ["mrtk/two-hands.bin"],
    "two-hands-damaged.png": ["mrtk/two-hands-damaged.bin"],
    "maya-walk.png": ["maya/walk-with-hat.anim"],
    "lantern-show.png": ["--rig", "animj/lantern-show.glb", "animj/lantern-show.animj"],
    "arm-swing.png": ["--rig", "animj/arm-swing.glb", "animj/arm-swing.animj"],
    "a-day.png": ["mcmocap/a-day.mcmocap_rec"],
    "prime-walk.png": ["--rig", "prime/walk.CINF", "prime/walk.ANIM"],
    "walker.png": ["gltf/walker.glb"],
    "bvh-walk.png": ["bvh/walk.bvh"],
}

#: Other rendered pictures.
RENDERED = {"strip.png": ["--strip", "8", "--size", "318x180", "maya/walk-with-hat.anim"]}

#: Pictures of the window: arguments, and the keys that are pressed then, or the places that are clicked. The title is waited for.
WINDOW = {
    "compare.png": (
        ["bvh/walk.bvh", "--against", "walk.anim", "--against", "gltf/walker.glb", "--at", "1", "--place", "side-by-side"],
        ["a"],
    ),
    "bytes.png": (["prime/walk.ANIM", "--at", "0.5", "--select=L_knee"], ["ctrl+b", "click 1000 348"]),
    "curves.png": (["maya/walk-with-hat.anim", "--at", "1.2", "--select=L_upperArm"], ["shift+c", "shift+f"]),
    "minecraft.png": (["mcmocap/a-day.mcmocap_rec", "--at", "8", "--select=player"], []),
}


#: Recordings that are converted first: one walk in three formats.
CONVERTED = {"walk.anim": "bvh/walk.bvh"}


def resolve_assets(arguments):
    """Replaces the paths of files below assets by their full paths."""
    return [str(ROOT / "assets" / argument) if (ROOT / "assets" / argument).is_file() else argument for argument in arguments]


def convert_inputs(program, arguments, folder):
    """Converts the recordings of `CONVERTED` into `folder`, and replaces their names by their paths."""
    for name in set(arguments) & set(CONVERTED):
        subprocess.run([program, "convert", "-o", str(folder / name), *resolve_assets([CONVERTED[name]])], check=True)
    return [str(folder / argument) if argument in CONVERTED else argument for argument in arguments]


def render(program, name, arguments):
    subprocess.run([program, "render", "-o", str(OUT / name), *resolve_assets(arguments)], check=True)
    if name in GALLERY:
        reduce_colours(OUT / name)


def reduce_colours(path):
    """Reduces a picture to 256 colours, because the program contains it. It shrinks to a third without a visible difference."""
    palette = "split[a][b];[a]palettegen=stats_mode=full:reserve_transparent=0[p];[b][p]paletteuse=dither=sierra2_4a"
    with tempfile.TemporaryDirectory() as folder:
        smaller = Path(folder) / path.name
        options = ["-filter_complex", palette, "-compression_level", "100", "-pred", "mixed"]
        subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), *options, str(smaller)], check=True)
        shutil.copy(smaller, path)


class Window:
    """The viewer on a separate display."""

    def __init__(self, program, arguments):
        self.folder = Path(tempfile.mkdtemp())
        read, write = os.pipe()
        screen = ["-screen", "0", f"{SIZE}x24", "-nolisten", "tcp", "-fbdir", str(self.folder)]
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), *screen], pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        self.display = ":" + os.read(read, 16).decode().strip()
        environment = {**os.environ, "DISPLAY": self.display, "XDG_CONFIG_HOME": str(self.folder / "settings")}
        environment.pop("WAYLAND_DISPLAY", None)
        self.environment = environment
        given = convert_inputs(program, resolve_assets(arguments), self.folder)
        self.viewer = subprocess.Popen([program, *given], cwd=self.folder, env=environment)
        title = Path(next(argument for argument in arguments if "/" in argument)).name
        self.wait(lambda: self.xdotool("search", "--name", title), f"a window called {title}")
        self.xdotool("search", "--name", title, "windowfocus")
        self.xdotool("mousemove", "640", "60")
        time.sleep(3)

    def wait(self, condition, what):
        deadline = time.monotonic() + TIMEOUT_S
        while not condition():
            if self.viewer.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"error: timed out waiting for {what}")
            time.sleep(0.3)

    def xdotool(self, *arguments):
        command = ["xdotool", *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True).returncode == 0

    def press(self, keys):
        """Presses a key, or clicks. Holds a modifier long enough for the viewer to see it."""
        if keys.startswith("click "):
            self.xdotool("mousemove", *keys.split()[1:], "sleep", "0.4", "click", "1", "sleep", "0.6", "mousemove", "640", "60")
            return
        modifier, _, key = keys.rpartition("+")
        if modifier:
            self.xdotool("keydown", modifier, "sleep", "0.4")
        self.xdotool("key", key, "sleep", "0.6")
        if modifier:
            self.xdotool("keyup", modifier, "sleep", "0.4")

    def save(self, path):
        """Saves a picture of the display, which Xvfb stores in a file (XWD)."""
        time.sleep(4)
        screen = (self.folder / "Xvfb_screen0").read_bytes()
        header = struct.unpack_from(">20I", screen)
        width, height, line, colours = header[4], header[5], header[12], header[19]
        start = header[0] + 12 * colours
        rows = (screen[start + row * line : start + row * line + 4 * width] for row in range(height))
        # Convert BGRX to RGB. In a PNG, each row begins with a filter byte.
        pixels = bytearray()
        for row in rows:
            rgb = bytearray(3 * width)
            rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
            pixels += b"\0" + rgb

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        data = chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b"")
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)

    def record(self, path, keys):
        """Records the window while keys are pressed, as a GIF of 960 by 540 pixels."""
        video = self.folder / "film.mkv"
        input_options = ["-f", "x11grab", "-framerate", "12", "-video_size", SIZE, "-i", self.display]
        ffmpeg = subprocess.Popen(
            ["ffmpeg", "-loglevel", "error", *input_options, "-c:v", "ffv1", str(video)], stdin=subprocess.PIPE
        )
        for key in keys:
            self.press(key)
            time.sleep(0.8)
        ffmpeg.communicate(b"q")
        palette = "fps=8,scale=960:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none"
        subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-y", "-i", str(video), "-filter_complex", palette, str(path)], check=True
        )

    def close(self):
        for process in (self.viewer, self.server):
            process.terminate()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="the viewer")
    parser.add_argument("names", nargs="*", help="create only these pictures, such as compare.png")
    options = parser.parse_args()
    if not shutil.which("ffmpeg"):
        sys.exit("error: ffmpeg is missing. Install it")
    program, wanted = str(options.program.resolve()), set(options.names)
    known = {*GALLERY, *RENDERED, *WINDOW, "viewer.gif"}
    if wanted - known:
        sys.exit(f"error: unknown picture: {', '.join(sorted(wanted - known))}")
    is_wanted = lambda name: not wanted or name in wanted
    for name, arguments in GALLERY.items():
        if is_wanted(name):
            render(program, name, ["--size", "480x270", *arguments])
    for name, arguments in RENDERED.items():
        if is_wanted(name):
            render(program, name, arguments)
    for name, (arguments, keys) in WINDOW.items():
        if is_wanted(name):
            window = Window(program, arguments)
            try:
                for key in keys:
                    window.press(key)
                window.save(OUT / name)
            finally:
                window.close()
    if is_wanted("viewer.gif"):
        window = Window(program, ["mrtk/two-hands.bin", "--select=right/IndexTip"])
        try:
            window.record(OUT / "viewer.gif", ["y", "shift+Right", "shift+Right", "shift+c", "Right", "Right", "v"])
        finally:
            window.close()


if __name__ == "__main__":
    main()
