//! Coverage-guided fuzzing of one target: `scripts/fuzz` builds and runs it.
//!
//! The target is the word in the variable `MUTOSCOPE_FUZZ`. Without one, the targets are listed, each
//! with the folders that its first inputs are in.
#![no_main]

mod targets;

use std::{env, process, sync::OnceLock};

use targets::{TARGETS, Target};

static TARGET: OnceLock<&Target> = OnceLock::new();

fn choose() {
    mutoscope_cli::register();
    let word = env::var("MUTOSCOPE_FUZZ").unwrap_or_default();
    let Some(target) = TARGETS.iter().find(|target| target.name == word) else {
        for target in TARGETS {
            println!("{} {}", target.name, target.seeds.join(" "));
        }
        process::exit(if word.is_empty() { 0 } else { 2 });
    };
    let _ = TARGET.set(target);
}

libfuzzer_sys::fuzz_target!(init: choose(), |bytes: &[u8]| {
    if let Some(target) = TARGET.get() {
        (target.run)(bytes);
    }
});
