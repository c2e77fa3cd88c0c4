//! Indexing all files on all cores; stopping and resuming.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use super::{
    file::{IndexFile, IndexFormat},
    known::{self, Known},
    recordings::Recordings,
    row::Row,
    stamp::Stamp,
};
use crate::{
    cli::{
        IndexArgs, Interrupt, Message, Reader, Reading, Source, Status,
        message::path_text,
        parallel,
        progress::{Amount, Progress},
        tell,
        walk::{Found, Walk},
    },
    export::{InputFiles, counted},
    formats,
};

/// Writes an index of everything below the folders that `args` name.
pub(in crate::cli) fn run(args: &IndexArgs, reader: &Reader, reading: &Reading) -> Status {
    let name = path_text(&args.output);
    let Some(format) = IndexFormat::of_path(&args.output) else {
        tell(format_args!("error: {name}: its extension is none of parquet, csv, jsonl"));
        return Status::WrongUsage;
    };
    let inputs = Source::File(args.output.clone()).allow_as_output(&reading.files());
    if let Err(message) = inputs.and_then(|()| allow(&args.output)) {
        tell(Message::about_file(&name, message));
        return Status::Failed;
    }
    let index = Index {
        args,
        format,
        recordings: Recordings { reader, how: &how(reading, args), checks: !args.no_checks },
        unfinished: unfinished(&args.output),
    };
    match index.write() {
        Ok(status) => status,
        Err(error) => {
            tell(Message::about_file(&name, format!("cannot be written: {error}")));
            Status::Failed
        }
    }
}

/// Whether the file at the path of the index may be replaced: not if it is a recording.
fn allow(path: &Path) -> Result<(), String> {
    let source = Source::File(path.to_owned());
    let mut recording = InputFiles::default();
    if source.read_if(|_| false).is_ok_and(|bytes| formats::is_recognised(&bytes, None)) {
        recording.add(path, "a recording");
    }
    recording.allow(path)
}

/// The version and the options that recordings are read with.
fn how(reading: &Reading, args: &IndexArgs) -> String {
    let mut how = format!("mutoscope {}", env!("CARGO_PKG_VERSION"));
    if let Some(format) = reading.format {
        how += &format!(" --as {}", format.word());
    }
    if let Some(rotation) = reading.rotation {
        how += &format!(" --rotation {}", rotation.word());
    }
    if let Some(rig) = &reading.rig {
        let about = rig.path().and_then(|path| Stamp::of_file(path).ok()).unwrap_or_default();
        let modified = about.modified.unwrap_or_default();
        how += &format!(" --rig {rig} ({} bytes, {modified} s)", about.size);
    }
    if args.no_checks {
        how += " --no-checks";
    }
    how
}

/// The path of the rows of a stopped run.
fn unfinished(output: &Path) -> PathBuf {
    let mut name = OsString::from(output.file_name().unwrap_or_default());
    name.push(".unfinished");
    output.with_file_name(name)
}

/// The index to write.
struct Index<'a> {
    args: &'a IndexArgs,
    format: IndexFormat,
    recordings: Recordings<'a>,
    unfinished: PathBuf,
}

/// An entry of a folder to work on.
enum Job {
    File {
        path: PathBuf,
        is_named: bool,
        stamp: Stamp,
    },
    /// A file that has not changed.
    Known {
        rows: Vec<Row>,
        bytes: u64,
    },
    Unreadable(PathBuf, io::Error),
    NoFile,
}

/// The result of a job.
enum Done {
    Rows { rows: Vec<Row>, bytes: u64, is_known: bool },
    Unreadable(PathBuf, io::Error),
    NoFile,
}

/// Counts for the summary.
#[derive(Default)]
struct Tally {
    recordings: usize,
    errors: usize,
    /// Files.
    unchanged: usize,
    unrecognised: usize,
    /// Links, pipes, devices.
    no_files: usize,
    /// Folders.
    unreadable: usize,
}

impl Index<'_> {
    fn write(&self) -> io::Result<Status> {
        let interrupt = Interrupt::listen();
        let mut known = match self.args.fresh {
            false => Known::of(self.format, &self.args.output, &self.unfinished)?,
            true => Known::none()?,
        };
        let mut index = IndexFile::begin(self.format, &self.args.output)?;
        let mut journal = self.journal()?;
        let mut progress = Progress::begin("indexed", self.all(&interrupt));
        let mut tally = Tally::default();
        let jobs =
            self.found().take_while(|_| !interrupt.came()).map(|(found, is_named)| match found {
                Found::NoFile => Job::NoFile,
                Found::Unreadable(path, error) => Job::Unreadable(path, error),
                Found::File(path) => self.job(path, is_named, &mut known),
            });
        parallel::in_order(
            jobs,
            |job| self.work(job),
            |done| {
                let (rows, bytes, is_known) = match done {
                    Done::Rows { rows, bytes, is_known } => (rows, bytes, is_known),
                    Done::NoFile => {
                        tally.no_files += 1;
                        return Ok(());
                    }
                    Done::Unreadable(path, error) => {
                        progress.clear();
                        let message = format!("cannot be read: {error}");
                        tell(Message::about_file(&path_text(&path), message));
                        tally.unreadable += 1;
                        return Ok(());
                    }
                };
                tally.add(&rows, is_known);
                if !is_known && !rows.is_empty() {
                    journal.write_all(&known::line(&rows)?)?;
                }
                rows.into_iter().try_for_each(|row| index.add(row))?;
                progress.done(bytes);
                Ok(())
            },
        )?;
        drop(progress);
        if interrupt.came() {
            let name = path_text(&self.args.output);
            let kept = counted(tally.recordings, "recording");
            let message =
                format!("stopped; {kept} kept beside it. The same command goes on from there");
            tell(Message::about_file(&name, message));
            return Ok(Status::Failed);
        }
        index.finish()?;
        drop(journal);
        let _ = fs::remove_file(&self.unfinished);
        tell(format_args!("info: {}: {tally}", path_text(&self.args.output)));
        Ok(Status::done_if(tally.errors + tally.unreadable == 0))
    }

    /// The journal: rows are appended as they are made, so that a stopped run can be resumed.
    fn journal(&self) -> io::Result<File> {
        if self.args.fresh {
            // Kept rows are discarded.
            return File::create(&self.unfinished);
        }
        let mut journal = File::options().create(true).append(true).open(&self.unfinished)?;
        // Ends a line that was cut off.
        journal.write_all(b"\n")?;
        Ok(journal)
    }

    /// All files, each with whether it was named itself.
    fn found(&self) -> impl Iterator<Item = (Found, bool)> + Send {
        let below = |path: &PathBuf| -> Box<dyn Iterator<Item = (Found, bool)> + Send> {
            if path.is_file() {
                return Box::new(std::iter::once((Found::File(path.clone()), true)));
            }
            Box::new(Walk::of(path).map(|found| (found, false)))
        };
        let is_own = |found: &Found| match found {
            Found::File(path) => self.is_own(path),
            Found::NoFile | Found::Unreadable(..) => false,
        };
        self.args.paths.iter().flat_map(below).filter(move |(found, _)| !is_own(found))
    }

    /// Whether a file is the index itself, or its journal.
    fn is_own(&self, path: &Path) -> bool {
        let own = [&self.args.output, &self.unfinished];
        let mut alike = own.into_iter().filter(|own| own.file_name() == path.file_name());
        alike.any(|own| fs::canonicalize(own).ok() == fs::canonicalize(path).ok())
    }

    /// The total of files and bytes.
    fn all(&self, interrupt: &Interrupt) -> Amount {
        let mut all = Amount::default();
        for (found, _) in self.found().take_while(|_| !interrupt.came()) {
            if let Found::File(path) = found {
                all.add(fs::metadata(path).map_or(0, |about| about.len()));
            }
        }
        all
    }

    fn job(&self, path: PathBuf, is_named: bool, known: &mut Known) -> Job {
        let stamp = match Stamp::of_file(&path) {
            Ok(stamp) => stamp,
            Err(error) => return Job::Unreadable(path, error),
        };
        let is_still = |rows: &Vec<Row>| {
            let how = self.recordings.how;
            !rows.is_empty() && rows.iter().all(|row| row.is_still(&stamp, how))
        };
        match known.rows(&path_text(&path)).ok().filter(is_still) {
            Some(rows) => Job::Known { rows, bytes: stamp.size },
            None => Job::File { path, is_named, stamp },
        }
    }

    fn work(&self, job: Job) -> Done {
        match job {
            Job::Known { rows, bytes } => Done::Rows { rows, bytes, is_known: true },
            Job::Unreadable(path, error) => Done::Unreadable(path, error),
            Job::NoFile => Done::NoFile,
            Job::File { path, is_named, stamp } => {
                let bytes = stamp.size;
                let rows = parallel::isolated(
                    || self.recordings.rows(&path, is_named, stamp.clone()),
                    |why| vec![Row::failed(path_text(&path), &stamp, self.recordings.how, why)],
                );
                Done::Rows { rows, bytes, is_known: false }
            }
        }
    }
}

impl Tally {
    fn add(&mut self, rows: &[Row], is_known: bool) {
        self.recordings += rows.len();
        self.errors += rows.iter().filter(|row| row.is_error()).count();
        self.unchanged += usize::from(is_known);
        self.unrecognised += usize::from(rows.is_empty());
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&counted(self.recordings, "recording"))?;
        let others = [
            (self.errors, "cannot be read"),
            (self.unchanged, "unchanged"),
            (self.unrecognised, "skipped (not recognised)"),
            (self.no_files, "skipped (no files)"),
        ];
        let others = others.iter().filter(|(count, _)| *count > 0);
        others.into_iter().try_for_each(|(count, what)| write!(f, ", {count} {what}"))
    }
}
