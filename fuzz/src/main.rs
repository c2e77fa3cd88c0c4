//! Coverage-guided fuzzing of one target. `scripts/fuzz` builds and runs this program.
//!
//! The variable `MUTOSCOPE_FUZZ` names the target. Without the variable, the program lists the
//! targets, each with the folders of its seed inputs.
#![no_main]

mod targets;

use std::{env, process, sync::OnceLock};

use targets::{TARGETS, Target};

static TARGET: OnceLock<&Target> = OnceLock::new();

fn choose_target() {
    let name = env::var("MUTOSCOPE_FUZZ").unwrap_or_default();
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        for target in TARGETS {
            println!("{} {}", target.name, target.seeds.join(" "));
        }
        process::exit(if name.is_empty() { 0 } else { 2 });
    };
    let _ = TARGET.set(target);
}

libfuzzer_sys::fuzz_target!(init: choose_target(), |bytes: &[u8]| {
    if let Some(target) = TARGET.get() {
        (target.run)(bytes);
    }
});
