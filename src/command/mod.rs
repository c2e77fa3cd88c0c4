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
use mutoscope_core::read::ReadOptions;

impl Cli {
    /// Runs the command line and returns its exit status.
    pub fn run(&self) -> Status {
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
        let run_renderer = |draw: &dyn Fn(&ReadOptions) -> Status| {
            self.reading.read_options().map_or(Status::Failed, |read_options| draw(&read_options))
        };
        match command {
            Command::Headless(command) => run(|out| command.run(&self.reading, out)),
            Command::Render(args) => {
                run_renderer(&|read_options| render::run(args, read_options, &self.reading))
            }
            Command::Thumbnail(args) => {
                run_renderer(&|read_options| thumbnail::run(args, read_options, &self.reading))
            }
        }
    }
}
