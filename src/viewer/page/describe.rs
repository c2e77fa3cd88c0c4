//! The description of the page for screen readers, and the title of its tab.

use bevy::prelude::*;

use crate::{
    browser,
    session::{Exports, Files, OpenRecordings},
};

/// Describes the open files and the results of requests, for screen readers.
pub(in crate::viewer) fn describe(
    open: OpenRecordings,
    files: Res<Files>,
    exports: Res<Exports>,
    mut said: Local<String>,
) {
    let names: Vec<String> = open.in_order().iter().map(|one| one.source.name()).collect();
    let mut words = Vec::new();
    words.extend(files.loading.as_ref().map(|loading| format!("Loading {}", loading.name)));
    words.extend(files.failed.as_ref().map(|failed| format!("{} {}", failed.name, failed.message)));
    match open.clock().filter(|_| !names.is_empty()) {
        None => words.push("The gallery of examples".to_owned()),
        Some(clock) if clock.is_running() => words.push(format!("{} plays", names.join(", "))),
        Some(clock) => {
            words.push(format!("{}, paused at {:.3} s", names.join(", "), clock.time()));
        }
    }
    words.extend(exports.last.as_ref().map(|last| match &last.result {
        Ok(_) => format!("Wrote {}", last.path.display()),
        Err(why) => format!("Nothing was written to {}: {why}", last.path.display()),
    }));
    let unwritten = files.unwritten.as_ref();
    words.extend(unwritten.map(|failed| format!("{} {}", failed.name, failed.message)));
    words.extend((files.confirmation.number > 0).then(|| files.confirmation.words.clone()));
    let words = words.join(". ");
    if *said != words {
        let title = match &names[..] {
            [] => "Mutoscope".to_owned(),
            names => format!("{} — Mutoscope", names.join(", ")),
        };
        browser::describe(&title, &words);
        *said = words;
    }
}
