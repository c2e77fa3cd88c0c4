//! Tests of `index`.

use std::{fs, path::Path};

use arrow_array::{
    Array as _, ArrayRef,
    cast::AsArray as _,
    types::{Float64Type, Int32Type, Int64Type},
};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

use crate::commands::{RunOutput, keys, run, with_slashes};
use mutoscope_testing::fixtures;

/// Creates a folder with valid recordings, one of them in a subfolder, a broken recording and a
/// text file.
fn folder_with_recordings() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_owned();
    let path = move |name: &str| root.join(name).to_str().unwrap().to_owned();
    fs::create_dir_all(path("takes/deep")).unwrap();
    let assets = Path::new(mutoscope_testing::ROOT).join("assets");
    let copies = [
        (assets.join("mrtk/two-hands.bin"), "takes/b.bin"),
        (assets.join("bvh/walk.bvh"), "takes/deep/walk.bvh"),
        (fixtures::path("mrtk/bad/truncated.bin"), "takes/bad.bin"),
        (assets.join("gltf/walker.glb"), "takes/z.glb"),
    ];
    for (from, to) in copies {
        fs::copy(&from, path(to)).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    }
    fs::write(path("takes/notes.txt"), "none").unwrap();
    (folder, path)
}

fn parse_rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn read_rows(path: &str) -> Vec<Value> {
    parse_rows(&fs::read_to_string(path).unwrap())
}

fn index(arguments: &[&str]) -> RunOutput {
    run(&[&["index"][..], arguments].concat())
}

#[test]
fn every_recording_has_a_row() {
    let (_folder, path) = folder_with_recordings();
    let ran = index(&[&path("takes"), "-o", &path("index.jsonl")]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    let summary = "index.jsonl: 5 recordings, 1 cannot be read, 1 skipped (not recognised)\n";
    assert!(ran.err.ends_with(summary), "{}", ran.err);
    let rows = read_rows(&path("index.jsonl"));
    let takes = with_slashes(&path("takes/"));
    let below = |row: &Value| with_slashes(row["path"].as_str().unwrap()).replace(&takes, "");
    let paths: Vec<_> = rows.iter().map(below).collect();
    assert_eq!(paths, ["b.bin", "bad.bin", "deep/walk.bvh", "z.glb", "z.glb"]);
    let hands = &rows[0];
    let info = &run(&["info", "--json", &path("takes/b.bin")]).json_lines()[0];
    for fact in ["format", "version", "duration", "start", "keys"] {
        assert_eq!(hands[fact], info[fact], "{fact}");
    }
    assert_eq!(hands["events"].as_u64(), Some(info["events"].as_array().unwrap().len() as u64));
    let found = run(&["check", "--json", "--all", &path("takes/b.bin")]).json_lines();
    let count = |severity: &str| found.iter().filter(|one| one["severity"] == severity).count();
    for (column, severity) in [("errors", "error"), ("warnings", "warning"), ("infos", "info")] {
        assert_eq!(hands[column], count(severity), "{column}");
    }
    assert!(hands["left_tracked"].as_f64().is_some_and(|share| share > 0.0 && share <= 1.0));
    assert!(hands["right_path_length"].as_f64() > Some(0.1));
    assert!(hands["loss"].as_f64().is_some_and(|share| (0.0..1.0).contains(&share)), "{hands}");
    assert!(hands["jerk"].as_f64() > Some(0.0), "{hands}");
    assert!(hands["still"].as_f64() < hands["duration"].as_f64(), "{hands}");
    assert!(["none", "start", "end", "both"].contains(&hands["clipped"].as_str().unwrap()));
    assert_eq!(hands["size"], fs::metadata(path("takes/b.bin")).unwrap().len());
    let bad = &rows[1];
    let error = &run(&["check", "--json", &path("takes/bad.bin")]).json_lines();
    let error = error.last().unwrap();
    let expected =
        format!("at {}: {}", error["place"].as_str().unwrap(), error["message"].as_str().unwrap());
    assert_eq!((&bad["error"], &bad["format"]), (&expected.into(), &"mrtk".into()));
    assert_eq!(bad["duration"], Value::Null);
    let animations: Vec<_> =
        rows[3..].iter().map(|row| row["animation"].as_str().unwrap()).collect();
    let durations = animations.iter().map(|name| {
        let ran = run(&["info", "--json", "--animation", name, &path("takes/z.glb")]);
        ran.json_lines()[0]["duration"].clone()
    });
    assert!(durations.eq(rows[3..].iter().map(|row| row["duration"].clone())));
}

#[test]
fn without_checks_only_reading_diagnostics_are_counted() {
    let (_folder, path) = folder_with_recordings();
    let counts = |options: &[&str]| -> Vec<u64> {
        let out = path("index.jsonl");
        let ran = index(&[&[&*path("takes"), "-o", &out], options].concat());
        assert!(!ran.err.contains("unchanged"), "{}", ran.err);
        let rows = read_rows(&out);
        ["errors", "warnings", "infos"].map(|column| rows[0][column].as_u64().unwrap()).into()
    };
    let all = counts(&[]);
    let reported = counts(&["--no-checks"]);
    let messages = run(&["info", &path("takes/b.bin")]).err;
    let count_lines =
        |word: &str| messages.lines().filter(|line| line.starts_with(word)).count() as u64;
    assert_eq!(reported, [0, count_lines("warning:"), count_lines("info:")], "{messages}");
    assert!(all.iter().sum::<u64>() > reported.iter().sum(), "{all:?}, {reported:?}");
}

/// The expected value is that of Python's `xxhash.xxh3_128_hexdigest(b"Mutoscope")`.
#[test]
fn hash_is_the_xxh3_of_the_file() {
    let (_folder, path) = folder_with_recordings();
    fs::write(path("takes/b.bin"), b"Mutoscope").unwrap();
    index(&[&path("takes/b.bin"), "-o", &path("index.jsonl")]);
    assert_eq!(read_rows(&path("index.jsonl"))[0]["hash"], "a1d1ab13ddfe824608b5538476a265b5");
}

#[test]
fn all_formats_have_equal_rows() {
    let (_folder, path) = folder_with_recordings();
    let write_twice = |format: &str| {
        let out = path(&format!("index.{format}"));
        assert_eq!(index(&[&path("takes"), "-o", &out]).status, Some(1));
        // A second run takes the rows from the index, and must write the same bytes.
        let first = fs::read(&out).unwrap();
        let ran = index(&[&path("takes"), "-o", &out]);
        assert!(ran.err.contains("4 unchanged"), "{format}: {}", ran.err);
        assert!(fs::read(&out).unwrap() == first, "{format}");
        out
    };
    let (jsonl, csv, parquet) = (write_twice("jsonl"), write_twice("csv"), write_twice("parquet"));
    let rows = read_rows(&jsonl);
    let fields = keys::object_keys(fs::read_to_string(&jsonl).unwrap().lines().next().unwrap());
    let mut reader = csv::Reader::from_path(csv).unwrap();
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), fields);
    let lines: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(lines.len(), rows.len());
    for (line, row) in lines.iter().zip(&rows) {
        for (cell, field) in line.iter().zip(&fields) {
            match &row[field.as_str()] {
                Value::Null => assert_eq!(cell, "", "{field}"),
                Value::String(text) => assert_eq!(cell, text, "{field}"),
                number => assert_eq!(cell.parse().ok(), number.as_f64(), "{field}"),
            }
        }
    }
    let reader = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(parquet).unwrap());
    let batches: Vec<_> = reader.unwrap().build().unwrap().map(Result::unwrap).collect();
    assert_eq!((batches.len(), batches[0].num_rows()), (1, rows.len()));
    let names: Vec<_> = batches[0].schema().fields().iter().map(|it| it.name().clone()).collect();
    assert_eq!(names, fields);
    for (index, row) in rows.iter().enumerate() {
        for (field, column) in fields.iter().zip(batches[0].columns()) {
            assert_eq!(cell(column, index), row[field.as_str()], "{field}");
        }
    }
}

fn cell(column: &ArrayRef, row: usize) -> Value {
    let words = |column: &ArrayRef, row| column.as_string::<i32>().value(row).into();
    match column.data_type() {
        _ if column.is_null(row) => Value::Null,
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into(),
        DataType::Utf8 => words(column, row),
        _ => {
            let column = column.as_dictionary::<Int32Type>();
            words(column.values(), column.key(row).unwrap())
        }
    }
}

#[test]
fn changed_files_are_read_again_and_removed_files_have_no_row() {
    let (_folder, path) = folder_with_recordings();
    let out = path("index.jsonl");
    index(&[&path("takes"), "-o", &out]);
    let before = read_rows(&out);
    fs::remove_file(path("takes/bad.bin")).unwrap();
    fs::copy(fixtures::path("mrtk/ok/proc_v11_good.bin"), path("takes/b.bin")).unwrap();
    let ran = index(&[&path("takes"), "-o", &out]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.err.contains("4 recordings, 2 unchanged"), "{}", ran.err);
    let after = read_rows(&out);
    assert_ne!(after[0]["hash"], before[0]["hash"]);
    assert_eq!(after[1..], before[2..]);
    // Other reading options may change every row, so no row is reused.
    let ran = index(&[&path("takes"), "--rotation", "engine", "-o", &out]);
    assert!(!ran.err.contains("unchanged"), "{}", ran.err);
    let ran = index(&[&path("takes"), "--rotation", "engine", "--fresh", "-o", &out]);
    assert!(!ran.err.contains("unchanged"), "{}", ran.err);
}

/// A stopped run leaves its rows in a file next to the index. The last row may be truncated.
#[test]
fn stopped_run_is_continued() {
    let (_folder, path) = folder_with_recordings();
    let (all, out) = (path("all.jsonl"), path("index.csv"));
    index(&[&path("takes"), "-o", &all]);
    let rows = read_rows(&all);
    let line = |rows: &[Value]| serde_json::to_string(rows).unwrap();
    let cut = line(&rows[2..3]);
    let unfinished_rows = format!("\n{}\n{}", line(&rows[0..1]), &cut[..cut.len() / 2]);
    fs::write(path("index.csv.unfinished"), unfinished_rows).unwrap();
    let ran = index(&[&path("takes"), "-o", &out]);
    assert!(ran.err.contains("5 recordings, 1 cannot be read, 1 unchanged"), "{}", ran.err);
    assert!(!Path::new(&path("index.csv.unfinished")).exists());
}

#[cfg(unix)]
#[test]
fn interrupted_run_keeps_its_rows_and_the_old_index() {
    use std::process::Stdio;

    let (_folder, path) = folder_with_recordings();
    for copy in 0..2000 {
        fs::hard_link(path("takes/b.bin"), path(&format!("takes/deep/{copy:04}.bin"))).unwrap();
    }
    let out = path("index.jsonl");
    fs::write(&out, "{}\n").unwrap();
    let mut program = crate::commands::program(&["index", &path("takes"), "-o", &out])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let unfinished = path("index.jsonl.unfinished");
    let kept =
        || fs::read(&unfinished).map_or(0, |it| it.iter().filter(|it| **it == b'\n').count());
    while kept() < 5 && program.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let id = program.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let ran = crate::commands::run_output(program.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("index.jsonl: stopped; "), "{}", ran.err);
    assert_eq!(fs::read_to_string(&out).unwrap(), "{}\n");
    let ran = index(&[&path("takes"), "-o", &out]);
    assert!(ran.err.contains("2005 recordings") && ran.err.contains("unchanged"), "{}", ran.err);
    assert_eq!(read_rows(&out).len(), 2005);
    assert!(!Path::new(&unfinished).exists());
}

#[cfg(unix)]
#[test]
fn link_cycles_are_not_followed() {
    let (_folder, path) = folder_with_recordings();
    std::os::unix::fs::symlink("..", path("takes/deep/up")).unwrap();
    let ran = index(&[&path("takes"), "-o", &path("index.jsonl")]);
    assert!(
        ran.err.contains("5 recordings") && ran.err.contains("1 skipped (not a file)"),
        "{}",
        ran.err
    );
}

#[test]
fn archive_has_a_row_for_each_animation() {
    let (_folder, path) = folder_with_recordings();
    let archive = fixtures::path("prime-characters/warden_mp1.pak");
    let ran = index(&[archive.to_str().unwrap(), "-o", &path("index.jsonl")]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let rows = read_rows(&path("index.jsonl"));
    let listed = run(&["info", "--json", archive.to_str().unwrap()]).json_lines();
    let expected: Vec<_> =
        listed[0]["animations"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(rows.iter().map(|row| &row["animation"]).collect::<Vec<_>>(), expected);
    assert!(rows.iter().all(|row| row["format"] == "prime" && row["joints"].as_u64() > Some(0)));
}

#[test]
fn wrong_usage_and_recordings_as_output_are_refused() {
    let (_folder, path) = folder_with_recordings();
    let ran = index(&[&path("takes"), "-o", &path("index.txt")]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert!(ran.err.contains("parquet, csv or jsonl"), "{}", ran.err);
    let take = path("takes/take.csv");
    fs::copy(path("takes/b.bin"), &take).unwrap();
    let ran = index(&[&path("takes"), "-o", &take]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(
        ran.err.contains("would overwrite a recording, an input; nothing written"),
        "{}",
        ran.err
    );
    assert_eq!(fs::read(&take).unwrap(), fs::read(path("takes/b.bin")).unwrap());
    let ran = index(&[&path("takes"), "-o", &path("nowhere/index.csv")]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    let summary = "nowhere/index.csv: cannot be written: its folder does not exist\n";
    assert!(ran.err.ends_with(summary), "{}", ran.err);
    let ran = index(&[&path("missing"), "-o", &path("index.csv")]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("missing: cannot be read"), "{}", ran.err);
}

#[test]
fn each_file_has_one_row() {
    let (_folder, path) = folder_with_recordings();
    let (takes, out) = (path("takes"), path("index.jsonl"));
    index(&[&takes, "-o", &out]);
    let once = read_rows(&out);
    let ways: [&[&str]; 4] = [
        &[&takes, &takes],
        &[&takes, &path("takes/deep")],
        &[&takes, &path("takes/b.bin")],
        &[&takes, &path("takes/deep/../b.bin"), &path("takes/../takes")],
    ];
    for named in ways {
        for _ in 0..3 {
            let ran = index(&[named, &["-o", &out]].concat());
            assert!(ran.err.contains("5 recordings"), "{}", ran.err);
            assert_eq!(read_rows(&out), once, "{named:?}");
        }
    }
    // A table that lists the files twice is corrected.
    let twice: Vec<_> =
        once.iter().flat_map(|row| [row, row]).map(|row| format!("{row}\n")).collect();
    fs::write(&out, twice.concat()).unwrap();
    index(&[&takes, "-o", &out]);
    assert_eq!(read_rows(&out), once);
}

/// A byte that is not UTF-8 is printed as `\xff`, and another file may have these four characters
/// in its name.
#[cfg(target_os = "linux")]
#[test]
fn files_whose_names_print_alike_have_a_row_each() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    let (_folder, path) = folder_with_recordings();
    fs::create_dir(path("alike")).unwrap();
    let contents: [(&[u8], &str); 2] =
        [(br"bad\xff.glb", "gltf/walker.glb"), (b"bad\xff.glb", "animj/arm-swing.glb")];
    for (name, from) in contents {
        let from = Path::new(mutoscope_testing::ROOT).join("assets").join(from);
        fs::copy(from, Path::new(&path("alike")).join(OsStr::from_bytes(name))).unwrap();
    }
    let bvh = Path::new(mutoscope_testing::ROOT).join("assets/bvh/walk.bvh");
    for name in [&br"bad\xfe.bvh"[..], b"bad\xfe.bvh"] {
        fs::copy(&bvh, Path::new(&path("alike")).join(OsStr::from_bytes(name))).unwrap();
    }
    let out = path("index.csv");
    let table = || {
        let ran = index(&[&path("alike"), "-o", &out]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        fs::read_to_string(&out).unwrap()
    };
    let first = table();
    // Each model has two animations, and each walk has one.
    assert_eq!(first.lines().count(), 1 + 2 * 2 + 2, "{first}");
    for _ in 0..3 {
        assert_eq!(table(), first);
    }
}

#[test]
fn index_is_kept_if_a_folder_is_missing() {
    let (_folder, path) = folder_with_recordings();
    let out = path("index.csv");
    fs::create_dir(path("other")).unwrap();
    fs::copy(path("takes/b.bin"), path("other/a.bin")).unwrap();
    index(&[&path("takes"), &path("other"), "-o", &out]);
    let before = fs::read(&out).unwrap();
    fs::rename(path("takes"), path("elsewhere")).unwrap();
    for options in [&[][..], &["--fresh"]] {
        let named = [&*path("takes"), &path("other"), "-o", &out];
        let ran = index(&[&named[..], options].concat());
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        let summary = "index.csv not written\n";
        assert!(
            ran.err.contains("takes: cannot be read: ") && ran.err.ends_with(summary),
            "{}",
            ran.err
        );
        assert!(fs::read(&out).unwrap() == before);
    }
    assert!(!Path::new(&path("index.csv.unfinished")).exists());
}

/// Reading a pipe blocks until its writer ends, but a signal must still stop the run.
#[cfg(target_os = "linux")]
#[test]
fn signal_stops_the_run_inside_a_file() {
    use std::{process::Stdio, time::Duration};

    let (_folder, path) = folder_with_recordings();
    let (fifo, out) = (path("never.bin"), path("index.jsonl"));
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    index(&[&path("takes/b.bin"), "-o", &out]);
    let before = fs::read(&out).unwrap();
    for signal in ["-INT", "-TERM"] {
        let mut program = crate::commands::program(&["index", &path("takes"), &fifo, "-o", &out])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let unfinished = path("index.jsonl.unfinished");
        let kept =
            || fs::read_to_string(&unfinished).map_or(0, |it| it.matches("\"path\"").count());
        while kept() < 4 && program.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        let id = program.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
        let mut waited = 0;
        while program.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(10));
            waited += 1;
            if waited == 1000 {
                program.kill().unwrap();
                panic!("{signal} did not stop the program");
            }
        }
        let ran = crate::commands::run_output(program.wait_with_output().unwrap());
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        assert!(ran.err.contains("index.jsonl: stopped; 5 recordings kept"), "{}", ran.err);
        assert!(fs::read(&out).unwrap() == before);
        assert_eq!(unfinished_files(&path("")), [""; 0]);
        fs::remove_file(&unfinished).unwrap();
    }
}

#[cfg(target_os = "linux")]
fn unfinished_files(folder: &str) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    names.filter(|name| name.starts_with(".mutoscope-")).collect()
}

/// A killed run cannot remove its temporary file, so the next run removes it.
#[cfg(target_os = "linux")]
#[test]
fn temporary_file_of_a_killed_run_is_removed_by_the_next() {
    let (_folder, path) = folder_with_recordings();
    let (fifo, out) = (path("never.bin"), path("index.jsonl"));
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut program = crate::commands::program(&["index", &fifo, "-o", &out]).spawn().unwrap();
    while unfinished_files(&path("")).is_empty() && program.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    // Another run must not remove a file that is still being written.
    assert_eq!(index(&[&path("takes/b.bin"), "-o", &path("other.csv")]).status, Some(0));
    assert_eq!(unfinished_files(&path("")).len(), 1);
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(unfinished_files(&path("")).len(), 1);
    let ran = run(&["convert", &path("takes/b.bin"), "-o", &path("b.csv")]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert_eq!(unfinished_files(&path("")), [""; 0]);
}

#[test]
fn models_next_to_recordings_are_skipped() {
    let (_folder, path) = folder_with_recordings();
    crate::commands::write_model(&path("takes/model.glb"));
    let ran = index(&[&path("takes"), "-o", &path("index.jsonl")]);
    let summary =
        "5 recordings, 1 cannot be read, 1 skipped (not recognised), 1 skipped (no animations)\n";
    assert!(ran.err.ends_with(summary), "{}", ran.err);
    // A model that is named on the command line is an error, because it was expected to be a
    // recording.
    let ran = index(&[&path("takes/model.glb"), "-o", &path("one.jsonl")]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    let error = read_rows(&path("one.jsonl"))[0]["error"].as_str().unwrap().to_owned();
    assert!(error.contains("a glTF without animations"), "{error}");
}

#[test]
fn standard_input_is_a_recording() {
    let (_folder, path) = folder_with_recordings();
    let out = path("index.jsonl");
    let glb = fs::read(path("takes/z.glb")).unwrap();
    let fields =
        ["animation", "size", "hash", "format", "duration", "joints", "keys", "root_path_length"];
    let facts = |row: &Value| fields.map(|field| row[field].clone());
    index(&[&path("takes/z.glb"), "-o", &out]);
    let expected: Vec<_> = read_rows(&out).iter().map(facts).collect();
    for _ in 0..2 {
        let mut command = crate::commands::program(&["index", "-", "-", "-o", &out]);
        let ran = crate::commands::run_output(
            command.stdin(fs::File::open(path("takes/z.glb")).unwrap()).output().unwrap(),
        );
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        let rows = read_rows(&out);
        assert!(rows.iter().all(|row| row["path"] == "-" && row["modified"] == Value::Null));
        assert_eq!(rows.iter().map(facts).collect::<Vec<_>>(), expected);
    }
    assert_eq!(expected[0][1], glb.len());
    let ran = crate::commands::run_on(&["index", "-", &path("takes/b.bin"), "-o", &out], b"none");
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert_eq!(read_rows(&out).len(), 2);
}

/// A single late key makes a recording of any duration, so the work must depend on the keys.
#[test]
fn recordings_of_any_duration_have_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(path("takes")).unwrap();
    let bvh = |frame_time: &str| {
        let mut text = format!(
            "HIERARCHY\nROOT hip\n{{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT Wrist\n\
             {{\nOFFSET 0 1 0\nCHANNELS 1 Zrotation\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}\n}}\nMOTION\nFrames: \
             400\nFrame Time: {frame_time}\n"
        );
        (0..400).for_each(|frame| text += &format!("{} 0 {} {}\n", frame % 7, frame % 3, frame));
        text
    };
    let late = r#"{"name": "late", "globalDuration": 1, "tracks": [{"trackType": "Curve", "valueType":
        "float3", "data": {"node": "Ball", "property": "Position", "keyframes": [
        {"time": 0, "value": {"x": 0, "y": 0, "z": 0}, "interpolation": "Linear"},
        {"time": 1, "value": {"x": 2, "y": 0, "z": 0}, "interpolation": "Linear"},
        {"time": 1e30, "value": {"x": 2, "y": 0, "z": 0}, "interpolation": "Linear"}]}}]}"#;
    fs::write(path("takes/a.bvh"), bvh("1")).unwrap();
    fs::write(path("takes/b.bvh"), bvh("100000")).unwrap();
    fs::write(path("takes/c.bvh"), bvh("1e300")).unwrap();
    fs::write(path("takes/d.animj"), late).unwrap();
    let start = std::time::Instant::now();
    let ran = index(&[&path("takes"), "-o", &path("index.jsonl")]);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    assert!(ran.err.contains("index.jsonl: 4 recordings"), "{}", ran.err);
    let rows = read_rows(&path("index.jsonl"));
    let length = |row: usize| rows[row]["root_path_length"].as_f64().unwrap();
    assert!(length(0) > 1.0, "{}", rows[0]);
    for row in [1, 2] {
        // The values at the keys are the same, so the path has the same length.
        assert!((length(row) / length(0) - 1.0).abs() < 1e-6, "{} and {}", rows[row], rows[0]);
    }
    assert!((length(3) - 2.0).abs() < 1e-6, "{}", rows[3]);
    assert!((rows[3]["root_max_speed"].as_f64().unwrap() - 2.0).abs() < 1e-6, "{}", rows[3]);
}
