//! The command line of the viewer: the arguments that open the window, the commands that render
//! images, and the subcommands of [`mutoscope_cli`].
//!
//! | file | what it does |
//! |---|---|
//! | `args` | defines the arguments |
//! | `view` | opens the viewer; runs without a subcommand |
//! | `render`, `thumbnail` | run one subcommand each |
//! | `against` | reads the recordings to compare with, for the viewer and for images |

mod against;
mod args;
mod render;
mod thumbnail;
mod view;

pub use against::AgainstArgs;
pub use args::{CameraArgs, Cli, Command, ReferenceArgs, ReferenceOffsetArgs, ViewArgs};
pub use render::{RenderArgs, Size};
pub use thumbnail::ThumbnailArgs;

use mutoscope_cli::{Status, print_message, run};

impl Cli {
    /// Runs the command line and returns its exit status.
    pub fn run(mut self) -> Status {
        self.assign_rate();
        let Some(command) = &self.command else {
            return view::run(&self.paths, &self.view, &self.reading);
        };
        if self.view != ViewArgs::default() {
            print_message(
                "error: --at, --range, --select, --area, --camera and --against are for the viewer. \
                 Put options of a subcommand after its name",
            );
            return Status::WrongUsage;
        }
        let read_options = || self.reading.read_options();
        match command {
            Command::Headless(command) => run(|out| command.run(&self.reading, out)),
            Command::Render(args) => {
                read_options().map_or(Status::Failed, |read| render::run(args, read, &self.reading))
            }
            Command::Thumbnail(args) => read_options()
                .map_or(Status::Failed, |read| thumbnail::run(args, &read, &self.reading)),
        }
    }

    /// Assigns `--rate` to the options for reading files, unless the window compares recordings.
    ///
    /// `--rate` is the frame rate of the files, and the playback rate of compared recordings. clap
    /// gives the value only to the view, even if it follows the name of a subcommand.
    fn assign_rate(&mut self) {
        if self.command.is_some() || self.view.against.against.is_empty() {
            self.reading.frame_rate = self.view.against.rate.drain(..).next_back();
        }
    }
}
