"""A reader of Minecraft Motion Capture's scenes, written from docs/formats/mcmocap.md alone."""

import json
import math
import os

import command
import mcmocap

USUAL = {
    "rotation": 0.0, "mirror": "NONE", "offset": [0.0, 0.0, 0.0], "player_scale": 1.0, "scene_scale": 1.0,
    "round": False, "recording_center": "AUTO", "center_offset": [0.0, 0.0, 0.0], "center": "COMMON_FIRST",
    "specific": "",
}  # fmt: skip


def half_up(number):
    return math.floor(number + 0.5)


class Element:
    def __init__(self, name):
        self.is_scene, self.name = name.startswith("."), name.lstrip(".")
        self.change = dict(USUAL)
        self.delay, self.wait, self.rest = 0.0, 0.0, 0.0
        self.stays, self.loops, self.is_old = True, False, False

    @property
    def is_plain(self):
        return self.change == USUAL

    def centre(self, start):
        x, y, z = start
        middle = [math.floor(x) + 0.5, math.floor(y), math.floor(z) + 0.5]
        corner = [half_up(x), math.floor(y), half_up(z)]
        off = lambda point: (point[0] - x) ** 2 + (point[2] - z) ** 2
        scale = self.change["scene_scale"]
        how = self.change["recording_center"]
        if how == "AUTO" and scale != 1 and scale == int(scale):
            how = "BLOCK_CENTER" if scale % 2 else "BLOCK_CORNER"
        elif how == "AUTO":
            how = "BLOCK_CENTER" if off(middle) <= off(corner) else "BLOCK_CORNER"
        centre = {"ACTUAL": start, "BLOCK_CENTER": middle, "BLOCK_CORNER": corner}[how]
        return [a + b for a, b in zip(centre, self.change["center_offset"])]

    def point(self, point, centre):
        r = self.change["rotation"] % 360
        sin, cos = {0: (0, 1), 90: (1, 0), 180: (0, -1), 270: (-1, 0)}.get(
            r, (math.sin(math.radians(r)), math.cos(math.radians(r)))
        )
        dx, dy, dz = (a - b for a, b in zip(point, centre))
        dx, dz = dx * cos - dz * sin, dz * cos + dx * sin
        dx = -dx if "X" in self.change["mirror"] else dx
        dz = -dz if "Z" in self.change["mirror"] else dz
        scale = self.change["scene_scale"]
        return [c + scale * d + o for c, d, o in zip(centre, (dx, dy, dz), self.change["offset"])]

    def yaw(self, yaw):
        yaw += self.change["rotation"]
        yaw = -yaw if "X" in self.change["mirror"] else yaw
        return -(yaw + 90) - 90 if "Z" in self.change["mirror"] else yaw


def of_json(value, version):
    element = Element(value["name"])
    to = value.get("transformations", {})
    scale, config = to.get("scale", {}), to.get("config", {})
    time = value.get("time", {})
    if version == -4:
        to = {"offset": value.get("offset", [0.0] * 3), **to}
        scale = scale or value.get("scale", {})
    element.change.update(
        rotation=to.get("rotation", 0.0), mirror=to.get("mirror", "none").upper(),
        offset=to.get("offset", [0.0] * 3), player_scale=scale.get("player_scale", 1.0),
        scene_scale=scale.get("scene_scale", 1.0), round=config.get("round_block_pos", False),
        recording_center=config.get("recording_center", "auto").upper(),
        center_offset=config.get("center_offset", [0.0] * 3),
        center=config.get("scene_center", {}).get("type", "common_first").upper(),
        specific=config.get("scene_center", {}).get("specific_str", ""),
    )  # fmt: skip
    element.delay, element.wait = time.get("start_delay", 0.0), time.get("wait_on_start", 0.0)
    element.rest, element.loops = time.get("wait_on_end", 0.0), time.get("loop", False)
    element.stays = time.get("wait_for_parent_end", True)
    if version == -4 and "time" not in value and "start_delay" in value:
        element.wait, element.is_old = value["start_delay"], True
    return element


def of_line(line, version):
    name, *fields = line.split()
    element = Element(name)
    element.change["round"] = True
    numbers = []
    for field in fields[:4]:
        try:
            numbers.append(float(field.replace(",", ".")))
        except ValueError:
            break
    element.wait = numbers[0] if numbers else 0.0
    element.is_old = 1 <= version <= 3
    if len(numbers) == 4:
        element.change["offset"] = numbers[1:]
    return element


class Scene:
    def __init__(self, path):
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
        if text.lstrip().startswith("{"):
            file = json.loads(text)
            self.version, self.is_json = file["version"], True
            self.elements = [of_json(value, self.version) for value in file["subscenes"]]
            return
        first, *lines = [line for line in text.splitlines() if line.strip()]
        self.version, self.is_json = int(first.split()[0]), False
        self.elements = [of_line(line, self.version) for line in lines]

    @property
    def is_old(self):
        return self.version == -4 if self.is_json else 1 <= self.version <= 3


class Player:
    """Plays a scene: its takes are (name, replay, levels of places, waits, levels of times)."""

    def __init__(self, path):
        self.folder, self.root = os.path.dirname(path), Scene(path)
        self.replays, self.scenes = {}, {}
        self.takes, *_ = self.gather(self.root, (0.0, 0.0, 0, False))

    def file(self, folders, name):
        paths = (os.path.join(self.folder, folder, name) for folder in folders)
        return next(path for path in paths if os.path.exists(path))

    def replay(self, name):
        if name not in self.replays:
            path = self.file(("../recordings", ""), name + ".mcmocap_rec")
            with open(path, "rb") as file:
                self.replays[name] = mcmocap.Replay(*mcmocap.decode(file.read()), is_in_scene=True)
        return self.replays[name]

    def scene(self, name):
        if name not in self.scenes:
            self.scenes[name] = Scene(self.file(("", "../scenes"), name + ".mcmocap_scene"))
        return self.scenes[name]

    def gather(self, scene, waits):
        """The takes of a scene, when it has ended, and whether anything is left of it then."""
        takes, ends = [], []
        for element in scene.elements:
            delay, wait, ticks, is_old = waits
            delay += element.delay
            if element.is_old and self.root.is_old:
                ticks, is_old = ticks + max(0, half_up(20 * element.wait) - 1), True
            else:
                wait += element.wait
            found, level = self.element(element, (delay, wait, ticks, is_old))
            takes += found
            ends.append(level)
        counted = [end for end, loops, stays in ends if not loops or not stays]
        end = max(counted or [end for end, _, _ in ends] or [0])
        return takes, end, any(stays for _, _, stays in ends)

    def element(self, element, waits):
        rest = half_up(20 * element.rest)
        if not element.is_scene:
            replay = self.replay(element.name)
            dying = 20 if replay.start["dies"] and not element.loops else 0
            delay, start = half_up(20 * waits[0]), half_up(20 * waits[0]) + half_up(20 * waits[1]) + waits[2]
            level = (start + replay.ticks + dying + rest, element.loops, element.stays)
            centre = element.centre(replay.start["position"])
            times = (delay, start, waits[3])
            return [(element.name, replay, [(element, centre)], times, [level])], level
        scene = self.scene(element.name)
        takes, end, is_left = self.gather(scene, waits)
        level = (end + (rest if is_left else 0), element.loops, element.stays)
        common = None if element.change["center"] == "INDIVIDUAL" else self.chosen(scene, element.change)
        within = []
        for name, replay, places, times, levels in takes:
            if not element.is_plain:
                places = [*places, (element, common or places[-1][1])]
            within.append((f"{element.name}/{name}", replay, places, times, [level, *levels]))
        return within, level

    def chosen(self, scene, change):
        """The centre that the chosen element of a scene gives."""
        element = scene.elements[0]
        if change["center"] == "COMMON_LAST":
            element = scene.elements[-1]
        if change["center"] == "COMMON_SPECIFIC":
            number, _, name = change["specific"].partition("-")
            index = int(number) - 1 if number.isdigit() else -1
            if 0 <= index < len(scene.elements):
                other = scene.elements[index]
                is_it = not name or name == "." * other.is_scene + other.name
                element = other if is_it else element
        if element.is_scene:
            start = self.chosen(self.scene(element.name), element.change)
        else:
            start = self.replay(element.name).start["position"]
        return element.centre(start)


def local_time(time, times, levels):
    """The time of the recording, and whether it is there."""
    delay, start, is_old = times
    tick = time * 20
    tick = round(tick) if abs(tick - round(tick)) <= 2e-5 else tick
    for end, loops, stays in levels:
        if loops and end > 0:
            tick = tick % (end + 1) if tick >= 0 else tick
            if tick >= end:
                tick -= end + 1
        elif not loops and not stays and tick >= end:
            return 0.0, False
    if delay and tick < delay:
        return 0.0, False
    return (max(0, tick - start) if is_old else tick - start) / 20, True


def read(path, _request):
    scene = Player(path)

    def sample(time):
        values, nodes = [], {}
        for name, replay, places, times, levels in scene.takes:
            local, is_there = local_time(time, times, levels)
            values += mcmocap.values(replay, local if is_there else None, f"{name}/")

            def point(p):
                for element, centre in places:
                    p = element.point(p, centre)
                return p

            def yaw(angle):
                for element, _ in places:
                    angle = element.yaw(angle)
                return angle

            node = mcmocap.player(replay, local, f"{name}/", point, yaw, is_there)
            nodes.setdefault(node["name"], node)
        return {"tracks": command.tracks(values), "nodes": list(nodes.values())}

    return sample


if __name__ == "__main__":
    command.run(read)
