//! Loads recordings as Bevy assets.

use std::{io, sync::Arc};

use bevy::{
    asset::{Asset, AssetLoader, LoadContext, ReadAssetBytesError, io::Reader},
    reflect::TypePath,
};

use mutoscope_core::{
    clip::Clip,
    formats::{Failure, ReadOptions, SourceFile, decode},
    io::bytes::{FetchedSidecars, FileContent},
};

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
    /// Prepares `clip` for display. A joint that has no position in the file gets a placeholder
    /// offset, so that it can be drawn.
    pub fn new(clip: Clip) -> Self {
        let clip = clip.with_placeholder_offsets();
        let sample_times = clip.shared_sample_times();
        Self { clip: Arc::new(clip), sample_times, file: None, options: ReadOptions::default() }
    }

    /// Returns the asset with the file that its clip was decoded from.
    pub fn with_file(self, file: FileContent) -> Self {
        Self { file: Some(file), ..self }
    }
}

/// Loads recordings. The content of a file decides its format, not the extension.
#[derive(Clone, Debug, TypePath)]
pub struct ClipLoader {
    options: ReadOptions,
    extensions: Vec<&'static str>,
}

impl ClipLoader {
    /// Creates the loader for the formats in the `options`.
    pub fn new(options: ReadOptions) -> Self {
        let all = options.registry.formats().flat_map(|format| format.extensions).copied();
        let extensions = all.filter(|one| !BEVY_SCENE_EXTENSIONS.contains(one)).collect();
        Self { options, extensions }
    }
}

impl Default for ClipLoader {
    /// Creates the loader for the [formats of the viewer](crate::registry).
    fn default() -> Self {
        Self::new(ReadOptions::from(crate::registry()))
    }
}

/// Bevy loads files with these extensions as scenes. If a path has a label, Bevy ignores the asset
/// type and uses the loader that was registered last for the extension. This loader does not claim
/// the extensions, because scenes could then no longer be loaded. A `Handle<ClipAsset>` finds this
/// loader by the asset type.
const BEVY_SCENE_EXTENSIONS: [&str; 2] = ["gltf", "glb"];

/// The reason why a recording could not be loaded as an asset.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClipLoaderError {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The bytes could not be decoded.
    #[error(transparent)]
    Decode(#[from] Failure),
}

/// Reads the sidecar files requested since the last call. Returns `true` if there was a request.
async fn fetch_sidecars(
    sidecars: &mut FetchedSidecars,
    load_context: &mut LoadContext<'_>,
) -> bool {
    let requested = sidecars.take_requested();
    let any = !requested.is_empty();
    for name in requested {
        let bytes = match load_context.path().resolve_embed_str(&name) {
            Ok(path) => load_context.read_asset_bytes(path).await.map_err(to_io_error),
            Err(error) => Err(io::Error::new(io::ErrorKind::InvalidInput, error)),
        };
        sidecars.insert(name, bytes);
    }
    any
}

/// Converts the error. A missing asset becomes [`io::ErrorKind::NotFound`], because Bevy reports it
/// in its own error type.
fn to_io_error(error: ReadAssetBytesError) -> io::Error {
    use bevy::asset::io::AssetReaderError;
    match &error {
        ReadAssetBytesError::AssetReaderError(AssetReaderError::NotFound(_)) => {
            io::Error::new(io::ErrorKind::NotFound, error)
        }
        _ => io::Error::other(error),
    }
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
        let name = load_context.path().path().to_string_lossy().into_owned();
        let mut sidecars = FetchedSidecars::default();
        // A decoder cannot wait until a sidecar file is fetched. So the loop decodes the recording,
        // fetches all sidecar files that the decoder requested, and decodes again. It ends when the
        // decoder requests no other sidecar file.
        loop {
            let file = SourceFile::new(&name, &bytes).with_sidecars(&sidecars);
            let decoded = decode(file, &self.options);
            if !fetch_sidecars(&mut sidecars, load_context).await {
                let options = self.options.clone();
                return Ok(ClipAsset { options, ..ClipAsset::new(decoded?) });
            }
        }
    }

    fn extensions(&self) -> &[&str] {
        &self.extensions
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use bevy::{
        asset::io::{
            AssetSourceBuilder, AssetSourceId, ErasedAssetReader,
            memory::{Dir, MemoryAssetReader},
        },
        prelude::*,
    };

    use super::*;

    fn load_asset(files: &[(&str, &[u8])], path: &'static str) -> ClipAsset {
        let root = Dir::default();
        for (path, bytes) in files {
            root.insert_asset(Path::new(path), bytes.to_vec());
        }
        let mut app = App::new();
        let reader = move || -> Box<dyn ErasedAssetReader> {
            Box::new(MemoryAssetReader { root: root.clone() })
        };
        app.register_asset_source(AssetSourceId::Default, AssetSourceBuilder::new(reader))
            .add_plugins((TaskPoolPlugin::default(), AssetPlugin::default()))
            .init_asset::<ClipAsset>()
            .init_asset_loader::<ClipLoader>();
        let handle: Handle<ClipAsset> = app.world().resource::<AssetServer>().load(path);
        for _ in 0..10_000 {
            app.update();
            if let Some(clip) = app.world().resource::<Assets<ClipAsset>>().get(&handle) {
                return clip.clone();
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("{path} was not loaded");
    }

    #[test]
    fn scene_assets_load_nested_sidecars() {
        let day = include_bytes!("../assets/mcmocap/a-day.mcmocap_rec");
        let both = br#"{"version":4,"subscenes":[{"name":".one"},{"name":"lost"}]}"#;
        let one = br#"{"version":4,"subscenes":[{"name":"day"}]}"#;
        let files: [(&str, &[u8]); 3] = [
            ("mocap/scenes/both.mcmocap_scene", both),
            ("mocap/scenes/one.mcmocap_scene", one),
            ("mocap/recordings/day.mcmocap_rec", day),
        ];
        let asset = load_asset(&files, "mocap/scenes/both.mcmocap_scene");
        assert_eq!(asset.clip.nodes[mutoscope_core::clip::NodeId::new(0)].name, "one/day/player");
        assert_eq!(asset.clip.span.duration, 15.0);
        let missing = asset
            .clip
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.message.contains("is missing"));
        assert_eq!(missing.count(), 1, "{:?}", asset.clip.diagnostics);
    }
}
