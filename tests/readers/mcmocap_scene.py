"""A reader of Minecraft Motion Capture's scenes, written from docs/formats/mcmocap.md alone."""

import json
import math
import os

import command
import mcmocap

DEFAULT_CHANGE = {
    "rotation": 0.0, "mirror": "NONE", "offset": [0.0, 0.0, 0.0], "player_scale": 1.0, "scene_scale": 1.0,
    "round": False, "recording_center": "AUTO", "center_offset": [0.0, 0.0, 0.0], "center": "COMMON_FIRST",
    "specific": "",
}  # fmt: skip


def round_half_up(number):
    return math.floor(number + 0.5)


class Element:
    def __init__(self, name):
        self.is_scene, self.name = name.startswith("."), name.lstrip(".")
        self.change = dict(DEFAULT_CHANGE)
        self.delay, self.wait, self.rest = 0.0, 0.0, 0.0
        self.stays, self.loops, self.is_old = True, False, False

    @property
    def is_unchanged(self):
        return self.change == DEFAULT_CHANGE

    def centre(self, start):
        x, y, z = start
        middle = [math.floor(x) + 0.5, math.floor(y), math.floor(z) + 0.5]
        corner = [round_half_up(x), math.floor(y), round_half_up(z)]
        squared_distance = lambda point: (point[0] - x) ** 2 + (point[2] - z) ** 2
        scale = self.change["scene_scale"]
        centre_type = self.change["recording_center"]
        if centre_type == "AUTO" and scale != 1 and scale == int(scale):
            centre_type = "BLOCK_CENTER" if scale % 2 else "BLOCK_CORNER"
        elif centre_type == "AUTO":
            centre_type = "BLOCK_CENTER" if squared_distance(middle) <= squared_distance(corner) else "BLOCK_CORNER"
        centre = {"ACTUAL": start, "BLOCK_CENTER": middle, "BLOCK_CORNER": corner}[centre_type]
        return [a + b for a, b in zip(centre, self.change["center_offset"])]

    def transform_point(self, point, centre):
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

    def transform_yaw(self, yaw):
        yaw += self.change["rotation"]
        yaw = -yaw if "X" in self.change["mirror"] else yaw
        return -(yaw + 90) - 90 if "Z" in self.change["mirror"] else yaw


def element_from_json(value, version):
    element = Element(value["name"])
    transformations = value.get("transformations", {})
    scale, config = transformations.get("scale", {}), transformations.get("config", {})
    time = value.get("time", {})
    if version == -4:
        transformations = {"offset": value.get("offset", [0.0] * 3), **transformations}
        scale = scale or value.get("scale", {})
    element.change.update(
        rotation=transformations.get("rotation", 0.0), mirror=transformations.get("mirror", "none").upper(),
        offset=transformations.get("offset", [0.0] * 3), player_scale=scale.get("player_scale", 1.0),
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


def element_from_line(line, version):
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
            self.elements = [element_from_json(value, self.version) for value in file["subscenes"]]
            return
        first, *lines = [line for line in text.splitlines() if line.strip()]
        self.version, self.is_json = int(first.split()[0]), False
        self.elements = [element_from_line(line, self.version) for line in lines]

    @property
    def is_old(self):
        return self.version == -4 if self.is_json else 1 <= self.version <= 3


class ScenePlayer:
    """A playing scene. Its takes are (name, replay, placements, waits, levels of times)."""

    def __init__(self, path):
        self.folder, self.root = os.path.dirname(path), Scene(path)
        self.replays, self.scenes = {}, {}
        self.takes, *_ = self.gather_takes(self.root, (0.0, 0.0, 0, False))

    def find_file(self, folders, name):
        paths = (os.path.join(self.folder, folder, name) for folder in folders)
        return next(path for path in paths if os.path.exists(path))

    def load_replay(self, name):
        if name not in self.replays:
            path = self.find_file(("../recordings", ""), name + ".mcmocap_rec")
            with open(path, "rb") as file:
                self.replays[name] = mcmocap.Replay(*mcmocap.decode(file.read()), is_in_scene=True)
        return self.replays[name]

    def load_scene(self, name):
        if name not in self.scenes:
            self.scenes[name] = Scene(self.find_file(("", "../scenes"), name + ".mcmocap_scene"))
        return self.scenes[name]

    def gather_takes(self, scene, waits):
        """Returns the takes of a scene, its end in ticks, and whether any element stays after the end."""
        takes, ends = [], []
        for element in scene.elements:
            delay, wait, ticks, is_old = waits
            delay += element.delay
            if element.is_old and self.root.is_old:
                ticks, is_old = ticks + max(0, round_half_up(20 * element.wait) - 1), True
            else:
                wait += element.wait
            found, level = self.element_takes(element, (delay, wait, ticks, is_old))
            takes += found
            ends.append(level)
        finite_ends = [end for end, loops, stays in ends if not loops or not stays]
        end = max(finite_ends or [end for end, _, _ in ends] or [0])
        return takes, end, any(stays for _, _, stays in ends)

    def element_takes(self, element, waits):
        rest = round_half_up(20 * element.rest)
        if not element.is_scene:
            replay = self.load_replay(element.name)
            dying = 20 if replay.start["dies"] and not element.loops else 0
            delay, start = round_half_up(20 * waits[0]), round_half_up(20 * waits[0]) + round_half_up(20 * waits[1]) + waits[2]
            level = (start + replay.ticks + dying + rest, element.loops, element.stays)
            centre = element.centre(replay.start["position"])
            times = (delay, start, waits[3])
            return [(element.name, replay, [(element, centre)], times, [level])], level
        scene = self.load_scene(element.name)
        takes, end, is_left = self.gather_takes(scene, waits)
        level = (end + (rest if is_left else 0), element.loops, element.stays)
        common_centre = None if element.change["center"] == "INDIVIDUAL" else self.selected_centre(scene, element.change)
        nested_takes = []
        for name, replay, placements, times, levels in takes:
            if not element.is_unchanged:
                placements = [*placements, (element, common_centre or placements[-1][1])]
            nested_takes.append((f"{element.name}/{name}", replay, placements, times, [level, *levels]))
        return nested_takes, level

    def selected_centre(self, scene, change):
        """Returns the centre of the selected element of a scene."""
        element = scene.elements[0]
        if change["center"] == "COMMON_LAST":
            element = scene.elements[-1]
        if change["center"] == "COMMON_SPECIFIC":
            number, _, name = change["specific"].partition("-")
            index = int(number) - 1 if number.isdigit() else -1
            if 0 <= index < len(scene.elements):
                other = scene.elements[index]
                is_match = not name or name == "." * other.is_scene + other.name
                element = other if is_match else element
        if element.is_scene:
            start = self.selected_centre(self.load_scene(element.name), element.change)
        else:
            start = self.load_replay(element.name).start["position"]
        return element.centre(start)


def local_time(time, times, levels):
    """Returns the time in the recording, and whether its actors exist at that time."""
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
    scene = ScenePlayer(path)

    def sample(time):
        values, nodes = [], {}
        for name, replay, placements, times, levels in scene.takes:
            local, is_there = local_time(time, times, levels)
            values += mcmocap.sample_tracks(replay, local if is_there else None, f"{name}/")

            def point(p):
                for element, centre in placements:
                    p = element.transform_point(p, centre)
                return p

            def yaw(angle):
                for element, _ in placements:
                    angle = element.transform_yaw(angle)
                return angle

            node = mcmocap.player_node(replay, local, f"{name}/", point, yaw, is_there)
            nodes.setdefault(node["name"], node)
        return {"tracks": command.format_tracks(values), "nodes": list(nodes.values())}

    return sample


if __name__ == "__main__":
    command.run(read)
