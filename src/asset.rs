//! Recordings as Bevy assets.

use std::sync::{Arc, LazyLock};

use bevy::{
    asset::{Asset, AssetLoader, LoadContext, io::Reader},
    reflect::TypePath,
};

use crate::{
    clip::Clip,
    formats::{self, FORMATS, Failure},
    listing::FileBytes,
};

/// A recording, ready to be sampled.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct ClipAsset {
    /// The clip itself, shared with whoever plays it.
    pub clip: Arc<Clip>,
    /// The times in seconds at which it has samples of its own: see
    /// [`Clip::sample_times`].
    pub sample_times: Arc<[f64]>,
    /// The file that it was decoded from, for whoever looks at its bytes, if it was kept.
    pub file: Option<FileBytes>,
}

impl ClipAsset {
    /// Prepares `clip` for being seen: joints that it gives no place stand at made-up offsets.
    pub fn new(clip: Clip) -> Self {
        let clip = clip.with_made_up_offsets();
        let sample_times = clip.sample_times().into();
        Self { clip: Arc::new(clip), sample_times, file: None }
    }

    /// The same, with the file that it was decoded from.
    pub fn with_file(self, file: FileBytes) -> Self {
        Self { file: Some(file), ..self }
    }
}

/// Loads every format of [`FORMATS`], told apart by content.
#[derive(Clone, Debug, Default, TypePath)]
pub struct ClipLoader;

/// The extensions of all formats, which a file of any of them may have.
static EXTENSIONS: LazyLock<Box<[&'static str]>> =
    LazyLock::new(|| FORMATS.iter().flat_map(|format| format.extensions).copied().collect());

/// Why a recording could not be loaded as an asset.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClipLoaderError {
    /// Its bytes could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// Its bytes could not be decoded.
    #[error(transparent)]
    Decode(#[from] Failure),
}

impl AssetLoader for ClipLoader {
    type Asset = ClipAsset;
    type Settings = ();
    type Error = ClipLoaderError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        load_context: &mut LoadContext<'_>,
    ) -> Result<ClipAsset, ClipLoaderError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let path = load_context.path().path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        Ok(ClipAsset::new(formats::decode(&bytes, extension, None)?))
    }

    fn extensions(&self) -> &[&str] {
        &EXTENSIONS
    }
}
