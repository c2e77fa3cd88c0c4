//! The command line: its arguments and its subcommands.
//!
//! Results go to standard output and nothing else does; notices and errors go to standard error,
//! a line each, in the form of a [`Message`]. The exit status is 0 when all is done, 1 when a file
//! could not be read (or `check` found an error) and 2 for wrong usage. A closed pipe ends a
//! command quietly.
//!
//! | file | what it does |
//! |---|---|
//! | `args.rs` | the arguments |
//! | `animation.rs` | which recording of a file that holds several |
//! | `source.rs`, `input.rs`, `message.rs` | reading a file or standard input, and reporting the issues in it |
//! | `output.rs`, `interrupt.rs` | which files may be written; being interrupted meanwhile |
//! | `library.rs` | archives and sets of characters, which hold many recordings |
//! | `skin.rs` | the skins of Minecraft players |
//! | `view.rs` | the viewer, where it is built in |
//! | `against.rs` | recordings that are compared with it, there or in images |
//! | `info`, `check`, `sample`, `convert`, `compare`, `index`, `render.rs`, `thumbnail.rs` | one subcommand each |
//! | `walk.rs`, `seems.rs` | the files below a folder, and what each seems to be |
//! | `parallel.rs`, `progress.rs` | work on many files on all cores, and how far it is |
//! | `rewrite.rs` | what `convert` does with recordings of Minecraft that stay such |
//! | `json.rs` | how results are written as JSON; as tables by `export::table` |

#[cfg(feature = "viewer")]
mod against;
mod animation;
mod args;
mod check;
mod compare;
mod convert;
#[cfg(not(target_family = "wasm"))]
mod index;
mod info;
mod input;
mod interrupt;
mod json;
mod library;
mod message;
mod output;
mod parallel;
mod progress;
#[cfg(feature = "viewer")]
mod render;
mod rewrite;
mod sample;
mod seems;
mod skin;
mod source;
#[cfg(feature = "viewer")]
mod thumbnail;
#[cfg(feature = "viewer")]
mod view;
mod walk;

#[cfg(feature = "viewer")]
pub use against::AgainstArgs;
pub use animation::AnimationArgs;
#[cfg(not(target_family = "wasm"))]
pub use args::IndexArgs;
#[cfg(feature = "viewer")]
pub use args::{CameraArgs, ReferenceArgs, ViewArgs};
pub use args::{
    CheckArgs, Cli, Command, CompareArgs, ConvertArgs, InfoArgs, Reading, RotationWay, SampleArgs,
    SampleFormat, TimeList, TimeRange,
};
pub use input::{Input, InputError, Reader};
pub use message::Message;
#[cfg(feature = "viewer")]
pub use render::{RenderArgs, Size};
pub use source::{MemoryFile, Source};
#[cfg(feature = "viewer")]
pub use thumbnail::ThumbnailArgs;

use crate::diagnostics::printable;
use interrupt::Interrupt;
use message::path_text;

use std::{
    ffi::OsString,
    io::{self, BufWriter, Write},
    path::Path,
    process::ExitCode,
};

use clap::Parser as _;

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
    fn done_if(done: bool) -> Self {
        if done { Self::Done } else { Self::Failed }
    }

    /// The worse of both.
    fn worse(self, other: Self) -> Self {
        if other as u8 > self as u8 { other } else { self }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Parses the arguments of the program and does what they say; returns the exit status.
pub fn run_program() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => cli.run(),
        Err(told) => tell_of_arguments(&told).into(),
    }
}

/// Prints what there is to say of the arguments: help and versions, which are results, or what is wrong.
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
    /// Runs the command line, and returns the exit status.
    pub fn run(&self) -> ExitCode {
        self.status().into()
    }

    /// Runs the command line.
    pub fn status(&self) -> Status {
        let mut out = BufWriter::new(io::stdout().lock());
        ended(self.dispatch(&mut out).and_then(|status| out.flush().map(|()| status)))
    }

    /// # Errors
    /// If `out` cannot be written to.
    fn dispatch(&self, out: &mut impl Write) -> io::Result<Status> {
        let Some(command) = &self.command else { return Ok(self.view()) };
        #[cfg(feature = "viewer")]
        if self.view != ViewArgs::default() {
            tell(
                "error: --at, --range, --select, --area, --camera and --against before a subcommand are \
                 for the viewer",
            );
            return Ok(Status::WrongUsage);
        }
        let Some(reader) = Reader::prepare(&self.reading) else { return Ok(Status::Failed) };
        match command {
            Command::Info(args) => info::run(args, &reader, out),
            Command::Check(args) => check::run(args, &reader, out),
            Command::Sample(args) => sample::run(args, &reader, out),
            Command::Compare(args) => compare::run(args, &reader, out),
            Command::Convert(args) => {
                let Some(skins) = skin::player_skins(&self.reading) else {
                    return Ok(Status::Failed);
                };
                convert::run(args, &reader, (&skins, self.reading.files()), out)
            }
            #[cfg(not(target_family = "wasm"))]
            Command::Index(args) => Ok(index::run(args, &reader, &self.reading)),
            #[cfg(feature = "viewer")]
            Command::Render(args) => Ok(render::render(args, &reader, &self.reading)),
            #[cfg(feature = "viewer")]
            Command::Thumbnail(args) => Ok(thumbnail::run(args, &reader, &self.reading)),
        }
    }

    #[cfg(feature = "viewer")]
    fn view(&self) -> Status {
        view::run(&self.paths, &self.view, &self.reading)
    }

    #[cfg(not(feature = "viewer"))]
    fn view(&self) -> Status {
        tell(
            "error: this build has no viewer (it was built without the feature `viewer`); \
             `mutoscope --help` lists the subcommands it has",
        );
        Status::WrongUsage
    }
}

/// Prints a line on standard error. A closed stream is no reason to stop.
fn tell(line: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", printable(&line.to_string()));
}
