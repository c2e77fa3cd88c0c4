//! Fuzzing of known inputs: every seed file of a target in the repository, past findings, and more than a
//! thousand variations. `scripts/fuzz` looks for more.
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

/// The largest file that is tried, in bytes: larger ones tell nothing new and take long.
const LARGEST: u64 = 16 << 10;

/// How many variations of a target's files are tried.
const VARIATIONS: usize = 60;

fn root() -> &'static Path {
    Path::new(mutoscope_testing::ROOT)
}

/// The files below `folder`, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return files };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// Does what the target does, and says on what it panicked.
fn try_on(target: &Target, what: &str, bytes: &[u8]) {
    let tried = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(bytes)));
    assert!(tried.is_ok(), "{}: {what}, {} bytes", target.name, bytes.len());
}

/// A few bytes turned, skipped, doubled or taken from elsewhere.
fn vary(bytes: &mut Vec<u8>, other: &[u8], dice: &mut fastrand::Rng) {
    for _ in 0..1 + dice.usize(..4) {
        let at = dice.usize(..=bytes.len());
        let end = bytes.len().min(at + 1 + dice.usize(..40));
        match dice.u8(..5) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let copied = bytes[at..end].to_vec();
                bytes.splice(at..at, copied);
            }
            2 if !other.is_empty() => {
                let from = dice.usize(..other.len());
                let to = other.len().min(from + 1 + dice.usize(..40));
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            3 if at < bytes.len() => bytes[at] ^= 1 << dice.u8(..8),
            _ if at < bytes.len() => bytes[at] = dice.u8(..),
            _ => {}
        }
    }
}

#[test]
fn corpus_files_never_panic() {
    for target in TARGETS {
        let mut tried = 0;
        for folder in target.seeds {
            for path in files(&root().join(folder)) {
                if path.metadata().unwrap().len() <= LARGEST {
                    try_on(target, &path.display().to_string(), &fs::read(&path).unwrap());
                    tried += 1;
                }
            }
        }
        assert!(tried > 3, "{}: {tried} files are no corpus", target.name);
    }
}

/// Past findings of `scripts/fuzz` are kept.
#[test]
fn past_findings_never_panic() {
    let mut tried = 0;
    for target in TARGETS {
        for path in files(&root().join("fuzz/findings").join(target.name)) {
            try_on(target, &path.display().to_string(), &fs::read(&path).unwrap());
            tried += 1;
        }
    }
    let kept = files(&root().join("fuzz/findings")).len();
    assert_eq!(tried, kept, "every finding is of a target that there is");
}

/// The small files that a target begins with.
fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folders = target.seeds.iter().flat_map(|folder| files(&root().join(folder)));
    let small = folders.filter(|path| path.metadata().unwrap().len() <= LARGEST / 2);
    small.map(|path| fs::read(path).unwrap()).collect()
}

/// One of the files, varied by parts of another.
fn variation(seeds: &[Vec<u8>], dice: &mut fastrand::Rng) -> Vec<u8> {
    let other = &seeds[dice.usize(..seeds.len())];
    let mut bytes = seeds[dice.usize(..seeds.len())].clone();
    vary(&mut bytes, other, dice);
    bytes
}

#[test]
fn corpus_variations_never_panic() {
    for target in TARGETS {
        let seeds = seeds(target);
        let mut dice = fastrand::Rng::with_seed(17);
        for round in 0..VARIATIONS {
            try_on(target, &format!("variation {round}"), &variation(&seeds, &mut dice));
        }
    }
}

/// Other variations in every run, for as many minutes as `MUTOSCOPE_MINUTES` says: what
/// `scripts/fuzz` does where there is no C++ compiler. What is found is kept.
#[test]
#[ignore = "takes as long as it is told"]
fn variations_for_a_while() {
    let minutes: f64 = std::env::var("MUTOSCOPE_MINUTES").map_or(1.0, |it| it.parse().unwrap());
    let each = Duration::from_secs_f64(60.0 * minutes / TARGETS.len() as f64);
    let mut dice = fastrand::Rng::new();
    let (mut total, mut found) = (0_usize, 0_usize);
    for target in TARGETS {
        let (seeds, start) = (seeds(target), Instant::now());
        let (mut tried, mut failed, mut slowest) = (0_usize, 0_usize, Duration::ZERO);
        while start.elapsed() < each && failed < 5 {
            let bytes = variation(&seeds, &mut dice);
            let began = Instant::now();
            if panic::catch_unwind(AssertUnwindSafe(|| (target.run)(&bytes))).is_err() {
                let folder = root().join("fuzz/findings").join(target.name);
                fs::create_dir_all(&folder).unwrap();
                let path = folder.join(format!("crash-{:016x}", dice.u64(..)));
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
