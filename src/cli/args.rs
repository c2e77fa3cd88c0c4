//! What can be said on the command line.

use std::{ops::RangeInclusive, path::PathBuf};

use clap::{
    ArgGroup, Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};

use super::Source;
use crate::{
    clip::RotationRule,
    export::TARGETS,
    formats::{FORMATS, FormatId},
};

/// Plays motion recordings in 3D, and tells what is in them
#[derive(Debug, Parser)]
#[command(version)]
pub struct Cli {
    /// What to do; without a subcommand, the viewer opens.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What to open in the viewer; nothing opens the sample gallery
    #[arg(value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// How to read files.
    #[command(flatten)]
    pub reading: Reading,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Tell what is inside
    Info(InfoArgs),
    /// List every problem with its place; ends with 1 if one is an error
    Check(CheckArgs),
    /// Print poses, or the file's own values, at given times
    Sample(SampleArgs),
    /// Write it as a file that other tools read
    Convert(ConvertArgs),
    /// Take pictures, without a window
    #[cfg(feature = "viewer")]
    Render(super::RenderArgs),
}

/// How to read files, whatever is done with them.
#[derive(Debug, Args)]
pub struct Reading {
    /// Read files as this format, whatever they look like
    #[arg(id = "as", long = "as", global = true, value_name = "FORMAT", value_parser = format_ids())]
    pub format: Option<FormatId>,
    /// Attach the skeleton in this file: glTF or GLB for maya, animj and animx, by the names of its
    /// nodes; CINF for prime, by the numbers of its bones
    #[arg(long, global = true, value_name = "FILE")]
    pub rig: Option<Source>,
    /// Dress players of Minecraft in this skin: a PNG of 64 by 64 or 64 by 32 pixels
    #[cfg(feature = "viewer")]
    #[arg(long, global = true, value_name = "FILE.png")]
    pub skin: Option<PathBuf>,
    /// How rotations run from key to key [default: short]
    #[arg(long, global = true, value_enum, value_name = "RULE")]
    pub rotation: Option<RotationWay>,
}

/// How rotations run from key to key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RotationWay {
    /// Each the short way from the one before it
    Short,
    /// As the program that plays the recording turns them
    Engine,
}

impl RotationWay {
    /// The same in a clip's terms.
    pub fn rule(self) -> RotationRule {
        match self {
            Self::Short => RotationRule::Continuous,
            Self::Engine => RotationRule::Faithful,
        }
    }
}

/// The arguments of `info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Print one JSON object a line, one per file
    #[arg(long)]
    pub json: bool,
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
    /// Print remarks too: what is assumed of the file, and what is worth a look in its motion, such
    /// as jumps, standstills and lost tracking
    #[arg(long)]
    pub all: bool,
    /// The recordings, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub sources: Vec<Source>,
}

/// The arguments of `sample`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("when").required(true).args(["times", "fps"])))]
pub struct SampleArgs {
    /// Print the file's own values, in its own axes and units
    #[arg(long)]
    pub tracks: bool,
    /// The times to sample at, in seconds
    #[arg(long, value_name = "T,T,…", allow_hyphen_values = true, value_parser = time_list)]
    pub times: Option<TimeList>,
    /// Sample at regular times, this many a second
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = rate)]
    pub fps: Option<f64>,
    /// From when to when, both included, in seconds [default: the whole clip]
    #[arg(
        long,
        value_name = "A..B",
        conflicts_with = "times",
        allow_hyphen_values = true,
        value_parser = time_range
    )]
    pub range: Option<TimeRange>,
    /// How to print
    #[arg(long, value_enum, default_value_t = SampleFormat::Jsonl)]
    pub format: SampleFormat,
    /// The recording; - is standard input
    #[arg(value_name = "FILE")]
    pub source: Source,
}

/// The arguments of `convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// Where it goes; the extension says as what: glb, csv. - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Source,
    /// What it is written as, whatever OUT is called
    #[arg(long, value_name = "EXTENSION", value_parser = targets())]
    pub to: Option<String>,
    /// From when to when, both included, in seconds [default: the whole clip]
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = time_range)]
    pub range: Option<TimeRange>,
    /// Sample it at regular times, this many a second [default: at the recording's own keys]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = rate)]
    pub fps: Option<f64>,
    /// Print what was written, and what was kept and lost, as a JSON object
    #[arg(long)]
    pub json: bool,
    /// The recording; - is standard input
    #[arg(value_name = "FILE")]
    pub source: Source,
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

/// Takes the words of all formats that are read.
fn format_ids() -> impl TypedValueParser<Value = FormatId> {
    let words = FORMATS.iter().map(|format| format.id.word());
    PossibleValuesParser::new(words).try_map(|word| {
        let format = FORMATS.iter().find(|format| format.id.word() == word);
        format.map(|format| format.id).ok_or("no such format")
    })
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let time: Option<f64> = text.trim().parse().ok();
    time.filter(|time| time.is_finite()).ok_or_else(|| format!("{text:?} is no time in seconds"))
}

/// Takes the extensions of all targets.
fn targets() -> PossibleValuesParser {
    PossibleValuesParser::new(TARGETS.iter().map(|target| target.extension))
}

fn time_list(text: &str) -> Result<TimeList, String> {
    text.split(',').map(seconds).collect::<Result<_, _>>().map(TimeList)
}

pub(super) fn time_range(text: &str) -> Result<TimeRange, String> {
    let (from, to) = text.split_once("..").ok_or("expected two times with .. between them")?;
    let (from, to) = (seconds(from)?, seconds(to)?);
    if from <= to { Ok(from..=to) } else { Err("it ends before it starts".to_owned()) }
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: Option<f64> = text.parse().ok();
    let usable = |rate: &f64| rate.is_finite() && *rate > 0.0;
    rate.filter(usable).ok_or_else(|| format!("{text:?} is no rate above 0"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn times_and_ranges() {
        assert_eq!(time_list("-1,0,2.5e0"), Ok(TimeList(vec![-1.0, 0.0, 2.5])));
        for wrong in ["", "1,", "one", "nan", "inf", "1e999"] {
            assert!(time_list(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(time_range("-1..2"), Ok(-1.0..=2.0));
        assert_eq!(time_range("0.25..0.25"), Ok(0.25..=0.25));
        for wrong in ["1", "2..1", "..", "1..", "a..b"] {
            assert!(time_range(wrong).is_err(), "{wrong:?}");
        }
        for wrong in ["0", "-1", "nan", "inf", ""] {
            assert!(rate(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn words_after_a_file_are_files_too() {
        let cli = Cli::parse_from(["mutoscope", "a.bin", "info"]);
        assert!(cli.command.is_none());
        assert_eq!(cli.paths.len(), 2);
    }

    #[test]
    fn how_to_read_may_be_said_before_and_after_the_subcommand() {
        for line in [["m", "--as", "mrtk", "info", "f"], ["m", "info", "f", "--as", "mrtk"]] {
            let cli = Cli::parse_from(line);
            assert_eq!(cli.reading.format, Some(FormatId::Mrtk), "{line:?}");
            assert!(matches!(cli.command, Some(Command::Info(_))), "{line:?}");
        }
    }
}
