//! The command line of Mutoscope without the viewer, as a library and a small program.
//!
//! Results go to standard output. Diagnostics and errors go to standard error, one line each, in
//! the form of a [`Message`]. The exit status is 0 if everything was done, 1 if a file could not be
//! read (or `check` found an error), and 2 for wrong usage. A closed pipe ends a command quietly.
//!
//! | file | what it does |
//! |---|---|
//! | `args.rs`, `target_options.rs`, `report_args.rs`, `animation.rs` | the arguments |
//! | `examples.rs`, `topics.rs` | the examples in the help; help on formats and targets |
//! | `reading.rs`, `skin.rs` | the options for reading and the skins that the arguments describe |
//! | `output.rs`, `interrupt.rs` | inputs that no output may overwrite; interruptions |
//! | `info`, `check`, `columns`, `bones`, `sample`, `convert`, `compare`, `index`, `report`, `labels` | one subcommand each |
//! | `version.rs`, `shell.rs` | the text of `--version`; shell completions and manual pages |
//! | `walk.rs`, `recording_hint.rs` | the files below a folder; which of them are recordings |
//! | `recordings.rs` | the recordings in a file |
//! | `parallel.rs`, `progress.rs` | parallel work on many files, and its progress |
//! | `rewrite.rs` | `convert` for Minecraft recordings that keep their format |
//! | `json.rs` | results as JSON; `export::table` writes results as tables |

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
mod recording_hint;
mod recordings;
mod report;
mod report_args;
mod rewrite;
mod sample;
mod shell;
mod skin;
mod target_options;
mod topics;
mod version;
mod walk;

pub use animation::AnimationArgs;
pub use args::{
    AnyArguments, BonesArgs, CheckArgs, CheckFormat, Cli, ColumnsArgs, Command, CompareArgs,
    ConvertArgs, IndexArgs, InfoArgs, LabelsArgs, ReadArgs, RotationMode, SampleArgs, SampleFormat,
    Subcommands, TimeList, TimeRange, ViewerCommand,
};
pub use check::read_profile;
pub use interrupt::Interrupt;
pub use reading::{failure_status, map_path, parse_fit, report_input};
pub use report::{
    FailedRecording, MeasuredFile, ReportedFiles, SkipReason, motion_maker, page_player,
    write_parquet,
};
pub use report_args::ReportArgs;
pub use target_options::TargetOptionArgs;
pub use topics::{code_tables, conversion_table};
pub use version::long_version;

use std::{
    ffi::OsString,
    io::{self, BufWriter, Write},
    path::Path,
    process::ExitCode,
    sync::LazyLock,
};

use clap::Parser;
use mutoscope_core::{
    diagnostics::escape_control_chars,
    export::{Targets, VIDEO_TARGETS},
    formats::{FormatSet, ReadOptions, Registry},
    read::{Input, Message, ReadError, Source, format_path, library},
};

/// Returns the formats of the command line. The first call also reads the user's entries in the catalogue of programs.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        mutoscope_logs::add_user_entries();
        Registry::default()
            .with(mutoscope_fbx::formats())
            .with(mutoscope_minecraft::formats())
            .with(mutoscope_logs::formats())
            .with(mutoscope_tables::formats())
            .with(FormatSet { codes: mutoscope_core::export::CODES, ..FormatSet::default() })
            .with(FormatSet { codes: mutoscope_study::CODES, ..FormatSet::default() })
            .with(FormatSet { codes: &[check::codes::CODES], ..FormatSet::default() })
    });
    &REGISTRY
}

/// Returns the export targets of the command line. They include the video targets, so that help and
/// errors can name them, although only the viewer can render videos.
pub fn targets() -> &'static Targets {
    static TARGETS: LazyLock<Targets> = LazyLock::new(|| {
        Targets::default()
            .with(mutoscope_player::targets())
            .with(mutoscope_tables::targets())
            .with(VIDEO_TARGETS)
    });
    &TARGETS
}

/// The result of a command. The discriminant is the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The command succeeded.
    Done = 0,
    /// A file could not be read, or `check` found an error.
    Failed = 1,
    /// Wrong usage: the command line asks for something impossible.
    WrongUsage = 2,
}

impl Status {
    /// Returns [`Status::Done`] if `done` is `true`, else [`Status::Failed`].
    pub fn done_if(done: bool) -> Self {
        if done { Self::Done } else { Self::Failed }
    }

    /// Returns the worse of the two statuses.
    pub fn worse(self, other: Self) -> Self {
        if other as u8 > self as u8 { other } else { self }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Runs a command that prints to standard output, and returns its status.
pub fn run(
    command: impl FnOnce(&mut BufWriter<io::StdoutLock<'_>>) -> io::Result<Status>,
) -> Status {
    let mut out = BufWriter::new(io::stdout().lock());
    finish_output(command(&mut out).and_then(|status| out.flush().map(|()| status)))
}

/// Parses the arguments of the program. Prints help, versions and errors, and runs the hidden
/// subcommands for completions and manual pages.
///
/// # Errors
/// Returns the exit status if the program printed help, a version or an error, or ran a hidden
/// subcommand.
pub fn parse<C: Parser>() -> Result<C, Status> {
    let mut command = shell::add_hidden_subcommands(command_definition::<C>());
    let matches = command.try_get_matches_from_mut(program_arguments());
    let matches = matches.map_err(|error| print_clap_error(&error))?;
    if let Some(status) = shell::run_hidden_subcommand(&matches, command_definition::<C>()) {
        return Err(status);
    }
    let parsed = C::from_arg_matches(&matches);
    parsed.map_err(|error| print_clap_error(&error.format(&mut command)))
}

/// Returns the definition of the arguments. The help of `labels` hides the options for reading
/// files, because `labels` reads no recording.
fn command_definition<C: Parser>() -> clap::Command {
    let command = C::command();
    let reading_options = command.get_arguments().filter(|argument| argument.is_global_set());
    let hidden: Vec<_> = reading_options.map(|argument| argument.clone().hide(true)).collect();
    command.mut_subcommand("labels", |labels| labels.args(hidden))
}

/// Returns the arguments of the program. Expands wildcards on Windows, because no shell does so
/// there.
fn program_arguments() -> impl Iterator<Item = OsString> {
    #[cfg(windows)]
    {
        let has_wildcard = |argument: OsString| argument.to_string_lossy().contains(['*', '?']);
        // Call `wild` only if an argument has a wildcard, because `wild` also treats the brackets
        // in `take[1].anim` as a pattern.
        let arguments: Vec<OsString> = match std::env::args_os().skip(1).any(has_wildcard) {
            true => wild::args_os().collect(),
            false => std::env::args_os().collect(),
        };
        arguments.into_iter()
    }
    #[cfg(not(windows))]
    std::env::args_os()
}

/// Prints the message of clap: help and versions are results, anything else is an error.
fn print_clap_error(error: &clap::Error) -> Status {
    if !error.use_stderr() {
        return finish_output(
            error.print().and_then(|()| io::stdout().flush()).map(|()| Status::Done),
        );
    }
    let has_controls =
        |argument: OsString| format_path(Path::new(&argument)).contains(char::is_control);
    match std::env::args_os().any(has_controls) {
        // The message repeats the arguments, so escape control characters. Otherwise they could
        // control the terminal.
        true => error.to_string().trim_end().lines().for_each(print_message),
        // Ignore a closed stream, because the status already reports the failure.
        false => drop(error.print()),
    }
    Status::WrongUsage
}

/// Returns the status in `result`. Prints the error if standard output could not be written.
fn finish_output(result: io::Result<Status>) -> Status {
    match result {
        Ok(status) => status,
        // The program that reads the output has closed the pipe, so end quietly.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Status::Done,
        Err(error) => {
            print_message(format_args!("error: standard output: {error}"));
            Status::Failed
        }
    }
}

impl Cli {
    /// Runs the command line and returns the exit status.
    pub fn run(&self) -> Status {
        let limitation = match &self.command {
            Some(Subcommands::Headless(command)) => {
                return run(|out| command.run(&self.reading, out));
            }
            Some(Subcommands::Viewer(ViewerCommand::Render(_))) => "and cannot render",
            Some(Subcommands::Viewer(ViewerCommand::Thumbnail(_))) => "and cannot draw thumbnails",
            None => "and cannot open a window",
        };
        print_message(format_args!(
            "error: this build has no viewer {limitation}; `mutoscope --help` lists its subcommands"
        ));
        Status::WrongUsage
    }
}

impl Command {
    /// Runs the subcommand with these options for reading files. Writes results to `out`.
    ///
    /// # Errors
    /// Returns the error if `out` cannot be written.
    pub fn run(&self, read_args: &ReadArgs, out: &mut impl Write) -> io::Result<Status> {
        let Some(mut read_options) = read_args.read_options() else { return Ok(Status::Failed) };
        if matches!(self, Self::Compare(_) | Self::Report(_)) {
            // These subcommands have another option `--rate`.
            read_options.frame_rate = None;
        }
        match self {
            Self::Info(args) => info::run(args, &read_options, out),
            Self::Check(args) => check::run(args, &read_options, out),
            Self::Columns(args) => columns::run(args, &read_options, out),
            Self::Bones(args) => bones::run(args, &read_options, read_args, out),
            Self::Sample(args) => sample::run(args, &read_options, out),
            Self::Compare(args) => compare::run(args, &read_options, out),
            Self::Convert(args) => {
                let Some(skins) = read_args.read_player_skins() else { return Ok(Status::Failed) };
                convert::run(args, &read_options, read_args, &skins, out)
            }
            Self::Index(args) => Ok(index::run(args, &read_options, read_args)),
            Self::Report(args) => report::run(args, &read_options, read_args, out),
            Self::Labels(args) => Ok(labels::run(args, read_args)),
            Self::Formats => topics::print_topic(&topics::format_help(), out),
            Self::Targets => topics::print_topic(&topics::target_help(), out),
        }
    }
}

/// Prints a line on standard error. Ignores errors, so a closed stream does not stop the program.
pub fn print_message(line: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", escape_control_chars(&line.to_string()));
}
