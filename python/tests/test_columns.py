"""Tables as recordings: their mapping as a dict and as a file, against the command line and the expected values of `tests/data`."""

from __future__ import annotations

import json
import shutil
import tomllib

import mutoscope as mu
import numpy as np
import pytest
from conftest import ASSETS, DATA, run

TABLES = DATA / "tables-in"
EXPECTED = json.loads((TABLES / "expected.json").read_text(encoding="utf-8"))
CASES = [name for name, case in EXPECTED.items() if "exit" not in case]
#: Those with a mapping file.
MAPPED = [name for name in CASES if "--columns" in EXPECTED[name]["options"]]
#: Those of which the mapping is at fault.
BROKEN = [name for name, case in EXPECTED.items() if "exit" in case and "--columns" in case["options"]]


def file_of(case):
    return TABLES / EXPECTED[case]["file"]


def mapping_of(case):
    """The mapping file of a case, or None."""
    given = EXPECTED[case]["options"]
    return TABLES / given[given.index("--columns") + 1] if "--columns" in given else None


def assumed(clip):
    return [issue.message for issue in clip.issues() if issue.severity == "info" and "assumed" in issue.message]


@pytest.fixture
def take(tmp_path):
    """A table without a mapping file beside it."""
    shutil.copy(file_of("wide_camel"), tmp_path / "take.csv")
    return tmp_path / "take.csv"


@pytest.mark.parametrize("case", CASES)
def test_the_mapping_is_that_of_the_command_line_and_reads_alike(case):
    path, given = file_of(case), mapping_of(case)
    done = run("columns", path, *(["--columns", given] if given else []))
    assert done.returncode == 0, done.stderr
    assert mu.columns(path, columns=given, text=True) == done.stdout
    mapping = mu.columns(path, columns=given)
    assert mapping == tomllib.loads(done.stdout)
    before, clip = mu.open(path, columns=given), mu.open(path, columns=mapping)
    assert mu.columns(before) == mapping and mu.columns(before, text=True) == done.stdout
    assert clip.node_names == before.node_names
    times = before.key_times()
    one, other = before.sample(times), clip.sample(times)
    np.testing.assert_array_equal(one.positions, other.positions)
    np.testing.assert_array_equal(one.rotations, other.rotations)
    np.testing.assert_array_equal(one.visible, other.visible)
    assert one.signals.keys() == other.signals.keys()
    # In a log, a mapping states only axes and unit.
    if clip.format == "table":
        assert assumed(clip) == []
        assert len(assumed(before)) == len(EXPECTED[case]["assumed"])


@pytest.mark.parametrize("case", MAPPED)
def test_a_mapping_file_or_its_dict_gives_the_expected_poses(case):
    expected, path = EXPECTED[case], mapping_of(case)
    for columns in (path, str(path), tomllib.loads(path.read_text(encoding="utf-8"))):
        clip = mu.open(file_of(case), columns=columns)
        assert (clip.format, clip.node_names, assumed(clip)) == ("table", expected["nodes"], [])
        compared = 0
        for row in expected["samples"]:
            poses = clip.sample([row["time"]])
            for name, node in row["nodes"].items():
                index = poses.column(name)
                assert poses.visible[0, index] == node["shown"], name
                if node["shown"] and "position" in node:
                    np.testing.assert_allclose(poses.positions[0, index], node["position"], atol=1e-5)
                    compared += 1
        assert compared >= 6


@pytest.mark.parametrize("case", BROKEN)
def test_a_mapping_at_fault_is_an_error_with_its_line(case):
    path = mapping_of(case)
    with pytest.raises(mu.Error) as broken:
        mu.open(file_of(case), columns=path)
    done = run("info", file_of(case), "--columns", path)
    assert done.returncode == 2
    assert str(broken.value) in done.stderr
    assert "line " in broken.value.message
    assert (EXPECTED[case]["message_has"] or "") in broken.value.message


def test_a_dict_at_fault_is_named(take):
    for columns, what in [
        ({"space": {"unit": "furlong"}}, "<columns>: line 1: .*furlong"),
        ({"time": {"column": "t"}, "colour": {}}, "<columns>: line 1: unknown field `colour`, expected one of `table`"),
        ({"time": {"column": "nothere"}}, "<columns>: line 1: .*nothere"),
    ]:
        with pytest.raises(mu.Error, match=what):
            mu.open(take, columns=columns)
    with pytest.raises(ValueError, match='<columns>: "time"."unit": expected a value, found none'):
        mu.open(take, columns={"time": {"unit": None}})
    with pytest.raises(ValueError, match="<columns>: expected a mapping as JSON"):
        mu.open(take, columns={"time": {"rate": float("nan")}})
    with pytest.raises(TypeError, match="columns: expected the path of a mapping file or a dict, found int"):
        mu.open(take, columns=5)
    with pytest.raises(mu.Error, match="none.toml: cannot be read") as missing:
        mu.open(take, columns=take.with_name("none.toml"))
    assert isinstance(missing.value.__cause__, FileNotFoundError)
    with pytest.raises(mu.Error, match="a recording of mrtk, which has no columns"):
        mu.columns(ASSETS / "mrtk/two-hands.bin")
    with pytest.raises(ValueError, match="a clip is open already"):
        mu.columns(mu.open(take), columns={})


def test_an_edited_mapping_is_used_by_open_convert_and_report(take, tmp_path):
    mapping = mu.columns(take)
    assert mapping["space"]["unit"] == "m"
    mapping["space"]["unit"] = "cm"
    mapping["signals"] = {}
    metres, centimetres = mu.open(take), mu.open(take, columns=mapping)
    times = metres.key_times()
    np.testing.assert_allclose(
        centimetres.sample(times).positions, metres.sample(times).positions / 100, rtol=1e-12, atol=1e-15
    )
    assert centimetres.signals == [] and centimetres.convention.metres_per_unit == 0.01
    # Reading from bytes must give the same clip.
    in_memory = mu.open(take.read_bytes(), name="take.csv", columns=mapping)
    np.testing.assert_array_equal(in_memory.sample(times).positions, centimetres.sample(times).positions)
    mu.convert(take, tmp_path / "take.csv.glb", columns=mapping)
    written = mu.open(tmp_path / "take.csv.glb").sample(times, nodes=["left/IndexTip"])
    np.testing.assert_allclose(
        written.positions, centimetres.sample(times, nodes=["left/IndexTip"]).positions, atol=1e-6
    )
    lengths = [
        mu.report(take, columns=columns, labels=False, cutoff=0.0, rate=200.0).to_dict()["recordings"][0]["ranges"][0]["measures"][
            "left_path_length_m"
        ]
        for columns in (None, mapping)
    ]
    assert lengths[1] == pytest.approx(lengths[0] / 100)


def test_a_mapping_file_beside_is_used_and_one_that_is_given_wins(take):
    beside = take.with_name("take.columns.toml")
    beside.write_text('[space]\nunit = "mm"\n', encoding="utf-8")
    clip = mu.open(take)
    assert clip.convention.metres_per_unit == 0.001
    assert any("take.columns.toml" in issue.message for issue in clip.issues())
    assert mu.open(take, columns={"space": {"unit": "cm"}}).convention.metres_per_unit == 0.01
    other = take.with_name("other.toml")
    other.write_text('[space]\nunit = "cm"\n', encoding="utf-8")
    for source in (take, mu.open(take, columns=other)):
        with pytest.raises(mu.Error, match="would overwrite the mapping file"):
            mu.convert(source, other, to="csv", **({"columns": other} if source is take else {}))
    with pytest.raises(mu.Error, match="would overwrite the mapping file"):
        mu.report(take, columns=other).save(other, to="json")
    assert other.read_text(encoding="utf-8") == '[space]\nunit = "cm"\n'


@pytest.mark.parametrize("extension", ["parquet", "arrow", "csv"])
def test_tables_of_ours_are_read_back(extension, tmp_path):
    clip = mu.open(ASSETS / "mrtk/two-hands.bin")
    out = tmp_path / f"take.{extension}"
    mu.convert(clip, out)
    back = mu.open(out)
    assert (back.format, assumed(back)) == ("table", [])
    times = clip.key_times()
    nodes = [name for name in clip.node_names if name in back.node_names]
    assert len(nodes) == len(clip.node_names)
    one, other = clip.sample(times, nodes=nodes), back.sample(times, nodes=nodes)
    np.testing.assert_array_equal(one.visible, other.visible)
    assert one.visible.any() and not one.visible.all()
    np.testing.assert_allclose(other.positions[one.visible], one.positions[one.visible], rtol=0, atol=1e-9)
