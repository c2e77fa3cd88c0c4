//! Measuring files and folders on all cores.

use crate::registry;
use mutoscope_core::read;
use std::{fs, io, path::Path};

use super::recordings::{FileMeasurer, MeasuredFile, SkipReason};
use crate::{
    Interrupt, Message, ReadOptions, Source, format_path,
    index::source_files::{Entry, SourceFiles},
    parallel::{self, Outcome},
    progress::Amount,
    walk::WalkEntry,
};
use mutoscope_core::export::InputFiles;
use mutoscope_study::{
    labels::sidecar_paths,
    report::{LabelSource, MeasureOptions},
};

/// The recordings of a report: files, folders and standard input.
pub struct ReportedFiles<'a> {
    files: SourceFiles<'a>,
    measurer: FileMeasurer<'a>,
}

impl<'a> ReportedFiles<'a> {
    /// Collects the files of `sources`, each once. A file that cannot be read has a report with the
    /// error.
    pub fn new(
        sources: &'a [Source],
        read_options: &'a ReadOptions,
        options: &'a MeasureOptions<'a>,
    ) -> Self {
        Self {
            files: SourceFiles::from_readable(sources),
            measurer: FileMeasurer { read_options, options },
        }
    }

    /// Adds the files that will be read to `inputs`, so that no output overwrites them.
    pub fn add_to_inputs(&self, inputs: &mut InputFiles) {
        self.add_to_inputs_until(inputs, &Interrupt::default());
    }

    pub(super) fn add_to_inputs_until(
        &self,
        inputs: &mut InputFiles,
        interrupt: &Interrupt,
    ) -> Amount {
        let mut total = Amount::default();
        for entry in self.files.entries().take_while(|_| !interrupt.is_requested()) {
            match entry {
                Entry::Stdin => Source::Stdin.add_to_inputs(inputs, "the recording"),
                Entry::Path { entry: WalkEntry::File(path), is_named } => {
                    total.add(file_size(&path));
                    // Protect a file in a folder only if it is a recording. Otherwise an earlier
                    // report in that folder could not be replaced.
                    if is_named || self.is_recording(&path) {
                        inputs.add(&path, "a recording");
                    }
                    if self.measurer.options.labels == LabelSource::Sidecars {
                        let labels = sidecar_paths(&path);
                        labels
                            .iter()
                            .for_each(|path| inputs.add(path, "the labels of a recording"));
                    }
                }
                Entry::Path { .. } => {}
            }
        }
        total
    }

    fn is_recording(&self, path: &Path) -> bool {
        let read_options = self.measurer.read_options;
        let is_recognised = |bytes: &[u8]| registry().is_recognised(bytes, read_options.format);
        let head = read_head(path);
        let format = registry().find_format(&head, None, read_options.format);
        if !format.is_ok_and(|format| format.id == mutoscope_logs::FORMAT_ID) {
            return is_recognised(&head);
        }
        // Parquet describes its columns at the end of the file, so look at the whole table.
        let file = read::read_if_recognised(&Source::File(path.to_owned()), read_options);
        file.is_ok_and(|file| is_recognised(file.as_content().start()))
    }

    /// Measures all files and returns the results in their order. Returns `None` if an interruption
    /// was requested.
    pub fn measure_all(&self, interrupt: &Interrupt) -> Option<Vec<MeasuredFile>> {
        let (mut files, mut is_interrupted) = (Vec::new(), false);
        let take = |outcome| {
            match outcome {
                Outcome::Result(file) => files.push(file),
                Outcome::Interrupted => is_interrupted = true,
            }
            Ok(())
        };
        // Only `take` can fail, and this one never does.
        self.measure_each(interrupt, take).ok()?;
        (!is_interrupted && !interrupt.is_requested()).then_some(files)
    }

    pub(super) fn measure_each(
        &self,
        interrupt: &Interrupt,
        take: impl FnMut(Outcome<MeasuredFile>) -> io::Result<()>,
    ) -> io::Result<()> {
        let jobs = self.files.entries().take_while(|_| !interrupt.is_requested());
        parallel::run_in_order(jobs, |entry| self.measure_entry(entry), interrupt, take)
    }

    fn measure_entry(&self, entry: Entry) -> MeasuredFile {
        match entry {
            Entry::Stdin => self.measurer.measure_file(&Source::Stdin, true),
            Entry::Path { entry: WalkEntry::NotAFile, .. } => {
                MeasuredFile::skipped(SkipReason::NotAFile)
            }
            Entry::Path { entry: WalkEntry::Unreadable(path, error), .. } => {
                unreadable_file(&path, format!("cannot be read: {error}"))
            }
            Entry::Path { entry: WalkEntry::File(path), is_named } => {
                let source = Source::File(path.clone());
                let work = || self.measurer.measure_file(&source, is_named);
                let file = parallel::catch_panic(work, |message| unreadable_file(&path, message));
                MeasuredFile { bytes: file_size(&path), ..file }
            }
        }
    }
}

fn unreadable_file(path: &Path, message: String) -> MeasuredFile {
    let path = format_path(path);
    MeasuredFile::failed(&Message::for_file(&path, message), None)
}

fn file_size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

fn read_head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    let file = fs::File::open(path).map(|file| io::Read::take(file, 1 << 16));
    // Ignore an error here, because reading the whole file reports it.
    let _ = file.and_then(|mut file| io::Read::read_to_end(&mut file, &mut head));
    head
}
