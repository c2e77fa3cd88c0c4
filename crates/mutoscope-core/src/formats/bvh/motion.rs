//! The frames of a BVH file.

use super::{
    Motion,
    lexer::{Lexer, quoted},
    number,
    problems::Problems,
};
use crate::diagnostics::{Notices, SourceLocation, Topic};

/// Reads what follows the word `MOTION`: the header and the frames, of `channels` numbers each.
pub(super) fn read(lexer: &mut Lexer<'_>, channels: usize, notices: &mut Notices) -> Motion {
    let mut problems = Problems::new(notices);
    let header = Header::read(lexer, &mut problems);
    let mut frames = Frames {
        columns: vec![Vec::new(); channels],
        lines: Vec::new(),
        non_finite: None,
        problems,
    };
    if channels > 0 {
        match lines_per_frame(lexer.clone(), channels) {
            Layout::FrameByLine => frames.by_line(lexer),
            Layout::Stream { line, found } => frames.stream(lexer, line, found),
        }
    }
    let end = lexer.place();
    let Frames { columns, lines, non_finite, problems } = frames;
    let motion = Motion { frame_time: header.frame_time, columns, lines };
    report(&motion, &header, end, non_finite, problems.finish());
    motion
}

/// The frame count and frame time before the frames.
struct Header {
    frame_count: Option<usize>,
    frame_time: Option<f64>,
    place: SourceLocation,
}

impl Header {
    fn read(lexer: &mut Lexer<'_>, problems: &mut Problems<'_>) -> Self {
        let mut header = Self { frame_count: None, frame_time: None, place: lexer.place() };
        loop {
            let start = lexer.clone();
            let Some(word) = lexer.next_of_motion() else { break };
            if word.is("Frames") {
                header.place = word.place();
                let value = lexer.next_of_motion();
                header.frame_count = value.and_then(|value| number::whole(value.text));
                if header.frame_count.is_none() {
                    let found = value.map_or("the end of the file".to_owned(), |v| v.quoted());
                    let message = || {
                        format!(
                            "Frames: expected a number, found {found}; using the frames that follow"
                        )
                    };
                    problems.warning(word.place(), message);
                }
            } else if word.is("Frame") || word.is("FrameTime") {
                if word.is("Frame") && lexer.clone().next_of_motion().is_some_and(|w| w.is("Time"))
                {
                    lexer.next_of_motion();
                }
                header.frame_time(word.place(), lexer, problems);
            } else if number::parse(word.text).is_some() {
                *lexer = start;
                break;
            } else {
                let message =
                    || format!("expected Frames or Frame Time, found {}; skipped", word.quoted());
                problems.warning(word.place(), message);
            }
        }
        header
    }

    fn frame_time(
        &mut self,
        place: SourceLocation,
        lexer: &mut Lexer<'_>,
        problems: &mut Problems<'_>,
    ) {
        let value = lexer.next_of_motion();
        let time = value.and_then(|value| number::parse(value.text));
        self.frame_time = time.filter(|time| time.is_finite() && *time > 0.0);
        if self.frame_time.is_none() {
            let found = value.map_or("the end of the file".to_owned(), |value| value.quoted());
            let message = || format!("Frame Time: expected a time above 0, found {found}");
            problems.warning(place, message);
        }
    }
}

/// How the numbers of frames are laid out in lines.
enum Layout {
    /// A line for each frame, as usual.
    FrameByLine,
    /// One number after the other: frames end where as many are read as there are channels.
    Stream {
        /// The first line of the frames.
        line: u32,
        /// How many numbers it has.
        found: usize,
    },
}

/// How frames are laid out in lines: as a stream only if their first line has another number of
/// values than there are channels, and all values make whole frames.
fn lines_per_frame(mut lexer: Lexer<'_>, channels: usize) -> Layout {
    let Some((line, first)) = lexer.next_line() else { return Layout::FrameByLine };
    let found = words(first).count();
    if found == channels {
        return Layout::FrameByLine;
    }
    let (mut total, mut whole_lines) = (found, 0);
    while let Some((_, text)) = lexer.next_line() {
        let count = words(text).count();
        total += count;
        whole_lines += usize::from(count == channels);
    }
    if total.is_multiple_of(channels) && whole_lines == 0 {
        Layout::Stream { line, found }
    } else {
        Layout::FrameByLine
    }
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    line.split(is_space).filter(|word| !word.is_empty())
}

/// The frames as they are read, and the issues in them.
struct Frames<'n> {
    columns: Vec<Vec<f64>>,
    lines: Vec<u32>,
    /// The line and the frame of the first value that is not a number.
    non_finite: Option<(u32, usize)>,
    problems: Problems<'n>,
}

impl Frames<'_> {
    fn by_line(&mut self, lexer: &mut Lexer<'_>) {
        while let Some((line, text)) = lexer.next_line() {
            let count = words(text).count();
            let is_last = lexer.clone().next_line().is_none();
            let frame = self.lines.len();
            if count < self.columns.len() && is_last {
                let message = || {
                    format!(
                        "frame {frame}: expected {} values, found {count}: truncated; skipped",
                        self.columns.len()
                    )
                };
                self.problems.error(SourceLocation::line(line), message);
                return;
            }
            if count != self.columns.len() {
                let expected = self.columns.len();
                let outcome = if count < expected {
                    "using the values of the previous frame for the rest"
                } else {
                    "the rest skipped"
                };
                let message = || {
                    format!("frame {frame}: expected {expected} values, found {count}; {outcome}")
                };
                self.problems.error(SourceLocation::line(line), message);
            }
            let mut values = words(text);
            for channel in 0..self.columns.len() {
                self.value(channel, values.next(), line);
            }
            self.lines.push(line);
        }
    }

    fn stream(&mut self, lexer: &mut Lexer<'_>, line: u32, found: usize) {
        let channels = self.columns.len();
        let message = || {
            format!(
                "expected a frame of {channels} values in a line, found {found}; using {channels} \
             values for each frame, wherever lines end"
            )
        };
        self.problems.warning(SourceLocation::line(line), message);
        let mut channel = 0;
        while let Some((line, text)) = lexer.next_line() {
            for word in words(text) {
                if channel == 0 {
                    self.lines.push(line);
                }
                self.value(channel, Some(word), line);
                channel = (channel + 1) % channels;
            }
        }
    }

    /// Adds a value to a channel: that of the frame before where there is none.
    fn value(&mut self, channel: usize, word: Option<&[u8]>, line: u32) {
        let before = self.columns[channel].last().copied().unwrap_or(0.0);
        let value = word.map_or(before, |word| {
            number::parse(word).unwrap_or_else(|| {
                let frame = self.columns[channel].len();
                self.problems.error(SourceLocation::line(line), || {
                    let found = quoted(word);
                    format!(
                        "frame {frame}: expected a number, found {found}; using that of the frame \
                         before"
                    )
                });
                before
            })
        });
        if !value.is_finite() && self.non_finite.is_none() {
            self.non_finite = Some((line, self.columns[channel].len()));
        }
        self.columns[channel].push(value);
    }
}

/// Reports issues of the frames as a whole: a count other than the header states, or missing
/// numbers.
fn report(
    motion: &Motion,
    header: &Header,
    end: SourceLocation,
    non_finite: Option<(u32, usize)>,
    notices: &mut Notices,
) {
    let frame_time = motion.frame_time.unwrap_or(super::FRAME_RATE.recip());
    let time = |frame: usize| frame_time * frame as f64;
    if let Some((line, frame)) = non_finite {
        let (place, time) = (SourceLocation::line(line), Some(time(frame)));
        let message = format!("frame {frame}: a non-finite value");
        notices.warning_about(Topic::NonFinite, place, time, message);
    }
    let found = motion.lines.len();
    match header.frame_count {
        Some(stated) if found < stated && !motion.columns.is_empty() => {
            let until = time(found.saturating_sub(1));
            let message =
                format!("expected {stated} frames, found {found}; loaded up to {until:.3} s");
            notices.error_at(end, until, message);
        }
        Some(stated) if found > stated => {
            let (place, from) = (SourceLocation::line(motion.lines[stated]), time(stated));
            let message = format!("expected {stated} frames, found {found}; using all of them");
            notices.warning_at(place, from, message);
        }
        _ => {}
    }
    if motion.frame_time.is_none() && found > 0 {
        let message = format!("no Frame Time; using {} frames a second", super::FRAME_RATE);
        notices.warning(header.place.clone(), message);
    }
}
