//! The arguments of the subcommands that need no viewer.

use crate::{registry, targets};
use std::{ffi::OsString, ops::RangeInclusive, path::PathBuf, str::FromStr};

use clap::{
    ArgGroup, Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};

use super::{AnimationArgs, ReportArgs, Source, TargetOptionArgs, examples, topics, version};
use mutoscope_core::{
    clip::RotationRule,
    export::{FileAxis, InPlace, MotionOptions, RestPose},
    formats::FormatId,
    playback::{ParseTimeError, parse_rate, parse_seconds, parse_time_range},
};
use mutoscope_logs::ReadingNumber;

/// Reads, checks, compares and converts motion recordings. This build has no viewer
#[derive(Debug, Parser)]
#[command(name = "mutoscope", version, long_version = version::command_line_version())]
#[command(after_help = examples::ALL)]
pub struct Cli {
    /// The subcommand. If it is `None`, the user asks for the viewer, which this build does not
    /// have.
    #[command(subcommand)]
    pub command: Option<Subcommands>,
    /// Open these files in the viewer, which this build does not have
    #[arg(value_name = "FILE|DIR", hide = true)]
    pub paths: Vec<PathBuf>,
    /// The options for reading files.
    #[command(flatten)]
    pub reading: ReadArgs,
}

/// The subcommands of the program without the viewer.
#[derive(Debug, Subcommand)]
pub enum Subcommands {
    /// The commands that need no viewer.
    #[command(flatten)]
    Headless(Command),
    /// The viewer's commands. Each of them ends with an error, because this build has no viewer.
    #[command(flatten)]
    Viewer(ViewerCommand),
}

/// The viewer's subcommands. A build without the viewer lists them to explain why they are missing.
#[derive(Debug, Subcommand)]
pub enum ViewerCommand {
    /// Not in this build: images and videos need the viewer
    #[command(hide = true, disable_help_flag = true)]
    Render(AnyArguments),
    /// Not in this build: thumbnails need the viewer
    #[command(hide = true, disable_help_flag = true)]
    Thumbnail(AnyArguments),
}

/// The arguments of a viewer command. The program does not interpret them.
#[derive(Debug, Args)]
pub struct AnyArguments {
    /// The arguments, in their order.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub arguments: Vec<OsString>,
}

/// The subcommands that need no viewer.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show what a recording contains
    #[command(after_help = examples::INFO)]
    Info(InfoArgs),
    /// List every problem with its location; exit with status 1 if any is an error
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Print the column mapping of a table, as a file to edit
    #[command(after_help = examples::COLUMNS)]
    Columns(ColumnsArgs),
    /// Print the bone map from a recording to the character of --rig, as a file to edit
    #[command(after_help = examples::BONES)]
    Bones(BonesArgs),
    /// Print poses, or the file's own values, at given times
    #[command(after_help = examples::SAMPLE)]
    Sample(SampleArgs),
    /// Convert a recording for another tool
    #[command(after_help = examples::CONVERT)]
    Convert(Box<ConvertArgs>),
    /// Compare recordings with a reference, joint by joint
    #[command(after_help = examples::COMPARE)]
    Compare(CompareArgs),
    /// Write a table with a row for each recording below folders
    #[command(after_help = examples::INDEX)]
    Index(IndexArgs),
    /// Report study measures of gaze, hands and bodies, for each label
    #[command(after_help = examples::REPORT)]
    Report(Box<ReportArgs>),
    /// Convert labels between CSV, ELAN and Praat
    #[command(after_help = examples::LABELS)]
    Labels(LabelsArgs),
    /// List the input formats
    #[command(override_help = topics::format_help())]
    Formats,
    /// List the targets of convert and render
    #[command(override_help = topics::target_help())]
    Targets,
}

/// The options for reading files, for every subcommand.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading files")]
pub struct ReadArgs {
    /// Force this input format [default: recognised by content]; see `mutoscope help formats`
    #[arg(id = "as", long = "as", global = true, value_name = "FORMAT", value_parser = format_id_parser())]
    pub format: Option<FormatId>,
    /// Attach the skeleton in this file: glTF, GLB, VRM or FBX for maya, animj, animx, bvh, gltf
    /// and fbx, matched by node name; CINF for prime, matched by bone id; PAK or ANCS for its first
    /// character. The word minecraft attaches Minecraft's player, which moves bone by bone
    #[arg(long, global = true, value_name = "FILE|minecraft")]
    pub rig: Option<Source>,
    /// Attach the skeleton even if it has none of the nodes that a recording animates [default: an error]
    #[arg(long, global = true, requires = "rig")]
    pub allow_unmatched_rig: bool,
    /// Retarget the recording to the character of --rig, bone by bone, regardless of node names:
    /// auto finds the bones, a file from `mutoscope bones` lists them, off matches nodes by name
    /// [default: off; in the viewer: off if most names match, else auto]
    #[arg(long, global = true, requires = "rig", value_name = "auto|off|MAP.json")]
    pub retarget: Option<PathBuf>,
    /// Use this skin for Minecraft players: a PNG of 64 × 64 or 64 × 32 pixels, or a folder with
    /// NAME.png for each player
    #[arg(long, global = true, value_name = "FILE.png|DIR")]
    pub skin: Option<PathBuf>,
    /// Column mapping for tables, in the format printed by `mutoscope columns` [default:
    /// NAME.columns.toml next to NAME.csv, else columns are recognised by name]
    #[arg(long, global = true, value_name = "FILE.toml")]
    pub columns: Option<PathBuf>,
    /// Play recordings at this frame rate in place of the declared one; in tables whose rows or
    /// frame numbers are the times, the rate of the rows [default: as the file or its mapping
    /// states, else 60]. The option of `compare` with this name is another one
    #[arg(id = "rate", long = "rate", global = true, value_name = "HZ", allow_hyphen_values = true, value_parser = parse_rate)]
    pub frame_rate: Option<f64>,
    /// Interpolate rotations between keys by this rule [default: short]
    #[arg(long, global = true, value_enum, value_name = "RULE")]
    pub rotation: Option<RotationMode>,
}

/// The rule by which rotations are interpolated between keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum RotationMode {
    /// Along the shortest arc from key to key
    Short,
    /// Like the program that plays the format
    Engine,
}

impl RotationMode {
    /// Returns the name of the mode on the command line.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the rotation rule of clips for this mode.
    pub fn to_rotation_rule(self) -> RotationRule {
        match self {
            Self::Short => RotationRule::Continuous,
            Self::Engine => RotationRule::AsAuthored,
        }
    }
}

/// The arguments of `info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Print a JSON object on one line for each file
    #[arg(long)]
    pub json: bool,
    /// The choice of one recording in a file with several. Without a choice, `info` lists the
    /// contents of an archive.
    #[command(flatten)]
    pub animation: AnimationArgs,
    /// The recordings; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub sources: Vec<Source>,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The output format
    #[arg(long, value_enum, default_value_t = CheckFormat::Text, value_name = "FORMAT")]
    pub format: CheckFormat,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// List problems of severity info as well: assumptions about the file, and motion worth a look,
    /// such as jumps, standstills and lost tracking
    #[arg(long)]
    pub all: bool,
    /// Print a line for each file: pass, review or fail, with the worst reasons
    #[arg(long, conflicts_with = "all")]
    pub verdict: bool,
    /// Set thresholds and severities: default, mrtk, study-hands, game-body, blender, maya, resonite,
    /// minecraft, or a TOML file
    #[arg(long, value_name = "NAME|FILE.toml", default_value = "default")]
    pub profile: String,
    /// Exit with status 1 if the verdict on a file is review
    #[arg(long, requires = "verdict")]
    pub strict: bool,
    /// The recordings, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub sources: Vec<Source>,
}

/// The output format of `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// A line for each problem, with its code in brackets
    Text,
    /// A JSON object on one line for each problem
    Json,
    /// A SARIF 2.1.0 log for all files, for pipelines
    Sarif,
}

/// The arguments of `columns`.
#[derive(Debug, Args)]
pub struct ColumnsArgs {
    /// Chooses reading M of question N, as numbered in the output without this option. Can be
    /// repeated for other questions
    #[arg(long, value_name = "N.M", value_parser = parse_reading_number)]
    pub read: Vec<ReadingNumber>,
    /// The table or log; - is standard input
    #[arg(value_name = "FILE")]
    pub source: Source,
}

/// The arguments of `bones`.
#[derive(Debug, Args)]
pub struct BonesArgs {
    /// The choice of one recording in a file with several.
    #[command(flatten)]
    pub animation: AnimationArgs,
    /// The recording; - is standard input
    #[arg(value_name = "FILE")]
    pub source: Source,
}

/// The arguments of `sample`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("when").required(true).args(["times", "fps"])))]
pub struct SampleArgs {
    /// Print the file's own values, in its own axes and units
    #[arg(long, help_heading = "Output")]
    pub tracks: bool,
    /// Sample at these times, in seconds
    #[arg(long, value_name = "T,T,…", allow_hyphen_values = true, value_parser = parse_time_list, help_heading = "Times")]
    pub times: Option<TimeList>,
    /// Sample at this rate, in Hz
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_rate, help_heading = "Times")]
    pub fps: Option<f64>,
    /// Sample only this range, in seconds. The end is included if a step reaches it [default: the
    /// whole clip]
    #[arg(
        long,
        value_name = "A..B",
        conflicts_with = "times",
        allow_hyphen_values = true,
        value_parser = parse_time_range,
        help_heading = "Times"
    )]
    pub range: Option<TimeRange>,
    /// The output format
    #[arg(long, value_enum, default_value_t = SampleFormat::Jsonl, help_heading = "Output")]
    pub format: SampleFormat,
    /// The choice of one recording in a file with several.
    #[command(flatten)]
    pub animation: AnimationArgs,
    /// The recording; - is standard input
    #[arg(value_name = "FILE")]
    pub source: Source,
}

/// The arguments of `convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// Write to this file. The extension selects the target: glb, fbx, html, csv, animj, animx,
    /// anim, bvh, bin (MRTK), ANIM (Metroid Prime, with --rig FILE.CINF), parquet, arrow, mcap or, for
    /// Minecraft recordings, mcmocap_rec. - is standard output. To convert a folder, name a folder
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Source,
    /// Write this target, regardless of the extension of OUT
    #[arg(long, value_name = "TARGET", value_parser = export_target_parser(), help_heading = "Output")]
    pub to: Option<String>,
    /// Convert only this range, in seconds, with both ends [default: the whole clip]
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = parse_time_range, help_heading = "Times")]
    pub range: Option<TimeRange>,
    /// Sample at this rate, in Hz, and at the end [default: at the recording's own keys]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_rate, help_heading = "Times")]
    pub fps: Option<f64>,
    /// Remove the root motion, which is the horizontal movement and the heading of the root since
    /// the start; or move it to a new root node above the others [default: keep]
    #[arg(long, value_name = "remove|root|keep", value_parser = parse_in_place, help_heading = "Motion")]
    pub in_place: Option<InPlace>,
    /// Point this axis of the file up, if the format does not fix its axes [default: y]
    #[arg(long, value_name = "AXIS", value_parser = parse_axis, allow_hyphen_values = true, help_heading = "Motion")]
    pub up: Option<FileAxis>,
    /// Point this axis of the file forward, if the format does not fix its axes. Forward is -z in
    /// the viewer [default: -z; with --up z: y]
    #[arg(long, value_name = "AXIS", value_parser = parse_axis, allow_hyphen_values = true, help_heading = "Motion")]
    pub forward: Option<FileAxis>,
    /// Use this rest pose, if the format has one: that of the file, a T-pose of a humanoid, or the
    /// pose at a time in seconds [default: file]
    #[arg(long, value_name = "file|t-pose|T", value_parser = RestPose::from_str, allow_hyphen_values = true, help_heading = "Motion")]
    pub rest: Option<RestPose>,
    /// Multiply all lengths by this factor [default: 1]
    #[arg(long, value_name = "FACTOR", value_parser = parse_scale, allow_hyphen_values = true, help_heading = "Motion")]
    pub scale: Option<f64>,
    /// Change the speed: this many seconds of the recording become one second of OUT. --fps and --thin
    /// apply to the result, --range and --rest to the recording [default: 1]
    #[arg(long, value_name = "FACTOR", value_parser = parse_scale, allow_hyphen_values = true, help_heading = "Motion")]
    pub speed: Option<f64>,
    /// Keep every key in double precision [default: positions within 0.1 mm, rotations within 0.05°]
    #[arg(long, help_heading = "Writing html")]
    pub exact: bool,
    /// Put the whole viewer into the page, with the unchanged recording. DIST is the viewer's page,
    /// from scripts/web or a release [default: $MUTOSCOPE_PAGE, else the folder page next to the
    /// program]
    #[arg(long, value_name = "DIST", num_args = 0..=1, require_equals = true, conflicts_with_all = ["exact", "fps"], help_heading = "Writing html")]
    pub full: Option<Option<PathBuf>>,
    /// Play this recording as well, on one clock; repeatable
    #[arg(long, value_name = "FILE", help_heading = "Writing html")]
    pub against: Vec<Source>,
    /// Start the other recording at this time on the clock of the first, in seconds [default: 0];
    /// once for all, or once for each
    #[arg(long, value_name = "S", requires = "against", allow_hyphen_values = true, value_parser = parse_seconds, help_heading = "Writing html")]
    pub offset: Vec<f64>,
    /// Find the offset by aligning the speeds of the joints
    #[arg(long, requires = "against", conflicts_with = "offset", help_heading = "Writing html")]
    pub align: bool,
    /// The options that only some targets have.
    #[command(flatten)]
    pub target_options: TargetOptionArgs,
    /// Keep only the entities that match this filter, in the syntax of the mod, such as
    /// @mobs;-minecraft:cow
    #[arg(long, value_name = "FILTER", help_heading = "Writing mcmocap_rec")]
    pub entities: Option<String>,
    /// Replace an entity kind, such as boat=oak_boat; repeatable
    #[arg(long = "entity-kind", value_name = "OLD=NEW", value_parser = parse_entity_kind, help_heading = "Writing mcmocap_rec")]
    pub entity_kinds: Vec<(String, String)>,
    /// Skip items and blocks for which the recording has only the game's numeric ids
    /// [default: refuse such a recording]
    #[arg(long, help_heading = "Writing mcmocap_rec")]
    pub drop_numeric_ids: bool,
    /// Print the report (what was written, kept and lost) as a JSON object
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// The choice of one recording in a file with several.
    #[command(flatten)]
    pub animation: AnimationArgs,
    /// The recording, or a folder of recordings; - is standard input
    #[arg(value_name = "FILE|DIR")]
    pub source: Source,
}

impl ConvertArgs {
    /// Returns the options that change the motion.
    pub(crate) fn motion_options(&self) -> MotionOptions {
        MotionOptions {
            in_place: self.in_place.unwrap_or_default(),
            up: self.up,
            forward: self.forward,
            rest: self.rest.unwrap_or_default(),
            scale: self.scale.unwrap_or(1.0),
            speed: self.speed.unwrap_or(1.0),
        }
    }
}

/// The arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Compare these joints, by their names in A; NAME=OTHER if the joint has another name in B
    /// [default: all joints that match by name]
    #[arg(long = "joint", value_name = "NAME,…", value_delimiter = ',')]
    pub joints: Vec<String>,
    /// Start B at this time on A's clock, in seconds [default: 0]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = parse_seconds, help_heading = "Timing")]
    pub offset: Option<f64>,
    /// Play B at this rate: the seconds of B that pass in one second of A
    #[arg(
        long,
        value_name = "R",
        default_value = "1",
        allow_hyphen_values = true,
        value_parser = parse_rate,
        help_heading = "Timing"
    )]
    pub rate: f64,
    /// Find the offset by aligning the speeds of the joints
    #[arg(long, conflicts_with = "offset", help_heading = "Timing")]
    pub align: bool,
    /// Print a JSON object on one line for each B
    #[arg(long)]
    pub json: bool,
    /// The reference; - is standard input
    #[arg(value_name = "A")]
    pub reference: Source,
    /// The recordings to compare with A, each separately
    #[arg(value_name = "B", required = true)]
    pub others: Vec<Source>,
}

/// The arguments of `index`.
#[derive(Debug, Args)]
pub struct IndexArgs {
    /// Write to this file. The extension selects the format: parquet, csv or jsonl. Recordings that
    /// are unchanged since the last run are not read again
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Read all recordings again, including unchanged ones
    #[arg(long)]
    pub fresh: bool,
    /// Skip the checks, which take most of the time. `errors`, `warnings` and `infos` then include
    /// only the problems found while reading a file
    #[arg(long)]
    pub no_checks: bool,
    /// Folders of recordings, or recordings; - is standard input
    #[arg(required = true, value_name = "DIR|FILE")]
    pub sources: Vec<Source>,
}

/// The arguments of `labels`.
#[derive(Debug, Args)]
pub struct LabelsArgs {
    /// Write to this file. The extension selects the format: csv, eaf (ELAN) or TextGrid (Praat)
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// The labels: a csv, eaf or TextGrid file
    #[arg(value_name = "IN")]
    pub input: PathBuf,
}

/// The output format of `sample`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SampleFormat {
    /// A JSON object on one line for each time
    Jsonl,
    /// A table with a row for each time and node (with --tracks: time and track)
    Csv,
}

/// A list of times, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeList(pub Vec<f64>);

/// A range of times, in seconds.
pub type TimeRange = RangeInclusive<f64>;

fn format_id_parser() -> impl TypedValueParser<Value = FormatId> {
    let ids = registry().formats().map(|format| format.id.as_str());
    PossibleValuesParser::new(ids)
        .try_map(|id| registry().format_named(&id).map(|format| format.id).ok_or("no such format"))
}

fn export_target_parser() -> PossibleValuesParser {
    let ids = targets().motion_targets().map(|target| target.id);
    PossibleValuesParser::new(ids.chain([mutoscope_minecraft::EXTENSION]))
}

/// Parses `OLD=NEW`. A kind without a namespace gets the namespace `minecraft`.
fn parse_entity_kind(text: &str) -> Result<(String, String), String> {
    let add_namespace = |kind: &str| match kind {
        "" => Err("expected OLD=NEW, two entity kinds".to_owned()),
        kind if kind.contains(':') => Ok(kind.to_owned()),
        kind => Ok(format!("minecraft:{kind}")),
    };
    let (old, new) = text.split_once('=').unwrap_or((text, ""));
    Ok((add_namespace(old)?, add_namespace(new)?))
}

fn parse_in_place(text: &str) -> Result<InPlace, String> {
    text.parse().map_err(|_| format!("expected one of {}", InPlace::NAMES.join(", ")))
}

fn parse_axis(text: &str) -> Result<FileAxis, String> {
    text.parse().map_err(|_| format!("expected one of {}", FileAxis::NAMES.join(", ")))
}

fn parse_scale(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor: &f64| factor.is_finite() && *factor > 0.0);
    factor.ok_or_else(|| "expected a factor above 0".to_owned())
}

fn parse_reading_number(text: &str) -> Result<ReadingNumber, String> {
    let message = || "expected a question and a reading, such as 1.2".to_owned();
    ReadingNumber::parse(text).ok_or_else(message)
}

fn parse_time_list(text: &str) -> Result<TimeList, ParseTimeError> {
    text.split(',').map(parse_seconds).collect::<Result<_, _>>().map(TimeList)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn command_line_definition_is_valid() {
        Cli::command().debug_assert();
    }

    #[test]
    fn time_list_accepts_finite_numbers_only() {
        assert_eq!(parse_time_list("-1,0,2.5e0"), Ok(TimeList(vec![-1.0, 0.0, 2.5])));
        for wrong in ["", "1,", "one", "nan", "inf", "1e999"] {
            assert!(parse_time_list(wrong).is_err(), "{wrong:?}");
        }
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
            assert!(
                matches!(cli.command, Some(Subcommands::Headless(Command::Info(_)))),
                "{line:?}"
            );
        }
    }
}
