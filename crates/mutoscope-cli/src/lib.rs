//! The command line: `info`, `check`, `columns`, `bones`, `sample`, `compare`, `convert`, `index`, `report`, `labels`, as a library and a
//! small program.
//!
//! Results go to standard output and nothing else does; notices and errors go to standard error,
//! a line each, in the form of a [`Message`]. The exit status is 0 when all is done, 1 when a file
//! could not be read (or `check` found an error) and 2 for wrong usage. A closed pipe ends a
//! command quietly.
//!
//! | file | what it does |
//! |---|---|
//! | `args.rs`, `report_args.rs`, `animation.rs` | the arguments |
//! | `examples.rs`, `topics.rs` | the examples of the help; help on formats and targets |
//! | `reading.rs` | the reader that the arguments ask for; reporting what it found |
//! | `output.rs`, `interrupt.rs` | which files may be written; being interrupted meanwhile |
//! | `skin.rs` | the skins of Minecraft players |
//! | `info`, `check`, `columns`, `bones`, `sample`, `convert`, `compare`, `index`, `report`, `labels` | one subcommand each |
//! | `version.rs`, `shell.rs` | what `--version` says; completions and manual pages |
//! | `walk.rs`, `seems.rs` | the files below a folder, and what each seems to be |
//! | `recordings.rs` | the recordings of one file |
//! | `parallel.rs`, `progress.rs` | work on many files on all cores, and how far it is |
//! | `rewrite.rs` | what `convert` does with recordings of Minecraft that stay such |
//! | `json.rs` | how results are written as JSON; as tables by `export::table` |

mod animation;
mod args;
mod bones;
mod check;
mod columns;
mod compare;
mod convert;
mod examples;
mod index;
mod info;
mod interrupt;
mod json;
mod labels;
mod output;
mod parallel;
mod progress;
mod reading;
mod recordings;
mod report;
mod report_args;
mod rewrite;
mod sample;
mod seems;
mod shell;
mod skin;
mod topics;
mod version;
mod walk;

pub use animation::AnimationArgs;
pub use args::{
    AnyArguments, BonesArgs, CheckArgs, Cli, ColumnsArgs, Command, CompareArgs, ConvertArgs,
    IndexArgs, InfoArgs, LabelsArgs, Reading, RotationWay, SampleArgs, SampleFormat, Subcommands,
    TimeList, TimeRange, ViewerCommand,
};
pub use interrupt::Interrupt;
pub use reading::{failure, report};
pub use report::{
    FailedRecording, MeasuredFile, ReportedFiles, Skipped, motion_maker, page_player, write_parquet,
};
pub use report_args::ReportArgs;
pub use version::long_version;

use std::{
    ffi::OsString,
    io::{self, BufWriter, Write},
    path::Path,
    process::ExitCode,
};

use clap::Parser;
use mutoscope_core::{
    diagnostics::printable,
    export::{self, VIDEOS},
    read::{Input, InputError, Message, Reader, Source, library, path_text},
};

/// Registers the formats and the targets that the core does not have. A program does so first.
pub fn register() {
    mutoscope_fbx::register();
    mutoscope_minecraft::register();
    mutoscope_logs::register();
    mutoscope_player::register();
    mutoscope_tables::register();
    // Known by name: the viewer's program draws them.
    export::register(VIDEOS);
}

/// How a command ended; as a number, the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everything was done.
    Done = 0,
    /// A file could not be read, or `check` found an error.
    Failed = 1,
    /// Wrong usage: the command line requested something impossible.
    WrongUsage = 2,
}

impl Status {
    /// [`Status::Done`] if `done`, else [`Status::Failed`].
    pub fn done_if(done: bool) -> Self {
        if done { Self::Done } else { Self::Failed }
    }

    /// The worse of both.
    pub fn worse(self, other: Self) -> Self {
        if other as u8 > self as u8 { other } else { self }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Runs a command that prints to standard output, and says how it ended.
pub fn run(
    command: impl FnOnce(&mut BufWriter<io::StdoutLock<'_>>) -> io::Result<Status>,
) -> Status {
    let mut out = BufWriter::new(io::stdout().lock());
    ended(command(&mut out).and_then(|status| out.flush().map(|()| status)))
}

/// Parses the arguments of the program; help, versions and errors are printed here, and completions and manual
/// pages of its arguments are written.
///
/// # Errors
/// How the program ends if it has nothing else to do.
pub fn parse<C: Parser>() -> Result<C, Status> {
    let mut command = shell::extended(definition::<C>());
    let matches = command.try_get_matches_from_mut(arguments());
    let matches = matches.map_err(|told| tell_of_arguments(&told))?;
    if let Some(status) = shell::obey(&matches, definition::<C>()) {
        return Err(status);
    }
    let parsed = C::from_arg_matches(&matches);
    parsed.map_err(|told| tell_of_arguments(&told.format(&mut command)))
}

/// The definition of the arguments. `labels` reads no recording, so its help has no options for that.
fn definition<C: Parser>() -> clap::Command {
    let command = C::command();
    let of_reading = command.get_arguments().filter(|argument| argument.is_global_set());
    let hidden: Vec<_> = of_reading.map(|argument| argument.clone().hide(true)).collect();
    command.mut_subcommand("labels", |labels| labels.args(hidden))
}

/// The arguments of the program. On Windows no shell replaces `*.anim` by names, so the program does.
fn arguments() -> impl Iterator<Item = OsString> {
    #[cfg(windows)]
    {
        let has_wildcard = |word: OsString| word.to_string_lossy().contains(['*', '?']);
        // Not where there is none: to `wild`, the brackets of `take[1].anim` are one, too.
        let words: Vec<OsString> = match std::env::args_os().skip(1).any(has_wildcard) {
            true => wild::args_os().collect(),
            false => std::env::args_os().collect(),
        };
        words.into_iter()
    }
    #[cfg(not(windows))]
    std::env::args_os()
}

/// Prints the message of clap: help and versions, which are results, or an error.
fn tell_of_arguments(told: &clap::Error) -> Status {
    if !told.use_stderr() {
        return ended(told.print().and_then(|()| io::stdout().flush()).map(|()| Status::Done));
    }
    let has_controls = |word: OsString| path_text(Path::new(&word)).contains(char::is_control);
    match std::env::args_os().any(has_controls) {
        // They are repeated, and must not drive a terminal.
        true => told.to_string().trim_end().lines().for_each(tell),
        // A closed stream is no reason to fail in another way.
        false => drop(told.print()),
    }
    Status::WrongUsage
}

/// The status of what ended so, after telling why if standard output cannot be written.
fn ended(result: io::Result<Status>) -> Status {
    match result {
        Ok(status) => status,
        // The reader of the output has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Status::Done,
        Err(error) => {
            tell(format_args!("error: standard output: {error}"));
            Status::Failed
        }
    }
}

impl Cli {
    /// Runs the command line, and says how it ended.
    pub fn status(&self) -> Status {
        let lacking = match &self.command {
            Some(Subcommands::Headless(command)) => {
                return run(|out| command.run(&self.reading, out));
            }
            Some(Subcommands::Viewer(ViewerCommand::Render(_))) => "and cannot render",
            Some(Subcommands::Viewer(ViewerCommand::Thumbnail(_))) => "and draws no thumbnails",
            None => "and opens no window",
        };
        tell(format_args!(
            "error: this build has no viewer {lacking}; `mutoscope --help` lists its subcommands"
        ));
        Status::WrongUsage
    }
}

impl Command {
    /// Runs the subcommand on files that are read so. Results go to `out`.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn run(&self, reading: &Reading, out: &mut impl Write) -> io::Result<Status> {
        let Some(reader) = reading.reader() else { return Ok(Status::Failed) };
        match self {
            Self::Info(args) => info::run(args, &reader, out),
            Self::Check(args) => check::run(args, &reader, out),
            Self::Columns(args) => columns::run(args, &reader, out),
            Self::Bones(args) => bones::run(args, &reader, reading, out),
            Self::Sample(args) => sample::run(args, &reader, out),
            Self::Compare(args) => compare::run(args, &reader, out),
            Self::Convert(args) => {
                let Some(skins) = reading.player_skins() else { return Ok(Status::Failed) };
                convert::run(args, &reader, (&skins, reading), out)
            }
            Self::Index(args) => Ok(index::run(args, &reader, reading)),
            Self::Report(args) => report::run(args, &reader, reading, out),
            Self::Labels(args) => Ok(labels::run(args, reading)),
            Self::Formats => topics::print(&topics::formats(), out),
            Self::Targets => topics::print(&topics::targets(), out),
        }
    }
}

/// Prints a line on standard error. A closed stream does not stop the program.
pub fn tell(line: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", printable(&line.to_string()));
}
