//! Indexing all files on all cores; stopping and resuming.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use super::{
    file::{IndexFile, IndexFormat},
    found::{Entry, Files},
    known::{self, Known},
    recordings::{Recordings, Rows},
    row::Row,
    stamp::Stamp,
};
use crate::{
    IndexArgs, Interrupt, Message, Reader, Reading, Source, Status, interrupt,
    parallel::{self, Taken},
    path_text,
    progress::{Amount, Progress},
    tell,
    walk::Found,
};
use mutoscope_core::{
    export::{InputFiles, counted},
    formats,
};

/// Writes an index of everything below the folders that `args` name.
pub(crate) fn run(args: &IndexArgs, reader: &Reader, reading: &Reading) -> Status {
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
    // Missing files may come back: their rows are kept.
    let files = match Files::of(&args.sources) {
        Ok(files) => files,
        Err(unreadable) => {
            for (path, error) in unreadable {
                let message = format!("cannot be read: {error}; {name} not written");
                tell(Message::about_file(&path_text(path), message));
            }
            return Status::Failed;
        }
    };
    let index = Index {
        args,
        format,
        files,
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
        if reading.allow_unmatched_rig {
            how += " --allow-unmatched-rig";
        }
    }
    if let Some(word) = &reading.retarget {
        let map = reading.bone_map().and_then(|path| Stamp::of_file(path).ok()).unwrap_or_default();
        how += &format!(
            " --retarget {} ({} bytes, {} s)",
            word.display(),
            map.size,
            map.modified.unwrap_or_default()
        );
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
    files: Files<'a>,
    recordings: Recordings<'a>,
    unfinished: PathBuf,
}

/// An entry of a folder to work on.
enum Job {
    Stdin,
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
    Unreadable(Unreadable),
    NoFile,
}

/// The result of a job.
enum Done {
    Rows { rows: Vec<Row>, bytes: u64, is_known: bool },
    WithoutAnimations { bytes: u64 },
    Unrecognised { bytes: u64 },
    Unreadable(Unreadable),
    NoFile,
}

/// A file or folder that cannot be read now, and the known rows of everything below it: these are
/// kept.
struct Unreadable {
    path: PathBuf,
    error: io::Error,
    rows: Vec<Row>,
}

/// The index while it is written, and its journal.
struct Writing {
    /// Nothing once it is given up.
    index: Option<IndexFile>,
    journal: File,
    progress: Progress,
    tally: Tally,
}

/// Counts for the summary.
#[derive(Default)]
struct Tally {
    recordings: usize,
    errors: usize,
    /// Files.
    unchanged: usize,
    unrecognised: usize,
    without_animations: usize,
    /// Links, pipes, devices.
    no_files: usize,
    /// Folders.
    unreadable: usize,
}

impl Index<'_> {
    fn write(&self) -> io::Result<Status> {
        let left = (!self.args.fresh).then_some(&*self.unfinished);
        let mut known = Known::of(self.format, &self.args.output, left)?;
        let interrupt = Interrupt::listen();
        let mut writing = Writing {
            index: Some(IndexFile::begin(self.format, &self.args.output)?),
            journal: self.journal()?,
            progress: Progress::begin("indexed", self.all(&interrupt)),
            tally: Tally::default(),
        };
        let jobs = self.found().take_while(|_| !interrupt.came()).map(|entry| match entry {
            Entry::Stdin => Job::Stdin,
            Entry::Found { found: Found::NoFile, .. } => Job::NoFile,
            Entry::Found { found: Found::Unreadable(path, error), .. } => {
                let rows = known.rows_below(&path).unwrap_or_default();
                Job::Unreadable(Unreadable { path, error, rows })
            }
            Entry::Found { found: Found::File(path), is_named } => {
                self.job(path, is_named, &mut known)
            }
        });
        let work = |job| self.work(job);
        parallel::in_order(jobs, work, &interrupt, |taken| match taken {
            Taken::Result(done) => writing.take(done),
            Taken::Interrupted => {
                writing.index = None;
                writing.progress.clear();
                self.tell_stopped(&writing.tally);
                interrupt::end()
            }
        })?;
        let Writing { index, journal, progress, tally } = writing;
        drop((progress, journal));
        if interrupt.came() {
            self.tell_stopped(&tally);
            return Ok(Status::Failed);
        }
        index.map_or(Ok(()), IndexFile::finish)?;
        let _ = fs::remove_file(&self.unfinished);
        tell(format_args!("info: {}: {tally}", path_text(&self.args.output)));
        Ok(Status::done_if(tally.errors + tally.unreadable == 0))
    }

    fn tell_stopped(&self, tally: &Tally) {
        let name = path_text(&self.args.output);
        let kept = counted(tally.recordings, "recording");
        let message = format!("stopped; {kept} kept. The same command continues from there");
        tell(Message::about_file(&name, message));
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

    /// All files but its own.
    fn found(&self) -> impl Iterator<Item = Entry> + Send {
        let is_own = |entry: &Entry| match entry {
            Entry::Found { found: Found::File(path), .. } => self.is_own(path),
            Entry::Found { .. } | Entry::Stdin => false,
        };
        self.files.each().filter(move |entry| !is_own(entry))
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
        for entry in self.found().take_while(|_| !interrupt.came()) {
            if let Entry::Found { found: Found::File(path), .. } = entry {
                all.add(fs::metadata(path).map_or(0, |about| about.len()));
            }
        }
        all
    }

    fn job(&self, path: PathBuf, is_named: bool, known: &mut Known) -> Job {
        let stamp = match Stamp::of_file(&path) {
            Ok(stamp) => stamp,
            Err(error) => return Job::Unreadable(Unreadable { path, error, rows: Vec::new() }),
        };
        // A mapping file beside a table may be new: the rows tell only of files that were there.
        let stamp = if has_mapping(&path) { stamp.of_several() } else { stamp };
        let is_still = |rows: &Vec<Row>| {
            let how = self.recordings.how;
            !self.args.fresh && !rows.is_empty() && rows.iter().all(|row| row.is_still(&stamp, how))
        };
        match known.rows(&path).ok().filter(is_still) {
            Some(rows) => Job::Known { rows, bytes: stamp.size },
            None => Job::File { path, is_named, stamp },
        }
    }

    fn work(&self, job: Job) -> Done {
        match job {
            Job::Known { rows, bytes } => Done::Rows { rows, bytes, is_known: true },
            Job::Unreadable(unreadable) => Done::Unreadable(unreadable),
            Job::NoFile => Done::NoFile,
            Job::Stdin => {
                Done::Rows { rows: self.recordings.of_stdin(), bytes: 0, is_known: false }
            }
            Job::File { path, is_named, stamp } => {
                let bytes = stamp.size;
                let rows = parallel::isolated(
                    || self.recordings.rows(&Source::File(path.clone()), is_named, stamp.clone()),
                    |why| {
                        let row = Row::failed(path_text(&path), &stamp, self.recordings.how, why);
                        Rows::Of(vec![row])
                    },
                );
                match rows {
                    Rows::Of(rows) => Done::Rows { rows, bytes, is_known: false },
                    Rows::WithoutAnimations => Done::WithoutAnimations { bytes },
                    Rows::Unrecognised => Done::Unrecognised { bytes },
                }
            }
        }
    }
}

/// Whether the mapping file of a table is kept beside this file.
fn has_mapping(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).map(mutoscope_logs::mapping_name);
    name.is_some_and(|name| path.with_file_name(name).is_file())
}

impl Writing {
    fn take(&mut self, done: Done) -> io::Result<()> {
        let bytes = match done {
            Done::Rows { rows, bytes, is_known } => {
                self.tally.add(&rows);
                self.tally.unchanged += usize::from(is_known);
                if !is_known && !rows.is_empty() {
                    self.journal.write_all(&known::line(&rows)?)?;
                }
                self.add(rows)?;
                bytes
            }
            Done::Unreadable(Unreadable { path, error, rows }) => {
                self.progress.clear();
                let kept = match rows.len() {
                    0 => String::new(),
                    count => format!("; {} kept as known", counted(count, "recording")),
                };
                let message = format!("cannot be read: {error}{kept}");
                tell(Message::about_file(&path_text(&path), message));
                self.tally.unreadable += 1;
                self.tally.add(&rows);
                return self.add(rows);
            }
            Done::WithoutAnimations { bytes } => {
                self.tally.without_animations += 1;
                bytes
            }
            Done::Unrecognised { bytes } => {
                self.tally.unrecognised += 1;
                bytes
            }
            Done::NoFile => {
                self.tally.no_files += 1;
                return Ok(());
            }
        };
        self.progress.done(bytes);
        Ok(())
    }

    fn add(&mut self, rows: Vec<Row>) -> io::Result<()> {
        let Some(index) = &mut self.index else { return Ok(()) };
        rows.into_iter().try_for_each(|row| index.add(row))
    }
}

impl Tally {
    fn add(&mut self, rows: &[Row]) {
        self.recordings += rows.len();
        self.errors += rows.iter().filter(|row| row.is_error()).count();
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&counted(self.recordings, "recording"))?;
        let others = [
            (self.errors, "cannot be read"),
            (self.unchanged, "unchanged"),
            (self.unrecognised, "skipped (not recognised)"),
            (self.without_animations, "skipped (no animations)"),
            (self.no_files, "skipped (no files)"),
        ];
        let others = others.iter().filter(|(count, _)| *count > 0);
        others.into_iter().try_for_each(|(count, what)| write!(f, ", {count} {what}"))
    }
}
