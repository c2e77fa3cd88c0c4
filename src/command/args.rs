//! The command-line arguments that need the viewer or its renderer.

use std::{ops::RangeInclusive, path::PathBuf, sync::LazyLock};

use clap::{Args, Parser, Subcommand};
use mutoscope_cli::{ReadArgs, TimeRange};
use mutoscope_core::{
    measure::analysis::NamedArea,
    playback::{parse_rate, parse_seconds, parse_time_range},
};

use super::{AgainstArgs, RenderArgs, ThumbnailArgs};
use crate::session::{SavedFootage, SavedView};
use bevy_mutoscope::stage::CameraPose;

/// Plays motion recordings in 3D; checks, compares and converts them
#[derive(Debug, Parser)]
#[command(version, long_version = long_version(), after_help = EXAMPLES)]
pub struct Cli {
    /// The subcommand. `None` opens the viewer.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The files and folders to open in the viewer [default: the examples]
    #[arg(value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// The first view of the recording.
    #[command(flatten, next_help_heading = "The first view")]
    pub view: ViewArgs,
    /// The options for reading files.
    #[command(flatten)]
    pub reading: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  mutoscope                                      opens the examples
  mutoscope take.bin                             opens a recording
  mutoscope --rig body.glb walk.anim             a recording on its skeleton
  mutoscope a.bin --against b.bin --align        two takes on one clock
  mutoscope recordings/                          a folder, as a list
  mutoscope convert take.bin -o take.glb         for Blender and other tools
  mutoscope help formats                         the formats that are read
  mutoscope help targets                         the targets of convert and render";

fn long_version() -> &'static str {
    static TEXT: LazyLock<String> =
        LazyLock::new(|| mutoscope_cli::long_version(&["viewer", "images"]));
    &TEXT
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The commands that do not draw.
    #[command(flatten)]
    Headless(mutoscope_cli::Command),
    /// Render images and videos, without a window
    #[command(after_help = RENDER_EXAMPLES)]
    Render(RenderArgs),
    /// Draw a thumbnail of the motion, without a graphics card
    #[command(after_help = THUMBNAIL_EXAMPLES)]
    Thumbnail(ThumbnailArgs),
}

const RENDER_EXAMPLES: &str = "\
Examples:
  mutoscope render -o take.png take.bin
  mutoscope render -o sheet.png --strip 8 take.bin
  mutoscope render -o take.mp4 --fps 60 --range 0.5..2.5 take.bin
  mutoscope render -o both.gif --against b.bin --place side-by-side a.bin";

const THUMBNAIL_EXAMPLES: &str = "\
Examples:
  mutoscope thumbnail -o take.png --size 256 take.bin";

/// The first view in the viewer. "Copy the view as a command" writes the same options.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct ViewArgs {
    /// Pause at this time, in seconds
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = parse_seconds)]
    pub at: Option<f64>,
    /// Play only this range, in seconds
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = parse_time_range)]
    pub range: Option<TimeRange>,
    /// Select this node: its name, or its index in the form #3
    #[arg(long, value_name = "NODE")]
    pub select: Option<String>,
    /// Add an area of interest: its name, its shape, and optionally the joint that it moves with;
    /// repeatable
    #[arg(
        long = "area",
        value_name = "NAME=SHAPE:NUMBERS[@JOINT]",
        allow_hyphen_values = true,
        value_parser = str::parse::<NamedArea>
    )]
    pub areas: Vec<NamedArea>,
    /// The camera of the view.
    #[command(flatten)]
    pub from: CameraArgs,
    /// The reference footage.
    #[command(flatten)]
    pub reference: ReferenceArgs,
    /// The recordings to compare with.
    #[command(flatten)]
    pub against: AgainstArgs,
}

impl ViewArgs {
    /// Converts the arguments to a saved view.
    ///
    /// # Errors
    /// Returns the message if an option of compared recordings is given several times, but not once
    /// for each.
    pub(super) fn into_saved_view(self) -> Result<SavedView, String> {
        let Self { at, range, select, areas, from, reference, against } = self;
        let range = range.map(RangeInclusive::into_inner);
        let (compared, footage) = (against.compare_options()?, reference.into_footage());
        Ok(SavedView { at, range, select, areas, camera: from.camera, compared, footage })
    }
}

/// Reference footage: a video, images or sound that play alongside a recording.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct ReferenceArgs {
    /// Play this video, sound file or image sequence (one of its images, or its folder) with the
    /// recording, on one clock; needs ffmpeg
    #[arg(long, value_name = "FILE|DIR")]
    pub reference: Option<PathBuf>,
    /// The start of the footage on the recording's clock.
    #[command(flatten)]
    pub reference_offset: ReferenceOffsetArgs,
    /// The rate of an image sequence, in Hz [default: 30]
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
    /// Returns the requested footage. `None` without `--reference`.
    pub(super) fn into_footage(self) -> Option<SavedFootage> {
        let (offset, rate) = (self.reference_offset.seconds(), self.reference_rate);
        self.reference.map(|path| SavedFootage { path, offset, rate })
    }
}

/// The time at which a reference begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Args)]
pub struct ReferenceOffsetArgs {
    /// Start the reference at this time of the recording, in seconds [default: 0]
    #[arg(
        long,
        value_name = "S",
        requires = "reference",
        allow_hyphen_values = true,
        value_parser = parse_seconds
    )]
    pub reference_offset: Option<f64>,
}

impl ReferenceOffsetArgs {
    /// Returns the offset in seconds.
    pub(super) fn seconds(self) -> f64 {
        self.reference_offset.unwrap_or(0.0)
    }
}

/// The camera of an image or of the first view.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct CameraArgs {
    /// Place the camera: yaw and pitch in degrees, the distance in metres, and the point that it
    /// looks at [default: frames all that moves]
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
    use std::collections::BTreeSet;

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

    #[test]
    fn rate_is_the_frame_rate_unless_recordings_are_compared() {
        let rates = |line: &str| {
            let mut cli = Cli::parse_from(line.split(' '));
            cli.assign_rate();
            (cli.view.against.rate, cli.reading.frame_rate)
        };
        assert_eq!(rates("m take.csv --rate 60"), (vec![], Some(60.0)));
        assert_eq!(rates("m a.bin --against b.bin --rate 2"), (vec![2.0], None));
        assert_eq!(rates("m info take.csv --rate 60"), (vec![], Some(60.0)));
        assert!(rates("m compare --rate 2 a.bin b.bin").0.is_empty());
    }

    fn long_options(command: &clap::Command) -> BTreeSet<String> {
        let own = command.get_arguments().filter_map(clap::Arg::get_long);
        let own: BTreeSet<_> = own.map(|long| format!("--{long}")).collect();
        command.get_subcommands().map(long_options).fold(own, |all, more| &all | &more)
    }

    #[test]
    fn cli_page_documents_exactly_the_existing_options() {
        let page = include_str!("../../docs/cli.md");
        let is_of_option = |char: char| char.is_ascii_lowercase() || char == '-';
        let words = page.split(|char: char| !is_of_option(char));
        let documented = words.filter(|word| word.starts_with("--") && !word.starts_with("---"));
        let documented: BTreeSet<_> = documented.map(str::to_owned).collect();
        let mut command = Cli::command();
        command.build();
        assert_eq!(documented, long_options(&command));
    }

    /// The tests of `mutoscope_cli` run the other commands of the guide.
    #[test]
    fn commands_in_guide_and_help_parse() {
        let assert_parses = |location: &str, words: &[String]| match Cli::try_parse_from(words) {
            Err(error) if error.use_stderr() => panic!("{location}: {words:?}: {error}"),
            _ => {}
        };
        let pages = mutoscope_testing::guide::pages();
        let examples = pages.iter().flat_map(|page| mutoscope_testing::guide::page_commands(page));
        let mut count = 0;
        for example in examples.filter(|example| example.command.starts_with("mutoscope")) {
            let words = example.arguments();
            if words[0] == "mutoscope" {
                assert_parses(&example.location, &words);
                count += 1;
            }
        }
        assert!(count > 100, "{count}");
        for text in [EXAMPLES, RENDER_EXAMPLES, THUMBNAIL_EXAMPLES] {
            for line in text.lines().skip(1) {
                let line = line.trim().split("  ").next().unwrap_or_default();
                let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
                assert_parses("help", &words);
            }
        }
    }
}
