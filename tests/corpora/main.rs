//! What fuzzing does, on what is known: every file of the repository that a target begins with, what
//! was found before, and a few thousand variations. `scripts/fuzz` looks for more.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../fuzz/src/targets/mod.rs"]
mod targets;

use std::{
    fs,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
};

use targets::{TARGETS, Target};

/// The largest file that is tried, in bytes: larger ones say no more and take long.
const LARGEST: u64 = 32 << 10;

/// How many variations of a target's files are tried.
const VARIATIONS: usize = 150;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
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

/// A few bytes turned, left out, doubled or taken from elsewhere.
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
fn every_file_of_the_corpora_is_survived() {
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

/// What `scripts/fuzz` found once is kept.
#[test]
fn everything_that_was_found_is_survived() {
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

#[test]
fn variations_of_the_corpora_are_survived() {
    for target in TARGETS {
        let folders = target.seeds.iter().flat_map(|folder| files(&root().join(folder)));
        let small = folders.filter(|path| path.metadata().unwrap().len() <= LARGEST / 4);
        let seeds: Vec<_> = small.map(|path| fs::read(path).unwrap()).collect();
        let mut dice = fastrand::Rng::with_seed(17);
        for round in 0..VARIATIONS {
            let other = &seeds[dice.usize(..seeds.len())];
            let mut bytes = seeds[dice.usize(..seeds.len())].clone();
            vary(&mut bytes, other, &mut dice);
            try_on(target, &format!("variation {round}"), &bytes);
        }
    }
}
