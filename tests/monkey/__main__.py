"""Plays with the viewer as no one would: see scripts/monkey.

Everything is chosen by a seed. What it does goes to `actions.txt` in its folder, so that what went
before a panic can be read, and done again with the same seed as far as timing allows.
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
from x11 import Client, Lost

WIDTH, HEIGHT = 1280, 720

# Keys: letters, keys that move in time, and keys that open and close panels.
KEYS = [*"abcdefghijklmnopqrstuvwxyz0123456789", *"space Home End Left Right Up Down Tab Return Escape".split(),
        *"Prior Next Delete BackSpace comma period bracketleft bracketright minus equal slash".split(),
        *[f"F{number}" for number in range(1, 13)]]  # fmt: skip
MODIFIERS = ["ctrl", "shift", "alt"]

# No slash, because the text may become a file name, and files must stay in the folder of the run.
LETTERS = "abcdefghijklmnopqrstuvwxyz 0123456789-é"

# The longest time without an answer before the window is considered hung, in seconds.
PATIENCE = 60

# The largest allowed growth of memory from the first minute to the end, in the same state: a factor, and MiB.
GROWTH, ROOM = 1.5, 150


class Viewer:
    """The program on a display of its own, in a folder of its own."""

    def __init__(self, program, folder, files):
        self.folder, self.log = folder, open(folder / "viewer.log", "ab")
        server = ["Xvfb", "-displayfd", "1", "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"]
        # Without this option, the server restarts whenever its last client disconnects, and refuses connections
        # during that time.
        server.append("-noreset")
        self.server = subprocess.Popen(server, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.display = ":" + self.server.stdout.readline().decode().strip()
        self.program = self.start(program, files)
        self.client = Client(self.display)
        self.window = self.find_window()

    def start(self, program, files):
        nowhere = {name: str(self.folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
        unset = ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")
        rest = {name: value for name, value in os.environ.items() if name not in unset}
        environment = {**rest, **nowhere, "DISPLAY": self.display, "RUST_BACKTRACE": "1"}
        return subprocess.Popen([program, *files], cwd=self.folder, env=environment, stdout=self.log, stderr=self.log)

    def find_window(self):
        end = time.monotonic() + 180
        while time.monotonic() < end:
            if self.program.poll() is not None:
                sys.exit(f"the viewer ended at its start, with {self.program.returncode}: {self.log.name}")
            found = self.xdotool("search", "--onlyvisible", "--pid", str(self.program.pid)).split()
            if found:
                self.xdotool("windowfocus", found[-1])
                return int(found[-1])
            time.sleep(0.3)
        sys.exit("no window after three minutes")

    def xdotool(self, *arguments):
        environment = {**os.environ, "DISPLAY": self.display}
        run = subprocess.run(["xdotool", *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=120)
        return run.stdout

    def ping(self):
        """The seconds until the window answers: as long as the frame goes on that is being made."""
        seconds = self.client.ping(self.window, PATIENCE)
        if seconds is None and self.program.poll() is None:
            raise TimeoutError(f"the window does not answer for {PATIENCE} s")
        return seconds or 0.0

    def worked(self):
        """How long all its threads together have worked, in seconds."""
        fields = Path(f"/proc/{self.program.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Its resident set, in MiB."""
        status = Path(f"/proc/{self.program.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def panicked(self):
        return "panicked at" in Path(self.log.name).read_text(errors="replace")

    def close(self):
        for process in (self.program, self.server):
            process.terminate()
            process.wait()


class Monkey:
    def __init__(self, viewer, files, dice, actions):
        self.viewer, self.files, self.dice, self.actions = viewer, files, dice, actions
        # The longest time to an answer, the viewer's work during that time, and the action before it.
        self.slowest, self.slow, self.pings = (0.0, 0.0, ""), 0, 0

    def act(self):
        dice = self.dice
        weights = {self.press: 30, self.click: 20, self.drag: 12, self.scroll: 10, self.find: 6, self.drop: 8,
                   self.change: 10, self.resize: 4}  # fmt: skip
        action = dice.choices(list(weights), list(weights.values()))[0]
        start = time.monotonic()
        what = f"{action.__name__} {action()}"
        self.actions.write(f"{start:.2f} {what}\n")
        self.actions.flush()
        self.listen(what)

    def listen(self, what, seconds=0.2):
        """Asks for a while, one question after another, whether the window is alive."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            before = self.viewer.worked()
            took = self.viewer.ping()
            self.pings += 1
            self.slow += took > 0.5
            if took > self.slowest[0]:
                self.slowest = took, self.viewer.worked() - before, what
            time.sleep(0.005)

    def place(self):
        return self.dice.randrange(WIDTH), self.dice.randrange(HEIGHT)

    def press(self):
        keys = [self.dice.choice(KEYS) for _ in range(self.dice.randint(1, 4))]
        if self.dice.random() < 0.3:
            modifier = self.dice.choice(MODIFIERS)
            # The viewer misses a modifier that is pressed and released within one frame.
            self.viewer.xdotool("keydown", modifier, "sleep", "0.05", "key", keys[0], "sleep", "0.05", "keyup", modifier)
            return f"{modifier}+{keys[0]}"
        self.viewer.xdotool("key", "--delay", "40", *keys)
        return " ".join(keys)

    def click(self):
        x, y = self.place()
        button, count = self.dice.choices([1, 2, 3], [8, 1, 3])[0], self.dice.choice([1, 1, 1, 2])
        self.viewer.xdotool("mousemove", x, y, "click", "--repeat", count, "--delay", "60", button)
        return f"button {button} at {x} {y}, {count} times"

    def drag(self):
        (x, y), button, moves = self.place(), self.dice.choice([1, 1, 2, 3]), []
        for _ in range(self.dice.randint(1, 5)):
            moves += ["mousemove", *self.place(), "sleep", "0.03"]
        self.viewer.xdotool("mousemove", x, y, "mousedown", button, "sleep", "0.05", *moves, "mouseup", button)
        return f"button {button} from {x} {y} by {' '.join(map(str, moves))}"

    def scroll(self):
        x, y = self.place()
        button, count = self.dice.choice([4, 5, 6, 7]), self.dice.randint(1, 12)
        self.viewer.xdotool("mousemove", x, y, "click", "--repeat", count, "--delay", "10", button)
        return f"button {button} at {x} {y}, {count} times"

    def find(self):
        text = "".join(self.dice.choices(LETTERS, k=self.dice.randint(1, 8)))
        key = self.dice.choice(["Return", "Escape", "Down"])
        self.viewer.xdotool("keydown", "ctrl", "sleep", "0.05", "key", "p", "sleep", "0.05", "keyup", "ctrl")
        self.viewer.xdotool("type", "--delay", "30", text)
        self.viewer.xdotool("key", key)
        return f"{text!r} {key}"

    def drop(self):
        paths = [self.files.new() for _ in range(self.dice.choice([1, 1, 1, 2, 3]))]
        taken = self.viewer.client.drop(self.viewer.window, paths, PATIENCE)
        return f"{' '.join(path.name for path in paths)}, {'taken' if taken else 'not taken'}"

    def change(self):
        return self.files.change()

    def resize(self):
        width, height = self.dice.randint(1, WIDTH), self.dice.randint(1, HEIGHT)
        if self.dice.random() < 0.6:
            width, height = WIDTH, HEIGHT
        self.viewer.xdotool("windowsize", self.viewer.window, width, height)
        return f"{width} {height}"

    def rest(self):
        """Opens nothing but one small recording, and says how much memory the viewer has then."""
        self.viewer.xdotool("windowsize", self.viewer.window, WIDTH, HEIGHT)
        self.viewer.xdotool("key", "--delay", "100", "Escape", "Escape", "Escape")
        small = self.viewer.folder / "small.bin"
        shutil.copy(ROOT / "assets" / "mrtk" / "two-hands.bin", small)
        self.viewer.client.drop(self.viewer.window, [small], PATIENCE)
        self.listen("opening one recording", 5)
        return self.viewer.memory()


def play(arguments, folder):
    dice = random.Random(arguments.seed)
    files = Files(folder, dice)
    viewer = Viewer(str(Path(arguments.program).resolve()), folder, [str(files.new())])
    actions = open(folder / "actions.txt", "w")
    monkey = Monkey(viewer, files, dice, actions)
    problems, count, memory = [], 0, []
    try:
        end = time.monotonic() + 60 * arguments.minutes
        # Measure memory only after some time, because the first use of each part allocates memory once.
        next_look = time.monotonic() + min(60, 15 * arguments.minutes)
        while time.monotonic() < end and viewer.program.poll() is None:
            monkey.act()
            count += 1
            if time.monotonic() > next_look:
                memory.append(monkey.rest())
                next_look = time.monotonic() + 60
        if viewer.program.poll() is None:
            memory.append(monkey.rest())
    # When the viewer ends, its window and its files below /proc disappear.
    except (TimeoutError, Lost, OSError) as error:
        problems.append(f"after {count} actions: {error}")
    ended = viewer.program.poll()
    if ended is not None:
        problems.append(f"it ended by itself after {count} actions, with {ended}")
    if viewer.panicked():
        problems.append("it panicked")
    if memory and memory[-1] > GROWTH * memory[0] + ROOM:
        problems.append(f"memory grew from {memory[0]:.0f} to {memory[-1]:.0f} MiB")
    viewer.close()
    print(f"{count} actions, {files.count} files opened, seed {arguments.seed}")
    took, worked, what = monkey.slowest
    print(f"slowest frame {took:.2f} s, of which the viewer worked {worked:.2f} s, after: {what}")
    print(f"{monkey.slow} of {monkey.pings} pings answered after more than half a second")
    print("memory with one small recording, MiB:", " ".join(f"{size:.0f}" for size in memory))
    return problems


def main():
    parser = argparse.ArgumentParser(prog="scripts/monkey")
    parser.add_argument("program")
    parser.add_argument("minutes", type=float)
    parser.add_argument("seed", type=int)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mutoscope-monkey-"))
    problems = play(arguments, folder)
    for problem in problems:
        print(f"problem: {problem}; see {folder}")
    if problems:
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
