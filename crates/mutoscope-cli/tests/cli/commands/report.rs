//! Tests of `report` and `labels`.

use std::{fs, path::Path};

use arrow_array::{cast::AsArray as _, types::Float64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

use crate::commands::{RunOutput, run, run_on};
use mutoscope_testing::fixtures;

/// Creates a folder with recordings of known measures, one of them with labels, a broken recording
/// and a text file.
fn folder_with_recordings() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_owned();
    let path = move |name: &str| root.join(name).to_str().unwrap().to_owned();
    fs::create_dir_all(path("takes")).unwrap();
    for name in ["reaches.bin", "reaches.labels.csv", "walk.bvh"] {
        fs::copy(fixtures::path("study").join(name), path(&format!("takes/{name}"))).unwrap();
    }
    fs::copy(fixtures::path("mrtk/bad/truncated.bin"), path("takes/bad.bin")).unwrap();
    fs::write(path("takes/notes.txt"), "none").unwrap();
    (folder, path)
}

fn run_report(arguments: &[&str]) -> RunOutput {
    run(&[&["report"][..], arguments].concat())
}

fn read_json(path: &str) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn file_names(folder: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|one| one.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn folders_are_reported_with_their_labels() {
    let (_folder, path) = folder_with_recordings();
    let ran = run_report(&[&path("takes"), "-o", &path("report.json")]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    let summary = "report.json: 3 recordings, 1 without measures, 2 skipped (not recognised)\n";
    assert!(ran.err.ends_with(summary), "{}", ran.err);
    let report = read_json(&path("report.json"));
    let recordings = report["recordings"].as_array().unwrap();
    let labels: Vec<usize> =
        recordings.iter().map(|one| one["ranges"].as_array().unwrap().len()).collect();
    assert_eq!(labels, [0, 5, 1], "bad.bin, reaches.bin, walk.bvh");
    assert!(recordings[0]["error"].as_str().is_some_and(|error| error.starts_with("at ")));
    assert_eq!(recordings[1]["ranges"][1]["label"], "rest");
    assert!(recordings[2]["ranges"][0]["measures"]["loop_gap_m"].is_number());
    let without = run_report(&["--no-labels", &path("takes/reaches.bin"), "-o", &path("one.json")]);
    assert_eq!(without.status, Some(0), "{}", without.err);
    assert_eq!(
        read_json(&path("one.json"))["recordings"][0]["ranges"].as_array().unwrap().len(),
        1
    );
    let markers =
        run_report(&["--labels=markers", &path("takes/reaches.bin"), "-o", &path("one.json")]);
    assert_eq!(markers.status, Some(0), "{}", markers.err);
    assert_eq!(
        read_json(&path("one.json"))["recordings"][0]["ranges"].as_array().unwrap().len(),
        2
    );
}

#[test]
fn options_are_applied_and_reported() {
    let (_folder, path) = folder_with_recordings();
    let ran = run_report(&[
        &path("takes/reaches.bin"),
        "--rate=30",
        "--cutoff=0",
        "--movement-speed=0.2",
        "--saccade-velocity=40",
        "--gaze-on-target=3",
        "--ground=-1",
        "--device=Quest 2",
        "--foot=LeftFoot",
        "-o",
        &path("one.json"),
    ]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let report = read_json(&path("one.json"));
    for (name, value) in [
        ("rate", 30.0),
        ("cutoff_hz", 0.0),
        ("movement_speed_mps", 0.2),
        ("saccade_velocity_degps", 40.0),
        ("gaze_on_target_deg", 3.0),
        ("ground_m", -1.0),
    ] {
        assert_eq!(report["options"][name].as_f64(), Some(value), "{name}");
    }
    assert_eq!(
        (&report["recordings"][0]["rate_hz"], &report["recordings"][0]["rate_from"]),
        (&30.0.into(), &"option".into())
    );
    let limits = report["limits"].to_string();
    assert!(limits.contains("Quest 2, hands") && !limits.contains("HoloLens 2, hands"), "{limits}");
    let notes = report["recordings"][0]["notes"].to_string();
    assert!(notes.contains("not filtered, as requested"), "{notes}");
}

#[test]
fn all_tables_are_written_together() {
    let (_folder, path) = folder_with_recordings();
    fs::create_dir(path("out")).unwrap();
    let take = path("takes/reaches.bin");
    for extension in ["csv", "parquet"] {
        let ran = run_report(&[&take, "-o", &path(&format!("out/report.{extension}"))]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    }
    let tables = ["areas", "dwells", "fixations", "movements", "pinches", "saccades"];
    let mut expected: Vec<String> = tables
        .iter()
        .flat_map(|name| ["csv", "parquet"].map(|end| format!("report.{name}.{end}")))
        .collect();
    expected.extend(["csv", "parquet"].map(|end| format!("report.{end}")));
    expected.sort();
    assert_eq!(file_names(&path("out")), expected);
    let csv = fs::read_to_string(path("out/report.movements.csv")).unwrap();
    let file = fs::File::open(path("out/report.movements.parquet")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let batches: Vec<_> = reader.map(Result::unwrap).collect();
    let columns: Vec<String> =
        batches[0].schema_ref().fields().iter().map(|field| field.name().clone()).collect();
    let mut lines = csv.lines();
    assert_eq!(lines.next().unwrap(), columns.join(","));
    let peak = columns.iter().position(|name| name == "peak_speed_mps").unwrap();
    let numbers = batches[0].column(peak).as_primitive::<Float64Type>();
    for (row, line) in lines.enumerate() {
        let cell = line.split(',').nth(peak).unwrap();
        assert_eq!(cell.parse::<f64>().unwrap().to_bits(), numbers.value(row).to_bits(), "{line}");
    }
}

#[test]
fn report_in_a_folder_replaces_itself_in_every_format() {
    use std::fmt::Write as _;

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::copy(fixtures::path("study").join("reaches.bin"), path("reaches.bin")).unwrap();
    // With this many labels, a Parquet file is larger than the part that recognition reads first.
    let mut labels = "start_s,end_s,label\n".to_owned();
    for index in 0..600 {
        writeln!(labels, "{},{},label {index}", 0.01 * f64::from(index), 6 + index).unwrap();
    }
    fs::write(path("reaches.labels.csv"), labels).unwrap();
    for extension in ["csv", "parquet", "json", "html"] {
        let report = path(&format!("report.{extension}"));
        for _ in 0..2 {
            let ran = run_report(&[&path(""), "-o", &report]);
            assert_eq!(ran.status, Some(0), "{}", ran.err);
            assert!(ran.err.contains("1 recording,") || ran.err.contains("1 recording\n"));
        }
    }
    assert!(fs::metadata(path("report.parquet")).unwrap().len() > 1 << 16);
    for extension in ["csv", "parquet", "jsonl"] {
        let ran = run(&["index", &path(""), "-o", &path(&format!("index.{extension}"))]);
        assert!(ran.err.contains("1 recording,"), "{}", ran.err);
    }
    let checked = run(&["check", &path("")]);
    assert!(checked.err.contains("1 file checked"), "{}", checked.err);
    // A table that lost its name and its metadata is still no recording.
    fs::rename(path("report.fixations.csv"), path("gaze.csv")).unwrap();
    let named = run(&["info", &path("gaze.csv")]);
    assert_eq!(named.status, Some(1));
    assert!(named.err.contains("report or index wrote"), "{}", named.err);
}

#[test]
fn report_reads_standard_input_and_writes_standard_output() {
    let bytes = fs::read(fixtures::path("study/walk.bvh")).unwrap();
    let ran = run_on(&["report", "-", "-o", "-", "--to=json"], &bytes);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&report["version"], &report["recordings"][0]["path"]), (&1.into(), &"-".into()));
    let ran = run_on(&["report", "-", "-o", "-", "--to=csv"], &bytes);
    assert!(
        ran.out.starts_with("path,animation,label,tier,start_s,end_s,root_travel_m,"),
        "{}",
        ran.out
    );
    let ran = run_on(&["report", "-", "-o", "-", "--to=html"], &bytes);
    assert!(ran.out.starts_with("<!DOCTYPE html>"), "{}", ran.err);
}

#[test]
fn wrong_usage_exits_with_2_and_writes_nothing() {
    let (_folder, path) = folder_with_recordings();
    let take = path("takes/reaches.bin");
    let out = path("out.json");
    for arguments in [
        &[&*take][..],
        &[&take, "-o", &path("out.txt")],
        &[&take, "-o", "-"],
        &[&take, "-o", &out, "--rate=0"],
        &[&take, "-o", &out, "--rate=-1"],
        &[&take, "-o", &out, "--cutoff=-1"],
        &[&take, "-o", &out, "--area=cup"],
        &[&take, "-o", &out, "--labels=a.txt"],
        &[&path("takes"), "-o", &out, "--labels=a.csv"],
        &[&take, "-o", &out, "--labels=a.csv", "--no-labels"],
        &[&take, "-o", &out, "--link=javascript:alert(1)"],
        &[&take, "-o", &take, "--to=json"],
        &[&take, "-o", &path("takes/reaches.labels.csv")],
        &["-o", &out],
    ] {
        let ran = run_report(arguments);
        assert_eq!(ran.status, Some(2), "{arguments:?}: {}", ran.err);
        assert!(!Path::new(&out).exists(), "{arguments:?}");
    }
    let original = fs::read(fixtures::path("study/reaches.bin")).unwrap();
    assert_eq!(fs::read(&take).unwrap(), original);
}

#[test]
fn broken_labels_write_nothing() {
    let (_folder, path) = folder_with_recordings();
    fs::write(path("takes/reaches.labels.csv"), "start_s,end_s,label\n2,1,x\n").unwrap();
    for source in ["takes", "takes/reaches.bin"] {
        let ran = run_report(&[&path(source), "-o", &path("out.csv")]);
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        let message =
            "reaches.labels.csv: csv at line 2: expected an end_s of 2 or later, found 1\n";
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    assert_eq!(file_names(&path("")), ["takes"]);
    let ran = run_report(&[
        &path("takes/reaches.bin"),
        "-o",
        &path("out.csv"),
        "--labels",
        &path("missing.csv"),
    ]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
}

#[test]
fn labels_are_converted_between_formats() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let csv = fixtures::path("study/reaches.labels.csv").to_str().unwrap().to_owned();
    let chain = [csv.clone(), path("a.eaf"), path("b.TextGrid"), path("c.csv")];
    for pair in chain.windows(2) {
        let ran = run(&["labels", &pair[0], "-o", &pair[1]]);
        assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
    }
    let rows = |path: &str| -> Vec<csv::StringRecord> {
        csv::Reader::from_path(path).unwrap().records().map(Result::unwrap).collect()
    };
    let numbers = |row: &csv::StringRecord| [0, 1].map(|cell| row[cell].parse::<f64>().unwrap());
    let (before, after) = (rows(&csv), rows(&chain[3]));
    assert_eq!(before.len(), after.len());
    for (one, other) in before.iter().zip(&after) {
        assert_eq!((numbers(one), &one[2], &one[3]), (numbers(other), &other[2], &other[3]));
    }
    for arguments in [
        &["labels", &*csv][..],
        &["labels", &csv, "-o", &path("x.txt")],
        &["labels", "x.txt", "-o", &path("x.csv")],
        &["labels", &csv, "-o", &path("x.eaf"), "--rotation", "short"],
        &["--as", "mrtk", "labels", &csv, "-o", &path("x.eaf")],
        &["labels", &chain[3], "-o", &chain[3]],
    ] {
        assert_eq!(run(arguments).status, Some(2), "{arguments:?}");
    }
    let help = run(&["labels", "--help"]).out;
    assert!(help.contains("--output") && !help.contains("--rig"), "{help}");
    let ran = run(&["labels", &path("missing.csv"), "-o", &path("x.csv")]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
}

/// Returns the folder in which `scripts/test-page` expects the pages.
fn pages() -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reports");
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn page_plays_each_recording() {
    let (_folder, path) = folder_with_recordings();
    // Windows does not allow markup in file names.
    let evil = if cfg!(windows) { "evil.bin" } else { "<img src=x onerror=hacked=1>.bin" };
    fs::copy(fixtures::path("study").join("looking.bin"), path(evil)).unwrap();
    let takes = [path("takes/reaches.bin"), path(evil)];
    let page = pages().join("two.html");
    let output = page.to_str().unwrap();
    let ran = run_report(&[&takes[0], &takes[1], "--area=cup=sphere:0,1,-2,0.1", "-o", output]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.len() < 3_000_000, "{}", html.len());
    assert_eq!(html.matches("<figure class=\"motion\"").count(), 2);
    assert_eq!(html.matches("<script type=\"text/plain\" id=\"pack-").count(), 2);
    assert_eq!(html.matches("customElements.define('mutoscope-player'").count(), 1);
    assert_eq!(html.matches("<script>").count(), 1);
    assert!(!html.contains("<img"));
    let json = path("two.json");
    run_report(&[&takes[0], &takes[1], "--area=cup=sphere:0,1,-2,0.1", "-o", &json]);
    let mut embedded = html.split("id=\"report\">").nth(1).unwrap().split("</script>");
    let json = fs::read_to_string(json).unwrap();
    assert_eq!(embedded.next().unwrap(), json.replace('<', "\\u003c"));
    let without = path("none.html");
    run_report(&[&takes[0], "--motion=0", "-o", &without]);
    let without = fs::read_to_string(without).unwrap();
    assert!(
        !without.contains("mutoscope-player'") && !without.contains("<figure class=\"motion\"")
    );
    let limited = path("limited.html");
    run_report(&[&takes[0], "--motion=0.001", "-o", &limited]);
    let limited = fs::read_to_string(limited).unwrap();
    assert!(limited.contains("this page holds at most 0.001 MB of motion"));
    let wrong = run_report(&[&takes[0], "--motion=-1", "-o", &path("x.html")]);
    assert_eq!(wrong.status, Some(2), "{}", wrong.err);
}

#[test]
fn page_of_more_than_64_recordings_has_no_motions() {
    let (_folder, path) = folder_with_recordings();
    fs::create_dir(path("many")).unwrap();
    let copies = |count: usize| {
        for index in 0..count {
            let copy = path(&format!("many/{index:02}.bin"));
            fs::copy(fixtures::path("study").join("pinching.bin"), copy).unwrap();
        }
    };
    let page = pages().join("many.html");
    copies(9);
    let ran = run_report(&[&path("many"), "-o", page.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let figures =
        |page: &Path| fs::read_to_string(page).unwrap().matches("<figure class=\"motion\"").count();
    assert_eq!(figures(&page), 9);
    copies(65);
    let overview = path("overview.html");
    run_report(&[&path("many"), "-o", &overview]);
    assert_eq!(figures(Path::new(&overview)), 0);
}
