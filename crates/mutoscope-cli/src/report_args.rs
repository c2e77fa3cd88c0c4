//! The arguments of `report`.

use std::path::PathBuf;

use clap::{Args, builder::PossibleValuesParser};

use super::{AnimationArgs, Source};
use mutoscope_core::{
    measure::analysis::NamedArea,
    playback::{parse_rate, parse_seconds},
};
use mutoscope_study::{
    StudyOptions,
    report::{LinkTarget, ReportFormat},
};

/// The arguments of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The output file; its extension chooses the format: html, csv, parquet or json. - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Source,
    /// The format, regardless of the extension of OUT
    #[arg(long, value_name = "TARGET", value_parser = PossibleValuesParser::new(ReportFormat::WORDS))]
    pub to: Option<String>,
    /// The labels of the recording, a csv, eaf or TextGrid file; or `markers`: from each marker to the next
    /// [default: take.labels.csv, take.eaf or take.TextGrid beside take.bin]
    #[arg(long, value_name = "FILE|markers")]
    pub labels: Option<PathBuf>,
    /// Use no labels
    #[arg(long, conflicts_with = "labels")]
    pub no_labels: bool,
    /// An area of interest, such as cup=sphere:0,1,-2,0.1; repeatable
    #[arg(long = "area", value_name = "NAME=…", value_parser = area)]
    pub areas: Vec<NamedArea>,
    /// Samples per second [default: the recording's own, or else 60]
    #[arg(long, value_name = "R", allow_hyphen_values = true, value_parser = parse_rate)]
    pub rate: Option<f64>,
    /// The cut-off of the filter of hand positions, in Hz; 0 filters nothing [default: 10]
    #[arg(long, value_name = "HZ", allow_hyphen_values = true, value_parser = not_negative)]
    pub cutoff: Option<f64>,
    /// The speed from which a wrist counts as moving, in m/s [default: 0.05]
    #[arg(long, value_name = "M/S", allow_hyphen_values = true, value_parser = positive)]
    pub movement_speed: Option<f64>,
    /// The angular velocity from which the gaze is in a saccade, in degrees per second [default: 30]
    #[arg(long, value_name = "DEG/S", allow_hyphen_values = true, value_parser = positive)]
    pub saccade_velocity: Option<f64>,
    /// The largest angle at which the gaze counts as on the target of a pinch, in degrees [default: 5]
    #[arg(long, value_name = "DEG", allow_hyphen_values = true, value_parser = positive)]
    pub gaze_on_target: Option<f64>,
    /// The height of the ground, in metres [default: 0]
    #[arg(long, value_name = "Y", allow_hyphen_values = true, value_parser = parse_seconds)]
    pub ground: Option<f64>,
    /// A joint that is a foot; repeatable [default: joints named foot, ankle or toe]
    #[arg(long = "foot", value_name = "NAME")]
    pub feet: Vec<String>,
    /// The recording device, such as HoloLens 2; the report lists its limits
    #[arg(long, value_name = "TEXT")]
    pub device: Option<String>,
    /// Make the links of the page open a hosted viewer at this address [default: to the installed program]
    #[arg(long, value_name = "URL", value_parser = LinkTarget::page)]
    pub link: Option<LinkTarget>,
    /// The most motion that the page plays, in MB: of the recordings whose motion fits, one after the other; 0 for none
    #[arg(long, value_name = "MB", default_value = "2", allow_hyphen_values = true, value_parser = motion_bytes)]
    pub motion: usize,
    /// The recording in a file with several [default: all of them].
    #[command(flatten)]
    pub animation: AnimationArgs,
    /// Recordings, or folders of them; - is standard input
    #[arg(required = true, value_name = "TAKE|DIR")]
    pub sources: Vec<Source>,
}

impl ReportArgs {
    /// The thresholds that they ask for.
    pub(super) fn options(&self) -> StudyOptions {
        let usual = StudyOptions::default();
        StudyOptions {
            rate: self.rate,
            cutoff_hz: self.cutoff.unwrap_or(usual.cutoff_hz),
            movement_speed_mps: self.movement_speed.unwrap_or(usual.movement_speed_mps),
            saccade_velocity_degps: self.saccade_velocity.unwrap_or(usual.saccade_velocity_degps),
            gaze_on_target_deg: self.gaze_on_target.unwrap_or(usual.gaze_on_target_deg),
            ground_m: self.ground.unwrap_or(usual.ground_m),
            feet: self.feet.clone(),
            ..usual
        }
    }
}

fn area(text: &str) -> Result<NamedArea, String> {
    text.parse()
}

fn number(text: &str, expected: &str, is_fine: fn(f64) -> bool) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok();
    let fine = number.filter(|number| number.is_finite() && is_fine(*number));
    fine.ok_or_else(|| format!("expected {expected}, found {text:?}"))
}

/// A number of bytes, of megabytes.
fn motion_bytes(text: &str) -> Result<usize, String> {
    // A page of more would not be opened by a browser.
    let megabytes =
        number(text, "0 or a number of megabytes up to 500", |mb| (0.0..=500.0).contains(&mb))?;
    Ok((megabytes * 1e6) as usize)
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, "0 or a number above 0", |number| number >= 0.0)
}

fn positive(text: &str) -> Result<f64, String> {
    number(text, "a number above 0", |number| number > 0.0)
}
