//! Exports MCAP with Foxglove's messages, for Foxglove, Lichtblick and Rerun.
//!
//! | file | what it does |
//! |---|---|
//! | `container` | writes the MCAP container: chunks, indices, checksums |
//! | `messages`, `schemas` | define the Protobuf messages and their descriptors |
//! | `frames` | converts poses to transforms between frames |
//! | `signals` | writes signals as topics |
//! | `events` | converts events to log messages |

mod container;
mod events;
mod frames;
pub(crate) mod messages;
mod signals;

use std::{
    io::{self, Write},
    iter::Peekable,
};

use glam::DQuat;
use prost::Message as _;
use serde_json::json;

use self::{
    container::{ChannelId, Container, SchemaId},
    frames::{Frames, Written},
    messages::Timestamp,
    signals::Signals,
};
use mutoscope_core::{
    clip::{Content, Event, Pose},
    diagnostics::format_count,
    export::{ExportError, ExportTarget, Job, Progress, Report, key_times},
    io::parallel::map_continued,
};

pub(super) const TARGET: ExportTarget =
    ExportTarget::for_motion("mcap", "MCAP (Foxglove)", "mcap", write).keeping(&[
        Content::Motion,
        Content::Hierarchy,
        Content::Visibility,
        Content::Signals,
        Content::Events,
    ]);

const LIBRARY: &str = concat!("mutoscope ", env!("CARGO_PKG_VERSION"));

const SPACE_DESCRIPTION: &str = "frame world: right-handed, Y up, -Z forward, metres; its parent z_up is the same with Z up; \
     transforms are relative to the parent frame; rotations are quaternions x, y, z, w";

/// The number of poses that a thread samples and encodes at once.
const POSES_PER_BLOCK: usize = 64;

fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let clip = job.clip;
    let mut times = key_times::times_of_rows(job)?;
    let clock = LogClock::new(job)?;
    clock.dedup_times(&mut times);
    let frames = Frames::new(clip, &mut report);
    let mut signals = Signals::new(clip);
    let mut file = Container::begin(out, LIBRARY)?;
    write_metadata(job, &clock, &frames.frame_ids(), &mut file)?;
    let mut schemas = Schemas::default();
    let (name, descriptors) = messages::FRAME_TRANSFORMS;
    let schema = file.add_schema(name, descriptors);
    let transforms = file.add_channel(schema, "/tf").expect("the first of all channels");
    let mut events = Events::new(job, &mut file);
    progress.begin_phase(1.0);
    let blocks: Vec<&[f64]> = times.chunks(POSES_PER_BLOCK).collect();
    let timestamp = |pose: &Pose| Timestamp::from_nanoseconds(clock.to_log_time(pose.time));
    let mut written = Written::nothing(clip);
    let rotations = written.rotations.clone();
    let encode_block = |block: usize, rotations: &Vec<DQuat>, progress: &mut Progress<'_>| {
        let mut pose = Pose::default();
        let sample = |&time: &f64| {
            progress.check_cancelled()?;
            clip.sample(time, &mut pose);
            Ok(pose.clone())
        };
        let poses = blocks[block].iter().map(sample).collect::<Result<Vec<_>, ExportError>>()?;
        let encoded = frames.encode_poses(clip, &poses, timestamp, rotations);
        Ok::<_, ExportError>((poses, encoded))
    };
    map_continued(blocks.len(), progress, rotations, encode_block, |_, block, _, before| {
        let (poses, mut encoded) = block;
        if !written.is_continued_by(&encoded) {
            encoded = frames.encode_poses(clip, &poses, timestamp, before);
        }
        written.add(&encoded);
        for (pose, data) in poses.iter().zip(encoded.messages()) {
            events.write_until(pose.time, &clock, &mut file)?;
            let stamp = clock.to_log_time(pose.time);
            file.add_message(transforms, stamp, data)?;
            signals.write_values(clip, pose, stamp, &mut schemas, &mut file)?;
        }
        Ok(written.rotations.clone())
    })?;
    events.write_until(f64::INFINITY, &clock, &mut file)?;
    file.finish()?;
    if clock.zero != 0.0 {
        job.report_start(&mut report);
    }
    let messages = format_count(times.len(), "message");
    match job.rate {
        Some(rate) => report.info(format!("{messages} of transforms at {rate} Hz")),
        None => report
            .info(format!("{messages} of transforms, at the times of the recording's own keys")),
    }
    frames.report(&written, &mut report);
    signals.report(&mut report);
    Ok(report)
}

fn write_metadata(
    job: &Job<'_>,
    clock: &LogClock,
    names: &[String],
    file: &mut Container<'_>,
) -> io::Result<()> {
    let mut facts = job.metadata();
    facts.extend([
        ("units", json!({"log_time": "ns", "translation": "m"}).to_string()),
        ("space", SPACE_DESCRIPTION.to_owned()),
        ("nodes", job.nodes_as_json(names)),
        ("log_time_zero", json!(clock.zero).to_string()),
    ]);
    file.write_metadata("mutoscope", facts.iter().map(|(key, value)| (*key, value.as_str())))
}

/// Converts clip times to log times, which cannot be negative.
struct LogClock {
    /// The clip time at log time 0, in seconds.
    zero: f64,
}

impl LogClock {
    /// The largest log time, which is 292 years, because some readers store nanoseconds in signed
    /// 64-bit integers.
    const MAX_LOG_TIME_S: f64 = i64::MAX as f64 / 1e9;

    /// # Errors
    /// If the exported range is longer than [`Self::MAX_LOG_TIME_S`].
    fn new(job: &Job<'_>) -> Result<Self, ExportError> {
        let zero = if job.from < 0.0 || job.to > Self::MAX_LOG_TIME_S { job.from } else { 0.0 };
        let length = job.to - zero;
        if length.is_nan() || length >= Self::MAX_LOG_TIME_S {
            let message = format!(
                "{} to {} s exceed the 292 years of MCAP timestamps. Pass a shorter --range",
                job.from, job.to
            );
            return Err(ExportError::LimitExceeded(message));
        }
        Ok(Self { zero })
    }

    fn to_log_time(&self, time: f64) -> u64 {
        ((time - self.zero) * 1e9).round() as u64
    }

    fn dedup_times(&self, times: &mut Vec<f64>) {
        times.reverse();
        times.dedup_by_key(|time| self.to_log_time(*time));
        times.reverse();
    }
}

#[derive(Default)]
struct Schemas {
    number: Option<SchemaId>,
    text: Option<SchemaId>,
}

impl Schemas {
    fn number_schema(&mut self, file: &mut Container<'_>) -> SchemaId {
        let (name, descriptors) = messages::NUMBER;
        *self.number.get_or_insert_with(|| file.add_schema(name, descriptors))
    }

    fn text_schema(&mut self, file: &mut Container<'_>) -> SchemaId {
        let (name, descriptors) = messages::TEXT;
        *self.text.get_or_insert_with(|| file.add_schema(name, descriptors))
    }
}

struct Events<'a> {
    job: &'a Job<'a>,
    pending: Peekable<std::vec::IntoIter<(f64, &'a Event)>>,
    channel: Option<ChannelId>,
}

impl<'a> Events<'a> {
    fn new(job: &'a Job<'a>, file: &mut Container<'_>) -> Self {
        let mut events: Vec<(f64, &Event)> = job.events().collect();
        events.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let channel = (!events.is_empty()).then(|| {
            let (name, descriptors) = messages::LOG;
            let schema = file.add_schema(name, descriptors);
            file.add_channel(schema, "/events").expect("the second of all channels")
        });
        Self { job, pending: events.into_iter().peekable(), channel }
    }

    fn write_until(
        &mut self,
        time: f64,
        clock: &LogClock,
        file: &mut Container<'_>,
    ) -> Result<(), ExportError> {
        let Some(channel) = self.channel else { return Ok(()) };
        while let Some((event_time, event)) = self.pending.next_if(|(event, _)| *event < time) {
            let stamp = clock.to_log_time(event_time);
            let timestamp = Timestamp::from_nanoseconds(stamp);
            let message = events::log_message(self.job.clip, event, timestamp);
            file.add_message(channel, stamp, &message.encode_to_vec())?;
        }
        Ok(())
    }
}
