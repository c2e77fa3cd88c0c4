//! Reads a recording from any source, with its sidecar files.

use std::sync::Arc;

use crate::asset::ClipAsset;
use crate::session::{Progress, SAMPLES, SceneBytes, Source};
use mutoscope_core::{
    clip::{FormatAssumptions, FormatId, VariantChoice},
    formats::MappingFile,
    io::bytes::FileContent,
    read::{LoadRequest, OpenOptions, SkeletonChoice, load_async},
};

pub(in crate::session) struct Reader<'a> {
    pub(in crate::session) format: Option<FormatId>,
    pub(in crate::session) columns: Option<&'a MappingFile>,
    pub(in crate::session) variants: &'a [VariantChoice],
    pub(in crate::session) assumptions: &'a FormatAssumptions,
    pub(in crate::session) progress: &'a Progress,
    pub(in crate::session) edited: &'a [(Source, SceneBytes)],
}

impl Reader<'_> {
    pub(in crate::session) async fn load(
        &self,
        source: &Source,
        skeleton: SkeletonChoice<'_>,
    ) -> Result<ClipAsset, String> {
        let edited = self.edited.iter().find(|(other, _)| other == source);
        if let Some((_, content)) = edited {
            return self.decode(source, FileContent::Memory(content.clone()), skeleton).await;
        }
        let progress = self.progress.clone();
        let file = source.to_read_source().open(&OpenOptions {
            format: self.format,
            is_worth: &|_| true,
            progress: Some(Arc::new(move |read, size| progress.set(read, size))),
        });
        let file = file.map_err(|error| format!("cannot be read: {error}"))?;
        self.decode(source, file, skeleton).await
    }

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
        let sidecars = source.to_read_source().sidecars();
        let name = source.name();
        let request = LoadRequest {
            sidecars: &*sidecars,
            format,
            skeleton,
            assumptions: self.assumptions.clone(),
            variants: self.variants,
            columns: self.columns,
            plays_all_clips: true,
            // Show a recording that does not match its skeleton, because the user must see what
            // does not match and why.
            allows_unmatched_rig: true,
            ..LoadRequest::new(&name, file.as_content())
        };
        let chosen: String =
            self.variants.iter().map(|choice| format!("as {}: ", choice.name)).collect();
        let clip = load_async(&request).await.map_err(|failure| format!("{chosen}{failure}"))?;
        Ok(ClipAsset::new(clip).with_file(file))
    }
}
