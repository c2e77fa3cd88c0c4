//! Loads recordings as Bevy assets.

use std::{
    io,
    sync::{Arc, PoisonError, RwLock},
};

use bevy::{
    asset::{AssetLoader, LoadContext, ParseAssetPathError, ReadAssetBytesError, io::Reader},
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
        let format = match &self.format {
            Some(name) => Some(registry.format_named(name).ok_or_else(|| {
                let known: Vec<_> = registry.formats().map(|format| format.id.as_str()).collect();
                ClipLoaderError::UnknownFormat { found: name.clone(), known: known.join(", ") }
            })?),
            None => None,
        };
        let skeleton = match &self.skeleton {
            Some(path) => {
                let bytes = read_dependency(path, load_context).await?;
                let mut sidecars = FetchedSidecars::default();
                loop {
                    let decoded = registry.decode_skeleton(&bytes, path, &sidecars);
                    if !fetch_sidecars(path, &mut sidecars, load_context).await {
                        let error =
                            |source| ClipLoaderError::Skeleton { path: path.clone(), source };
                        break SkeletonSource::Given(Arc::new(decoded.map_err(error)?));
                    }
                }
            }
            None => SkeletonSource::Own,
        };
        let columns = match &self.columns {
            Some(path) => {
                let text = String::from_utf8(read_dependency(path, load_context).await?);
                let error = |error| io::Error::new(io::ErrorKind::InvalidData, error);
                let error =
                    |source| ClipLoaderError::Read { path: path.clone(), source: error(source) };
                let table = registry.format_named("table").map(|format| format.id);
                let format = table.ok_or_else(|| ClipLoaderError::UnknownFormat {
                    found: "table".to_owned(),
                    known: "those without the feature `tables`".to_owned(),
                })?;
                Some(MappingFile { format, name: path.clone(), text: text.map_err(error)? })
            }
            None => None,
        };
        Ok(ReadOptions {
            format: format.map(|format| format.id),
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

async fn read_dependency(
    path: &str,
    load_context: &mut LoadContext<'_>,
) -> Result<Vec<u8>, ClipLoaderError> {
    let error = |source| ClipLoaderError::Read { path: path.to_owned(), source };
    let asset_path = bevy::asset::AssetPath::try_parse(path)
        .map_err(|source| ClipLoaderError::Path { path: path.to_owned(), source })?
        .into_owned();
    load_context.read_asset_bytes(asset_path).await.map_err(|found| error(to_io_error(found)))
}

/// Reads the sidecar files requested since the last call, relative to the file at `path`. Returns
/// `true` if there was a request.
async fn fetch_sidecars(
    path: &str,
    sidecars: &mut FetchedSidecars,
    load_context: &mut LoadContext<'_>,
) -> bool {
    let requested = sidecars.take_requested();
    let any = !requested.is_empty();
    for name in requested {
        let file = bevy::asset::AssetPath::try_parse(path)
            .and_then(|file| file.resolve_embed_str(&name).map(|path| path.into_owned()));
        let bytes = match file {
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
        let path = load_context.path().to_string();
        let name = load_context.path().path().to_string_lossy().into_owned();
        let mut sidecars = FetchedSidecars::default();
        // A decoder cannot wait until a sidecar file is fetched. So the loop decodes the recording,
        // fetches all sidecar files that the decoder requested, and decodes again. It ends when the
        // decoder requests no other sidecar file.
        loop {
            let file = SourceFile::new(&name, &bytes).with_sidecars(&sidecars);
            let decoded = decode(file, &options);
            if !fetch_sidecars(&path, &mut sidecars, load_context).await {
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
