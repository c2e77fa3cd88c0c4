//! Reading a recording from wherever it is, and the files around it.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use super::{Progress, SAMPLES, Source};
use crate::{
    asset::ClipAsset,
    bytes::{FolderSidecars, NoSidecars, Sidecars},
    clip::{FormatAssumptions, FormatId, VariantChoice},
    load::{LoadRequest, SkeletonChoice, load},
};

/// How much is read between two reports of progress.
const BYTES_BETWEEN_REPORTS: u64 = 1 << 20;

/// The most bytes that are read from a source without a known size, such as a pipe.
const ENDLESS: usize = 2 << 30;

/// How recordings are read.
pub(super) struct Reader<'a> {
    /// The format that every file is taken for, if the user says so.
    pub(super) format: Option<FormatId>,
    /// What the user chose where the file leaves a choice.
    pub(super) variants: &'a [VariantChoice],
    /// What is assumed of formats.
    pub(super) assumptions: &'a FormatAssumptions,
    /// Receives the progress.
    pub(super) progress: &'a Progress,
}

impl Reader<'_> {
    /// Reads the recording, and puts it on the skeleton.
    pub(super) fn load(
        &self,
        source: &Source,
        skeleton: SkeletonChoice<'_>,
    ) -> Result<ClipAsset, String> {
        let (bytes, format) = match source {
            Source::Sample(index) => {
                let sample = &SAMPLES[*index];
                (Ok(sample.bytes.into()), Some(sample.format))
            }
            Source::Stdin => (self.read(&mut io::stdin().lock(), 0), self.format),
            Source::File(path) => (self.read_file(path), self.format),
        };
        let bytes = bytes.map_err(|error| format!("cannot be read: {error}"))?;
        let sidecars = sidecars(source);
        let name = source.name();
        let request = LoadRequest {
            sidecars: &*sidecars,
            format,
            skeleton,
            assumptions: self.assumptions.clone(),
            variants: self.variants,
            plays_all_clips: true,
            ..LoadRequest::new(&name, &bytes)
        };
        let chosen: String =
            self.variants.iter().map(|choice| format!("as {}: ", choice.name)).collect();
        let clip = load(&request).map_err(|failure| format!("{chosen}{failure}"))?;
        Ok(ClipAsset::new(clip).with_file(Arc::new(bytes)))
    }

    fn read_file(&self, path: &Path) -> io::Result<Cow<'static, [u8]>> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        self.read(&mut file, size)
    }

    /// Reads everything piece by piece, so that progress towards `size` can be shown; of what states
    /// no size, which is 0, no more than may be a recording.
    fn read(&self, from: &mut impl Read, size: u64) -> io::Result<Cow<'static, [u8]>> {
        let mut bytes = Vec::new();
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
