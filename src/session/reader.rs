//! Reading a recording from wherever it is, and what lies beside it.

use std::{
    borrow::Cow,
    fs::{self, File},
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use super::{
    Progress, SAMPLES, Source,
    folder::{folder_of, only_skeleton_in},
    order::{name_of, skeleton_in},
    settings::Settings,
};
use crate::{
    asset::ClipAsset,
    bytes::nothing_beside,
    diagnostics::Place,
    formats::{self, Failure, FormatId},
    rig::Rig,
};

/// How much is read between two reports of progress.
const BYTES_BETWEEN_REPORTS: u64 = 1 << 20;

/// How recordings are read.
pub(super) struct Reader<'a> {
    /// The format that every file is taken for, if the user says so.
    pub(super) format: Option<FormatId>,
    /// The layout that the recording is in, if the user says so, and of which format that is one.
    pub(super) layout: Option<(FormatId, usize)>,
    /// What is assumed of formats.
    pub(super) settings: &'a Settings,
    /// Whether a skeleton that lies beside the recording is attached.
    pub(super) looks_beside: bool,
    /// Hears how far it is.
    pub(super) progress: &'a Progress,
}

impl Reader<'_> {
    /// Reads the recording, and puts it on `rig` if it takes it.
    pub(super) fn load(&self, source: &Source, rig: Option<&Rig>) -> Result<ClipAsset, String> {
        let (bytes, extension, format) = match source {
            Source::Sample(index) => {
                let sample = &SAMPLES[*index];
                (Ok(sample.bytes.into()), None, Some(sample.format))
            }
            Source::Stdin => (self.read(&mut io::stdin().lock(), 0), None, self.format),
            Source::File(path) => {
                let extension = path.extension().and_then(|extension| extension.to_str());
                (self.read_file(path), extension, self.format)
            }
        };
        let bytes = bytes.map_err(|error| format!("cannot be read: {error}"))?;
        let assumed = |format| self.settings.assumptions(format);
        let decoded = match self.layout {
            Some((format, layout)) => {
                let read = formats::decode_in_layout(&bytes, format, layout, rig, &assumed(format));
                read.map_err(|failure| in_layout(format, layout, &failure))
            }
            None => {
                let beside = |path: &Path| read_beside(source, path);
                formats::decode_as_assumed(&bytes, extension, format, rig, &beside, assumed)
                    .map_err(|failure| failure.to_string())
            }
        };
        decoded.map(|clip| ClipAsset::new(clip).with_file(Arc::new(bytes)))
    }

    /// `recording`, which is from `source`, on the skeleton that lies beside its file, if that is
    /// looked for, its format keeps them there and there is just one; what comes of it is noted.
    pub(super) fn put_on_what_lies_beside(
        &self,
        source: &Source,
        mut recording: ClipAsset,
    ) -> ClipAsset {
        let kind = recording.clip.format.format().skeleton_beside();
        let beside = match (source, kind) {
            (Source::File(path), Some(kind)) if self.looks_beside => {
                only_skeleton_in(folder_of(path), kind)
            }
            _ => None,
        };
        let Some(beside) = beside else { return recording };
        let name = name_of(&beside);
        match skeleton_in(&beside).and_then(|rig| self.load(source, Some(&rig))) {
            Ok(mut on_it) => {
                let message = format!("on the skeleton {name}, the only one in its folder");
                Arc::make_mut(&mut on_it.clip).notices.info(Place::File, message);
                on_it
            }
            Err(message) => {
                let message = format!("not on the skeleton {name} in its folder: {message}");
                Arc::make_mut(&mut recording.clip).notices.warning(Place::File, message);
                recording
            }
        }
    }

    fn read_file(&self, path: &Path) -> io::Result<Cow<'static, [u8]>> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        self.read(&mut file, size)
    }

    /// Reads everything piece by piece, so that progress towards `size` can be shown.
    fn read(&self, from: &mut impl Read, size: u64) -> io::Result<Cow<'static, [u8]>> {
        let mut bytes = Vec::new();
        loop {
            let mut piece = from.by_ref().take(BYTES_BETWEEN_REPORTS);
            if piece.read_to_end(&mut bytes)? == 0 {
                return Ok(bytes.into());
            }
            self.progress.set(bytes.len() as u64, size.max(bytes.len() as u64));
        }
    }
}

/// Everything in the file at a path that is relative to the folder of `source`.
fn read_beside(source: &Source, path: &Path) -> io::Result<Vec<u8>> {
    match source {
        Source::File(own) => fs::read(own.with_file_name(path)),
        Source::Sample(_) | Source::Stdin => nothing_beside(path),
    }
}

/// Why a file could not be read in the layout that was chosen: `as Echoes: prime at …`.
fn in_layout(format: FormatId, layout: usize, failure: &Failure) -> String {
    let names = format.format().layouts.as_ref().map_or(&[][..], |layouts| layouts.names);
    match names.get(layout) {
        Some(name) => format!("as {name}: {failure}"),
        None => failure.to_string(),
    }
}
