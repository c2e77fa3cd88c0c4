//! The peak of memory of every subcommand, on large files of every format: at most the bytes for each
//! byte of the file in the table of `docs/limits.md`.
//!
//! The measure is the largest resident set of a whole run of the program, by the kernel, less that of
//! the same run on a small file of the format.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod large;
mod peak;
mod table;

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use table::Table;

/// The tolerance above the table: allocation differs between machines.
const SLACK: f64 = 1.15;

/// Formats, in the order of the table.
const FORMATS: [&str; 11] =
    ["mrtk", "maya", "animj", "animx", "prime", "mcmocap", "bvh", "gltf", "fbx", "table", "mcap"];

/// The arguments of a run on a file, by the column of the table.
fn runs(column: &str, file: &str, out: &Path) -> Vec<String> {
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

/// Makes a file of a format, in a process of its own, so that none of it stays in this one.
fn make(format: &str, size: large::Size, path: &Path) {
    let made = Command::new(env::current_exe().unwrap())
        .args(["--exact", "make_a_file", "--ignored"])
        .env("MUTOSCOPE_MAKE", format!("{format} {size:?} {}", path.display()))
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(made.success(), "{format}");
}

#[test]
#[ignore = "the other tests run it"]
fn make_a_file() {
    let Ok(request) = env::var("MUTOSCOPE_MAKE") else { return };
    let mut words = request.splitn(3, ' ');
    let mut next = || words.next().unwrap();
    let (format, size, path) = (next(), next(), PathBuf::from(next()));
    let size = if size == "Large" { large::Size::Large } else { large::Size::Small };
    large::write(format, size, &path);
}

#[test]
#[ignore = "the other tests run it"]
fn measure_a_run() {
    if let Ok(arguments) = env::var("MUTOSCOPE_RUN") {
        peak::measure(&arguments);
    }
}

/// How many bytes more each run takes on the large file than on the small one, for each byte more.
fn ratios(format: &str, columns: &[String]) -> Vec<f64> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(format!("{name}.{}", large::extension(format)));
    let [small, large] = [path("small"), path("large")];
    make(format, large::Size::Small, &small);
    make(format, large::Size::Large, &large);
    let length = |path: &Path| path.metadata().unwrap().len() as f64;
    let grown = length(&large) - length(&small);
    assert!(
        grown > if format == "mcmocap" { 4e6 } else { 15e6 },
        "{format}: {grown} bytes do not tell enough"
    );
    let measured = columns.iter().map(|column| {
        let peak = |path: &Path| {
            let arguments = runs(column, path.to_str().unwrap(), folder.path());
            peak::of(&arguments).unwrap_or_else(|why| panic!("{format}, {column}: {why}"))
        };
        (peak(&large) - peak(&small)).max(0.0) / grown
    });
    measured.collect()
}

fn assert_within_the_table(format: &str) {
    let table = Table::read();
    let allowed = table.row(format);
    let found = ratios(format, &table.columns);
    let line = |ratios: &[f64]| {
        let pairs = table.columns.iter().zip(ratios);
        pairs.map(|(column, ratio)| format!("{column} {ratio:.1}")).collect::<Vec<_>>().join(", ")
    };
    println!("{format}: {}", line(&found));
    // Every run holds all values.
    assert!(found.iter().all(|ratio| *ratio > 0.5), "{format}: {} tells nothing", line(&found));
    let is_more = found.iter().zip(&allowed).any(|(found, allowed)| *found > SLACK * allowed);
    assert!(!is_more, "{format}: {}; docs/limits.md has {}", line(&found), line(&allowed));
}

macro_rules! formats {
    ($($format:ident),*) => {$(
        #[test]
        fn $format() {
            assert_within_the_table(stringify!($format));
        }
    )*};
}

/// The memory that sampling needs of a recording whose joints have key times of their own is at most a third
/// more than its file: keys are held once, and the file is read piece by piece.
#[test]
fn hands_take_no_more_than_a_third_more_than_their_file() {
    let columns = ["info", "check", "sample"].map(ToOwned::to_owned);
    let found = ratios("mrtk-apart", &columns);
    let told: Vec<_> =
        columns.iter().zip(&found).map(|(column, ratio)| format!("{column} {ratio:.2}")).collect();
    println!("{}", told.join(", "));
    let is_within = |ratio: &f64| (0.5..=1.3).contains(ratio);
    assert!(found.iter().all(is_within), "{}", told.join(", "));
}

formats!(mrtk, maya, animj, animx, prime, mcmocap, bvh, gltf, fbx, table, mcap);

/// Every format and every subcommand is in the table.
#[test]
fn table_is_complete() {
    let table = Table::read();
    let formats: Vec<&str> = table.rows.iter().map(|(format, _)| format.as_str()).collect();
    assert_eq!(formats, FORMATS);
    let known = mutoscope_core::formats::all().map(|format| format.id.as_str());
    assert!(known.clone().all(|id| FORMATS.contains(&id)), "{:?}", known.collect::<Vec<_>>());
    let motion = mutoscope_core::export::ExportTarget::motion_targets().map(|target| target.id);
    // Written in the same way as `html`.
    let motion = motion.filter(|id| *id != "html-exact");
    let expected: Vec<&str> =
        ["info", "check", "sample", "compare"].into_iter().chain(motion).collect();
    assert_eq!(table.columns, expected);
}

/// Before any test: formats and targets of other crates.
#[ctor::ctor]
fn register() {
    mutoscope_cli::register();
}
