"""Tests the window with random input: keys, clicks, drags, window sizes, and files that are dropped, damaged, truncated
and replaced while they are open.

    cargo build --package mutoscope && python3 tools/monkey target/debug/mutoscope MINUTES

Uses a virtual display (xvfb, xdotool) and Vulkan in software; scripts/test installs them. Exits with 1 if the viewer
panics, ends, hangs, or keeps growing in memory. Prints the slowest frame: the longest time until the window answered a
ping (_NET_WM_PING), which its event loop does between two frames. The folder of the run is kept if a problem was found.
`actions.txt` in it lists the actions. The same seed repeats them, except for their timing.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from files import ROOT, Files
from x11 import Client, ConnectionLost

WIDTH, HEIGHT = 1280, 720

# Keys: letters, keys that move in time, and keys that open and close panels.
KEYS = [*"abcdefghijklmnopqrstuvwxyz0123456789", *"space Home End Left Right Up Down Tab Return Escape".split(),
        *"Prior Next Delete BackSpace comma period bracketleft bracketright minus equal slash".split(),
        *[f"F{number}" for number in range(1, 13)]]  # fmt: skip
MODIFIERS = ["ctrl", "shift", "alt"]

# No slash, because the text may become a file name, and files must stay in the folder of the run.
TEXT_CHARS = "abcdefghijklmnopqrstuvwxyz 0123456789-é"

# The longest time without an answer before the window is considered hung, in seconds.
TIMEOUT_S = 60

# The largest allowed growth of memory from the first minute to the end, in the same state: a factor, and MiB.
MAX_GROWTH_FACTOR, MAX_GROWTH_MIB = 1.5, 150


class Viewer:
    """The program on a separate display, in a separate folder."""

    def __init__(self, program, folder, files):
        self.folder, self.log = folder, open(folder / "viewer.log", "ab")
        server = ["Xvfb", "-displayfd", "1", "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"]
        # Without this option, the server restarts whenever its last client disconnects, and refuses connections
        # during that time.
        server.append("-noreset")
        self.server = subprocess.Popen(server, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.server.stdout
        self.display = ":" + self.server.stdout.readline().decode().strip()
        self.program = self.start(program, files)
        self.client = Client(self.display)
        self.window = self.find_window()

    def start(self, program, files):
        folders = {name: str(self.folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
        unset = ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")
        rest = {name: value for name, value in os.environ.items() if name not in unset}
        environment = {**rest, **folders, "DISPLAY": self.display, "RUST_BACKTRACE": "1"}
        return subprocess.Popen([program, *files], cwd=self.folder, env=environment, stdout=self.log, stderr=self.log)

    def find_window(self):
        end = time.monotonic() + 180
        while time.monotonic() < end:
            if self.program.poll() is not None:
                sys.exit(f"the viewer exited with {self.program.returncode} before it opened a window. See {self.log.name}")
            found = self.xdotool("search", "--onlyvisible", "--pid", str(self.program.pid)).split()
            if found:
                self.xdotool("windowfocus", found[-1])
                return int(found[-1])
            time.sleep(0.3)
        sys.exit("the viewer did not open a window within 180 s")

    def xdotool(self, *arguments):
        environment = {**os.environ, "DISPLAY": self.display}
        run = subprocess.run(["xdotool", *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=120)
        return run.stdout

    def ping(self):
        """Returns the seconds until the window answers, which is the remaining time of the current frame."""
        seconds = self.client.ping(self.window, TIMEOUT_S)
        if seconds is None and self.program.poll() is None:
            raise TimeoutError(f"the window did not answer within {TIMEOUT_S} s")
        return seconds or 0.0

    def cpu_seconds(self):
        """Returns the CPU time of all threads together, in seconds."""
        fields = Path(f"/proc/{self.program.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self):
        """Returns the resident set size in MiB."""
        status = Path(f"/proc/{self.program.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def has_panicked(self):
        return "panicked at" in Path(self.log.name).read_text(errors="replace")

    def close(self):
        for process in (self.program, self.server):
            process.terminate()
            process.wait()


class Monkey:
    def __init__(self, viewer, files, rng, actions):
        self.viewer, self.files, self.rng, self.actions = viewer, files, rng, actions
        # The longest time to an answer, the viewer's work during that time, and the action before it.
        self.slowest, self.slow_pings, self.pings = (0.0, 0.0, ""), 0, 0

    def perform_action(self):
        rng = self.rng
        weights = {self.press: 30, self.click: 20, self.drag: 12, self.scroll: 10, self.use_palette: 6, self.drop: 8,
                   self.change_file: 10, self.resize: 4}  # fmt: skip
        action = rng.choices(list(weights), list(weights.values()))[0]
        start = time.monotonic()
        what = f"{action.__name__} {action()}"
        self.actions.write(f"{start:.2f} {what}\n")
        self.actions.flush()
        self.ping_for(what)

    def ping_for(self, what, seconds=0.2):
        """Pings the window repeatedly for some seconds, and records the slowest answer."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            before = self.viewer.cpu_seconds()
            took = self.viewer.ping()
            self.pings += 1
            self.slow_pings += took > 0.5
            if took > self.slowest[0]:
                self.slowest = took, self.viewer.cpu_seconds() - before, what
            time.sleep(0.005)

    def random_point(self):
        return self.rng.randrange(WIDTH), self.rng.randrange(HEIGHT)

    def press(self):
        keys = [self.rng.choice(KEYS) for _ in range(self.rng.randint(1, 4))]
        if self.rng.random() < 0.3:
            modifier = self.rng.choice(MODIFIERS)
            # The viewer misses a modifier that is pressed and released within one frame.
            self.viewer.xdotool("keydown", modifier, "sleep", "0.05", "key", keys[0], "sleep", "0.05", "keyup", modifier)
            return f"{modifier}+{keys[0]}"
        self.viewer.xdotool("key", "--delay", "40", *keys)
        return " ".join(keys)

    def click(self):
        x, y = self.random_point()
        button, count = self.rng.choices([1, 2, 3], [8, 1, 3])[0], self.rng.choice([1, 1, 1, 2])
        self.viewer.xdotool("mousemove", x, y, "click", "--repeat", count, "--delay", "60", button)
        return f"button {button} at {x} {y}, {count} times"

    def drag(self):
        (x, y), button, moves = self.random_point(), self.rng.choice([1, 1, 2, 3]), []
        for _ in range(self.rng.randint(1, 5)):
            moves += ["mousemove", *self.random_point(), "sleep", "0.03"]
        self.viewer.xdotool("mousemove", x, y, "mousedown", button, "sleep", "0.05", *moves, "mouseup", button)
        return f"button {button} from {x} {y} by {' '.join(map(str, moves))}"

    def scroll(self):
        x, y = self.random_point()
        button, count = self.rng.choice([4, 5, 6, 7]), self.rng.randint(1, 12)
        self.viewer.xdotool("mousemove", x, y, "click", "--repeat", count, "--delay", "10", button)
        return f"button {button} at {x} {y}, {count} times"

    def use_palette(self):
        text = "".join(self.rng.choices(TEXT_CHARS, k=self.rng.randint(1, 8)))
        key = self.rng.choice(["Return", "Escape", "Down"])
        self.viewer.xdotool("keydown", "ctrl", "sleep", "0.05", "key", "p", "sleep", "0.05", "keyup", "ctrl")
        self.viewer.xdotool("type", "--delay", "30", text)
        self.viewer.xdotool("key", key)
        return f"{text!r} {key}"

    def drop(self):
        paths = [self.files.add_file() for _ in range(self.rng.choice([1, 1, 1, 2, 3]))]
        is_accepted = self.viewer.client.drop(self.viewer.window, paths, TIMEOUT_S)
        return f"{' '.join(path.name for path in paths)}, {'accepted' if is_accepted else 'rejected'}"

    def change_file(self):
        return self.files.change_file()

    def resize(self):
        width, height = self.rng.randint(1, WIDTH), self.rng.randint(1, HEIGHT)
        if self.rng.random() < 0.6:
            width, height = WIDTH, HEIGHT
        self.viewer.xdotool("windowsize", self.viewer.window, width, height)
        return f"{width} {height}"

    def measure_memory(self):
        """Opens only one small recording, and returns the memory of the viewer in MiB."""
        self.viewer.xdotool("windowsize", self.viewer.window, WIDTH, HEIGHT)
        self.viewer.xdotool("key", "--delay", "100", "Escape", "Escape", "Escape")
        small = self.viewer.folder / "small.bin"
        shutil.copy(ROOT / "assets" / "mrtk" / "two-hands.bin", small)
        self.viewer.client.drop(self.viewer.window, [small], TIMEOUT_S)
        self.ping_for("opening one recording", 5)
        return self.viewer.memory_mib()


def run_monkey(arguments, folder):
    rng = random.Random(arguments.seed)
    files = Files(folder, rng)
    viewer = Viewer(str(Path(arguments.program).resolve()), folder, [str(files.add_file())])
    actions = open(folder / "actions.txt", "w")
    monkey = Monkey(viewer, files, rng, actions)
    problems, count, memory = [], 0, []
    try:
        end = time.monotonic() + 60 * arguments.minutes
        # Measure memory only after some time, because the first use of each part allocates memory once.
        next_measurement = time.monotonic() + min(60, 15 * arguments.minutes)
        while time.monotonic() < end and viewer.program.poll() is None:
            monkey.perform_action()
            count += 1
            if time.monotonic() > next_measurement:
                memory.append(monkey.measure_memory())
                next_measurement = time.monotonic() + 60
        if viewer.program.poll() is None:
            memory.append(monkey.measure_memory())
    # When the viewer ends, its window and its files below /proc disappear.
    except (TimeoutError, ConnectionLost, OSError) as error:
        problems.append(f"after {count} actions: {error}")
    status = viewer.program.poll()
    if status is not None:
        problems.append(f"the viewer exited with {status} after {count} actions")
    if viewer.has_panicked():
        problems.append("the viewer panicked")
    if memory and memory[-1] > MAX_GROWTH_FACTOR * memory[0] + MAX_GROWTH_MIB:
        problems.append(f"memory grew from {memory[0]:.0f} to {memory[-1]:.0f} MiB")
    viewer.close()
    print(f"{count} actions, {files.count} files opened, seed {arguments.seed}")
    took, cpu_s, what = monkey.slowest
    print(f"slowest frame {took:.2f} s, with {cpu_s:.2f} s of CPU time, after: {what}")
    print(f"{monkey.slow_pings} of {monkey.pings} pings answered after more than half a second")
    print("memory with one small recording, MiB:", " ".join(f"{size:.0f}" for size in memory))
    return problems


def main():
    parser = argparse.ArgumentParser(
        prog="tools/monkey", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", help="The viewer to test")
    parser.add_argument("minutes", type=float, help="The duration of the test")
    parser.add_argument("--seed", type=int, default=random.randrange(2**16), help="The seed of all random choices")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mutoscope-monkey-"))
    problems = run_monkey(arguments, folder)
    for problem in problems:
        print(f"problem: {problem}; see {folder}")
    if problems:
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
