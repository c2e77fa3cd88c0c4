//! Sets the description of the page for screen readers, and the title of its tab.

use bevy::prelude::*;

use crate::{
    browser,
    session::{Exports, Files, OpenRecordings},
};

pub(in crate::viewer) fn describe(
    open: OpenRecordings,
    files: Res<Files>,
    exports: Res<Exports>,
    mut last_description: Local<String>,
) {
    let names: Vec<String> =
        open.in_order().iter().map(|recording| recording.source.name()).collect();
    let mut sentences = Vec::new();
    sentences.extend(files.loading.as_ref().map(|loading| format!("Loading {}", loading.name)));
    sentences
        .extend(files.failure.as_ref().map(|failed| format!("{} {}", failed.name, failed.message)));
    match open.clock().filter(|_| !names.is_empty()) {
        None => sentences.push("The gallery of examples".to_owned()),
        Some(clock) if clock.is_running() => sentences.push(format!("{} plays", names.join(", "))),
        Some(clock) => {
            sentences.push(format!("{}, paused at {:.3} s", names.join(", "), clock.time()));
        }
    }
    sentences.extend(exports.last.as_ref().map(|last| match &last.result {
        Ok(_) => format!("Wrote {}", last.path.display()),
        Err(why) => format!("Nothing was written to {}: {why}", last.path.display()),
    }));
    let unwritten = files.write_failure.as_ref();
    sentences.extend(unwritten.map(|failed| format!("{} {}", failed.name, failed.message)));
    sentences.extend((files.confirmation.number > 0).then(|| files.confirmation.text.clone()));
    let sentences = sentences.join(". ");
    if *last_description != sentences {
        let title = match &names[..] {
            [] => "Mutoscope".to_owned(),
            names => format!("{} — Mutoscope", names.join(", ")),
        };
        browser::describe(&title, &sentences);
        *last_description = sentences;
    }
}
