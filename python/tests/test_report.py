"""Tests of reports, their parts and labels, against the command line and an independent reference."""

from __future__ import annotations

import json
import math
import pickle
import shutil
import signal

import mutoscope as mu
import numpy as np
import pandas
import polars
import pyarrow.parquet
import pytest
from conftest import DATA, run

STUDY = DATA / "study"
EXPECTED = json.loads((STUDY / "expected.json").read_text(encoding="utf-8"))
NAMES = sorted(EXPECTED["recordings"])
LABELS = STUDY / "reaches.labels.csv"


def to_keywords(arguments):
    """Converts command line arguments to keyword arguments."""
    given = {"areas": []}
    for option, value in zip(arguments[::2], arguments[1::2]):
        if option == "--area":
            given["areas"].append(value)
        elif option == "--labels":
            given["labels"] = STUDY / value
        else:
            given[option.removeprefix("--")] = float(value)
    return given


def report_json(tmp_path, *arguments, status=0):
    """Runs `mutoscope report`, and returns its JSON."""
    done = run("report", *arguments, "-o", tmp_path / "report.json")
    assert done.returncode == status, done.stderr
    return json.loads((tmp_path / "report.json").read_bytes())


@pytest.fixture
def takes(tmp_path):
    """Creates a folder of recordings: one with labels, one truncated, and a file that is not a recording."""
    folder = tmp_path / "takes"
    folder.mkdir()
    for name in ("reaches.bin", "reaches.labels.csv", "walk.bvh", "looking.bin"):
        shutil.copy(STUDY / name, folder)
    shutil.copy(DATA / "mrtk/bad/truncated.bin", folder / "bad.bin")
    (folder / "notes.txt").write_text("none")
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_identical_to_the_command_line(name, tmp_path):
    arguments = EXPECTED["recordings"][name]["arguments"]
    words = [STUDY / word if word.endswith(".csv") else word for word in arguments]
    report = mu.report(STUDY / name, **to_keywords(arguments))
    assert report.to_dict() == report_json(tmp_path, STUDY / name, *words)
    assert report.errors == []
    # Measuring an open clip must give the same numbers.
    again = mu.report(mu.open(STUDY / name), **to_keywords(arguments))
    assert again.to_dict() == report.to_dict()


@pytest.mark.parametrize("name", NAMES)
def test_numbers_match_the_reference(name):
    expected = EXPECTED["recordings"][name]
    report = mu.report(STUDY / name, **to_keywords(expected["arguments"]))
    assert set(EXPECTED["options"]) == set(report.to_dict()["options"])
    frame = report.to_frame(library="pandas")
    assert frame["label"].tolist() == [one["label"] for one in expected["ranges"]]
    assert frame["label"][0] == ""
    compared = 0
    for row, one in enumerate(expected["ranges"]):
        for measure, value in one["measures"].items():
            found = frame[measure][row]
            if value is None:
                assert pandas.isna(found), measure
                continue
            tolerance = 0.01 if "ldlj" in measure else 0.005 if "sparc" in measure else 2e-6
            # Values that were generated as 0 are not exactly 0 in f32.
            tolerance = 1e-4 if measure.endswith("_deg") else tolerance
            relative = 0.0 if measure.endswith("_s") else 1e-3
            assert found == pytest.approx(value, rel=relative, abs=tolerance), measure
            compared += 1
    assert compared >= 10
    for kind, rows in expected["events"].items():
        events = report.events(kind, library="pandas")
        assert len(events) == len(rows), kind
        starts = [one["start_s"] for one in rows]
        np.testing.assert_allclose(events["start_s"].to_numpy(), starts, rtol=0, atol=2e-6)


def test_options_match_the_command_line(tmp_path):
    take = STUDY / "pinching.bin"
    area = mu.Area.sphere("cup", (0.0, 1.2, -0.5), 0.2)
    report = mu.report(
        take, areas=[area, "lid=box:0,1,-2,0.5,0.5,0.5,0,0,0,2@left/Wrist"], rate=30.0, cutoff=0.0, movement_speed=0.2,
        saccade_velocity=40.0, gaze_on_target=3.0, ground=-1.0, feet=["LeftFoot"], device="HoloLens 2", labels=False,
    )
    assert report.to_dict() == report_json(
        tmp_path, take, "--area", "cup=sphere:0,1.2,-0.5,0.2", "--area", "lid=box:0,1,-2,0.5,0.5,0.5,0,0,0,2@left/Wrist",
        "--rate=30", "--cutoff=0", "--movement-speed=0.2", "--saccade-velocity=40", "--gaze-on-target=3", "--ground=-1",
        "--foot=LeftFoot", "--device=HoloLens 2", "--no-labels",
    )
    assert report.to_dict()["options"]["movement_speed_mps"] == 0.2
    assert report.to_dict() != mu.report(take, labels=False).to_dict()


def test_folders_include_labels_and_failures(takes, tmp_path):
    report = mu.report(takes)
    assert report.to_dict() == report_json(tmp_path, takes, status=1)
    assert repr(report) == "<Report of 4 recordings, 1 without measures>"
    ranges = [len(one["ranges"]) for one in report.to_dict()["recordings"]]
    assert ranges == [0, 1, 5, 1], "expected bad, looking, reaches with four labels, walk"
    (error,) = report.errors
    assert isinstance(error, mu.Error)
    with pytest.raises(mu.Error) as opened:
        mu.open(takes / "bad.bin")
    assert (str(error), error.path, error.format, error.place, error.message) == (
        str(opened.value), opened.value.path, opened.value.format, opened.value.place, opened.value.message,
    )
    assert f"error: {error}" in report.messages
    # Paths and clips may be mixed. The order is kept.
    mixed = mu.report([takes / "walk.bvh", mu.open(takes / "reaches.bin"), str(takes / "looking.bin")], labels=False)
    assert mixed.to_frame(library="pandas")["path"].tolist() == [
        str(takes / name) for name in ("walk.bvh", "reaches.bin", "looking.bin")
    ]
    missing = mu.report(takes / "missing.bin")
    assert [one.path for one in missing.errors] == [str(takes / "missing.bin")]
    assert len(missing.to_frame(library="pandas")) == 0


def test_excessive_rates_are_rejected(tmp_path):
    take = STUDY / "reaches.bin"
    clip = mu.open(take)
    for source in (take, clip):
        report = mu.report(source, rate=1e6, labels=False)
        (error,) = report.errors
        assert (error.path, error.message[:15]) == (str(take), "it lasts 15.5 s")
        assert repr(report) == "<Report of 1 recording, 1 without measures>"
    assert report.to_dict() == report_json(tmp_path, take, "--rate=1e6", "--no-labels", status=1)
    with pytest.raises(mu.Error, match="reaches.bin: it lasts 15.5 s"):
        mu.movements(clip, rate=1e6)


def test_labels_can_be_passed_or_read_from_files(takes, tmp_path):
    take = takes / "reaches.bin"
    given = [mu.Label(1.0, 4.5, "trial 1", "trials"), mu.Label(5.0, 5.0, "point")]
    frame = mu.report(take, labels=given).to_frame(library="pandas")
    assert frame["label"].tolist() == ["", "trial 1", "point"]
    assert frame["tier"].isna().tolist() == [True, False, True]
    named = mu.report(take, labels=STUDY / "reaches.eaf")
    assert named.to_dict() == report_json(tmp_path, take, "--labels", STUDY / "reaches.eaf")
    markers = mu.report(take, labels="markers")
    assert markers.to_dict() == report_json(tmp_path, take, "--labels=markers")
    assert len(markers.to_frame(library="pandas")) == 2
    # The labels of one file apply to every recording.
    both = mu.report([take, takes / "looking.bin"], labels=LABELS).to_frame(library="pandas")
    assert both.groupby("path").size().tolist() == [5, 5]
    (takes / "reaches.labels.csv").write_text("start_s,end_s,label\n2,1,late\n")
    with pytest.raises(mu.Error, match="expected an end_s of 2 or later, found 1") as broken:
        mu.report(takes)
    assert (broken.value.format, broken.value.place) == ("csv", "line 2")
    assert len(mu.report(takes, labels=False).errors) == 1


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_match_the_tables_of_the_command_line(library, takes, tmp_path):
    areas = ["cup=sphere:0,1.2,-2,0.5", "door=plane:0,1,-2,2,2"]
    done = run("report", takes, *(f"--area={area}" for area in areas), "-o", tmp_path / "report.parquet")
    assert done.returncode == 1, done.stderr
    report = mu.report(takes, areas=areas)
    kinds = ["movements", "pinches", "saccades", "fixations", "dwells"]
    frames = {"": report.to_frame(library=library), ".areas": report.areas(library=library)}
    frames |= {f".{kind}": report.events(kind, library=library) for kind in kinds}
    for name, frame in frames.items():
        written = pyarrow.parquet.read_table(tmp_path / f"report{name}.parquet")
        assert list(frame.columns) == written.column_names
        for column in written.column_names:
            values = frame[column].to_list()
            found = [None if value is pandas.NA or value != value else value for value in values]
            assert found == written[column].to_pylist(), (name, column)
    assert len(frames[""]) == 7 and len(frames[".areas"]) > 0 and len(frames[".movements"]) > 0
    # The tables of other recordings have the same types, even without rows.
    no_rows = mu.report([]).events("pinches", library=library)
    assert list(map(str, no_rows.dtypes)) == list(map(str, frames[".pinches"].dtypes))
    assert len(no_rows) == 0


def test_saved_files_match_the_command_line(takes, tmp_path):
    report = mu.report(takes)
    for extension in ("html", "csv", "parquet", "json"):
        python_folder, cli_folder = tmp_path / "ours", tmp_path / "theirs"
        done = run("report", takes, "-o", (cli_folder / f"report.{extension}"))
        assert done.returncode == 1 and not cli_folder.exists(), "a missing folder is not created"
        cli_folder.mkdir()
        done = run("report", takes, "-o", cli_folder / f"report.{extension}")
        assert done.returncode == 1, done.stderr
        python_folder.mkdir()
        files = report.save(python_folder / f"report.{extension}")
        assert sorted(files) == sorted(python_folder.iterdir())
        assert [one.name for one in sorted(files)] == [one.name for one in sorted(cli_folder.iterdir())]
        for file in files:
            assert file.read_bytes() == (cli_folder / file.name).read_bytes(), file.name
        shutil.rmtree(python_folder)
        shutil.rmtree(cli_folder)
    page = tmp_path / "page"
    report.save(page, to="html", link="https://example.org/viewer")
    assert "https://example.org/viewer?file=" in page.read_text(encoding="utf-8")


def test_inputs_are_never_overwritten(takes):
    labels = takes / "reaches.labels.csv"
    before = labels.read_bytes()
    report = mu.report(takes)
    with pytest.raises(mu.Error, match="would overwrite the labels of a recording"):
        report.save(labels)
    with pytest.raises(mu.Error, match="would overwrite a recording"):
        report.save(takes / "reaches.bin", to="json")
    shutil.copy(takes / "walk.bvh", takes / "walk.areas.csv")
    with pytest.raises(mu.Error, match="would overwrite the recording"):
        mu.report(mu.open(takes / "walk.areas.csv")).save(takes / "walk.csv")
    with pytest.raises(mu.Error, match="would overwrite the labels, an input"):
        mu.report(takes / "reaches.bin", labels=labels).save(labels)
    assert labels.read_bytes() == before
    assert not (takes / "walk.csv").exists()
    with pytest.raises(mu.Error, match="cannot be written"):
        report.save(takes / "missing" / "report.json")


def test_all_animations_or_the_selected_one_are_reported(tmp_path):
    walker = DATA.parents[1] / "assets/gltf/walker.glb"
    names = [one.name for one in mu.animations(walker)]
    assert len(names) > 1
    report = mu.report(walker)
    assert report.to_frame(library="pandas")["animation"].tolist() == names
    assert report.to_dict() == report_json(tmp_path, walker)
    one = mu.report(walker, animation=names[1])
    assert one.to_dict() == report_json(tmp_path, walker, "--animation", names[1])
    assert mu.report(mu.open(walker, animation=names[1])).to_dict() == one.to_dict()
    (error,) = mu.report(walker, animation="Fly").errors
    assert "Fly" in error.message
    # An archive without a choice of animation is wrong usage, as on the command line.
    archive = DATA / "prime-characters/warden_mp1.pak"
    assert run("report", archive, "--animation=Fly", "-o", tmp_path / "report.json").returncode == 2
    with pytest.raises(mu.Error, match="Fly"):
        mu.report(archive, animation="Fly")


def test_part_functions_match_the_report():
    clip = mu.open(STUDY / "pinching.bin")
    report = mu.report(clip)
    parts = {"movements": mu.movements(clip), "saccades": mu.saccades(clip), "pinches": mu.pinches(clip)}
    for kind, found in parts.items():
        rows = report.to_dict()["recordings"][0]["events"][kind]
        assert [{name: getattr(one, name) for name in row} for one, row in zip(found, rows, strict=True)] == rows
        assert len(found) >= 4
    assert {one.hand for one in mu.movements(clip, "right")} == {"right"}
    both_hands = mu.movements(mu.open(STUDY / "reaches.bin"))
    assert [one.hand for one in both_hands] == ["right", "left"] * 5
    slow = mu.movements(clip, "right", movement_speed=0.3, cutoff=0.0, rate=120.0)
    assert slow[0].duration_s < mu.movements(clip, "right")[0].duration_s
    assert mu.pinches(clip, "right", gaze_on_target=0.001)[0].gaze_lead_s is None
    assert "<Pinch of the right hand from " in repr(mu.pinches(clip, "right")[0])


def test_part_functions_accept_arrays():
    clip = mu.open(STUDY / "reaches.bin")
    rate = 60.0
    times = clip.start + np.arange(int(clip.duration * rate) + 1) / rate
    poses = clip.sample(times, nodes=["left/Wrist"])
    positions = np.where(poses.visible[:, :1], poses.positions[:, 0], np.nan)
    found, expected = mu.movements(positions, rate=rate), mu.movements(clip, "left", rate=rate)
    names = [name for name in dir(mu.Movement) if name[0] != "_" and name != "hand"]
    assert "ldlj" in names and len(names) == 13
    for one, other in zip(found, expected, strict=True):
        assert one.hand == ""
        for name in names:
            assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-12, abs=1e-12), name
    # A movement is cut if tracking is lost in the middle of it.
    middle = int((expected[0].start_s + expected[0].time_to_peak_s) * rate)
    positions[middle] = np.nan
    assert [one.cut for one in mu.movements(positions, rate=rate)[:2]] == [True, True]

    # A gaze that turns by 20° in a tenth of a second, and is then lost.
    angles = np.radians(np.clip((np.arange(120) - 60) * 20 / 12, 0, 20))
    gaze = np.stack([np.sin(angles), np.zeros(120), -np.cos(angles)], axis=1)
    (saccade,) = mu.saccades(5 * gaze, rate=120.0)
    assert saccade.amplitude_deg == pytest.approx(20.0)
    assert saccade.peak_velocity_degps == pytest.approx(200.0)
    assert (saccade.start_s, saccade.head_deg) == (pytest.approx(0.5), None)
    gaze[66] = np.nan
    assert sum(one.amplitude_deg for one in mu.saccades(gaze, rate=120.0)) < 20.0

    # The speed of a minimum-jerk reach of 0.3 m in one second, whose dimensionless jerk has a closed form.
    t = np.linspace(0.0, 1.0, 2001)
    smooth = mu.smoothness(0.3 * 30 * t**2 * (1 - t) ** 2, 2000.0)
    assert smooth.ldlj == pytest.approx(-math.log(204.8), abs=0.01)
    assert smooth.sparc == pytest.approx(-1.4, abs=0.05)
    assert math.isnan(mu.smoothness(np.zeros(20), 60.0).ldlj)


def test_labels_survive_a_round_trip_in_every_format(tmp_path):
    labels = mu.labels(LABELS)
    assert len(labels) == 4 and {one.tier for one in labels} != {None}
    assert all(isinstance(one, mu.Label) and one.start <= one.end for one in labels)
    key = lambda one: (one.start, one.end, one.label)  # noqa: E731
    for name in ("reaches.eaf", "reaches-long.TextGrid", "reaches-short.TextGrid"):
        others = sorted(mu.labels(STUDY / name), key=key)
        assert [(one.label, one.tier) for one in others] == [(one.label, one.tier) for one in sorted(labels, key=key)]
        np.testing.assert_allclose([one.start for one in others], [one.start for one in sorted(labels, key=key)], atol=5e-4)
    for extension in ("csv", "eaf", "TextGrid"):
        path = tmp_path / f"labels.{extension}"
        assert mu.save_labels(labels, path) == []
        done = run("labels", LABELS, "-o", tmp_path / f"theirs.{extension}")
        assert done.returncode == 0, done.stderr
        written = path.read_bytes()
        assert written == (tmp_path / f"theirs.{extension}").read_bytes()
        assert sorted(mu.labels(path), key=key) == sorted(labels, key=key)
    point = mu.Label(start=1.0, end=1.0, label="a, \"b\"\n")
    assert (point.start, point.end, point.label, point.tier) == (1.0, 1.0, "a, \"b\"\n", None)
    assert point != mu.Label(1.0, 1.0, "other") and pickle.loads(pickle.dumps(point)) == point
    assert repr(mu.Label(1.0, 2.5, "rest")) == "<Label \"rest\" from 1 s to 2.5 s>"
    mu.save_labels([point], tmp_path / "point.csv")
    assert mu.labels(tmp_path / "point.csv") == [point]


def test_invalid_label_files_raise_errors(tmp_path):
    path = tmp_path / "take.csv"
    path.write_text("start_s,end_s,label\n0,one,x\n")
    with pytest.raises(mu.Error, match="csv at line 2: expected a finite number for end_s, found \"one\"") as broken:
        mu.labels(path)
    assert (broken.value.path, broken.value.place) == (str(path), "line 2")
    with pytest.raises(mu.Error, match="cannot be read") as missing:
        mu.labels(tmp_path / "missing.eaf")
    assert isinstance(missing.value.__cause__, FileNotFoundError)
    with pytest.raises(ValueError, match="expected a file with the extension csv, eaf, TextGrid, found .*take.txt"):
        mu.labels(tmp_path / "take.txt")
    with pytest.raises(ValueError, match="expected a file with the extension"):
        mu.save_labels([], tmp_path / "take.txt")
    with pytest.raises(mu.Error, match="cannot be written"):
        mu.save_labels([], tmp_path / "missing" / "take.csv")
    with pytest.raises(ValueError, match="expected a range of seconds, found start=2 and end=1"):
        mu.Label(2.0, 1.0, "late")
    with pytest.raises(ValueError, match="expected a range of seconds"):
        mu.Label(0.0, math.nan, "never")
    text = (STUDY / "reaches.eaf").read_text(encoding="utf-8")
    shifted = tmp_path / "shifted.eaf"
    media = '<MEDIA_DESCRIPTOR MEDIA_URL="file:///a.mp4" MIME_TYPE="video/mp4" TIME_ORIGIN="500"/>'
    assert "</HEADER>" in text
    shifted.write_text(text.replace("</HEADER>", f"{media}</HEADER>", 1), encoding="utf-8")
    with pytest.warns(UserWarning, match="TIME_ORIGIN"):
        assert len(mu.labels(shifted)) == 4


def test_invalid_arguments_are_named_in_the_error():
    take = STUDY / "looking.bin"
    clip = mu.open(take)
    for given, message in [
        ({"rate": 0.0}, "rate: expected a number above 0, found 0"),
        ({"cutoff": -1.0}, "cutoff: expected 0 or a number above 0, found -1"),
        ({"movement_speed": math.nan}, "movement_speed: expected a number above 0, found NaN"),
        ({"ground": math.inf}, "ground: expected a finite number, found inf"),
        ({"areas": ["cup"]}, "areas: expected NAME=sphere:"),
        ({"labels": STUDY / "walk.bvh"}, "expected a file with the extension csv, eaf, TextGrid"),
    ]:
        with pytest.raises(ValueError, match=message):
            mu.report(take, **given)
    for sources in (5, [5], [take.read_bytes()]):
        with pytest.raises(TypeError, match="sources: expected paths or clips, found (int|bytes)"):
            mu.report(sources)
    for labels in (True, 5, ["rest"]):
        with pytest.raises(TypeError, match="labels: expected a path, labels, \"markers\" or False"):
            mu.report(take, labels=labels)
    with pytest.raises(ValueError, match="a clip is open already"):
        mu.report(clip, rotation="engine")
    report = mu.report(take)
    with pytest.raises(ValueError, match="kind: expected one of movements, .*, found \"looks\""):
        report.events("looks")
    with pytest.raises(ValueError, match="expected one of html, csv, parquet, json, found \"report.txt\""):
        report.save("report.txt")
    with pytest.raises(ValueError, match="link: expected an address"):
        report.save("report.html", link="javascript:alert(1)")
    with pytest.raises(ValueError, match="library: expected one of pandas, polars, found 'numpy'"):
        report.to_frame(library="numpy")
    with pytest.raises(KeyError, match="the recording has no right hand"):
        mu.movements(clip, "right")
    with pytest.raises(KeyError, match="the recording has no left hand"):
        mu.pinches(mu.open(STUDY / "walk.bvh"), "left")
    with pytest.raises(KeyError, match="the recording has no gaze"):
        mu.saccades(mu.open(STUDY / "walk.bvh"))
    with pytest.raises(ValueError, match="hand: expected \"right\" or \"left\", found \"both\""):
        mu.movements(clip, "both")
    with pytest.raises(TypeError, match="rate: an array needs its samples per second"):
        mu.movements(np.zeros((5, 3)))
    with pytest.raises(TypeError, match="hand is for a recording"):
        mu.movements(np.zeros((5, 3)), "right", rate=60.0)
    with pytest.raises(ValueError, match=r"gaze: expected a recording, or the shape \(n, 3\)"):
        mu.saccades(np.zeros((5, 2)), rate=60.0)
    with pytest.raises(ValueError, match=r"speed: expected the shape \(n,\)"):
        mu.smoothness(np.zeros((5, 2)), 60.0)


def test_keyboard_interrupt_stops_a_report(tmp_path):
    for number in range(400):
        shutil.copy(STUDY / "trembling.bin", tmp_path / f"{number}.bin")

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            mu.report(tmp_path)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_reports_from_tasks_concatenate_to_one_table():
    dask = pytest.importorskip("dask")
    paths = [str(STUDY / name) for name in ("reaches.bin", "walk.bvh", "looking.bin")]
    frames = [dask.delayed(lambda path: mu.report(path).to_frame(library="pandas"))(path) for path in paths]
    table = pandas.concat(dask.compute(*frames, scheduler="threads"), ignore_index=True)
    whole = mu.report(paths).to_frame(library="pandas")
    pandas.testing.assert_frame_equal(table[whole.columns], whole, check_dtype=False)
    assert isinstance(mu.report(paths[0]).to_frame(library="polars"), polars.DataFrame)
