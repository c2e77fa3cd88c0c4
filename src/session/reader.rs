//! Reading a recording from wherever it is, and the files around it.

use std::{
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use super::{Progress, SAMPLES, SceneBytes, Source};
use crate::asset::ClipAsset;
use mutoscope_core::{
    clip::{FormatAssumptions, FormatId, VariantChoice},
    formats,
    io::{
        bytes::{FileContent, FolderSidecars, LargeFile, NoSidecars, Sidecars},
        storage,
    },
    read::{LoadRequest, SkeletonChoice, load_async},
};

/// How much is read between two reports of progress.
const BYTES_BETWEEN_REPORTS: u64 = 1 << 20;

/// The most bytes that are read from a source without a known size, such as a pipe.
const ENDLESS: usize = 2 << 30;

/// How recordings are read.
pub(super) struct Reader<'a> {
    /// The format that every file is read as, if the user sets one.
    pub(super) format: Option<FormatId>,
    /// The user's choices among the file's variants.
    pub(super) variants: &'a [VariantChoice],
    /// The user's assumptions about formats.
    pub(super) assumptions: &'a FormatAssumptions,
    /// Receives the progress.
    pub(super) progress: &'a Progress,
    /// The content of files that were edited and not saved.
    pub(super) edited: &'a [(Source, SceneBytes)],
}

impl Reader<'_> {
    /// Reads the recording, and puts it on the skeleton. Yields now and then.
    pub(super) async fn load(
        &self,
        source: &Source,
        skeleton: SkeletonChoice<'_>,
    ) -> Result<ClipAsset, String> {
        let edited = self.edited.iter().find(|(of, _)| of == source);
        if let Some((_, content)) = edited {
            return self.decode(source, FileContent::Memory(content.clone()), skeleton).await;
        }
        let file = match source {
            Source::Sample(index) => Ok(SAMPLES[*index].bytes.into()),
            Source::Stdin => self.read(&mut io::stdin().lock(), Vec::new(), 0),
            Source::File(path) => self.read_file(path),
        };
        let file = file.map_err(|error| format!("cannot be read: {error}"))?;
        self.decode(source, file, skeleton).await
    }

    /// Decodes `file` in place of what `source` has, with the files around that. Yields now and then.
    pub(super) async fn decode(
        &self,
        source: &Source,
        file: FileContent,
        skeleton: SkeletonChoice<'_>,
    ) -> Result<ClipAsset, String> {
        let format = match source {
            Source::Sample(index) => Some(SAMPLES[*index].format),
            Source::File(_) | Source::Stdin => self.format,
        };
        let sidecars = sidecars(source);
        let name = source.name();
        let request = LoadRequest {
            sidecars: &*sidecars,
            format,
            skeleton,
            assumptions: self.assumptions.clone(),
            variants: self.variants,
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

    /// Reads a file; only the start of a large one that is decoded piece by piece.
    fn read_file(&self, path: &Path) -> io::Result<FileContent> {
        let mut file = storage::open(path)?;
        let size = storage::about(path)?.size;
        let mut start = Vec::new();
        file.by_ref().take(BYTES_BETWEEN_REPORTS).read_to_end(&mut start)?;
        if size > BYTES_BETWEEN_REPORTS && formats::reads_pieces(&start, path, self.format) {
            let progress = self.progress.clone();
            let file = LargeFile::new(file, start)?
                .telling(move |read| progress.set((read as u64).min(size), size));
            return Ok(FileContent::File(Arc::new(file)));
        }
        if let Some(bytes) = storage::in_memory(path) {
            return Ok(FileContent::Memory(bytes));
        }
        self.read(&mut file, start, size)
    }

    /// Reads everything after `bytes` piece by piece, so that progress towards `size` can be shown; of
    /// what states no size, which is 0, no more than may be a recording.
    fn read(&self, from: &mut impl Read, mut bytes: Vec<u8>, size: u64) -> io::Result<FileContent> {
        // Growing would take up to twice the memory. If this fails, reading reports it.
        let left = usize::try_from(size).unwrap_or_default().saturating_sub(bytes.len());
        let _ = bytes.try_reserve_exact(left);
        loop {
            let mut piece = from.by_ref().take(BYTES_BETWEEN_REPORTS);
            if piece.read_to_end(&mut bytes)? == 0 {
                return Ok(bytes.into());
            }
            if size == 0 && bytes.len() >= ENDLESS {
                let message = format!("it does not end within {} GiB; not opened", ENDLESS >> 30);
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
            }
            self.progress.set(bytes.len() as u64, size.max(bytes.len() as u64));
        }
    }
}

/// The files around a recording.
fn sidecars(source: &Source) -> Box<dyn Sidecars> {
    match source {
        Source::File(path) => Box::new(FolderSidecars::of_file(path)),
        Source::Sample(_) | Source::Stdin => Box::new(NoSidecars),
    }
}
