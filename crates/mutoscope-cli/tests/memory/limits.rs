//! Measures the peak memory of every subcommand on large files of every format. The limits, in
//! bytes for each byte of the file, are in the table of `docs/limits.md`.
//!
//! The measure is the largest resident set of a run, reported by the kernel, minus that of the same
//! run on a small file.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use libtest_mimic::{Arguments, Trial};

use crate::{large, peak, table::Table};

/// Allocation differs between machines, and timing decides which results of helper threads wait in
/// memory, so a run may exceed the table by this factor.
const TOLERANCE_FACTOR: f64 = 1.25;

/// In the order of the table.
const FORMATS: [&str; 11] =
    ["mrtk", "maya", "animj", "animx", "prime", "mcmocap", "bvh", "gltf", "fbx", "table", "mcap"];

/// Returns the arguments of a run on a file, for a column of the table.
fn run_arguments(column: &str, file: &str, out: &Path) -> Vec<String> {
    let out = |extension: &str| out.join(format!("out.{extension}")).to_str().unwrap().to_owned();
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    match column {
        "info" => words(&["info", "--json", file]),
        "check" => words(&["check", "--json", "--all", file]),
        "sample" => words(&["sample", "--tracks", "--times", "0,0.5", file]),
        "compare" => words(&["compare", "--json", file, file]),
        target => words(&["convert", file, "-o", &out(target)]),
    }
}

/// The first arguments that start a helper process instead of the tests.
const MAKE_FILE: &str = "make-file";
pub(crate) const MEASURE_RUN: &str = "measure-run";

/// Runs the tests, or does the work of a helper process.
pub(crate) fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [MAKE_FILE, format, size, path] => {
            let size = if size == "Large" { large::Size::Large } else { large::Size::Small };
            large::write(format, size, &PathBuf::from(path));
        }
        [MEASURE_RUN, ..] => peak::measure(&arguments[1..]),
        _ => libtest_mimic::run(&Arguments::from_args(), tests()).exit(),
    }
}

fn tests() -> Vec<Trial> {
    fn trial(name: &str, test: impl FnOnce() + Send + 'static) -> Trial {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    }
    let formats = FORMATS.map(|format| trial(format, move || assert_within_the_table(format)));
    let mut tests = vec![
        trial("table_is_complete", table_is_complete),
        trial(
            "sampling_hands_needs_at_most_a_third_more_memory_than_the_file",
            sampling_hands_needs_at_most_a_third_more_memory_than_the_file,
        ),
    ];
    tests.extend(formats);
    tests
}

/// Starts another process, so that the memory of the generated file does not stay in this one.
fn make_file(format: &str, size: large::Size, path: &Path) {
    let made = Command::new(env::current_exe().unwrap())
        .args([MAKE_FILE, format, &format!("{size:?}")])
        .arg(path)
        .status()
        .unwrap();
    assert!(made.success(), "{format}");
}

/// Returns the additional memory of each run on the large file, for each additional byte of the
/// file.
fn memory_ratios(format: &str, columns: &[String]) -> Vec<f64> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(format!("{name}.{}", large::file_extension(format)));
    let [small, large] = [path("small"), path("large")];
    make_file(format, large::Size::Small, &small);
    make_file(format, large::Size::Large, &large);
    let length = |path: &Path| path.metadata().unwrap().len() as f64;
    let added_bytes = length(&large) - length(&small);
    assert!(
        added_bytes > if format == "mcmocap" { 4e6 } else { 15e6 },
        "{format}: the files differ by only {added_bytes} bytes"
    );
    let measured = columns.iter().map(|column| {
        let peak = |path: &Path| {
            let arguments = run_arguments(column, path.to_str().unwrap(), folder.path());
            peak::peak_bytes(&arguments).unwrap_or_else(|why| panic!("{format}, {column}: {why}"))
        };
        (peak(&large) - peak(&small)).max(0.0) / added_bytes
    });
    measured.collect()
}

fn assert_within_the_table(format: &str) {
    let table = Table::read();
    let allowed = table.row(format);
    let found = memory_ratios(format, &table.columns);
    let line = |ratios: &[f64]| {
        let pairs = table.columns.iter().zip(ratios);
        pairs.map(|(column, ratio)| format!("{column} {ratio:.1}")).collect::<Vec<_>>().join(", ")
    };
    println!("{format}: {}", line(&found));
    // Every run holds all values, so a lower ratio means that the file was not loaded.
    assert!(
        found.iter().all(|ratio| *ratio > 0.5),
        "{format}: the ratios are too low: {}",
        line(&found)
    );
    let is_more =
        found.iter().zip(&allowed).any(|(found, allowed)| *found > TOLERANCE_FACTOR * allowed);
    assert!(!is_more, "{format}: {}; docs/limits.md allows {}", line(&found), line(&allowed));
}

/// Keys are stored once, and the file is read piece by piece. So sampling needs at most a third
/// more memory than the file has bytes, even if each joint has key times of its own.
fn sampling_hands_needs_at_most_a_third_more_memory_than_the_file() {
    let columns = ["info", "check", "sample"].map(ToOwned::to_owned);
    let found = memory_ratios("mrtk-apart", &columns);
    let lines: Vec<_> =
        columns.iter().zip(&found).map(|(column, ratio)| format!("{column} {ratio:.2}")).collect();
    println!("{}", lines.join(", "));
    let is_within = |ratio: &f64| (0.5..=1.3).contains(ratio);
    assert!(found.iter().all(is_within), "{}", lines.join(", "));
}

fn table_is_complete() {
    let table = Table::read();
    let formats: Vec<&str> = table.rows.iter().map(|(format, _)| format.as_str()).collect();
    assert_eq!(formats, FORMATS);
    let known = mutoscope_cli::registry().formats().map(|format| format.id.as_str());
    assert!(known.clone().all(|id| FORMATS.contains(&id)), "{:?}", known.collect::<Vec<_>>());
    let motion = mutoscope_cli::targets().motion_targets().map(|target| target.id);
    // `html-exact` is written in the same way as `html`. `mrtk`, `prime` and `vrma` cannot hold every
    // recording.
    let motion = motion.filter(|id| !["html-exact", "mrtk", "prime", "vrma"].contains(id));
    let expected: Vec<&str> =
        ["info", "check", "sample", "compare"].into_iter().chain(motion).collect();
    assert_eq!(table.columns, expected);
}
