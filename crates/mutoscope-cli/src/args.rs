//! The arguments of the command line.

use std::{ffi::OsString, ops::RangeInclusive, path::PathBuf};

use clap::{
    ArgGroup, Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};

use super::{AnimationArgs, ReportArgs, Source, examples, topics, version};
use mutoscope_core::{
    clip::RotationRule,
    export::ExportTarget,
    formats::{self, FormatId},
    playback::{parse_rate, parse_seconds, parse_time_range},
};

/// Reads, checks, compares and converts motion recordings. This build has no viewer
#[derive(Debug, Parser)]
#[command(name = "mutoscope", version, long_version = version::of_command_line())]
#[command(after_help = examples::ALL)]
pub struct Cli {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Option<Subcommands>,
    /// Taken for the viewer, which is not in this program
    #[arg(value_name = "FILE|DIR", hide = true)]
    pub paths: Vec<PathBuf>,
    /// How to read files.
    #[command(flatten)]
    pub reading: Reading,
}

/// The subcommands of the program without the viewer.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a program has one")]
pub enum Subcommands {
    /// The commands that need no viewer.
    #[command(flatten)]
    Headless(Command),
    /// The commands of the viewer, to be told of.
    #[command(flatten)]
    Viewer(ViewerCommand),
}

/// The subcommands of the program with the viewer, for a program without it.
#[derive(Debug, Subcommand)]
pub enum ViewerCommand {
    /// Not in this build: images and videos need the viewer
    #[command(hide = true, disable_help_flag = true)]
    Render(AnyArguments),
    /// Not in this build: thumbnails need the viewer
    #[command(hide = true, disable_help_flag = true)]
    Thumbnail(AnyArguments),
}

/// The arguments of a command that is not there.
#[derive(Debug, Args)]
pub struct AnyArguments {
    /// Any arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub arguments: Vec<OsString>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show what a recording contains
    #[command(after_help = examples::INFO)]
    Info(InfoArgs),
    /// List every problem with its place; the exit status is 1 if one is an error
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Print the mapping of a table's columns, as a file to edit
    #[command(after_help = examples::COLUMNS)]
    Columns(ColumnsArgs),
    /// Print the map of bones from a recording to the character of --rig, as a file to edit
    #[command(after_help = examples::BONES)]
    Bones(BonesArgs),
    /// Print poses, or the file's own values, at given times
    #[command(after_help = examples::SAMPLE)]
    Sample(SampleArgs),
    /// Convert a recording for another tool
    #[command(after_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Compare recordings with a reference, joint by joint
    #[command(after_help = examples::COMPARE)]
    Compare(CompareArgs),
    /// Write a table with a row for each recording below folders
    #[command(after_help = examples::INDEX)]
    Index(IndexArgs),
    /// Report the measures of studies: gaze, hands and bodies, by label
    #[command(after_help = examples::REPORT)]
    Report(Box<ReportArgs>),
    /// Convert labels between CSV, ELAN and Praat
    #[command(after_help = examples::LABELS)]
    Labels(LabelsArgs),
    /// List the formats that are read
    #[command(override_help = topics::formats())]
    Formats,
    /// List the targets of convert and render
    #[command(override_help = topics::targets())]
    Targets,
}

/// How to read files, for every subcommand.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading files")]
pub struct Reading {
    /// Force the input format [default: recognised by content]; see `mutoscope help formats`
    #[arg(id = "as", long = "as", global = true, value_name = "FORMAT", value_parser = format_ids())]
    pub format: Option<FormatId>,
    /// Attach the skeleton in this file: glTF, GLB, VRM or FBX for maya, animj, animx, bvh, gltf and fbx, by node
    /// name; CINF for prime, matched by bone id; a PAK or ANCS means its first character; minecraft means Minecraft's
    /// player, which moves bone by bone
    #[arg(long, global = true, value_name = "FILE|minecraft")]
    pub rig: Option<Source>,
    /// Attach the skeleton even if it has none of the nodes that a recording animates [default: an error]
    #[arg(long, global = true, requires = "rig")]
    pub allow_unmatched_rig: bool,
    /// Make the character of --rig do what the recording does, bone by bone, regardless of node names: auto finds
    /// the bones, a file from `mutoscope bones` lists them; off matches nodes by name [default: off; in the viewer:
    /// by name if most names match, else by bones]
    #[arg(long, global = true, requires = "rig", value_name = "auto|off|MAP.json")]
    pub retarget: Option<PathBuf>,
    /// The skin of Minecraft players: a PNG of 64 × 64 or 64 × 32 pixels, or a folder with a NAME.png
    /// for each player
    #[arg(long, global = true, value_name = "FILE.png|DIR")]
    pub skin: Option<PathBuf>,
    /// The mapping file of the columns of tables, as `mutoscope columns` prints it [default:
    /// NAME.columns.toml beside NAME.csv, else columns are recognised by name]
    #[arg(long, global = true, value_name = "FILE.toml")]
    pub columns: Option<PathBuf>,
    /// How rotations are interpolated between keys [default: short]
    #[arg(long, global = true, value_enum, value_name = "RULE")]
    pub rotation: Option<RotationWay>,
}

/// How rotations are interpolated between keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RotationWay {
    /// Along the shortest arc from key to key
    Short,
    /// As the program that plays the format does
    Engine,
}

impl RotationWay {
    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Engine => "engine",
        }
    }

    /// The same in a clip's terms.
    pub fn rule(self) -> RotationRule {
        match self {
            Self::Short => RotationRule::Continuous,
            Self::Engine => RotationRule::AsAuthored,
        }
    }
}

/// The arguments of `info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Print one JSON object a line, one per file
    #[arg(long)]
    pub json: bool,
    /// The recording in a file with several; without a choice, the contents of an archive are
    /// listed.
    #[command(flatten)]
    pub animation: AnimationArgs,
    /// The recordings; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub sources: Vec<Source>,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Print one JSON object a line, one per problem
    #[arg(long)]
    pub json: bool,
    /// Print issues of severity info too: assumptions about the file, and motion worth a look, such
    /// as jumps, standstills and lost tracking
    #[arg(long)]
    pub all: bool,
    /// The recordings, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub sources: Vec<Source>,
}

/// The arguments of `columns`.
#[derive(Debug, Args)]
pub struct ColumnsArgs {
    /// The table, or the log; - is standard input
    #[arg(value_name = "FILE")]
    pub source: Source,
}

/// The arguments of `bones`.
#[derive(Debug, Args)]
pub struct BonesArgs {
    /// The recording in a file with several.
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
    /// The times to sample at, in seconds
    #[arg(long, value_name = "T,T,…", allow_hyphen_values = true, value_parser = time_list, help_heading = "Times")]
    pub times: Option<TimeList>,
    /// Sample at this rate, in Hz
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_rate, help_heading = "Times")]
    pub fps: Option<f64>,
    /// The range of the times, in seconds; its end is included if a step reaches it [default: the
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
    /// The recording in a file with several.
    #[command(flatten)]
    pub animation: AnimationArgs,
    /// The recording; - is standard input
    #[arg(value_name = "FILE")]
    pub source: Source,
}

/// The arguments of `convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The output file; its extension chooses the target: glb, html, csv, animj, anim, bvh, parquet, arrow,
    /// mcap or, for recordings of Minecraft, mcmocap_rec. - is standard output; for a folder, a folder
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Source,
    /// The target, regardless of the extension of OUT
    #[arg(long, value_name = "TARGET", value_parser = targets(), help_heading = "Output")]
    pub to: Option<String>,
    /// The range, in seconds, both ends included [default: the whole clip]
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = parse_time_range, help_heading = "Times")]
    pub range: Option<TimeRange>,
    /// Sample it at this rate, in Hz, and at the end [default: at the recording's own keys]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_rate, help_heading = "Times")]
    pub fps: Option<f64>,
    /// Keep every key in double precision [default: positions within 0.1 mm, rotations within 0.05°]
    #[arg(long, help_heading = "Writing html")]
    pub exact: bool,
    /// Put the whole viewer into the page, and the recording as it is. DIST is the viewer's page, from scripts/web or a
    /// release [default: $MUTOSCOPE_PAGE, else the folder page beside the program]
    #[arg(long, value_name = "DIST", num_args = 0..=1, require_equals = true, conflicts_with_all = ["exact", "fps"], help_heading = "Writing html")]
    pub full: Option<Option<PathBuf>>,
    /// Play this recording too, on one clock; repeatable
    #[arg(long, value_name = "FILE", help_heading = "Writing html")]
    pub against: Vec<Source>,
    /// The time of the first, in seconds, at which the other is at its own time 0 [default: 0]; once for all, or
    /// once for each
    #[arg(long, value_name = "S", requires = "against", allow_hyphen_values = true, value_parser = parse_seconds, help_heading = "Writing html")]
    pub offset: Vec<f64>,
    /// Find the offset by aligning the speeds of the joints
    #[arg(long, requires = "against", conflicts_with = "offset", help_heading = "Writing html")]
    pub align: bool,
    /// The entities to keep, as a filter of the mod: @mobs;-minecraft:cow
    #[arg(long, value_name = "FILTER", help_heading = "Writing mcmocap_rec")]
    pub entities: Option<String>,
    /// Replace a kind of entities, such as boat=oak_boat; repeatable
    #[arg(long = "entity-kind", value_name = "OLD=NEW", value_parser = entity_kind, help_heading = "Writing mcmocap_rec")]
    pub entity_kinds: Vec<(String, String)>,
    /// Skip items and blocks for which the recording has only the game's numeric ids
    /// [default: refuse such a recording]
    #[arg(long, help_heading = "Writing mcmocap_rec")]
    pub drop_numeric_ids: bool,
    /// Print the report (what was written, kept and lost) as a JSON object
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// The recording in a file with several.
    #[command(flatten)]
    pub animation: AnimationArgs,
    /// The recording, or a folder of recordings; - is standard input
    #[arg(value_name = "FILE|DIR")]
    pub source: Source,
}

/// The arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The joints to compare, by their names in A; NAME=OTHER where B has another name [default:
    /// all that match by name]
    #[arg(long = "joint", value_name = "NAME,…", value_delimiter = ',')]
    pub joints: Vec<String>,
    /// The time of A, in seconds, at which B is at its own time 0 [default: 0]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = parse_seconds, help_heading = "Timing")]
    pub offset: Option<f64>,
    /// How many seconds of B pass in one second of A
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
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
    /// The reference; - is standard input
    #[arg(value_name = "A")]
    pub first: Source,
    /// The recordings that are compared with it, each separately
    #[arg(value_name = "B", required = true)]
    pub others: Vec<Source>,
}

/// The arguments of `index`.
#[derive(Debug, Args)]
pub struct IndexArgs {
    /// The output file; its extension chooses the format: parquet, csv or jsonl. Recordings that are
    /// unchanged since it was written are not read again
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Read all recordings again, including unchanged ones
    #[arg(long)]
    pub fresh: bool,
    /// Leave out the checks, which take most of the time: `errors`, `warnings` and `infos` count only
    /// what reading a file reports
    #[arg(long)]
    pub no_checks: bool,
    /// Folders of recordings, or recordings; - is standard input
    #[arg(required = true, value_name = "DIR|FILE")]
    pub sources: Vec<Source>,
}

/// The arguments of `labels`.
#[derive(Debug, Args)]
pub struct LabelsArgs {
    /// The output file; its extension chooses the format: csv, eaf (ELAN) or TextGrid (Praat)
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// The labels: a csv, eaf or TextGrid file
    #[arg(value_name = "IN")]
    pub input: PathBuf,
}

/// How `sample` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SampleFormat {
    /// One JSON object a line, one per time
    Jsonl,
    /// A table: one row per time and node (with --tracks: per time and track)
    Csv,
}

/// Times in seconds, as listed.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeList(pub Vec<f64>);

/// Times in seconds, from one to another.
pub type TimeRange = RangeInclusive<f64>;

/// Accepts the words of all formats that are read.
fn format_ids() -> impl TypedValueParser<Value = FormatId> {
    let words = formats::all().map(|format| format.id.word());
    PossibleValuesParser::new(words).try_map(|word| {
        let format = formats::all().find(|format| format.id.word() == word);
        format.map(|format| format.id).ok_or("no such format")
    })
}

/// Accepts the ids of all targets that `convert` writes.
fn targets() -> PossibleValuesParser {
    let ids = ExportTarget::motion().map(|target| target.id);
    PossibleValuesParser::new(ids.chain([mutoscope_minecraft::EXTENSION]))
}

/// Two kinds of entities, with the game's namespace if they have none.
fn entity_kind(text: &str) -> Result<(String, String), String> {
    let named = |kind: &str| match kind {
        "" => Err("expected two kinds of entities with = between them".to_owned()),
        kind if kind.contains(':') => Ok(kind.to_owned()),
        kind => Ok(format!("minecraft:{kind}")),
    };
    let (old, new) = text.split_once('=').unwrap_or((text, ""));
    Ok((named(old)?, named(new)?))
}

fn time_list(text: &str) -> Result<TimeList, String> {
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
    fn lists_of_times() {
        assert_eq!(time_list("-1,0,2.5e0"), Ok(TimeList(vec![-1.0, 0.0, 2.5])));
        for wrong in ["", "1,", "one", "nan", "inf", "1e999"] {
            assert!(time_list(wrong).is_err(), "{wrong:?}");
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
