"""Tests of tables and their column mappings against the command line and the expected values in `tests/data`."""

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
CASES_WITH_MAPPING = [name for name in CASES if "--columns" in EXPECTED[name]["options"]]
#: Those of which the mapping is at fault.
CASES_WITH_INVALID_MAPPING = [name for name, case in EXPECTED.items() if "exit" in case and "--columns" in case["options"]]


def table_path(case):
    return TABLES / EXPECTED[case]["file"]


def mapping_path(case):
    """Returns the mapping file of a case, or None."""
    given = EXPECTED[case]["options"]
    return TABLES / given[given.index("--columns") + 1] if "--columns" in given else None


def assumption_messages(clip):
    return [issue.message for issue in clip.issues() if issue.severity == "info" and "assumed" in issue.message]


@pytest.fixture
def take(tmp_path):
    """Copies a table without its mapping file."""
    shutil.copy(table_path("wide_camel"), tmp_path / "take.csv")
    return tmp_path / "take.csv"


@pytest.mark.parametrize("case", CASES)
def test_mapping_matches_the_command_line_and_reopens_identically(case):
    path, given = table_path(case), mapping_path(case)
    done = run("columns", path, *(["--columns", given] if given else []))
    assert done.returncode == 0, done.stderr
    # The command line also prints questions, as comments at the end.
    text = done.stdout.split("\n# Not certain.")[0]
    assert mu.columns(path, columns=given, text=True) == text
    mapping = mu.columns(path, columns=given)
    assert mapping == tomllib.loads(done.stdout)
    before, clip = mu.open(path, columns=given), mu.open(path, columns=mapping)
    assert mu.columns(before) == mapping and mu.columns(before, text=True) == text
    assert clip.node_names == before.node_names
    times = before.key_times()
    first, second = before.sample(times), clip.sample(times)
    np.testing.assert_array_equal(first.positions, second.positions)
    np.testing.assert_array_equal(first.rotations, second.rotations)
    np.testing.assert_array_equal(first.visible, second.visible)
    assert first.signals.keys() == second.signals.keys()
    # In a log, a mapping states only axes and unit.
    if clip.format == "table":
        assert assumption_messages(clip) == []
        assert len(assumption_messages(before)) == len(EXPECTED[case]["assumed"])


@pytest.mark.parametrize("case", CASES_WITH_MAPPING)
def test_mapping_files_and_dicts_give_the_expected_poses(case):
    expected, path = EXPECTED[case], mapping_path(case)
    for columns in (path, str(path), tomllib.loads(path.read_text(encoding="utf-8"))):
        clip = mu.open(table_path(case), columns=columns)
        assert (clip.format, clip.node_names, assumption_messages(clip)) == ("table", expected["nodes"], [])
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


@pytest.mark.parametrize("case", CASES_WITH_INVALID_MAPPING)
def test_invalid_mapping_file_raises_an_error_with_its_line(case):
    path = mapping_path(case)
    with pytest.raises(mu.Error) as broken:
        mu.open(table_path(case), columns=path)
    done = run("info", table_path(case), "--columns", path)
    assert done.returncode == 2
    assert str(broken.value) in done.stderr
    assert "line " in broken.value.message
    assert (EXPECTED[case]["message_has"] or "") in broken.value.message


def test_invalid_mapping_dict_raises_an_error(take):
    for columns, message in [
        ({"space": {"unit": "furlong"}}, "<columns>: line 1: .*furlong"),
        ({"time": {"column": "t"}, "colour": {}}, "<columns>: line 1: unknown field `colour`, expected one of `table`"),
        ({"time": {"column": "nothere"}}, "<columns>: line 1: .*nothere"),
    ]:
        with pytest.raises(mu.Error, match=message):
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


def test_open_convert_and_report_use_an_edited_mapping(take, tmp_path):
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


def test_explicit_mapping_overrides_the_mapping_file_next_to_the_table(take):
    mapping_file = take.with_name("take.columns.toml")
    mapping_file.write_text('[space]\nunit = "mm"\n', encoding="utf-8")
    clip = mu.open(take)
    assert clip.convention.metres_per_unit == 0.001
    assert any("take.columns.toml" in issue.message for issue in clip.issues())
    assert mu.open(take, columns={"space": {"unit": "cm"}}).convention.metres_per_unit == 0.01
    other_mapping = take.with_name("other.toml")
    other_mapping.write_text('[space]\nunit = "cm"\n', encoding="utf-8")
    for source in (take, mu.open(take, columns=other_mapping)):
        with pytest.raises(mu.Error, match="would overwrite the mapping file"):
            mu.convert(source, other_mapping, to="csv", **({"columns": other_mapping} if source is take else {}))
    with pytest.raises(mu.Error, match="would overwrite the mapping file"):
        mu.report(take, columns=other_mapping).save(other_mapping, to="json")
    assert other_mapping.read_text(encoding="utf-8") == '[space]\nunit = "cm"\n'


@pytest.mark.parametrize("extension", ["parquet", "arrow", "csv"])
def test_exported_tables_read_back(extension, tmp_path):
    clip = mu.open(ASSETS / "mrtk/two-hands.bin")
    out = tmp_path / f"take.{extension}"
    mu.convert(clip, out)
    back = mu.open(out)
    assert (back.format, assumption_messages(back)) == ("table", [])
    times = clip.key_times()
    nodes = [name for name in clip.node_names if name in back.node_names]
    assert len(nodes) == len(clip.node_names)
    first, second = clip.sample(times, nodes=nodes), back.sample(times, nodes=nodes)
    np.testing.assert_array_equal(first.visible, second.visible)
    assert first.visible.any() and not first.visible.all()
    np.testing.assert_allclose(second.positions[first.visible], first.positions[first.visible], rtol=0, atol=1e-9)
