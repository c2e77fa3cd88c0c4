//! Decodes a recording from any source, with its sidecar files.

use std::sync::Arc;

use super::{FileBytes, Source};
use crate::session::{jobs::Progress, samples::SAMPLES};
use bevy_mutoscope::ClipAsset;
use mutoscope_core::{
    formats::{Fit, ReadOptions, SourceFile, decode_async},
    io::bytes::FileContent,
};

/// Returns the options with which the window reads files, unless the user requests others.
pub fn default_read_options() -> ReadOptions {
    ReadOptions {
        fit: Fit::Automatic,
        plays_all_clips: true,
        // Show a recording that does not match its skeleton, because the user must see what does
        // not match and why.
        allows_unmatched_skeleton: true,
        ..ReadOptions::from(crate::registry())
    }
}

/// Reads and decodes a recording. A source in `edited` is decoded from its edited content.
pub(in crate::session) async fn load_recording(
    source: &Source,
    options: &ReadOptions,
    edited: &[(Source, FileBytes)],
    progress: &Progress,
) -> Result<ClipAsset, String> {
    if let Some((_, content)) = edited.iter().find(|(other, _)| other == source) {
        return decode_recording(source, FileContent::Memory(content.clone()), options).await;
    }
    let progress = progress.clone();
    let progress = Arc::new(move |read, size| progress.set(read, size));
    let file = source
        .to_read_source()
        .open(options, &|_| true, Some(progress))
        .map_err(|error| format!("cannot be read: {error}"))?;
    decode_recording(source, file, options).await
}

pub(in crate::session) async fn decode_recording(
    source: &Source,
    file: FileContent,
    options: &ReadOptions,
) -> Result<ClipAsset, String> {
    let mut options = options.clone();
    if let Source::Sample(index) = source {
        options.format = Some(SAMPLES[*index].format);
    }
    let sidecars = source.to_read_source().sidecars();
    let name = source.name();
    let content = SourceFile::new(&name, file.as_content()).with_sidecars(&*sidecars);
    let chosen: String =
        options.variants.iter().map(|choice| format!("as {}: ", choice.name)).collect();
    let clip =
        decode_async(content, &options).await.map_err(|failure| format!("{chosen}{failure}"))?;
    Ok(ClipAsset { file: Some(file), options, ..ClipAsset::new(clip.with_placeholder_offsets()) })
}
