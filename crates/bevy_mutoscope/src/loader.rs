//! Loads recordings as Bevy assets.

use std::{
    io,
    sync::{Arc, PoisonError, RwLock},
};

use bevy::{
    asset::{
        AssetLoader, AssetPath, LoadContext, ParseAssetPathError, ReadAssetBytesError, io::Reader,
    },
    prelude::*,
};
use serde::{Deserialize, Serialize};

use crate::ClipAsset;
use mutoscope_core::{
    clip::{Assumptions, FormatAssumptions},
    diagnostics::Error,
    formats::{
        Failure, Fit, FormatSet, MappingFile, ReadOptions, Registry, SkeletonSource, SourceFile,
        animation_choice, decode,
    },
    io::bytes::FetchedSidecars,
};

/// The formats that [`ClipLoader`] reads. By default, they are those of the enabled features.
#[derive(Resource, Clone, Debug)]
pub struct RecordingFormats(Arc<RwLock<Registry>>);

impl RecordingFormats {
    /// Returns the formats.
    pub fn registry(&self) -> Registry {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds the formats of another crate.
    pub fn add(&self, formats: FormatSet) {
        let mut registry = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *registry = registry.clone().with(formats);
    }
}

impl Default for RecordingFormats {
    fn default() -> Self {
        Self(Arc::new(RwLock::new(default_registry())))
    }
}

/// Returns the formats of the enabled features.
pub(crate) fn default_registry() -> Registry {
    let registry = Registry::default();
    #[cfg(feature = "minecraft")]
    let registry = registry.with(mutoscope_minecraft::formats());
    #[cfg(feature = "fbx")]
    let registry = registry.with(mutoscope_fbx::formats());
    #[cfg(feature = "tables")]
    let registry = registry.with(mutoscope_logs::formats());
    #[cfg(feature = "columnar")]
    let registry = registry.with(mutoscope_tables::formats());
    registry
}

/// Adds recording formats to an [`App`].
pub trait RegisterRecordingFormats {
    /// Lets [`ClipLoader`] read the formats of another crate. It can be called before and after
    /// [`RecordingPlugin`](crate::RecordingPlugin) is added.
    ///
    /// A format that is added later than the plugin is recognised if the file is loaded as a
    /// `Handle<ClipAsset>`, because Bevy then finds the loader by its asset type.
    fn register_recording_format(&mut self, formats: FormatSet) -> &mut Self;
}

impl RegisterRecordingFormats for App {
    fn register_recording_format(&mut self, formats: FormatSet) -> &mut Self {
        self.init_resource::<RecordingFormats>();
        self.world().resource::<RecordingFormats>().add(formats);
        self
    }
}

/// The settings of [`ClipLoader`], which say how a file is read. Pass them to the builder of
/// `AssetServer::load_builder`, or write them to the `.meta` file of the recording.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use bevy_mutoscope::prelude::*;
/// # fn load(assets: Res<AssetServer>) {
/// let walk: Handle<ClipAsset> = assets
///     .load_builder()
///     .with_settings(|settings: &mut ClipLoaderSettings| settings.frame_rate = Some(60.0))
///     .load("walk.bvh");
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ClipLoaderSettings {
    /// The id of the format, such as `maya`. `None` recognises the format by content.
    pub format: Option<String>,
    /// The animation to play, if the file has several.
    pub animation: Option<String>,
    /// The character to play, if the file has several.
    pub character: Option<String>,
    /// The asset path of a file with the skeleton that the recording is attached to: glTF, VRM, FBX
    /// or CINF. `None` uses the recording's own skeleton.
    pub skeleton: Option<String>,
    /// The way in which the recording is attached to `skeleton`.
    pub fit: FitSetting,
    /// The assumptions for values that the file does not declare: axes, units, rotations.
    pub assumptions: Assumptions,
    /// The frame rate in Hz. It replaces the rate that the file declares.
    pub frame_rate: Option<f64>,
    /// The asset path of the mapping file for the columns of a table. Needs the feature `tables`.
    pub columns: Option<String>,
}

/// The way in which a recording is attached to a skeleton. See [`Fit`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FitSetting {
    /// Nodes are matched by name.
    #[default]
    ByName,
    /// The recording is retargeted bone by bone.
    ByBones,
    /// Nodes are matched by name if most names match. Otherwise the recording is retargeted.
    Automatic,
}

impl From<FitSetting> for Fit {
    fn from(fit: FitSetting) -> Self {
        match fit {
            FitSetting::ByName => Self::ByName,
            FitSetting::ByBones => Self::ByBones,
            FitSetting::Automatic => Self::Automatic,
        }
    }
}

/// Loads recordings. The content of a file decides its format, not the extension.
#[derive(Clone, Debug, TypePath)]
pub struct ClipLoader {
    formats: RecordingFormats,
    extensions: Vec<&'static str>,
}

impl ClipLoader {
    /// Creates the loader for these formats. It claims their extensions.
    pub fn new(formats: RecordingFormats) -> Self {
        let all = formats.registry();
        let all = all.formats().flat_map(|format| format.extensions).copied();
        let extensions = all.filter(|one| !BEVY_SCENE_EXTENSIONS.contains(one)).collect();
        Self { formats, extensions }
    }
}

/// Bevy loads files with these extensions as scenes. If a path has a label, Bevy ignores the asset
/// type and uses the loader that was registered last for the extension. This loader does not claim
/// the extensions, because scenes could then no longer be loaded. A `Handle<ClipAsset>` finds this
/// loader by the asset type.
const BEVY_SCENE_EXTENSIONS: [&str; 2] = ["gltf", "glb"];

/// The reason why a recording could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClipLoaderError {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The bytes could not be decoded.
    #[error(transparent)]
    Decode(#[from] Failure),
    /// The settings name a format that the loader does not know.
    #[error("unknown format \"{found}\". Known formats: {known}")]
    UnknownFormat {
        /// The name in the settings.
        found: String,
        /// The ids of the known formats.
        known: String,
    },
    /// The path of the skeleton or of the mapping file is not valid.
    #[error("{path}: {source}")]
    Path {
        /// The path in the settings.
        path: String,
        /// The reason.
        source: ParseAssetPathError,
    },
    /// The skeleton or the mapping file could not be read.
    #[error("{path}: {source}")]
    Read {
        /// The path in the settings.
        path: String,
        /// The reason.
        source: io::Error,
    },
    /// The skeleton could not be decoded.
    #[error("{path}: {source}")]
    Skeleton {
        /// The path in the settings.
        path: String,
        /// The reason.
        source: Error,
    },
}

impl ClipLoaderSettings {
    /// Converts the settings to options for reading. Loads the skeleton and the mapping file.
    async fn to_options(
        &self,
        registry: Registry,
        load_context: &mut LoadContext<'_>,
    ) -> Result<ReadOptions, ClipLoaderError> {
        let find_format = |name: &str| {
            registry.format_named(name).map(|format| format.id).ok_or_else(|| {
                let known: Vec<_> = registry.formats().map(|format| format.id.as_str()).collect();
                ClipLoaderError::UnknownFormat { found: name.to_owned(), known: known.join(", ") }
            })
        };
        let format = self.format.as_deref().map(find_format).transpose()?;
        let skeleton = match &self.skeleton {
            Some(path) => {
                let (asset_path, bytes) = read_dependency(path, load_context).await?;
                let decode =
                    |sidecars: &FetchedSidecars| registry.decode_skeleton(&bytes, path, sidecars);
                let decoded = decode_with_sidecars(&asset_path, load_context, decode).await;
                let error = |source| ClipLoaderError::Skeleton { path: path.clone(), source };
                SkeletonSource::Given(Arc::new(decoded.map_err(error)?))
            }
            None => SkeletonSource::Own,
        };
        let columns = match &self.columns {
            Some(path) => {
                let format = find_format("table")?;
                let (_, bytes) = read_dependency(path, load_context).await?;
                let text = String::from_utf8(bytes).map_err(|error| ClipLoaderError::Read {
                    path: path.clone(),
                    source: io::Error::new(io::ErrorKind::InvalidData, error),
                })?;
                Some(MappingFile { format, name: path.clone(), text })
            }
            None => None,
        };
        Ok(ReadOptions {
            format,
            variants: animation_choice(self.animation.clone(), self.character.clone(), None),
            skeleton,
            fit: self.fit.into(),
            assumptions: FormatAssumptions::for_all_formats(self.assumptions),
            columns,
            frame_rate: self.frame_rate,
            ..ReadOptions::from(&registry)
        })
    }
}

/// Reads a file that the settings name.
async fn read_dependency(
    path: &str,
    load_context: &mut LoadContext<'_>,
) -> Result<(AssetPath<'static>, Vec<u8>), ClipLoaderError> {
    let asset_path = AssetPath::try_parse(path)
        .map_err(|source| ClipLoaderError::Path { path: path.to_owned(), source })?
        .into_owned();
    let bytes = load_context.read_asset_bytes(asset_path.clone()).await.map_err(|error| {
        ClipLoaderError::Read { path: path.to_owned(), source: to_io_error(error) }
    })?;
    Ok((asset_path, bytes))
}

/// Decodes the file at `path` with its sidecar files.
///
/// A decoder cannot wait until a sidecar file is fetched. So the loop decodes the file, fetches all
/// sidecar files that the decoder requested, and decodes again. It ends when the decoder requests
/// no other sidecar file.
async fn decode_with_sidecars<T, E>(
    path: &AssetPath<'_>,
    load_context: &mut LoadContext<'_>,
    decode: impl Fn(&FetchedSidecars) -> Result<T, E>,
) -> Result<T, E> {
    let mut sidecars = FetchedSidecars::default();
    loop {
        let decoded = decode(&sidecars);
        let requested = sidecars.take_requested();
        if requested.is_empty() {
            return decoded;
        }
        for name in requested {
            let bytes = match path.resolve_embed_str(&name) {
                Ok(path) => load_context.read_asset_bytes(path).await.map_err(to_io_error),
                Err(error) => Err(io::Error::new(io::ErrorKind::InvalidInput, error)),
            };
            sidecars.insert(name, bytes);
        }
    }
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
    type Settings = ClipLoaderSettings;
    type Error = ClipLoaderError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &ClipLoaderSettings,
        load_context: &mut LoadContext<'_>,
    ) -> Result<ClipAsset, ClipLoaderError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let options = settings.to_options(self.formats.registry(), load_context).await?;
        let path = load_context.path().clone();
        let name = path.path().to_string_lossy();
        let clip = decode_with_sidecars(&path, load_context, |sidecars| {
            decode(SourceFile::new(&name, &bytes).with_sidecars(sidecars), &options)
        })
        .await?;
        Ok(ClipAsset { options, ..ClipAsset::new(clip) })
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
            .register_asset_loader(ClipLoader::new(RecordingFormats::default()));
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
        let day = include_bytes!("../../../assets/mcmocap/a-day.mcmocap_rec");
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
