//! Reading a recording from wherever it is, and the files around it.

use std::sync::Arc;

use crate::asset::ClipAsset;
use crate::session::{Progress, SAMPLES, SceneBytes, Source};
use mutoscope_core::{
    clip::{FormatAssumptions, FormatId, VariantChoice},
    formats::MappingFile,
    io::bytes::FileContent,
    read::{LoadRequest, OpenOptions, SkeletonChoice, load_async},
};

/// How recordings are read.
pub(in crate::session) struct Reader<'a> {
    /// The format that every file is read as, if the user sets one.
    pub(in crate::session) format: Option<FormatId>,
    /// The mapping of the columns of tables, if the user gave or chose one.
    pub(in crate::session) columns: Option<&'a MappingFile>,
    /// The user's choices among the file's variants.
    pub(in crate::session) variants: &'a [VariantChoice],
    /// The user's assumptions about formats.
    pub(in crate::session) assumptions: &'a FormatAssumptions,
    /// Receives the progress.
    pub(in crate::session) progress: &'a Progress,
    /// The content of files that were edited and not saved.
    pub(in crate::session) edited: &'a [(Source, SceneBytes)],
}

impl Reader<'_> {
    /// Reads the recording, and puts it on the skeleton. Yields now and then.
    pub(in crate::session) async fn load(
        &self,
        source: &Source,
        skeleton: SkeletonChoice<'_>,
    ) -> Result<ClipAsset, String> {
        let edited = self.edited.iter().find(|(of, _)| of == source);
        if let Some((_, content)) = edited {
            return self.decode(source, FileContent::Memory(content.clone()), skeleton).await;
        }
        let progress = self.progress.clone();
        let file = source.to_read().open(&OpenOptions {
            format: self.format,
            is_worth: &|_| true,
            progress: Some(Arc::new(move |read, size| progress.set(read, size))),
        });
        let file = file.map_err(|error| format!("cannot be read: {error}"))?;
        self.decode(source, file, skeleton).await
    }

    /// Decodes `file` in place of what `source` has, with the files around that. Yields now and then.
    pub(in crate::session) async fn decode(
        &self,
        source: &Source,
        file: FileContent,
        skeleton: SkeletonChoice<'_>,
    ) -> Result<ClipAsset, String> {
        let format = match source {
            Source::Sample(index) => Some(SAMPLES[*index].format),
            Source::File(_) | Source::Stdin => self.format,
        };
        let sidecars = source.to_read().sidecars();
        let name = source.name();
        let request = LoadRequest {
            sidecars: &*sidecars,
            format,
            skeleton,
            assumptions: self.assumptions.clone(),
            variants: self.variants,
            columns: self.columns,
            plays_all_clips: true,
            // It is to be seen what does not match, and why.
            allows_unmatched_rig: true,
            ..LoadRequest::new(&name, file.content())
        };
        let chosen: String =
            self.variants.iter().map(|choice| format!("as {}: ", choice.name)).collect();
        let clip = load_async(&request).await.map_err(|failure| format!("{chosen}{failure}"))?;
        Ok(ClipAsset::new(clip).with_file(file))
    }
}
