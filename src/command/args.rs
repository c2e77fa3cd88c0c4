//! The arguments that only the viewer and its images have.

use std::{ops::RangeInclusive, path::PathBuf, sync::LazyLock};

use clap::{Args, Parser, Subcommand};
use mutoscope_cli::{Reading, TimeRange};
use mutoscope_core::{
    measure::analysis::NamedArea,
    playback::{parse_rate, parse_seconds, parse_time_range},
};

use super::{AgainstArgs, RenderArgs, ThumbnailArgs};
use crate::{
    session::{SavedFootage, SavedView},
    stage::CameraPose,
};

/// Plays motion recordings in 3D, and shows what is in them
#[derive(Debug, Parser)]
#[command(version, long_version = long_version())]
pub struct Cli {
    /// The subcommand; without one, the viewer opens.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The files and folders to open in the viewer; without any, the examples
    #[arg(value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// The first view of the recording.
    #[command(flatten, next_help_heading = "The first view")]
    pub view: ViewArgs,
    /// How to read files.
    #[command(flatten)]
    pub reading: Reading,
}

/// What `--version` says.
fn long_version() -> &'static str {
    static TEXT: LazyLock<String> =
        LazyLock::new(|| mutoscope_cli::long_version(&["viewer", "images"]));
    &TEXT
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The commands that need no viewer.
    #[command(flatten)]
    Headless(mutoscope_cli::Command),
    /// Render images and videos, without a window
    Render(RenderArgs),
    /// Draw a thumbnail of its motion, without a graphics card
    Thumbnail(ThumbnailArgs),
}

/// The first view in the viewer, as "Copy the view as a command" writes it.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct ViewArgs {
    /// Pause at this time, in seconds
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = parse_seconds)]
    pub at: Option<f64>,
    /// The range that is played, in seconds
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = parse_time_range)]
    pub range: Option<TimeRange>,
    /// The node that is selected: its name or, as #3, its index
    #[arg(long, value_name = "NODE")]
    pub select: Option<String>,
    /// An area of interest: its name, its shape, and the joint that it moves with, if any; repeatable
    #[arg(
        long = "area",
        value_name = "NAME=SHAPE:NUMBERS[@JOINT]",
        allow_hyphen_values = true,
        value_parser = str::parse::<NamedArea>
    )]
    pub areas: Vec<NamedArea>,
    /// Where it is seen from.
    #[command(flatten)]
    pub from: CameraArgs,
    /// Reference footage.
    #[command(flatten)]
    pub reference: ReferenceArgs,
    /// The recordings that are compared with it.
    #[command(flatten)]
    pub against: AgainstArgs,
}

impl ViewArgs {
    /// The view that is asked for.
    ///
    /// # Errors
    /// If options of compared recordings are given more than once, and not once for each: the message.
    pub(super) fn saved(self) -> Result<SavedView, String> {
        let Self { at, range, select, areas, from, reference, against } = self;
        let range = range.map(RangeInclusive::into_inner);
        let (compared, footage) = (against.options()?, reference.footage());
        Ok(SavedView { at, range, select, areas, camera: from.camera, compared, footage })
    }
}

/// Reference footage: a video, images or sound that play alongside a recording.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct ReferenceArgs {
    /// Play this video, sound file, or sequence of images (one of them, or their folder) beside it, on
    /// one clock; needs the program ffmpeg
    #[arg(long, value_name = "FILE|DIR")]
    pub reference: Option<PathBuf>,
    /// The time of the recording, in seconds, at which the reference is at its own time 0 [default: 0]
    #[arg(
        long,
        value_name = "S",
        requires = "reference",
        allow_hyphen_values = true,
        value_parser = parse_seconds
    )]
    pub reference_offset: Option<f64>,
    /// Images of a sequence a second [default: 30]
    #[arg(
        long,
        value_name = "N",
        requires = "reference",
        allow_hyphen_values = true,
        value_parser = parse_rate
    )]
    pub reference_rate: Option<f64>,
}

impl ReferenceArgs {
    /// The footage that is asked for.
    pub(super) fn footage(self) -> Option<SavedFootage> {
        let (offset, rate) = (self.reference_offset.unwrap_or(0.0), self.reference_rate);
        self.reference.map(|path| SavedFootage { path, offset, rate })
    }
}

/// Where something is seen from.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct CameraArgs {
    /// The camera: yaw and pitch in degrees, the distance in metres, and the point that it looks at
    /// [default: frames all that moves]
    #[arg(
        long,
        value_name = "YAW,PITCH,DISTANCE[,X,Y,Z]",
        allow_hyphen_values = true,
        value_parser = str::parse::<CameraPose>
    )]
    pub camera: Option<CameraPose>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use mutoscope_core::formats::FormatId;

    use super::*;

    #[test]
    fn command_line_definition_is_valid() {
        Cli::command().debug_assert();
    }

    #[test]
    fn arguments_after_a_file_are_files() {
        let cli = Cli::parse_from(["mutoscope", "a.bin", "info"]);
        assert!(cli.command.is_none());
        assert_eq!(cli.paths.len(), 2);
    }

    #[test]
    fn reading_options_are_accepted_before_and_after_the_subcommand() {
        for line in [["m", "--as", "mrtk", "info", "f"], ["m", "info", "f", "--as", "mrtk"]] {
            let cli = Cli::parse_from(line);
            assert_eq!(cli.reading.format, Some(FormatId::MRTK), "{line:?}");
            let command = cli.command.expect("info");
            assert!(matches!(command, Command::Headless(mutoscope_cli::Command::Info(_))));
        }
    }
}
