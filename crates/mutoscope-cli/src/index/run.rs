//! Indexes all files on all cores. A stopped run can be resumed.

use crate::registry;
use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use super::{
    file::{IndexFile, IndexFormat},
    previous_rows::{self, PreviousRows},
    recordings::{RecordingIndexer, Rows},
    row::Row,
    source_files::{Entry, SourceFiles},
    stamp::Stamp,
};
use crate::{
    IndexArgs, Interrupt, Message, ReadArgs, ReadOptions, Source, Status, format_path, interrupt,
    parallel::{self, Outcome},
    print_message,
    progress::{Amount, Progress},
    walk::WalkEntry,
};
use mutoscope_core::{
    diagnostics::format_count,
    export::{InputFiles, OverwriteError},
};

pub(crate) fn run(args: &IndexArgs, read_options: &ReadOptions, read_args: &ReadArgs) -> Status {
    let name = format_path(&args.output);
    let Some(format) = IndexFormat::from_path(&args.output) else {
        print_message(format_args!("error: {name}: expected the extension parquet, csv or jsonl"));
        return Status::WrongUsage;
    };
    let inputs = Source::File(args.output.clone()).check_output(&read_args.input_files());
    if let Err(message) = inputs.and_then(|()| check_output(&args.output)) {
        print_message(Message::for_file(&name, message));
        return Status::Failed;
    }
    // If a source cannot be read, stop and keep the existing index, because the source may only be
    // unavailable for now. Otherwise the new index would lose the rows of that source.
    let files = match SourceFiles::new(&args.sources) {
        Ok(files) => files,
        Err(unreadable) => {
            for (path, error) in unreadable {
                let message = format!("cannot be read: {error}; {name} not written");
                print_message(Message::for_file(&format_path(path), message));
            }
            return Status::Failed;
        }
    };
    let index = IndexRun {
        args,
        format,
        files,
        indexer: RecordingIndexer {
            read_options,
            options_text: &options_text(read_args, args),
            runs_checks: !args.no_checks,
        },
        journal: journal_path(&args.output),
    };
    match index.write() {
        Ok(status) => status,
        Err(error) => {
            print_message(Message::for_file(&name, format!("cannot be written: {error}")));
            Status::Failed
        }
    }
}

fn check_output(path: &Path) -> Result<(), OverwriteError> {
    let source = Source::File(path.to_owned());
    let mut recording = InputFiles::default();
    if source.read_if_accepted(|_| false).is_ok_and(|bytes| registry().is_recognised(&bytes, None))
    {
        recording.add(path, "a recording");
    }
    recording.check_output(path)
}

fn options_text(read_args: &ReadArgs, args: &IndexArgs) -> String {
    let mut text = format!("mutoscope {}", env!("CARGO_PKG_VERSION"));
    if let Some(format) = read_args.format {
        text += &format!(" --as {}", format.as_str());
    }
    if let Some(rotation) = read_args.rotation {
        text += &format!(" --rotation {}", rotation.as_str());
    }
    if let Some(rig) = &read_args.rig {
        let stamp = rig.path().and_then(|path| Stamp::from_path(path).ok()).unwrap_or_default();
        let modified = stamp.modified.unwrap_or_default();
        text += &format!(" --rig {rig} ({} bytes, {modified} s)", stamp.size);
        if read_args.allow_unmatched_rig {
            text += " --allow-unmatched-rig";
        }
    }
    if let Some(value) = &read_args.retarget {
        let map =
            read_args.bone_map().and_then(|path| Stamp::from_path(path).ok()).unwrap_or_default();
        text += &format!(
            " --retarget {} ({} bytes, {} s)",
            value.display(),
            map.size,
            map.modified.unwrap_or_default()
        );
    }
    if args.no_checks {
        text += " --no-checks";
    }
    text
}

fn journal_path(output: &Path) -> PathBuf {
    let mut name = OsString::from(output.file_name().unwrap_or_default());
    name.push(".unfinished");
    output.with_file_name(name)
}

struct IndexRun<'a> {
    args: &'a IndexArgs,
    format: IndexFormat,
    files: SourceFiles<'a>,
    indexer: RecordingIndexer<'a>,
    journal: PathBuf,
}

enum Job {
    Stdin,
    File {
        path: PathBuf,
        is_named: bool,
        stamp: Stamp,
    },
    /// A file that has not changed since its rows were written.
    Unchanged {
        rows: Vec<Row>,
        bytes: u64,
    },
    Unreadable(Unreadable),
    NotAFile,
}

enum JobResult {
    Rows { rows: Vec<Row>, bytes: u64, is_unchanged: bool },
    WithoutAnimations { bytes: u64 },
    Unrecognised { bytes: u64 },
    Unreadable(Unreadable),
    NotAFile,
}

/// A file or folder that cannot be read now. The index keeps the previous rows of everything below
/// it.
struct Unreadable {
    path: PathBuf,
    error: io::Error,
    rows: Vec<Row>,
}

struct IndexWriter {
    /// The new index. `None` after an interruption.
    index: Option<IndexFile>,
    journal: File,
    progress: Progress,
    tally: Tally,
}

#[derive(Default)]
struct Tally {
    recordings: usize,
    errors: usize,
    unchanged: usize,
    unrecognised: usize,
    without_animations: usize,
    non_files: usize,
    unreadable: usize,
}

impl IndexRun<'_> {
    fn write(&self) -> io::Result<Status> {
        let journal = (!self.args.fresh).then_some(&*self.journal);
        let mut previous = PreviousRows::load(self.format, &self.args.output, journal)?;
        let interrupt = Interrupt::listen();
        let mut writer = IndexWriter {
            index: Some(IndexFile::create(self.format, &self.args.output)?),
            journal: self.open_journal()?,
            progress: Progress::begin("indexed", self.total_amount(&interrupt)),
            tally: Tally::default(),
        };
        let jobs =
            self.entries().take_while(|_| !interrupt.is_requested()).map(|entry| match entry {
                Entry::Stdin => Job::Stdin,
                Entry::Path { entry: WalkEntry::NotAFile, .. } => Job::NotAFile,
                Entry::Path { entry: WalkEntry::Unreadable(path, error), .. } => {
                    let rows = previous.rows_below(&path).unwrap_or_default();
                    Job::Unreadable(Unreadable { path, error, rows })
                }
                Entry::Path { entry: WalkEntry::File(path), is_named } => {
                    self.to_job(path, is_named, &mut previous)
                }
            });
        let work = |job| self.run_job(job);
        parallel::run_in_order(jobs, work, &interrupt, |outcome| match outcome {
            Outcome::Result(result) => writer.add_result(result),
            Outcome::Interrupted => {
                writer.index = None;
                writer.progress.finish();
                self.print_stopped(&writer.tally);
                interrupt::exit_with_failure()
            }
        })?;
        let IndexWriter { index, journal, progress, tally } = writer;
        drop((progress, journal));
        if interrupt.is_requested() {
            self.print_stopped(&tally);
            return Ok(Status::Failed);
        }
        index.map_or(Ok(()), IndexFile::finish)?;
        let _ = fs::remove_file(&self.journal);
        print_message(format_args!("info: {}: {tally}", format_path(&self.args.output)));
        Ok(Status::done_if(tally.errors + tally.unreadable == 0))
    }

    fn print_stopped(&self, tally: &Tally) {
        let name = format_path(&self.args.output);
        let kept = format_count(tally.recordings, "recording");
        let message = format!("stopped; {kept} kept. Run the same command again to continue");
        print_message(Message::for_file(&name, message));
    }

    fn open_journal(&self) -> io::Result<File> {
        if self.args.fresh {
            // `--fresh` discards the rows of a stopped run.
            return File::create(&self.journal);
        }
        let mut journal = File::options().create(true).append(true).open(&self.journal)?;
        // End the last line, because a stopped run may have cut it off. Otherwise the next row
        // would be appended to the incomplete line.
        journal.write_all(b"\n")?;
        Ok(journal)
    }

    fn entries(&self) -> impl Iterator<Item = Entry> + Send {
        let is_own = |entry: &Entry| match entry {
            Entry::Path { entry: WalkEntry::File(path), .. } => self.is_own(path),
            Entry::Path { .. } | Entry::Stdin => false,
        };
        self.files.entries().filter(move |entry| !is_own(entry))
    }

    fn is_own(&self, path: &Path) -> bool {
        let own = [&self.args.output, &self.journal];
        let mut same_name = own.into_iter().filter(|own| own.file_name() == path.file_name());
        same_name.any(|own| fs::canonicalize(own).ok() == fs::canonicalize(path).ok())
    }

    fn total_amount(&self, interrupt: &Interrupt) -> Amount {
        let mut total = Amount::default();
        for entry in self.entries().take_while(|_| !interrupt.is_requested()) {
            if let Entry::Path { entry: WalkEntry::File(path), .. } = entry {
                total.add(fs::metadata(path).map_or(0, |metadata| metadata.len()));
            }
        }
        total
    }

    fn to_job(&self, path: PathBuf, is_named: bool, previous: &mut PreviousRows) -> Job {
        let stamp = match Stamp::from_path(&path) {
            Ok(stamp) => stamp,
            Err(error) => return Job::Unreadable(Unreadable { path, error, rows: Vec::new() }),
        };
        // Treat a table with a column mapping as changed, because the rows do not show whether the
        // mapping was added or changed.
        let stamp = if has_mapping(&path) { stamp.without_modified() } else { stamp };
        let is_up_to_date = |rows: &Vec<Row>| {
            let options = self.indexer.options_text;
            !self.args.fresh
                && !rows.is_empty()
                && rows.iter().all(|row| row.is_up_to_date(&stamp, options))
        };
        match previous.rows(&path).ok().filter(is_up_to_date) {
            Some(rows) => Job::Unchanged { rows, bytes: stamp.size },
            None => Job::File { path, is_named, stamp },
        }
    }

    fn run_job(&self, job: Job) -> JobResult {
        match job {
            Job::Unchanged { rows, bytes } => JobResult::Rows { rows, bytes, is_unchanged: true },
            Job::Unreadable(unreadable) => JobResult::Unreadable(unreadable),
            Job::NotAFile => JobResult::NotAFile,
            Job::Stdin => {
                JobResult::Rows { rows: self.indexer.index_stdin(), bytes: 0, is_unchanged: false }
            }
            Job::File { path, is_named, stamp } => {
                let bytes = stamp.size;
                let rows = parallel::catch_panic(
                    || {
                        self.indexer.index_file(
                            &Source::File(path.clone()),
                            is_named,
                            stamp.clone(),
                        )
                    },
                    |message| {
                        let row = Row::for_failure(
                            format_path(&path),
                            &stamp,
                            self.indexer.options_text,
                            message,
                        );
                        Rows::Recordings(vec![row])
                    },
                );
                match rows {
                    Rows::Recordings(rows) => JobResult::Rows { rows, bytes, is_unchanged: false },
                    Rows::WithoutAnimations => JobResult::WithoutAnimations { bytes },
                    Rows::Unrecognised => JobResult::Unrecognised { bytes },
                }
            }
        }
    }
}

fn has_mapping(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).map(mutoscope_logs::mapping_name);
    name.is_some_and(|name| path.with_file_name(name).is_file())
}

impl IndexWriter {
    fn add_result(&mut self, result: JobResult) -> io::Result<()> {
        let bytes = match result {
            JobResult::Rows { rows, bytes, is_unchanged } => {
                self.tally.add(&rows);
                self.tally.unchanged += usize::from(is_unchanged);
                if !is_unchanged && !rows.is_empty() {
                    self.journal.write_all(&previous_rows::rows_to_line(&rows)?)?;
                }
                self.add(rows)?;
                bytes
            }
            JobResult::Unreadable(Unreadable { path, error, rows }) => {
                let kept = match rows.len() {
                    0 => String::new(),
                    count => {
                        format!("; {} kept from the last run", format_count(count, "recording"))
                    }
                };
                let message = format!("cannot be read: {error}{kept}");
                self.progress.print_messages([Message::for_file(&format_path(&path), message)]);
                self.tally.unreadable += 1;
                self.tally.add(&rows);
                return self.add(rows);
            }
            JobResult::WithoutAnimations { bytes } => {
                self.tally.without_animations += 1;
                bytes
            }
            JobResult::Unrecognised { bytes } => {
                self.tally.unrecognised += 1;
                bytes
            }
            JobResult::NotAFile => {
                self.tally.non_files += 1;
                return Ok(());
            }
        };
        self.progress.add_file(bytes);
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
        self.errors += rows.iter().filter(|row| row.has_error()).count();
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&format_count(self.recordings, "recording"))?;
        let others = [
            (self.errors, "cannot be read"),
            (self.unchanged, "unchanged"),
            (self.unrecognised, "skipped (not recognised)"),
            (self.without_animations, "skipped (no animations)"),
            (self.non_files, "skipped (not a file)"),
        ];
        let others = others.iter().filter(|(count, _)| *count > 0);
        others.into_iter().try_for_each(|(count, what)| write!(f, ", {count} {what}"))
    }
}
