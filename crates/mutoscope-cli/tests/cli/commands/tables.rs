//! Tests of the command line with tables: `columns`, `--columns`, mapping files next to recordings,
//! and C3D.

use std::fs;

use serde_json::Value;

use crate::commands::{RunOutput, program, run, run_output};
use mutoscope_testing::fixtures;

/// Copies the table of a case into a temporary folder, under this name.
fn copy_case(case: &str, name: &str) -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_owned();
    let path = move |name: &str| root.join(name).to_str().unwrap().to_owned();
    let expected = fs::read_to_string(fixtures::path("tables-in/expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let file = expected[case]["file"].as_str().unwrap();
    fs::copy(fixtures::path("tables-in").join(file), path(name)).unwrap();
    (folder, path)
}

fn info(arguments: &[&str]) -> (Value, RunOutput) {
    let ran = run(&[&["info", "--json"][..], arguments].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    (serde_json::from_str(&ran.out).unwrap(), ran)
}

fn sample(arguments: &[&str]) -> String {
    let ran = run(&[&["sample", "--fps", "20"][..], arguments].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    ran.out
}

#[test]
fn printed_mapping_gives_equal_poses_without_assumptions() {
    for case in ["wide_camel", "hand_column", "long_webxr", "aria", "uxf", "gaze_angles"] {
        let (_folder, path) = copy_case(case, "take.csv");
        let (table, printed) = (path("take.csv"), path("printed.toml"));
        let (before, _) = info(&[&table]);
        assert!(!before["columns"]["assumed"].as_array().unwrap().is_empty(), "{case}");
        let poses = sample(&[&table]);
        let ran = run(&["columns", &table]);
        assert_eq!(ran.status, Some(0), "{case}: {}", ran.err);
        assert!(ran.err.contains("assumed"), "{case}: {}", ran.err);
        fs::write(&printed, &ran.out).unwrap();
        let (given, _) = info(&["--columns", &printed, &table]);
        assert_eq!(given["columns"]["assumed"], serde_json::json!([]), "{case}");
        assert_eq!(sample(&["--columns", &printed, &table]), poses, "{case}");
        // A mapping file next to the recording is used, and a diagnostic names it.
        fs::rename(&printed, path("take.columns.toml")).unwrap();
        let (beside, _) = info(&[&table]);
        assert_eq!(beside["columns"], given["columns"], "{case}");
        let notices = beside["notices"].to_string();
        assert!(notices.contains("take.columns.toml"), "{case}: {notices}");
        assert_eq!(sample(&[&table]), poses, "{case}");
    }
}

#[test]
fn columns_option_overrides_the_mapping_next_to_the_table() {
    let (_folder, path) = copy_case("uxf", "take.csv");
    fs::write(path("take.columns.toml"), "[space]\nunit = \"cm\"\n").unwrap();
    fs::write(path("other.toml"), "[space]\nunit = \"mm\"\n").unwrap();
    let unit = |arguments: &[&str]| {
        let (info, _) = info(arguments);
        info["convention"]["metres_per_unit"].as_f64().unwrap()
    };
    assert_eq!(unit(&[&path("take.csv")]), 0.01);
    assert_eq!(unit(&["--columns", &path("other.toml"), &path("take.csv")]), 0.001);
}

#[test]
fn broken_mappings_are_reported_with_their_line() {
    let (_folder, path) = copy_case("uxf", "take.csv");
    let broken = "[space]\nunit = \"furlong\"\n";
    fs::write(path("given.toml"), broken).unwrap();
    let ran = run(&["info", "--columns", &path("given.toml"), &path("take.csv")]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    assert!(ran.err.contains("line 2") && ran.err.contains("furlong"), "{}", ran.err);
    fs::write(path("take.columns.toml"), broken).unwrap();
    let ran = run(&["info", &path("take.csv")]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    assert!(ran.err.contains("line 2") && ran.err.contains("furlong"), "{}", ran.err);
    let ran = run(&["info", "--columns", &path("none.toml"), &path("take.csv")]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    assert!(ran.err.contains("none.toml: cannot be read"), "{}", ran.err);
}

#[test]
fn columns_refuses_recordings_that_are_not_tables() {
    let ran = run(&["columns", fixtures::path("study/walk.bvh").to_str().unwrap()]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    assert!(ran.err.contains("expected a table or log"), "{}", ran.err);
}

#[test]
fn index_is_updated_for_new_changed_and_removed_mappings() {
    let (_folder, path) = copy_case("uxf", "take.csv");
    let (out, table) = (path("index.jsonl"), path("take.csv"));
    let index = || {
        let ran = run(&["index", &table, "-o", &out]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        let row: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
        (row["duration"].as_f64().unwrap(), ran.err.contains("1 unchanged"))
    };
    let (duration, _) = index();
    assert_eq!(index(), (duration, true));
    fs::write(path("take.columns.toml"), "[time]\nunit = \"ms\"\n").unwrap();
    assert_eq!(index(), (duration / 1000.0, false), "the mapping was added");
    fs::write(path("take.columns.toml"), "[time]\nunit = \"s\"\n").unwrap();
    assert_eq!(index(), (duration, false), "the mapping was changed");
    fs::remove_file(path("take.columns.toml")).unwrap();
    assert_eq!(index(), (duration, false), "the mapping was removed");
    assert_eq!(index(), (duration, true));
}

#[test]
fn entries_in_the_users_folder_apply() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let table = path("take.csv");
    fs::write(&table, "t,a,b,c\n0,1,2,3\n1,1,2,3\n").unwrap();
    let nodes_with = |catalogue: &str| {
        let mut command = program(&["sample", "--times=0", &table]);
        let ran = run_output(command.env("MUTOSCOPE_CATALOGUE", catalogue).output().unwrap());
        (ran.status, ran.out, ran.err)
    };
    fs::create_dir(path("mine")).unwrap();
    let entry = "[logger]\nname = \"mine\"\nsource = \"me\"\nheaders = [[\"a\", \"b\"]]\n\
                 [nodes.thing]\nposition = [\"a\", \"b\", \"c\"]\n";
    fs::write(path("mine/mine.toml"), entry).unwrap();
    fs::write(path("mine/broken.toml"), "[logger]\nname = 1\n").unwrap();
    let (status, out, err) = nodes_with(&path("mine"));
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains("\"thing\""), "{out}");
    assert!(err.contains("warning: ") && err.contains("broken.toml: line 2: "), "{err}");
    let (status, _, err) = nodes_with(&path("nowhere"));
    assert_eq!(status, Some(1), "without the entry, the table has no position: {err}");
}

#[test]
fn c3d_is_read_as_a_table_of_markers() {
    let file = fixtures::path("c3d/intel_float.c3d");
    let (info, ran) = info(&[file.to_str().unwrap()]);
    assert_eq!(
        (&info["format"], &info["version"]),
        (&"table".into(), &"c3d".into()),
        "{}",
        ran.err
    );
    assert_eq!(info["columns"]["shape"], "wide");
    let used = info["columns"]["used"].as_array().unwrap();
    let property = |column: &str| {
        let found = used.iter().find(|one| one["column"] == column);
        found.unwrap_or_else(|| panic!("{column}: {used:?}"))["property"].clone()
    };
    assert_eq!(property("LASI.x"), "position.x");
    assert_eq!(property("Fz1"), "signal");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("take.csv");
    let ran = run(&["convert", file.to_str().unwrap(), "-o", out.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(fs::read_to_string(&out).unwrap().starts_with("time,LASI.tx,"));
}
