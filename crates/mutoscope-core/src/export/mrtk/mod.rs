//! MRTK's input animation: the hands, the head and the gaze of a HoloLens user.
//!
//! A recording from MRTK is written curve by curve. For any other recording, the motion of the
//! nodes that correspond to MRTK's joints becomes curves in Unity's world space.

mod native;
mod roles;
mod traced;

use std::io::Write;

use strum::VariantNames as _;

use super::{
    ExportError, ExportTarget, Job, OptionKind, Progress, Report, TargetOption, codes,
    linear_keys::ChannelKeys,
};
use crate::{
    clip::{Content, Event, FormatId, Side},
    diagnostics::format_count,
    formats::mrtk::{
        KeyLayout, RawKey, Version,
        convert::{HANDS, SourceDetails},
        encode::Encoder,
    },
};

pub(super) const TARGET: ExportTarget =
    ExportTarget::for_motion("mrtk", "MRTK input animation", "bin", write)
        .keeping(&[Content::Motion, Content::Events])
        .keeping_parts(&[Content::Visibility, Content::Signals])
        .keeping_unchanged(
            &[FormatId::MRTK],
            &[Content::Visibility, Content::Signals, Content::Tangents],
        )
        .requiring("hand joints, a head or a gaze")
        .with_options(&[VERSION]);

const VERSION: TargetOption = TargetOption {
    name: "mrtk-version",
    label: "Version",
    help: "Write this version: 1.0 for MRTK up to 2.5, 1.1 for later ones [default: the version of \
           an MRTK recording, else 1.1]",
    kind: OptionKind::Choice { values: MrtkVersion::VARIANTS, default: None },
};

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
enum MrtkVersion {
    /// MRTK up to 2.5: head and hands.
    #[strum(serialize = "1.0")]
    V1_0,
    /// MRTK from 2.6 on: head, hands and gaze.
    #[strum(serialize = "1.1")]
    V1_1,
}

/// Unity's `WrapMode.ClampForever`. MRTK writes this mode at both ends of each curve.
const CLAMP_FOREVER: i32 = 8;

fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    job.report_start(&mut report);
    if job.from == job.to {
        let message = "the range has a duration of 0: MRTK does not play it";
        report.warning_with_code(codes::NO_DURATION, message);
    }
    let details = job.clip.source_details_as::<SourceDetails>();
    let mut curves = match details {
        Some(details) => native::write(job, details, out, &mut report, progress)?,
        None => traced::write(job, out, &mut report, progress)?,
    };
    if curves.non_finite > 0 {
        let keys = format_count(curves.non_finite, "key");
        report.warning_with_code(codes::NON_FINITE_SKIPPED, format!("{keys} skipped: not finite"));
    }
    write_markers(job, &mut curves, &mut report)?;
    progress.report_progress(1, 1)?;
    Ok(report)
}

/// Writes the events of the range as markers, which have a time and a name.
fn write_markers(
    job: &Job<'_>,
    curves: &mut CurveWriter<'_>,
    report: &mut Report,
) -> Result<(), ExportError> {
    /// Readers refuse longer names, because these occur in damaged files.
    const MAX_NAME_BYTES: usize = 1 << 20;
    // MRTK may have set markers after the last key, where the recording ends.
    let events: Vec<(f64, &Event)> = match job.is_unchanged() {
        true => job.clip.events.iter().map(|event| (event.time, event)).collect(),
        false => job.events().collect(),
    };
    let is_short = |(_, event): &&(f64, &Event)| event.name.len() <= MAX_NAME_BYTES;
    let markers = events.iter().filter(is_short);
    let markers: Vec<_> =
        markers.map(|(time, event)| ((time - job.from) as f32, event.name.as_bytes())).collect();
    let skipped = events.len() - markers.len();
    if skipped > 0 {
        let events = format_count(skipped, "event");
        let message = format!("{events} with a name longer than a mebibyte skipped");
        report.warning_with_code(codes::PARTS_SKIPPED, message);
    }
    Ok(curves.encoder.write_markers(markers.into_iter())?)
}

/// Writes curves in file order.
struct CurveWriter<'a> {
    encoder: Encoder<&'a mut dyn Write>,
    layout: KeyLayout,
    bytes: Vec<u8>,
    non_finite: usize,
}

impl<'a> CurveWriter<'a> {
    /// Writes the header. `has_parts` is `true` if there are a camera, hands and a gaze. Version
    /// 1.0 always has a camera and hands, and never a gaze.
    fn begin(
        version: MrtkVersion,
        has_parts: [bool; 3],
        out: &'a mut dyn Write,
    ) -> Result<Self, ExportError> {
        let (version, layout) = match version {
            MrtkVersion::V1_0 => (Version::V1_0, KeyLayout::Full),
            MrtkVersion::V1_1 => {
                (Version::V1_1 { parts: has_parts.map(u8::from) }, KeyLayout::Simple)
            }
        };
        let encoder = Encoder::begin(version, out)?;
        Ok(Self { encoder, layout, bytes: Vec::new(), non_finite: 0 })
    }

    /// Writes a curve of numbers. Keys that are not finite are skipped and counted.
    fn write_curve(
        &mut self,
        wrap_modes: [i32; 2],
        keys: impl Iterator<Item = RawKey>,
    ) -> Result<(), ExportError> {
        self.write_keys(wrap_modes, self.layout, keys)
    }

    /// Writes a curve of switches, whose keys have the same layout in both versions.
    fn write_switch(
        &mut self,
        wrap_modes: [i32; 2],
        keys: impl Iterator<Item = RawKey>,
    ) -> Result<(), ExportError> {
        self.write_keys(wrap_modes, KeyLayout::Simple, keys)
    }

    fn write_keys(
        &mut self,
        wrap_modes: [i32; 2],
        layout: KeyLayout,
        keys: impl Iterator<Item = RawKey>,
    ) -> Result<(), ExportError> {
        self.bytes.clear();
        let mut count = 0;
        for key in keys {
            if key.time.is_finite() && key.value.is_finite() {
                key.write(layout, &mut self.bytes);
                count += 1;
            } else {
                self.non_finite += 1;
            }
        }
        Ok(self.encoder.write_curve(wrap_modes, count, &self.bytes)?)
    }

    fn write_empty_curves(&mut self, count: usize) -> Result<(), ExportError> {
        const CURVE_WRAP_MODES: [i32; 2] = [CLAMP_FOREVER; 2];
        (0..count).try_for_each(|_| Ok(self.encoder.write_curve(CURVE_WRAP_MODES, 0, &[])?))
    }

    /// Writes component `index` of each key. A constant curve gets a key at each end of the range,
    /// because the duration of a recording is the time of its last key.
    fn write_component<T: Copy>(
        &mut self,
        keys: &ChannelKeys<T>,
        duration: f64,
        component: impl Fn(T) -> f64,
    ) -> Result<(), ExportError> {
        let ends = [0.0, duration as f32];
        let (times, values) = match keys.times.len() {
            1 if duration > 0.0 => (&ends[..], &[keys.values[0]; 2][..]),
            _ => (&keys.times[..], &keys.values[..]),
        };
        let keys = times.iter().zip(values);
        self.write_curve(
            [CLAMP_FOREVER; 2],
            keys.map(|(&time, &value)| plain_key(time, component(value) as f32)),
        )
    }
}

fn plain_key(time: f32, value: f32) -> RawKey {
    RawKey { time, value, tangents: None }
}

/// Returns the index of the hand on this side, in the order of the file.
fn hand_index(side: Side) -> usize {
    HANDS.iter().position(|(_, known)| *known == side).unwrap_or(0)
}
