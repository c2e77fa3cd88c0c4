//! The command line of the viewer: what opens it, what draws without a window, and the subcommands of
//! [`mutoscope_cli`].
//!
//! | file | what it does |
//! |---|---|
//! | `args` | the arguments |
//! | `view` | without a subcommand: the viewer |
//! | `render`, `thumbnail` | one subcommand each |
//! | `against` | recordings that are compared with it, there or in images |

mod against;
mod args;
mod render;
mod thumbnail;
mod view;

pub use against::AgainstArgs;
pub use args::{CameraArgs, Cli, Command, ReferenceArgs, ReferenceOffsetArgs, ViewArgs};
pub use render::{RenderArgs, Size};
pub use thumbnail::ThumbnailArgs;

use mutoscope_cli::{Status, run, tell};
use mutoscope_core::read::Reader;

impl Cli {
    /// Runs the command line, and says how it ended.
    pub fn status(&self) -> Status {
        let Some(command) = &self.command else {
            return view::run(&self.paths, &self.view, &self.reading);
        };
        if self.view != ViewArgs::default() {
            tell(
                "error: --at, --range, --select, --area, --camera and --against before a subcommand are \
                 for the viewer",
            );
            return Status::WrongUsage;
        }
        let drawn = |draw: &dyn Fn(&Reader) -> Status| {
            self.reading.reader().map_or(Status::Failed, |reader| draw(&reader))
        };
        match command {
            Command::Headless(command) => run(|out| command.run(&self.reading, out)),
            Command::Render(args) => drawn(&|reader| render::run(args, reader, &self.reading)),
            Command::Thumbnail(args) => {
                drawn(&|reader| thumbnail::run(args, reader, &self.reading))
            }
        }
    }
}
