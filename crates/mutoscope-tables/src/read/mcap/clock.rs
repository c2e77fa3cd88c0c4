//! Chooses the time of each message: its time stamp, or the time at which it was logged.

use std::collections::HashMap;

use mutoscope_core::diagnostics::{Diagnostics, SourceLocation, format_count, format_number};

use super::{
    codes,
    log::{Frame, Signal},
};

/// Stamps below this count from the start of a simulation or a boot, and not from 1970. In
/// nanoseconds, as all times here.
const MIN_EPOCH_STAMP: i64 = 100_000_000 * NANOSECONDS_PER_SECOND;

/// If stamps and log times are further apart, they belong to different clocks.
const MAX_LATENCY: i64 = 60 * NANOSECONDS_PER_SECOND;

const NANOSECONDS_PER_SECOND: i64 = 1_000_000_000;

/// The times of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageTime {
    pub(super) topic: usize,
    /// `None` if the message type has no time stamp.
    pub(super) stamp: Option<i64>,
    pub(super) log: i64,
}

/// Converts the times of messages to times on one clock.
pub(super) struct Clock {
    source: TimeSource,
    /// For each topic, `true` if its messages have no time stamps, or only zeros.
    is_unstamped: Vec<bool>,
    /// `true` if a stamp of 0 is a missing stamp.
    is_zero_missing: bool,
    /// Pairs of log time and stamp, sorted. Empty if log times are on the clock of the stamps.
    conversion: Vec<(i64, i64)>,
}

#[derive(Clone, Copy, PartialEq)]
enum TimeSource {
    Stamps,
    /// The stamps, without the messages that repeat earlier times.
    FirstPass,
    LogTimes,
}

impl Clock {
    pub(super) fn new(
        topics: &[String],
        frames: &[Frame],
        signals: &[Signal],
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let times = || {
            let of_signals = signals.iter().flat_map(Signal::times);
            frames.iter().flat_map(Frame::times).chain(of_signals)
        };
        let mut is_unstamped = vec![true; topics.len()];
        let mut min_stamp = None;
        for time in times() {
            if let Some(stamp) = time.stamp.filter(|stamp| *stamp != 0) {
                is_unstamped[time.topic] = false;
                min_stamp = Some(min_stamp.map_or(stamp, |min: i64| min.min(stamp)));
            }
        }
        let mut clock = Self {
            source: TimeSource::Stamps,
            is_unstamped,
            is_zero_missing: min_stamp.is_none_or(|min| min >= MIN_EPOCH_STAMP),
            conversion: Vec::new(),
        };
        let order = Order::new(frames, |time| clock.stamp(time).unwrap_or(time.log));
        clock.choose_source(&order, frames, diagnostics);
        if clock.source != TimeSource::LogTimes {
            clock.convert_log_times(times, topics, diagnostics);
        }
        clock
    }

    fn choose_source(&mut self, order: &Order, frames: &[Frame], diagnostics: &mut Diagnostics) {
        if order.late == 0 {
            return;
        }
        let log_order = Order::new(frames, |time| time.log);
        let returns = format_count(order.returns, "time");
        let mut warn = |outcome: &str| {
            let message = format!(
                "the time stamps go backwards {returns}, as in a bag that was played in a loop; {outcome}"
            );
            diagnostics
                .warning(codes::STAMPS_GO_BACK, SourceLocation::File, message)
                .with("count", order.returns);
        };
        if order.returns > 0 && log_order.returns == 0 {
            self.source = TimeSource::LogTimes;
            warn("the times at which messages were logged are used instead");
        } else if order.overlaps {
            self.source = TimeSource::FirstPass;
            let skipped = format_count(order.late, "message");
            warn(&format!("the first pass is kept, and {skipped} with repeated times are skipped"));
        } else {
            let late = format_count(order.late, "message");
            let message = format!("{late} out of order; sorted by time");
            diagnostics
                .info(codes::UNSORTED, SourceLocation::File, message)
                .with("count", order.late);
        }
    }

    /// Lets log times be converted to the clock of the stamps, for topics without stamps and topics
    /// with stamps of another clock. A simulation, for example, has a clock of its own.
    fn convert_log_times<T: Iterator<Item = MessageTime>>(
        &mut self,
        times: impl Fn() -> T,
        topics: &[String],
        diagnostics: &mut Diagnostics,
    ) {
        let mut offsets: Vec<(usize, i64)> = times()
            .filter_map(|time| Some((time.topic, time.log.saturating_sub(self.stamp(time)?))))
            .collect();
        offsets.sort_unstable();
        let by_topic = offsets.chunk_by(|one, other| one.0 == other.0);
        let of_topics: Vec<(usize, i64)> = by_topic.map(|it| it[it.len() / 2]).collect();
        offsets.sort_unstable_by_key(|(_, offset)| *offset);
        let Some((_, common)) = offsets.get(offsets.len() / 2).copied() else { return };
        for (topic, offset) in of_topics {
            if offset.saturating_sub(common).saturating_abs() > MAX_LATENCY {
                self.is_unstamped[topic] = true;
                let message = format!(
                    "the time stamps of {:?} are from another clock than those of other topics; its log times \
                     are used instead",
                    topics[topic]
                );
                diagnostics
                    .warning(codes::SEVERAL_CLOCKS, SourceLocation::File, message)
                    .with("topic", topics[topic].as_str());
            }
        }
        let Some(unstamped) = times().find(|time| self.stamp(*time).is_none()) else { return };
        if common.saturating_abs() <= MAX_LATENCY {
            return;
        }
        let mut pairs: Vec<(i64, i64)> =
            times().filter_map(|time| Some((time.log, self.stamp(time)?))).collect();
        pairs.sort_unstable();
        pairs.dedup_by_key(|(log, _)| *log);
        self.conversion = pairs;
        let seconds = format_number(common as f64 / NANOSECONDS_PER_SECOND as f64);
        let message = format!(
            "messages of {:?} have no time stamps on the clock of other topics, which is {seconds} s behind \
             the log times; their log times are converted to that clock",
            topics[unstamped.topic]
        );
        diagnostics
            .info(codes::SEVERAL_CLOCKS, SourceLocation::File, message)
            .with("topic", topics[unstamped.topic].as_str())
            .with("offset_s", common as f64 / NANOSECONDS_PER_SECOND as f64);
    }

    /// Returns the stamp of a message, or `None` if it is missing.
    fn stamp(&self, time: MessageTime) -> Option<i64> {
        let stamp = time.stamp.filter(|_| !self.is_unstamped[time.topic])?;
        (stamp != 0 || !self.is_zero_missing).then_some(stamp)
    }

    /// Returns the time of a message in nanoseconds.
    pub(super) fn time(&self, time: MessageTime) -> i64 {
        if self.source == TimeSource::LogTimes {
            return time.log;
        }
        if let Some(stamp) = self.stamp(time) {
            return stamp;
        }
        let next = self.conversion.partition_point(|(log, _)| *log <= time.log);
        match self.conversion.get(next.saturating_sub(1)) {
            None => time.log,
            Some((log, stamp)) => stamp.saturating_add(time.log.saturating_sub(*log)),
        }
    }

    /// Returns `true` if messages with times before those of earlier messages must be skipped.
    pub(super) fn keeps_first_pass(&self) -> bool {
        self.source == TimeSource::FirstPass
    }
}

/// How the messages of each frame follow each other in time, in the order of the file.
#[derive(Default)]
struct Order {
    /// Messages with a time before that of an earlier message of the frame.
    late: usize,
    /// The largest number of times that a frame goes back in time and continues from there. A single
    /// late message is not counted, because messages may overtake each other in a network.
    returns: usize,
    /// `true` if messages go back to a time for which there already are messages.
    overlaps: bool,
}

#[derive(Default)]
struct Progress {
    range: Option<(i64, i64)>,
    previous: i64,
    late_in_a_row: usize,
    returns: usize,
}

impl Order {
    fn new(frames: &[Frame], time: impl Fn(MessageTime) -> i64) -> Self {
        let mut order = Self::default();
        for frame in frames {
            // Publishers of other parents have delays of their own.
            let mut by_parent: HashMap<usize, Progress> = HashMap::new();
            for sample in &frame.samples {
                let progress = by_parent.entry(sample.parent()).or_default();
                order.add(progress, time(sample.time()));
            }
        }
        order
    }

    fn add(&mut self, progress: &mut Progress, time: i64) {
        let (min, max) = progress.range.unwrap_or((time, time));
        // The last message of a repeated pass has the time of the last message of the pass before.
        let is_repeated = time == max && progress.late_in_a_row > 0;
        if time >= max && !is_repeated {
            progress.late_in_a_row = 0;
        } else {
            self.late += usize::from(time < max);
            let goes_on = progress.late_in_a_row > 0 && time >= progress.previous;
            progress.late_in_a_row = if goes_on { progress.late_in_a_row + 1 } else { 1 };
            if progress.late_in_a_row == 2 {
                progress.returns += 1;
                self.returns = self.returns.max(progress.returns);
            }
            self.overlaps |= progress.late_in_a_row >= 2 && time >= min;
        }
        progress.previous = time;
        // The range keeps the minimum from before a return, so that overlaps are found.
        let min = if progress.late_in_a_row > 0 { min } else { min.min(time) };
        progress.range = Some((min, max.max(time)));
    }
}
