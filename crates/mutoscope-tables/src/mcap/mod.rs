//! MCAP with the messages of Foxglove: for Foxglove, Lichtblick and Rerun.
//!
//! | file | what it writes |
//! |---|---|
//! | `container` | the MCAP container: chunks, indices, checksums |
//! | `messages`, `schemas` | Protobuf messages, and their descriptors |
//! | `frames` | poses as transforms between frames |
//! | `signals` | signals as topics |
//! | `events` | events as log messages |

mod container;
mod events;
mod frames;
pub(crate) mod messages;
mod signals;

use std::{
    io::{self, Write},
    iter::Peekable,
};

use prost::Message as _;
use serde_json::json;

use self::{
    container::{ChannelId, Container, SchemaId},
    frames::Frames,
    messages::Timestamp,
    signals::Signals,
};
use mutoscope_core::{
    clip::{Event, Pose},
    export::{ExportError, ExportTarget, Job, Report, Watch, breaks, counted},
};

/// A log of transforms, signals and events.
pub(super) const TARGET: ExportTarget =
    ExportTarget::of_motion("mcap", "MCAP (Foxglove)", "mcap", write);

const LIBRARY: &str = concat!("mutoscope ", env!("CARGO_PKG_VERSION"));

/// The space of the transforms, in words.
const SPACE: &str = "frame world: right-handed, Y up, -Z forward, metres; its parent z_up is the same with Z up; \
     transforms are relative to the parent frame; rotations are quaternions x, y, z, w";

fn write(job: &Job<'_>, out: &mut dyn Write, watch: &mut Watch<'_>) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let clip = job.clip;
    let mut times = match job.rate {
        Some(rate) => breaks::regular(job, rate)?,
        None => breaks::of_all(job)?,
    };
    let clock = LogClock::new(job)?;
    clock.dedup(&mut times);
    let mut frames = Frames::new(clip, &mut report);
    let mut signals = Signals::new(clip);
    let mut file = Container::begin(out, LIBRARY)?;
    write_facts(job, &clock, &frames.names(), &mut file)?;
    let mut schemas = Schemas::default();
    let (name, descriptors) = messages::FRAME_TRANSFORMS;
    let schema = file.schema(name, descriptors);
    let transforms = file.channel(schema, "/tf").expect("the first of all channels");
    let mut events = Events::new(job, &mut file);
    let (mut pose, mut data) = (Pose::default(), Vec::new());
    watch.now_up_to(1.0);
    for (index, &time) in times.iter().enumerate() {
        watch.at(index, times.len())?;
        events.write_until(time, &clock, &mut file, watch)?;
        clip.sample(time, &mut pose);
        let stamp = clock.nanoseconds(time);
        data.clear();
        frames.message(clip, &pose, Timestamp::of_nanoseconds(stamp), &mut data);
        file.message(transforms, stamp, &data)?;
        signals.write(clip, &pose, stamp, &mut schemas, &mut file)?;
    }
    events.write_until(f64::INFINITY, &clock, &mut file, watch)?;
    file.finish()?;
    if clock.zero != 0.0 {
        job.report_start(&mut report);
    }
    let messages = counted(times.len(), "message");
    match job.rate {
        Some(rate) => report.info(format!("{messages} of transforms at {rate} Hz")),
        None => report
            .info(format!("{messages} of transforms, at the times of the recording's own keys")),
    }
    frames.report(&mut report);
    signals.report(&mut report);
    Ok(report)
}

/// Writes the metadata record.
fn write_facts(
    job: &Job<'_>,
    clock: &LogClock,
    names: &[String],
    file: &mut Container<'_>,
) -> io::Result<()> {
    let mut facts = job.facts();
    facts.extend([
        ("units", json!({"log_time": "ns", "translation": "m"}).to_string()),
        ("space", SPACE.to_owned()),
        ("nodes", job.nodes_as_json(names)),
        ("log_time_zero", json!(clock.zero).to_string()),
    ]);
    file.metadata("mutoscope", facts.iter().map(|(key, value)| (*key, value.as_str())))
}

/// Converts times of the recording to log times, which are not negative.
struct LogClock {
    /// The time of the recording at log time 0, in seconds.
    zero: f64,
}

impl LogClock {
    /// The maximum log time of readers with signed 64-bit nanoseconds: 292 years.
    const END: f64 = i64::MAX as f64 / 1e9;

    /// # Errors
    /// If the range is longer.
    fn new(job: &Job<'_>) -> Result<Self, ExportError> {
        let zero = if job.from < 0.0 || job.to > Self::END { job.from } else { 0.0 };
        let length = job.to - zero;
        if length.is_nan() || length >= Self::END {
            let message = format!(
                "{} to {} s exceed the 292 years of MCAP timestamps: --range selects less",
                job.from, job.to
            );
            return Err(ExportError::TooMuch(message));
        }
        Ok(Self { zero })
    }

    fn nanoseconds(&self, time: f64) -> u64 {
        ((time - self.zero) * 1e9).round() as u64
    }

    /// Keeps the last of the times that have the same log time.
    fn dedup(&self, times: &mut Vec<f64>) {
        times.reverse();
        times.dedup_by_key(|time| self.nanoseconds(*time));
        times.reverse();
    }
}

/// The schemas of signals, added on first use.
#[derive(Default)]
struct Schemas {
    number: Option<SchemaId>,
    text: Option<SchemaId>,
}

impl Schemas {
    fn number(&mut self, file: &mut Container<'_>) -> SchemaId {
        let (name, descriptors) = messages::NUMBER;
        *self.number.get_or_insert_with(|| file.schema(name, descriptors))
    }

    fn text(&mut self, file: &mut Container<'_>) -> SchemaId {
        let (name, descriptors) = messages::TEXT;
        *self.text.get_or_insert_with(|| file.schema(name, descriptors))
    }
}

/// The events in the range, in order of time.
struct Events<'a> {
    job: &'a Job<'a>,
    pending: Peekable<std::vec::IntoIter<&'a Event>>,
    channel: Option<ChannelId>,
}

impl<'a> Events<'a> {
    fn new(job: &'a Job<'a>, file: &mut Container<'_>) -> Self {
        let in_range = |event: &&Event| (job.from..=job.to).contains(&event.time);
        let mut events: Vec<&Event> = job.clip.events.iter().filter(in_range).collect();
        events.sort_by(|one, other| one.time.total_cmp(&other.time));
        let channel = (!events.is_empty()).then(|| {
            let (name, descriptors) = messages::LOG;
            let schema = file.schema(name, descriptors);
            file.channel(schema, "/events").expect("the second of all channels")
        });
        Self { job, pending: events.into_iter().peekable(), channel }
    }

    /// Writes the pending events before `time`.
    fn write_until(
        &mut self,
        time: f64,
        clock: &LogClock,
        file: &mut Container<'_>,
        watch: &mut Watch<'_>,
    ) -> Result<(), ExportError> {
        let Some(channel) = self.channel else { return Ok(()) };
        while let Some(event) = self.pending.next_if(|event| event.time < time) {
            watch.ask()?;
            let stamp = clock.nanoseconds(event.time);
            let timestamp = Timestamp::of_nanoseconds(stamp);
            let message = events::message(self.job.clip, event, timestamp);
            file.message(channel, stamp, &message.encode_to_vec())?;
        }
        Ok(())
    }
}
