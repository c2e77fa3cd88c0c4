"""A reader of Maya's .anim files, written from docs/formats/maya.md alone."""

import bisect
import math
import re

import command

HEADER = "animVersion mayaVersion timeUnit linearUnit angularUnit startTime endTime startUnitless endUnitless".split()
FRAME_RATES = {"game": 15, "film": 24, "pal": 25, "ntsc": 30, "show": 48, "palf": 50, "ntscf": 60, "sec": 1,
         "millisec": 1000, "milisec": 1000, "min": 1 / 60, "hour": 1 / 3600}  # fmt: skip
LENGTHS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0, "in": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344,
           "millimeter": 0.001, "centimeter": 0.01, "meter": 1.0, "kilometer": 1000.0, "inch": 0.0254, "foot": 0.3048,
           "yard": 0.9144, "mile": 1609.344}  # fmt: skip
ANGLES = {"rad": 1.0, "deg": math.pi / 180, "min": math.pi / 10800, "sec": math.pi / 648000, "radian": 1.0,
          "degree": math.pi / 180, "minute": math.pi / 10800, "second": math.pi / 648000}  # fmt: skip
NTSC = {"23.976": 24, "23.98": 24, "29.97": 30, "47.952": 48, "47.95": 48, "59.94": 60, "119.88": 120}
TANGENTS = "fixed linear flat spline step stepnext slow fast clamped plateau auto autoease automix autocustom global"
MAX_SLOPE = 5729577.951308232
TICKS_PER_SECOND = 141_120_000
ORDERS = ["xyz", "yzx", "zxy", "xzy", "yxz", "zyx"]
TOKEN = re.compile(r'[ \t\v\f]+|(?P<comment>[#/][^\r\n]*)|(?P<line>\r\n|\r|\n)|"(?P<quoted>[^"]*)"|(?P<sign>[;{}])|(?P<word>[^\s;{}]+)')


def parse_frame_rate(word, rest):
    word = word.lower()
    if word in FRAME_RATES:
        return FRAME_RATES[word]
    rate = re.fullmatch(r"([\d.]+)(fps|df)", word)
    if not rate:
        return rest
    parse_number = rate[1]
    return NTSC[parse_number] * 1000 / 1001 if parse_number in NTSC else float(parse_number)


def parse_number(word):
    """Parses a number. Returns None if the word is not a number."""
    if "," in word:
        comma, point = word.rfind(","), word.rfind(".")
        if word.count(",") == 1 and comma > point:
            word = word.replace(".", "").replace(",", ".")
        else:
            word = word.replace(",", "")
    try:
        return float(word)
    except ValueError:
        return None


class Text:
    def __init__(self, data):
        text = data.decode("utf-8-sig", errors="replace")
        self.tokens = []
        for match in TOKEN.finditer(text):
            kind = match.lastgroup
            if kind in ("line", "quoted", "sign", "word"):
                self.tokens.append(("word" if kind == "quoted" else kind, match[kind]))
        self.position = 0

    def peek(self, skip=("line",)):
        position = self.position
        while position < len(self.tokens) and (self.tokens[position][0] in skip or self.tokens[position][1] in skip):
            position += 1
        return self.tokens[position] if position < len(self.tokens) else ("end", "")

    def take_token(self, skip=("line",)):
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            self.position += 1
            if token[0] not in skip and token[1] not in skip:
                return token
        return ("end", "")

    def take_statement(self, is_complete=lambda words: True):
        """Returns the words up to a `;`, a brace, or the end of the line if the statement is complete."""
        words = []
        while self.position < len(self.tokens):
            kind, text = self.tokens[self.position]
            if text in ("{", "}"):
                return words
            self.position += 1
            if text == ";" or (kind == "line" and words and is_complete(words)):
                return words
            if kind == "word":
                words.append(text)
        return words


class Curve:
    def __init__(self):
        self.input, self.output, self.weighted = "time", "linear", False
        self.infinity = {"pre": "constant", "post": "constant"}
        self.units, self.keys = {}, []


class File:
    def __init__(self, data):
        self.text, self.header, self.items = Text(data), {}, []
        while True:
            kind, word = self.text.take_token(("line", ";"))
            if kind == "end":
                break
            if word in HEADER:
                words = self.text.take_statement()
                if not self.items:
                    self.header[word] = " ".join(words)
            elif word == "anim":
                self.items.append(self.read_anim())
            elif word == "animData":
                self.items[-1]["curves"].append(self.read_data())

    def read_anim(self):
        words, numbers = self.text.take_statement(), []
        while words and len(numbers) < 3 and re.fullmatch(r"-?\d+", words[-1]):
            numbers.insert(0, int(words.pop()))
        has_data = self.text.peek(("line", ";"))[1] == "animData"
        full = leaf = ""
        node = " ".join(words)
        if len(words) == 1 and has_data:
            full, leaf, node = words[0], words[0].split(".")[-1], ""
        elif len(words) > 1 and has_data:
            full, leaf, node = words[0], words[1], " ".join(words[2:])
        row, child, attr = numbers
        return {"full": full, "leaf": leaf, "node": node, "row": row, "child": child, "attr": attr, "curves": []}

    def read_data(self):
        curve = Curve()
        self.text.take_token()
        while True:
            _, word = self.text.take_token(("line", ";"))
            if word in ("}", ""):
                return curve
            if word == "keys":
                self.text.take_token()
                self.keys(curve)
                continue
            value = (self.text.take_statement() or [""])[0]
            if word in ("input", "output"):
                setattr(curve, word, value)
            elif word == "weighted":
                curve.weighted = parse_number(value) == 1
            elif word in ("preInfinity", "postInfinity"):
                curve.infinity[word[: -len("Infinity")]] = value
            elif word in ("inputUnit", "outputUnit", "tangentAngleUnit"):
                curve.units[word] = value

    def keys(self, curve):
        flags = 3 if parse_number(self.header.get("animVersion", "1.1")) >= 1.1 else 2
        is_complete = lambda words: len(words) >= 4 + flags + 2 * words[2:4].count("fixed")
        while self.text.peek(("line", ";"))[1] not in ("}", ""):
            words = self.text.take_statement(is_complete)
            if len(words) < 4:
                continue
            types = [word if word in TANGENTS.split() else "auto" for word in words[2:4]]
            numbers = [parse_number(word) for word in words[4:]]
            fixed = types.count("fixed")
            own = len(numbers) - 2 * fixed
            pairs = numbers[own if own in (2, 3) else flags :] + [0.0, 1.0, 0.0, 1.0]
            tangents = []
            for kind in types:
                angle, weight = (pairs.pop(0), pairs.pop(0)) if kind == "fixed" else (0.0, 1.0)
                tangents.append((kind, angle, weight))
            curve.keys.append((parse_number(words[0]), parse_number(words[1]), *tangents))
        self.text.take_token(("line", ";"))


class CurveSampler:
    """A curve with times in seconds and values in its output unit."""

    def __init__(self, curve, header):
        self.curve, self.header = curve, header
        unit = lambda word, table, rest: table.get(curve.units.get(word, header.get(rest, "")).lower(), table.get(header.get(rest, "").lower()))
        length = unit("outputUnit", LENGTHS, "linearUnit") or 0.01
        angle = unit("outputUnit", ANGLES, "angularUnit") or ANGLES["deg"]
        rate = parse_frame_rate(header.get("timeUnit", ""), 24)
        self.rate = parse_frame_rate(curve.units.get("inputUnit", ""), rate)
        second = 1 / parse_frame_rate(curve.units.get("outputUnit", ""), rate)
        self.maya = {"linear": length / 0.01, "angular": angle, "time": second}.get(curve.output, 1.0)
        self.to_pose = {"linear": length, "angular": angle}.get(curve.output)
        self.angle = unit("tangentAngleUnit", ANGLES, "angularUnit") or ANGLES["deg"]
        by_time = {}
        for key in curve.keys:
            by_time[key[0] / self.rate] = key
        self.times = sorted(by_time)
        self.keys = [(time, *by_time[time][1:]) for time in self.times]

    def secant_slope(self, i, j):
        (t0, v0), (t1, v1) = self.keys[i][:2], self.keys[j][:2]
        return (v1 - v0) / (t1 - t0)

    def clamp_slope(self, slope):
        limit = MAX_SLOPE / self.maya
        return max(-limit, min(limit, slope))

    def fixed_handle(self, angle, weight):
        """Returns the handle of a fixed tangent in seconds and value units."""
        x, y = weight * math.cos(angle * self.angle), weight * math.sin(angle * self.angle)
        if self.header.get("mayaVersion", "").startswith("2."):
            return max(0.0, x), y / self.maya
        return max(0.0, x) / self.rate, y

    def slope(self, i, side):
        """Returns the slope of a tangent. Side 0 is the in tangent, and side 1 the out tangent."""
        kind, angle, weight = self.keys[i][2 + side]
        before, after = i > 0, i + 1 < len(self.keys)
        own = after if side else before
        if kind == "fixed":
            x, y = self.fixed_handle(angle, 1.0)
            return self.clamp_slope(y / x if x > 0 else math.copysign(math.inf, y) if y else 0.0)
        if kind in ("linear", "slow", "fast"):
            return self.clamp_slope(self.secant_slope(*((i, i + 1) if side else (i - 1, i)))) if own else 0.0
        if kind in ("flat", "step", "stepnext") or not (before or after):
            return 0.0
        spline = self.secant_slope(i - before, i + after)
        value = self.keys[i][1]
        differences = [self.keys[j][1] - value for j, exists in ((i - 1, before), (i + 1, after)) if exists]
        if kind == "clamped":
            return 0.0 if own and any(abs(difference) * self.maya <= 0.05 for difference in differences) else self.clamp_slope(spline)
        return self.clamp_slope(spline if kind == "spline" else self.automatic_slope(kind, i, spline))

    def automatic_slope(self, kind, i, spline):
        if i == 0 or i + 1 == len(self.keys):
            return 0.0
        p, k, n = (self.keys[j][1] for j in (i - 1, i, i + 1))
        if (k - p) * (n - k) <= 0:
            return 0.0
        s0, s1 = self.secant_slope(i - 1, i), self.secant_slope(i, i + 1)
        d0, d1 = self.times[i] - self.times[i - 1], self.times[i + 1] - self.times[i]
        f = d0 / (d0 + d1)
        if kind == "autoease":
            f = 0.5 + (f - 0.5) * (1.5 - 2 * (f - 0.5) ** 2)
        slope = (1 - f) * s0 + f * s1 if kind in ("automix", "autoease", "autocustom") else spline
        limit = 3 * min(abs(s0), abs(s1))
        if abs(slope) <= limit:
            return slope
        return 0.0 if kind == "plateau" else math.copysign(limit, slope)

    def handle(self, i, side, d):
        kind, angle, weight = self.keys[i][2 + side]
        if kind == "fixed":
            x, y = self.fixed_handle(angle, weight)
            return x / d, y
        if kind in ("step", "stepnext"):
            return 0.0, 0.0
        return 1 / 3, self.slope(i, side) * d / 3

    def interpolate(self, i, t):
        (t0, v0, _, (out, *_)), (t1, v1, (facing, *_), _) = self.keys[i], self.keys[i + 1]
        d = t1 - t0
        x = (t - t0) / d
        if out == "step":
            return v0
        if out == "stepnext":
            return v1
        if out == facing == "linear":
            return v0 + (v1 - v0) * x
        m0, m1 = self.slope(i, 1), self.slope(i + 1, 0)
        if self.curve.weighted:
            (a, rise), (b, fall) = self.handle(i, 1, d), self.handle(i + 1, 0, d)
            if abs(a - 1 / 3) >= 1e-6 or abs(b - 1 / 3) >= 1e-6:
                return sample_weighted(v0, v1, (a, rise), (b, fall), x)
            m0, m1 = 3 * rise / d, 3 * fall / d
        return (
            (2 * x**3 - 3 * x**2 + 1) * v0
            + (x**3 - 2 * x**2 + x) * d * m0
            + (3 * x**2 - 2 * x**3) * v1
            + (x**3 - x**2) * d * m1
        )

    def sample_inside(self, t):
        i = bisect.bisect_right(self.times, t) - 1
        for j in (i, i + 1):
            if 0 <= j < len(self.keys) and abs(t - self.times[j]) * TICKS_PER_SECOND <= 0.5:
                return self.keys[j][1]
        if i < 0:
            return self.keys[0][1]
        return self.keys[-1][1] if i + 1 == len(self.keys) else self.interpolate(i, t)

    def sample(self, t):
        if not self.keys or self.curve.input == "unitless":
            return None
        t1, t2 = self.times[0], self.times[-1]
        v1, v2 = self.keys[0][1], self.keys[-1][1]
        if t1 <= t <= t2 or min(abs(t - t1), abs(t - t2)) * TICKS_PER_SECOND <= 0.5:
            return self.sample_inside(t)
        is_before = t < t1
        infinity = self.curve.infinity["pre" if is_before else "post"]
        e = t1 - t if is_before else t - t2
        if infinity == "linear":
            slope = self.slope(0, 0) if is_before else self.slope(len(self.keys) - 1, 1)
            slope = 0.0 if abs(slope) * self.maya >= MAX_SLOPE else slope
            return v1 - e * slope if is_before else v2 + e * slope
        if infinity not in ("cycle", "cycleRelative", "oscillate") or t1 == t2:
            return v1 if is_before else v2
        length = t2 - t1
        m = round(e * TICKS_PER_SECOND) // round(length * TICKS_PER_SECOND)
        r = max(0.0, min(length, e - m * length))
        if infinity == "oscillate":
            return self.sample_inside(t1 + r if (m % 2 == 0) == is_before else t2 - r)
        value = self.sample_inside(t2 - r if is_before else t1 + r)
        if infinity == "cycleRelative":
            value += (-(m + 1) if is_before else m + 1) * (v2 - v1)
        return value


def sample_weighted(v0, v1, out, facing, x):
    (a, rise), (b, fall) = out, facing
    p, q = a, b
    if (a > 1 or b > 1) and a * a + a * b + b * b - 2 * a - 2 * b + 1 > 0:
        if a >= 4 / 3:
            p, q = 4 / 3, 1 / 3
        else:
            half = math.sqrt(a * (4 - 3 * a)) / 2
            low, high = 1 - a / 2 - half, 1 - a / 2 + half
            q = high - 1e-10 if b > high else low + 1e-10 if b < low else b
    rise = rise * p / a if a else rise
    fall = fall * q / b if b else fall
    low, high = 0.0, 1.0
    for _ in range(80):
        u = (low + high) / 2
        if 3 * (1 - u) ** 2 * u * p + 3 * (1 - u) * u**2 * (1 - q) + u**3 < x:
            low = u
        else:
            high = u
    u = (low + high) / 2
    return (1 - u) ** 3 * v0 + 3 * (1 - u) ** 2 * u * (v0 + rise) + 3 * (1 - u) * u**2 * (v1 - fall) + u**3 * v1


def group_nodes(items):
    """Groups the items into nodes: lists of [items, parent]."""
    nodes, counts = [], any(item["attr"] > 0 for item in items)
    for item in items:
        last = nodes[-1][0][-1] if nodes else None
        same = (
            last is not None
            and item["curves"]
            and last["curves"]
            and all(item[what] == last[what] for what in ("node", "row", "child"))
        )
        if same and counts:
            same = item["attr"] > last["attr"]
        elif same:
            same = item["leaf"] not in [other["leaf"] for other in nodes[-1][0]]
        if same:
            nodes[-1][0].append(item)
        else:
            nodes.append([[item], None])
    rows = [node[0][0]["row"] for node in nodes]
    if any(rows):
        for i, node in enumerate(nodes):
            node[1] = next((j for j in range(i - 1, -1, -1) if rows[j] < rows[i]), None)
    else:
        assign_parents_by_child_counts(nodes)
    return nodes


def assign_parents_by_child_counts(nodes):
    parents, open_nodes = [], []
    for i, node in enumerate(nodes):
        parents.append(open_nodes[-1][0] if open_nodes else None)
        if open_nodes:
            open_nodes[-1][1] -= 1
        open_nodes.append([i, node[0][0]["child"]])
        while open_nodes and open_nodes[-1][1] == 0:
            open_nodes.pop()
    if not open_nodes and any(parent is not None for parent in parents):
        for node, parent in zip(nodes, parents):
            node[1] = parent


def multiply(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def axis_rotation(axis, angle):
    s, c = math.sin(angle), math.cos(angle)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    m = [[float(row == column) for column in range(4)] for row in range(4)]
    m[i][i] = m[j][j] = c
    m[i][j], m[j][i] = -s, s
    return m


def to_quaternion(m):
    """Converts a rotation matrix to a quaternion."""
    x, y, z, w = (
        math.sqrt(max(0.0, 1 + sx * m[0][0] + sy * m[1][1] + sz * m[2][2])) / 2
        for sx, sy, sz in ((1, -1, -1), (-1, 1, -1), (-1, -1, 1), (1, 1, 1))
    )
    if w > 0.1:
        return [(m[2][1] - m[1][2]) / 4 / w, (m[0][2] - m[2][0]) / 4 / w, (m[1][0] - m[0][1]) / 4 / w, w]
    if x >= max(y, z):
        return [x, (m[0][1] + m[1][0]) / 4 / x, (m[0][2] + m[2][0]) / 4 / x, (m[2][1] - m[1][2]) / 4 / x]
    if y >= z:
        return [(m[0][1] + m[1][0]) / 4 / y, y, (m[1][2] + m[2][1]) / 4 / y, (m[0][2] - m[2][0]) / 4 / y]
    return [(m[0][2] + m[2][0]) / 4 / z, (m[1][2] + m[2][1]) / 4 / z, z, (m[1][0] - m[0][1]) / 4 / z]


def split_attribute(item):
    compound = item["full"][: -len(item["leaf"])].rstrip(".") if item["full"].endswith(item["leaf"]) else ""
    stem, axis = item["leaf"][:-1], item["leaf"][-1:]
    if stem in ("translate", "rotate", "scale") and axis in ("X", "Y", "Z") and compound in ("", stem):
        return stem, "XYZ".index(axis)
    return (item["leaf"], None) if compound == "" else (None, None)


def read(path, _request):
    with open(path, "rb") as data:
        file = File(data.read())
    nodes = group_nodes(file.items)
    curves = [(item, CurveSampler(curve, file.header)) for item in file.items for curve in item["curves"]]
    metres = LENGTHS.get(file.header.get("linearUnit", "cm").lower(), 0.01)

    def local_transform(items, t):
        parts = {"translate": [0.0] * 3, "rotate": [0.0] * 3, "scale": [1.0] * 3}
        order, shown = 0, True
        for item, curve in curves:
            value = curve.sample(t) if any(item is other for other in items) else None
            if value is None:
                continue
            part, axis = split_attribute(item)
            if axis is not None:
                angle = curve.to_pose if curve.curve.output == "angular" else file_angle
                length = curve.to_pose if curve.curve.output == "linear" else metres
                parts[part][axis] = value * {"translate": length, "rotate": angle, "scale": 1.0}[part]
            elif part == "rotateOrder":
                order = int(value)
            elif part == "visibility":
                shown = value > 0.5
        rotation = axis_rotation("x", 0.0)
        for axis in ORDERS[order]:
            rotation = multiply(axis_rotation(axis, parts["rotate"]["xyz".index(axis)]), rotation)
        matrix = [[cell * parts["scale"][j] if j < 3 else cell for j, cell in enumerate(row)] for row in rotation]
        for i in range(3):
            matrix[i][3] = parts["translate"][i]
        return matrix, rotation, shown

    file_angle = ANGLES.get(file.header.get("angularUnit", "deg").lower(), ANGLES["deg"])

    def sample(t):
        values = command.format_tracks((item["node"], item["leaf"], curve.sample(t)) for item, curve in curves)
        world_transforms, answer = [], []
        for items, parent in nodes:
            matrix, rotation, shown = local_transform(items, t)
            if parent is not None:
                parent_transform = world_transforms[parent]
                matrix, rotation = multiply(parent_transform[0], matrix), multiply(parent_transform[1], rotation)
                shown = shown and parent_transform[2]
            world_transforms.append((matrix, rotation, shown))
            position = [matrix[i][3] for i in range(3)]
            answer.append(command.format_node(items[0]["node"], position, to_quaternion(rotation), shown))
        return {"tracks": values, "nodes": answer}

    return sample


if __name__ == "__main__":
    command.run(read)
