//! Measuring files and folders on all cores.

use std::{fs, io, path::Path};

use super::recordings::{FileMeasuring, MeasuredFile, Skipped};
use crate::{
    Interrupt, Message, Reader, Source,
    index::found::{Entry, Files},
    parallel::{self, Taken},
    path_text,
    progress::Amount,
    walk::Found,
};
use mutoscope_core::{export::InputFiles, formats};
use mutoscope_study::{
    labels::sidecar_paths,
    report::{LabelSource, Measuring},
};

/// The recordings of a report: files, folders and standard input.
pub struct ReportedFiles<'a> {
    files: Files<'a>,
    measuring: FileMeasuring<'a>,
}

impl<'a> ReportedFiles<'a> {
    /// The recordings of `sources`, each file once. Those that cannot be read have a report that says why.
    pub fn new(sources: &'a [Source], reader: &'a Reader, measuring: &'a Measuring<'a>) -> Self {
        Self { files: Files::of_readable(sources), measuring: FileMeasuring { reader, measuring } }
    }

    /// Notes the files that are read, none of which may be an output.
    pub fn note(&self, inputs: &mut InputFiles) {
        self.note_until(inputs, &Interrupt::default());
    }

    /// The same until an interruption comes; and how much there is of the files.
    pub(super) fn note_until(&self, inputs: &mut InputFiles, interrupt: &Interrupt) -> Amount {
        let mut all = Amount::default();
        for entry in self.files.each().take_while(|_| !interrupt.came()) {
            match entry {
                Entry::Stdin => Source::Stdin.note_as(inputs, "the recording"),
                Entry::Found { found: Found::File(path), is_named } => {
                    all.add(size(&path));
                    // In a folder, an earlier report is read by nobody.
                    if is_named
                        || formats::is_recognised(&head(&path), self.measuring.reader.format)
                    {
                        inputs.add(&path, "a recording");
                    }
                    if self.measuring.measuring.labels == LabelSource::Sidecars {
                        let labels = sidecar_paths(&path);
                        labels
                            .iter()
                            .for_each(|path| inputs.add(path, "the labels of a recording"));
                    }
                }
                Entry::Found { .. } => {}
            }
        }
        all
    }

    /// The measures of all files, in their order; `None` if an interruption came.
    pub fn measured(&self, interrupt: &Interrupt) -> Option<Vec<MeasuredFile>> {
        let (mut files, mut is_interrupted) = (Vec::new(), false);
        let take = |taken| {
            match taken {
                Taken::Result(file) => files.push(file),
                Taken::Interrupted => is_interrupted = true,
            }
            Ok(())
        };
        // It fails as `take` does: never.
        self.measure_each(interrupt, take).ok()?;
        (!is_interrupted && !interrupt.came()).then_some(files)
    }

    /// Passes the measures of each file to `take`, in their order.
    ///
    /// # Errors
    /// As `take`.
    pub(super) fn measure_each(
        &self,
        interrupt: &Interrupt,
        take: impl FnMut(Taken<MeasuredFile>) -> io::Result<()>,
    ) -> io::Result<()> {
        let jobs = self.files.each().take_while(|_| !interrupt.came());
        parallel::in_order(jobs, |entry| self.one(entry), interrupt, take)
    }

    fn one(&self, entry: Entry) -> MeasuredFile {
        match entry {
            Entry::Stdin => self.measuring.file(&Source::Stdin, true),
            Entry::Found { found: Found::NoFile, .. } => MeasuredFile::skipped(Skipped::NoFile),
            Entry::Found { found: Found::Unreadable(path, error), .. } => {
                failed(&path, format!("cannot be read: {error}"))
            }
            Entry::Found { found: Found::File(path), is_named } => {
                let source = Source::File(path.clone());
                let work = || self.measuring.file(&source, is_named);
                let file = parallel::isolated(work, |why| failed(&path, why));
                MeasuredFile { bytes: size(&path), ..file }
            }
        }
    }
}

/// A file that cannot be read at all.
fn failed(path: &Path, why: String) -> MeasuredFile {
    let path = path_text(path);
    MeasuredFile::failed(&Message::about_file(&path, why), None)
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |about| about.len())
}

/// The bytes by which a file is recognised.
fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    let file = fs::File::open(path).map(|file| io::Read::take(file, 1 << 16));
    // What cannot be read is reported when it is read.
    let _ = file.and_then(|mut file| io::Read::read_to_end(&mut file, &mut head));
    head
}
