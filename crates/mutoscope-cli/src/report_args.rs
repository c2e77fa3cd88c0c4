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
    /// Write to this file. The extension selects the format: html, csv, parquet or json. - is
    /// standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Source,
    /// Write this format, regardless of the extension of OUT
    #[arg(long, value_name = "TARGET", value_parser = PossibleValuesParser::new(ReportFormat::NAMES))]
    pub to: Option<String>,
    /// Read the labels from this csv, eaf or TextGrid file; markers makes a label from each marker
    /// of the recording to the next [default: take.labels.csv, take.eaf or take.TextGrid next to
    /// take.bin]
    #[arg(long, value_name = "FILE|markers")]
    pub labels: Option<PathBuf>,
    /// Use no labels
    #[arg(long, conflicts_with = "labels")]
    pub no_labels: bool,
    /// Add an area of interest, such as cup=sphere:0,1,-2,0.1; repeatable
    #[arg(long = "area", value_name = "NAME=…")]
    pub areas: Vec<NamedArea>,
    /// Sample at this rate, in Hz [default: the recording's own rate, or else 60]
    #[arg(long, value_name = "R", allow_hyphen_values = true, value_parser = parse_rate)]
    pub rate: Option<f64>,
    /// Filter hand positions with this cut-off frequency, in Hz; 0 turns the filter off [default:
    /// 10]
    #[arg(long, value_name = "HZ", allow_hyphen_values = true, value_parser = parse_non_negative)]
    pub cutoff: Option<f64>,
    /// Treat a wrist as moving from this speed on, in m/s [default: 0.05]
    #[arg(long, value_name = "M/S", allow_hyphen_values = true, value_parser = parse_positive)]
    pub movement_speed: Option<f64>,
    /// Treat the gaze as in a saccade from this angular velocity on, in degrees per second
    /// [default: 30]
    #[arg(long, value_name = "DEG/S", allow_hyphen_values = true, value_parser = parse_positive)]
    pub saccade_velocity: Option<f64>,
    /// Treat the gaze as on the target of a pinch up to this angle, in degrees [default: 5]
    #[arg(long, value_name = "DEG", allow_hyphen_values = true, value_parser = parse_positive)]
    pub gaze_on_target: Option<f64>,
    /// The height of the ground, in metres [default: 0]
    #[arg(long, value_name = "Y", allow_hyphen_values = true, value_parser = parse_seconds)]
    pub ground: Option<f64>,
    /// Treat this joint as a foot; repeatable [default: joints named foot, ankle or toe]
    #[arg(long = "foot", value_name = "NAME")]
    pub feet: Vec<String>,
    /// Name the recording device, such as HoloLens 2; the report lists its limits
    #[arg(long, value_name = "TEXT")]
    pub device: Option<String>,
    /// Open the links of the page in the hosted viewer at this address [default: in the installed
    /// program]
    #[arg(long, value_name = "URL", value_parser = LinkTarget::from_address)]
    pub link: Option<LinkTarget>,
    /// Play at most this much motion in the page, in MB; recordings that no longer fit are left
    /// out, and 0 plays none
    #[arg(long, value_name = "MB", default_value = "2", allow_hyphen_values = true, value_parser = parse_motion_limit)]
    pub motion: usize,
    /// The choice of one recording in a file with several [default: all of them].
    #[command(flatten)]
    pub animation: AnimationArgs,
    /// Recordings, or folders of them; - is standard input
    #[arg(required = true, value_name = "TAKE|DIR")]
    pub sources: Vec<Source>,
}

impl ReportArgs {
    /// Returns the thresholds in the arguments, or their defaults.
    pub(super) fn to_study_options(&self) -> StudyOptions {
        let defaults = StudyOptions::default();
        StudyOptions {
            rate: self.rate,
            cutoff_hz: self.cutoff.unwrap_or(defaults.cutoff_hz),
            movement_speed_mps: self.movement_speed.unwrap_or(defaults.movement_speed_mps),
            saccade_velocity_degps: self
                .saccade_velocity
                .unwrap_or(defaults.saccade_velocity_degps),
            gaze_on_target_deg: self.gaze_on_target.unwrap_or(defaults.gaze_on_target_deg),
            ground_m: self.ground.unwrap_or(defaults.ground_m),
            feet: self.feet.clone(),
            ..defaults
        }
    }
}

fn parse_number(text: &str, expected: &str, is_valid: fn(f64) -> bool) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok();
    let valid = number.filter(|number| number.is_finite() && is_valid(*number));
    valid.ok_or_else(|| format!("expected {expected}, found {text:?}"))
}

/// Parses a number of megabytes and returns it in bytes.
fn parse_motion_limit(text: &str) -> Result<usize, String> {
    // Limit the page to 500 MB, because browsers do not open larger ones.
    let megabytes = parse_number(text, "0 or a number of megabytes up to 500", |mb| {
        (0.0..=500.0).contains(&mb)
    })?;
    Ok((megabytes * 1e6) as usize)
}

fn parse_non_negative(text: &str) -> Result<f64, String> {
    parse_number(text, "0 or a number above 0", |number| number >= 0.0)
}

fn parse_positive(text: &str) -> Result<f64, String> {
    parse_number(text, "a number above 0", |number| number > 0.0)
}
