//! Fuzzing with known inputs: the seed files of each target, past findings, and more than a
//! thousand variations. `scripts/fuzz` searches for more.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../../../../fuzz/src/targets/mod.rs"]
mod targets;

use std::{
    fs,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use targets::{TARGETS, Target};

/// In bytes. Larger files take long and find nothing new.
const MAX_SEED_BYTES: u64 = 16 << 10;

const VARIATIONS_PER_TARGET: usize = 60;

fn root() -> &'static Path {
    Path::new(mutoscope_testing::ROOT)
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return files };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

fn run_target(target: &Target, input: &str, bytes: &[u8]) {
    let tried = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(bytes)));
    assert!(tried.is_ok(), "{}: {input}, {} bytes", target.name, bytes.len());
}

/// Flips, removes, repeats or replaces a few bytes.
fn vary(bytes: &mut Vec<u8>, other: &[u8], random: &mut fastrand::Rng) {
    for _ in 0..1 + random.usize(..4) {
        let at = random.usize(..=bytes.len());
        let end = bytes.len().min(at + 1 + random.usize(..40));
        match random.u8(..5) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let copied = bytes[at..end].to_vec();
                bytes.splice(at..at, copied);
            }
            2 if !other.is_empty() => {
                let from = random.usize(..other.len());
                let to = other.len().min(from + 1 + random.usize(..40));
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            3 if at < bytes.len() => bytes[at] ^= 1 << random.u8(..8),
            _ if at < bytes.len() => bytes[at] = random.u8(..),
            _ => {}
        }
    }
}

#[test]
fn corpus_files_never_panic() {
    for target in TARGETS {
        let mut tried = 0;
        for folder in target.seeds {
            for path in files_below(&root().join(folder)) {
                if path.metadata().unwrap().len() <= MAX_SEED_BYTES {
                    run_target(target, &path.display().to_string(), &fs::read(&path).unwrap());
                    tried += 1;
                }
            }
        }
        assert!(tried > 3, "{}: expected more than 3 seed files, found {tried}", target.name);
    }
}

#[test]
fn past_findings_never_panic() {
    let mut tried = 0;
    for target in TARGETS {
        for path in files_below(&root().join("fuzz/findings").join(target.name)) {
            run_target(target, &path.display().to_string(), &fs::read(&path).unwrap());
            tried += 1;
        }
    }
    let kept = files_below(&root().join("fuzz/findings")).len();
    assert_eq!(tried, kept, "every finding must belong to a target");
}

fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folders = target.seeds.iter().flat_map(|folder| files_below(&root().join(folder)));
    let small = folders.filter(|path| path.metadata().unwrap().len() <= MAX_SEED_BYTES / 2);
    small.map(|path| fs::read(path).unwrap()).collect()
}

fn variation(seeds: &[Vec<u8>], random: &mut fastrand::Rng) -> Vec<u8> {
    let other = &seeds[random.usize(..seeds.len())];
    let mut bytes = seeds[random.usize(..seeds.len())].clone();
    vary(&mut bytes, other, random);
    bytes
}

#[test]
fn corpus_variations_never_panic() {
    for target in TARGETS {
        let seeds = seeds(target);
        let mut random = fastrand::Rng::with_seed(17);
        for round in 0..VARIATIONS_PER_TARGET {
            run_target(target, &format!("variation {round}"), &variation(&seeds, &mut random));
        }
    }
}

/// Tries other variations in every run, for `MUTOSCOPE_MINUTES` minutes, and keeps the findings.
/// `scripts/fuzz` runs this test if there is no C++ compiler.
#[test]
#[ignore = "runs for MUTOSCOPE_MINUTES minutes"]
fn random_variations_never_panic() {
    let minutes: f64 = std::env::var("MUTOSCOPE_MINUTES").map_or(1.0, |it| it.parse().unwrap());
    let each = Duration::from_secs_f64(60.0 * minutes / TARGETS.len() as f64);
    let mut random = fastrand::Rng::new();
    let (mut total, mut found) = (0_usize, 0_usize);
    for target in TARGETS {
        let (seeds, start) = (seeds(target), Instant::now());
        let (mut tried, mut failed, mut slowest) = (0_usize, 0_usize, Duration::ZERO);
        while start.elapsed() < each && failed < 5 {
            let bytes = variation(&seeds, &mut random);
            let began = Instant::now();
            if panic::catch_unwind(AssertUnwindSafe(|| (target.run)(&bytes))).is_err() {
                let folder = root().join("fuzz/findings").join(target.name);
                fs::create_dir_all(&folder).unwrap();
                let path = folder.join(format!("crash-{:016x}", random.u64(..)));
                fs::write(&path, &bytes).unwrap();
                println!("{}: {}", target.name, path.display());
                failed += 1;
            }
            slowest = slowest.max(began.elapsed());
            tried += 1;
        }
        println!("{:16} {tried:9} inputs {failed:3} findings, slowest {slowest:?}", target.name);
        (total, found) = (total + tried, found + failed);
    }
    println!("{total} inputs in {minutes} minutes, {found} findings");
    assert_eq!(found, 0);
}
