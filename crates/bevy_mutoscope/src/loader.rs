//! Loads recordings as Bevy assets.

use std::{
    io,
    path::Path,
    sync::{Arc, PoisonError, RwLock, Weak},
};

use bevy::{
    asset::{
        AssetLoader, AssetPath, LoadContext, ParseAssetPathError, ReadAssetBytesError,
        io::{AssetReaderError, Reader},
    },
    prelude::*,
    tasks::futures_lite::StreamExt as _,
};
use serde::{Deserialize, Serialize};

use crate::ClipAsset;
use mutoscope_core::{
    clip::{Assumptions, FormatAssumptions},
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::{
        Failure, Fit, FormatSet, MappingFile, ReadOptions, Registry, SkeletonSource, SourceFile,
        animation_choice, decode,
    },
    io::bytes::{FetchedSidecars, Sidecars as _},
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
    let registry = registry.with(FormatSet { codes: &[codes::CODES], ..FormatSet::default() });
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
///
/// ```
/// use bevy::prelude::*;
/// use bevy_mutoscope::prelude::*;
///
/// App::new().register_recording_format(mutoscope_logs::formats());
/// ```
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
    /// or CINF. `None` uses the recording's own skeleton. An animation of Metroid Prime has none, so
    /// it uses the CINF file in its folder if there is exactly one.
    ///
    /// Browsers and web servers cannot list a folder. There, set the path.
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
///
/// A recording may refer to other files, such as the recordings of a scene. Only its decoder knows
/// them, and a decoder cannot wait. The loader therefore decodes the file, loads what the decoder
/// requested, and decodes again. A file without references is decoded once. A scene is decoded again
/// for each level of references, because only the first level is known before the scenes in it are
/// read.
#[derive(Clone, Debug, TypePath)]
pub struct ClipLoader {
    formats: RecordingFormats,
    extensions: Vec<&'static str>,
    assets: Weak<AssetServer>,
}

/// The owner of the asset server that [`ClipLoader`] lists folders with. The loader has a weak
/// reference, because the asset server owns the loader.
#[derive(Resource)]
struct LoaderAssetServer(Arc<AssetServer>);

impl FromWorld for ClipLoader {
    /// Creates the loader for the formats in [`RecordingFormats`]. It claims their extensions.
    fn from_world(world: &mut World) -> Self {
        let formats = world.get_resource_or_init::<RecordingFormats>().clone();
        let owner = LoaderAssetServer(Arc::new(world.resource::<AssetServer>().clone()));
        let assets = Arc::downgrade(&owner.0);
        world.insert_resource(owner);
        let registry = formats.registry();
        let extensions = registry.formats().flat_map(|format| format.extensions).copied();
        let extensions = extensions.filter(|one| !BEVY_SCENE_EXTENSIONS.contains(one)).collect();
        Self { formats, extensions, assets }
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
        files: &mut ReferencedFiles<'_, '_>,
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
                let (asset_path, bytes) = files.read_dependency(path).await?;
                let decode =
                    |sidecars: &FetchedSidecars| registry.decode_skeleton(&bytes, path, sidecars);
                let decoded = files.decode_with_sidecars(&asset_path, decode).await;
                let error = |source| ClipLoaderError::Skeleton { path: path.clone(), source };
                SkeletonSource::Given(Arc::new(decoded.map_err(error)?))
            }
            None => SkeletonSource::Beside,
        };
        let columns = match &self.columns {
            Some(path) => {
                let format = find_format("table")?;
                let (_, bytes) = files.read_dependency(path).await?;
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

/// The files that one recording refers to.
struct ReferencedFiles<'a, 'b> {
    load_context: &'a mut LoadContext<'b>,
    assets: Option<Arc<AssetServer>>,
    /// The reason why a folder could not be listed, if a decoder requested its names.
    listing_error: Option<io::Error>,
}

impl ReferencedFiles<'_, '_> {
    /// Reads a file that the settings name.
    async fn read_dependency(
        &mut self,
        path: &str,
    ) -> Result<(AssetPath<'static>, Vec<u8>), ClipLoaderError> {
        let asset_path = AssetPath::try_parse(path)
            .map_err(|source| ClipLoaderError::Path { path: path.to_owned(), source })?
            .into_owned();
        let bytes = self.load_context.read_asset_bytes(asset_path.clone()).await;
        let error =
            |error| ClipLoaderError::Read { path: path.to_owned(), source: to_io_error(error) };
        Ok((asset_path, bytes.map_err(error)?))
    }

    /// Decodes the file at `path` with its sidecar files.
    ///
    /// A decoder cannot wait until a sidecar file is fetched. So the loop decodes the file, fetches
    /// all sidecar files that the decoder requested, and decodes again. It ends when the decoder
    /// requests no other sidecar file.
    async fn decode_with_sidecars<T, E>(
        &mut self,
        path: &AssetPath<'_>,
        decode: impl Fn(&FetchedSidecars) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut sidecars = FetchedSidecars::default();
        loop {
            let decoded = decode(&sidecars);
            if !sidecars.has_unfetched() {
                return decoded;
            }
            if sidecars.requests_names() {
                let names = self.list_names(path).await;
                sidecars.set_names(names.unwrap_or_else(|error| {
                    self.listing_error = Some(error);
                    Vec::new()
                }));
            }
            for name in sidecars.take_requested() {
                let bytes = match path.resolve_embed_str(&name) {
                    Ok(path) => self.load_context.read_asset_bytes(path).await.map_err(to_io_error),
                    Err(error) => Err(io::Error::new(io::ErrorKind::InvalidInput, error)),
                };
                sidecars.insert(name, bytes);
            }
        }
    }

    /// Returns the names of the files in the folder of `path`, sorted.
    async fn list_names(&self, path: &AssetPath<'_>) -> io::Result<Vec<String>> {
        // Bevy's reader for browsers logs an error and returns an empty list.
        let assets = self.assets.as_ref().filter(|_| cfg!(not(target_family = "wasm")));
        let assets = assets.ok_or(io::ErrorKind::Unsupported)?;
        let source = assets.get_source(path.source()).map_err(io::Error::other)?;
        let folder = path.path().parent().unwrap_or(Path::new(""));
        // The reader of processed assets is the second choice. While assets are processed, it would
        // wait for this loader, which waits for the list.
        let mut files =
            match (source.reader().read_directory(folder).await, source.processed_reader()) {
                (Err(_), Ok(processed)) => processed.read_directory(folder).await,
                (files, _) => files,
            }
            .map_err(to_io_error)?;
        let mut names = Vec::new();
        while let Some(file) = files.next().await {
            names.extend(file.file_name().and_then(|name| Some(name.to_str()?.to_owned())));
        }
        names.sort();
        Ok(names)
    }

    /// Adds a diagnostic if a folder could not be listed.
    fn report_listing_error(&self, diagnostics: &mut Diagnostics) {
        if let Some(error) = &self.listing_error {
            let message = format!(
                "cannot list the folder of the recording: {error}; the files in it are not used. \
                 Set `skeleton` in the settings of the loader"
            );
            diagnostics.warning(codes::FOLDER_NOT_LISTED, SourceLocation::File, message);
        }
    }
}

/// Converts the error. A missing asset becomes [`io::ErrorKind::NotFound`], because Bevy reports it
/// in its own error type.
fn to_io_error(error: impl Into<ReadAssetBytesError>) -> io::Error {
    match error.into() {
        error @ ReadAssetBytesError::AssetReaderError(AssetReaderError::NotFound(_)) => {
            io::Error::new(io::ErrorKind::NotFound, error)
        }
        error => io::Error::other(error),
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
        let path = load_context.path().clone();
        let name = path.path().to_string_lossy();
        let mut files =
            ReferencedFiles { load_context, assets: self.assets.upgrade(), listing_error: None };
        let options = settings.to_options(self.formats.registry(), &mut files).await?;
        let decoded = files
            .decode_with_sidecars(&path, |sidecars| {
                decode(SourceFile::new(&name, &bytes).with_sidecars(sidecars), &options)
            })
            .await;
        match decoded {
            Ok(mut clip) => {
                files.report_listing_error(&mut clip.diagnostics);
                Ok(ClipAsset { options, ..ClipAsset::new(clip) })
            }
            Err(mut failure) => {
                files.report_listing_error(&mut failure.diagnostics);
                Err(failure.into())
            }
        }
    }

    fn extensions(&self) -> &[&str] {
        &self.extensions
    }
}

mod codes {
    mutoscope_core::codes! { "bevy":
        /// The folder of a recording cannot be listed, so no skeleton was searched for in it.
        FOLDER_NOT_LISTED = "folder-not-listed" {
            cause: "Browsers and web servers do not list the files in a folder.",
            remedy: "Set `skeleton` in `ClipLoaderSettings`.",
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::asset::io::{
        AssetReader, AssetSourceBuilder, AssetSourceId, ErasedAssetReader, PathStream,
        memory::{Dir, MemoryAssetReader},
    };
    use mutoscope_core::clip::NodeId;

    use super::*;

    /// A reader that cannot list folders, such as a web server.
    struct WithoutListing(MemoryAssetReader);

    impl AssetReader for WithoutListing {
        async fn read<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
            AssetReader::read(&self.0, path).await
        }

        async fn read_meta<'a>(
            &'a self,
            path: &'a Path,
        ) -> Result<impl Reader + 'a, AssetReaderError> {
            AssetReader::read_meta(&self.0, path).await
        }

        async fn read_directory<'a>(
            &'a self,
            path: &'a Path,
        ) -> Result<Box<PathStream>, AssetReaderError> {
            Err(AssetReaderError::NotFound(path.to_owned()))
        }

        async fn is_directory<'a>(&'a self, _: &'a Path) -> Result<bool, AssetReaderError> {
            Ok(false)
        }
    }

    fn load_with(
        files: &[(&str, &[u8])],
        path: &'static str,
        to_reader: fn(MemoryAssetReader) -> Box<dyn ErasedAssetReader>,
    ) -> ClipAsset {
        let root = Dir::default();
        for (path, bytes) in files {
            root.insert_asset(Path::new(path), bytes.to_vec());
        }
        let mut app = App::new();
        let reader = move || to_reader(MemoryAssetReader { root: root.clone() });
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

    fn load(files: &[(&str, &[u8])], path: &'static str) -> ClipAsset {
        load_with(files, path, |reader| Box::new(reader))
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
        let asset = load(&files, "mocap/scenes/both.mcmocap_scene");
        assert_eq!(asset.clip.nodes[NodeId::new(0)].name, "one/day/player");
        assert_eq!(asset.clip.span.duration, 15.0);
        let missing = asset
            .clip
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.message.contains("is missing"));
        assert_eq!(missing.count(), 1, "{:?}", asset.clip.diagnostics);
    }

    #[test]
    fn the_only_skeleton_in_the_folder_is_used() {
        let walk = include_bytes!("../../../assets/prime/walk.ANIM");
        let skeleton = include_bytes!("../../../assets/prime/walk.CINF");
        let files: [(&str, &[u8]); 3] =
            [("a/walk.ANIM", walk), ("a/other.CINF", skeleton), ("second.CINF", skeleton)];
        let skeleton_name = |asset: &ClipAsset| {
            asset.clip.skeleton.attached().map(|attached| attached.name.clone())
        };
        let has_code = |asset: &ClipAsset, code: &str| {
            asset.clip.diagnostics.iter().any(|diagnostic| diagnostic.code.as_str() == code)
        };
        let found = load(&files, "a/walk.ANIM");
        assert_eq!(skeleton_name(&found).as_deref(), Some("other.CINF"));
        assert!(has_code(&found, "read/skeleton-beside"));
        let several = [files[0], files[1], ("a/third.CINF", files[1].1)];
        let ambiguous = load(&several, "a/walk.ANIM");
        assert_eq!(skeleton_name(&ambiguous), None);
        assert!(!has_code(&ambiguous, "bevy/folder-not-listed"));
        let unlisted = load_with(&files, "a/walk.ANIM", |reader| Box::new(WithoutListing(reader)));
        assert_eq!(skeleton_name(&unlisted), None);
        assert!(has_code(&unlisted, "bevy/folder-not-listed"));
    }
}
