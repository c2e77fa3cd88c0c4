//! Recordings as Bevy assets.

use std::sync::Arc;

use bevy::{asset::Asset, reflect::TypePath};

use mutoscope_core::{clip::Clip, formats::ReadOptions, io::bytes::FileContent};

/// A recording, ready to be sampled.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct ClipAsset {
    /// The clip, shared with its players.
    pub clip: Arc<Clip>,
    /// The clip's own sample times, in seconds. See [`Clip::sample_times`].
    pub sample_times: Arc<[f64]>,
    /// The file that the clip was decoded from, for the view of its bytes. `None` if the bytes were
    /// not kept.
    pub file: Option<FileContent>,
    /// The options that the clip was decoded with.
    pub options: ReadOptions,
}

impl ClipAsset {
    /// Creates an asset of a clip that is in memory.
    pub fn new(clip: Clip) -> Self {
        let sample_times = clip.shared_sample_times();
        Self { clip: Arc::new(clip), sample_times, file: None, options: ReadOptions::default() }
    }

    /// Returns the asset with the file that its clip was decoded from.
    #[must_use]
    pub fn with_file(self, file: FileContent) -> Self {
        Self { file: Some(file), ..self }
    }
}
