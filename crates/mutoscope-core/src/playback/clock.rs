//! The playback clock of a recording.

use serde::{Deserialize, Serialize};

use super::{Direction, TimeCommand};
use crate::clip::Span;

/// The speeds that [`TimeCommand::Faster`] and [`TimeCommand::Slower`] step through, and that menus
/// offer.
pub const SPEED_PRESETS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

/// The lowest speed in either direction. To stop, pause the clock instead.
pub const MIN_SPEED: f64 = 0.01;

const MIN_RANGE_S: f64 = 1e-3;

/// The state of playback. All times are clip times in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    span: Span,
    time: f64,
    playing: bool,
    is_held: bool,
    speed: f64,
    looping: Looping,
    range: Option<TimeRange>,
    is_reversed: bool,
}

/// The looping mode, which decides what happens at the end of the clip or range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Looping {
    /// Playback stops at the end of the clip.
    Off,
    /// Playback continues at the start of the clip.
    #[default]
    All,
    /// Playback continues at the start of the range.
    Range,
    /// Playback reverses its direction at both ends (ping-pong) of the range, or of the clip if no
    /// range is set.
    PingPong,
}

/// A range of clip times, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeRange {
    start: f64,
    end: f64,
}

impl TimeRange {
    /// Creates the range between two times, in either order. A range of less than one millisecond
    /// is extended to one millisecond.
    pub fn new(a: f64, b: f64) -> Self {
        let (start, end) = if a <= b { (a, b) } else { (b, a) };
        Self { start, end: end.max(start + MIN_RANGE_S) }
    }

    /// Returns the time at which the range starts, in seconds.
    pub fn start(self) -> f64 {
        self.start
    }

    /// Returns the time at which the range ends, in seconds.
    pub fn end(self) -> f64 {
        self.end
    }

    /// Returns the duration of the range, in seconds.
    pub fn duration(self) -> f64 {
        self.end - self.start
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(Span::default())
    }
}

impl Clock {
    /// Creates a clock that is paused at the start of `span` and loops over all of it.
    pub fn new(span: Span) -> Self {
        Self {
            span,
            time: span.start,
            playing: false,
            is_held: false,
            speed: 1.0,
            looping: Looping::All,
            range: None,
            is_reversed: false,
        }
    }

    /// Returns the current clip time, in seconds.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the span of the clip.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns `true` if the clock plays, even if [`TimeCommand::Hold`] holds it at the moment.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// Returns `true` if the clock plays and is not held, so that [`Self::advance`] changes the
    /// time.
    pub fn is_running(&self) -> bool {
        self.playing && !self.is_held
    }

    /// Returns the speed as a factor: 1 plays as recorded, a negative speed plays backwards.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Returns `true` if playback runs forwards at the moment, and `false` if the speed is negative
    /// or ping-pong has reversed the direction.
    pub fn is_forward(&self) -> bool {
        (self.speed > 0.0) != self.is_reversed
    }

    /// Returns the looping mode.
    pub fn looping(&self) -> Looping {
        self.looping
    }

    /// Returns the range, or `None` if no range is set.
    pub fn range(&self) -> Option<TimeRange> {
        self.range
    }

    /// Applies `command`. [`TimeCommand::Step`] stops at `sample_times`, which have to be in
    /// ascending order.
    pub fn apply(&mut self, command: TimeCommand, sample_times: &[f64]) {
        match command {
            TimeCommand::TogglePlay if self.playing => self.playing = false,
            TimeCommand::TogglePlay | TimeCommand::Play => self.play(),
            TimeCommand::Pause => self.playing = false,
            TimeCommand::Seek(time) => self.seek(time),
            TimeCommand::Skip(seconds) => self.seek(self.time + seconds),
            TimeCommand::Step(direction) => self.step(direction, sample_times),
            TimeCommand::ToStart => self.seek(self.playback_bounds().0),
            TimeCommand::ToEnd => self.seek(self.playback_bounds().1),
            TimeCommand::SetSpeed(speed) => self.set_speed(speed),
            TimeCommand::Faster => self.step_speed_preset(Direction::Forward),
            TimeCommand::Slower => self.step_speed_preset(Direction::Backward),
            TimeCommand::CycleLooping => self.set_looping(self.next_looping()),
            TimeCommand::SetLooping(looping) => self.set_looping(looping),
            TimeCommand::SetIn(time) => {
                let end = self.range.map(|range| range.end).filter(|&end| end > time);
                self.set_range(Some(TimeRange::new(time, end.unwrap_or(self.span.end()))));
            }
            TimeCommand::SetOut(time) => {
                let start = self.range.map(|range| range.start).filter(|&start| start < time);
                self.set_range(Some(TimeRange::new(start.unwrap_or(self.span.start), time)));
            }
            TimeCommand::SetRange(range) => self.set_range(range),
            TimeCommand::Hold => self.is_held = true,
            TimeCommand::Release => self.is_held = false,
        }
    }

    /// Replaces the span. The range is clipped to the new span and the current time is clamped to
    /// it; the rest of the state is kept.
    pub fn set_span(&mut self, span: Span) {
        self.span = span;
        self.seek(self.time);
        self.set_range(self.range);
    }

    /// Advances the time by `elapsed` seconds of real time, if the clock plays and is not held.
    pub fn advance(&mut self, elapsed: f64) {
        if !self.is_running() {
            return;
        }
        let (start, end) = self.playback_bounds();
        let length = end - start;
        let direction = if self.is_reversed { -1.0 } else { 1.0 };
        let target = self.time + elapsed * self.speed * direction;
        if (start..=end).contains(&target) {
            self.time = target;
        } else if length <= 0.0 {
            self.time = start;
            self.playing = self.looping != Looping::Off;
        } else {
            self.stop_or_loop(target, start, length);
        }
    }

    /// Advances the time like [`Self::advance`], but skips `gaps`.
    ///
    /// Each gap is a start and an end time, in ascending order. If the new time is within a gap,
    /// the time continues at the end of the gap, or at its start if playback runs backwards.
    pub fn advance_skipping_gaps(&mut self, gaps: &[(f64, f64)], elapsed: f64) {
        self.advance(elapsed);
        let next = gaps.partition_point(|gap| gap.1 <= self.time);
        let Some(&(start, end)) = gaps.get(next).filter(|gap| gap.0 < self.time) else { return };
        if self.is_running() {
            let (first, last) = self.playback_bounds();
            self.time = if self.is_forward() { end.min(last) } else { start.max(first) };
        }
    }

    fn stop_or_loop(&mut self, target: f64, start: f64, length: f64) {
        match self.looping {
            Looping::Off => {
                self.time = target.clamp(start, start + length);
                self.playing = false;
            }
            Looping::All | Looping::Range => {
                self.time = start + (target - start).rem_euclid(length);
            }
            Looping::PingPong => {
                let phase = (target - start).rem_euclid(2.0 * length);
                let crossings = ((target - start) / length).floor() as i64;
                self.time = start + if phase > length { 2.0 * length - phase } else { phase };
                self.is_reversed ^= crossings.rem_euclid(2) == 1;
            }
        }
    }

    fn play(&mut self) {
        let (start, end) = self.playback_bounds();
        let is_at_end = if self.speed > 0.0 { self.time >= end } else { self.time <= start };
        if is_at_end && self.looping == Looping::Off {
            self.time = if self.speed > 0.0 { start } else { end };
        }
        self.playing = true;
    }

    fn seek(&mut self, time: f64) {
        if time.is_finite() {
            self.time = self.span.clamp(time);
        }
    }

    fn step(&mut self, direction: Direction, sample_times: &[f64]) {
        self.playing = false;
        let target = match direction {
            Direction::Forward => {
                let next = sample_times.partition_point(|&time| time <= self.time);
                sample_times.get(next)
            }
            Direction::Backward => {
                let index = sample_times.partition_point(|&time| time < self.time);
                index.checked_sub(1).and_then(|previous| sample_times.get(previous))
            }
        };
        if let Some(&target) = target {
            self.seek(target);
        }
    }

    fn set_speed(&mut self, speed: f64) {
        let fastest = SPEED_PRESETS[SPEED_PRESETS.len() - 1];
        if speed.is_finite() {
            self.speed = speed.abs().clamp(MIN_SPEED, fastest).copysign(speed);
        }
    }

    fn step_speed_preset(&mut self, direction: Direction) {
        let magnitude = self.speed.abs();
        let preset = match direction {
            Direction::Forward => SPEED_PRESETS.into_iter().find(|&preset| preset > magnitude),
            Direction::Backward => {
                SPEED_PRESETS.into_iter().rev().find(|&preset| preset < magnitude)
            }
        };
        self.set_speed(preset.unwrap_or(magnitude).copysign(self.speed));
    }

    fn next_looping(&self) -> Looping {
        match self.looping {
            Looping::Off => Looping::All,
            Looping::All if self.range.is_some() => Looping::Range,
            Looping::All | Looping::Range => Looping::PingPong,
            Looping::PingPong => Looping::Off,
        }
    }

    fn set_looping(&mut self, looping: Looping) {
        let is_available = looping != Looping::Range || self.range.is_some();
        self.looping = if is_available { looping } else { Looping::All };
        self.is_reversed = false;
    }

    /// Sets or removes the range. If the clock loops over the whole clip, it now loops over the new
    /// range, so that the user sees an effect immediately. If the clock loops over a range that is
    /// removed, it now loops over the whole clip.
    fn set_range(&mut self, range: Option<TimeRange>) {
        let range = range
            .map(|range| TimeRange::new(self.span.clamp(range.start), self.span.clamp(range.end)));
        match (range, self.looping) {
            (Some(_), Looping::All) => self.looping = Looping::Range,
            (None, Looping::Range) => self.looping = Looping::All,
            _ => {}
        }
        self.range = range;
    }

    /// Returns the times between which the clock plays, in seconds: the range if the clock loops
    /// over it, otherwise the span.
    pub fn playback_bounds(&self) -> (f64, f64) {
        match self.range {
            Some(range) if matches!(self.looping, Looping::Range | Looping::PingPong) => {
                (range.start, range.end)
            }
            _ => (self.span.start, self.span.end()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TimeCommand as C;

    const SAMPLES: [f64; 5] = [0.0, 0.5, 1.0, 2.5, 4.0];

    fn clock(commands: &[TimeCommand]) -> Clock {
        let mut clock = Clock::new(Span { start: 0.0, duration: 4.0 });
        for &command in commands {
            clock.apply(command, &SAMPLES);
        }
        clock
    }

    #[test]
    fn new_span_keeps_valid_time_and_range() {
        let mut clock = clock(&[C::SetIn(1.0), C::SetOut(3.0), C::SetSpeed(2.0), C::Seek(2.5)]);
        clock.set_span(Span { start: 0.0, duration: 8.0 });
        assert_eq!((clock.time(), clock.speed()), (2.5, 2.0));
        assert_eq!(clock.range(), Some(TimeRange::new(1.0, 3.0)));
        clock.set_span(Span { start: 0.0, duration: 2.0 });
        assert_eq!((clock.time(), clock.range()), (2.0, Some(TimeRange::new(1.0, 2.0))));
    }

    fn play(mut clock: Clock, elapsed: f64, steps: usize) -> Vec<f64> {
        (0..steps)
            .map(|_| {
                clock.advance(elapsed);
                clock.time()
            })
            .collect()
    }

    #[test]
    fn playback_modes_end_loop_and_reverse() {
        let range = C::SetRange(Some(TimeRange::new(1.0, 2.0)));
        let ping_pong = C::SetLooping(Looping::PingPong);
        let off = C::SetLooping(Looping::Off);
        let cases: [(&str, &[TimeCommand], [f64; 4]); 12] = [
            ("paused", &[], [0.0, 0.0, 0.0, 0.0]),
            ("over and over", &[C::Play], [1.5, 3.0, 0.5, 2.0]),
            ("held", &[C::Play, C::Hold], [0.0, 0.0, 0.0, 0.0]),
            ("held and let go", &[C::Play, C::Hold, C::Release], [1.5, 3.0, 0.5, 2.0]),
            ("once", &[off, C::Play], [1.5, 3.0, 4.0, 4.0]),
            ("once more after the end", &[off, C::ToEnd, C::Play], [1.5, 3.0, 4.0, 4.0]),
            ("at half speed", &[C::SetSpeed(0.5), C::Play], [0.75, 1.5, 2.25, 3.0]),
            ("backwards", &[C::SetSpeed(-1.0), C::Play], [2.5, 1.0, 3.5, 2.0]),
            ("to and fro", &[ping_pong, C::Play], [1.5, 3.0, 3.5, 2.0]),
            ("to and fro from the end", &[ping_pong, C::ToEnd, C::Play], [2.5, 1.0, 0.5, 2.0]),
            ("over a range", &[range, C::Seek(1.0), C::Play], [1.5, 2.0, 1.5, 2.0]),
            (
                "to and fro in a range",
                &[range, ping_pong, C::Seek(1.0), C::Play],
                [1.5, 2.0, 1.5, 1.0],
            ),
        ];
        for (name, commands, expected) in cases {
            let elapsed = if name.contains("a range") { 0.5 } else { 1.5 };
            assert_eq!(play(clock(commands), elapsed, 4), expected, "{name}");
        }
    }

    #[test]
    fn gaps_are_not_played_in_either_direction() {
        let gaps = [(0.5, 1.5), (2.5, 9.0)];
        let play = |commands: &[TimeCommand], elapsed: f64| -> Vec<f64> {
            let mut clock = clock(commands);
            let step = |_| {
                clock.advance_skipping_gaps(&gaps, elapsed);
                clock.time()
            };
            (0..5).map(step).collect()
        };
        assert_eq!(play(&[C::Play], 0.5), [0.5, 1.5, 2.0, 2.5, 4.0], "to the end, not behind it");
        assert_eq!(play(&[C::Play, C::SetSpeed(-1.0)], 0.5)[..4], [2.5, 2.0, 1.5, 0.5]);
        assert_eq!(play(&[C::Seek(1.0)], 0.5), [1.0; 5], "a paused clock stays in a gap");
        let ping_pong = [C::SetLooping(Looping::PingPong), C::Seek(2.0), C::Play];
        assert_eq!(play(&ping_pong, 0.75), [4.0, 2.5, 1.75, 0.5, 0.25]);
    }

    #[test]
    fn stepping_visits_the_samples_and_pauses() {
        let forward = C::Step(Direction::Forward);
        let backward = C::Step(Direction::Backward);
        let cases: [(&[TimeCommand], f64); 6] = [
            (&[forward], 0.5),
            (&[forward, forward, forward], 2.5),
            (&[C::Seek(0.7), forward], 1.0),
            (&[C::Seek(0.7), backward], 0.5),
            (&[C::ToEnd, forward], 4.0),
            (&[backward], 0.0),
        ];
        for (commands, expected) in cases {
            let stepped = clock(&[&[C::Play], commands].concat());
            assert_eq!(stepped.time(), expected, "{commands:?}");
            assert!(!stepped.is_playing());
        }
    }

    #[test]
    fn speed_steps_keep_direction_and_limits() {
        let cases: [(&[TimeCommand], f64); 6] = [
            (&[C::Faster], 2.0),
            (&[C::SetSpeed(-1.0), C::Faster], -2.0),
            (&[C::SetSpeed(0.3), C::Slower], 0.25),
            (&[C::SetSpeed(8.0), C::Faster], 8.0),
            (&[C::SetSpeed(0.0)], MIN_SPEED),
            (&[C::SetSpeed(f64::NAN)], 1.0),
        ];
        for (commands, expected) in cases {
            assert_eq!(clock(commands).speed(), expected, "{commands:?}");
        }
    }

    #[test]
    fn setting_a_range_loops_it() {
        let with_range = clock(&[C::SetOut(3.0), C::SetIn(1.0)]);
        assert_eq!(with_range.range(), Some(TimeRange::new(1.0, 3.0)));
        assert_eq!(with_range.looping(), Looping::Range);
        assert_eq!(clock(&[C::SetLooping(Looping::Range)]).looping(), Looping::All);
        let cleared = clock(&[C::SetIn(1.0), C::SetRange(None)]);
        assert_eq!((cleared.range(), cleared.looping()), (None, Looping::All));
        let crossed = clock(&[C::SetOut(2.0), C::SetIn(3.0)]);
        assert_eq!(crossed.range(), Some(TimeRange::new(3.0, 4.0)));
    }

    #[test]
    fn cycling_skips_a_range_that_is_not_set() {
        let cycle = |clock: &mut Clock| {
            clock.apply(C::CycleLooping, &SAMPLES);
            clock.looping()
        };
        let mut plain = clock(&[]);
        let modes = [(); 3].map(|()| cycle(&mut plain));
        assert_eq!(modes, [Looping::PingPong, Looping::Off, Looping::All]);
    }

    #[test]
    fn zero_length_clip_plays_without_moving() {
        let mut empty = Clock::new(Span::default());
        empty.apply(C::Play, &[]);
        empty.advance(1.0);
        assert_eq!((empty.time(), empty.is_playing()), (0.0, true));
    }
}
