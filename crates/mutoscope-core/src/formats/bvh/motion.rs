//! Reads the frames of a BVH file.

use super::{
    Motion,
    capped_diagnostics::CappedDiagnostics,
    codes,
    lexer::{Lexer, quoted},
    number,
};
use crate::diagnostics::{Diagnostics, SourceLocation, Topic, format_count};

/// The frame times, in seconds, of usual recordings: 5 Hz to 500 Hz.
const LIKELY_FRAME_TIMES: std::ops::RangeInclusive<f64> = 0.002..=0.2;

/// The frame times, in seconds, that a recording can have. A time outside of this range is usually
/// a frame rate in Hz, or a time in milliseconds or microseconds.
const PLAUSIBLE_FRAME_TIMES: std::ops::Range<f64> = 0.0005..1.0;

pub(super) fn read(
    lexer: &mut Lexer<'_>,
    channels: usize,
    diagnostics: &mut Diagnostics,
) -> Motion {
    let mut diagnostics = CappedDiagnostics::new(diagnostics);
    let header = Header::read(lexer, &mut diagnostics);
    let mut frames = Frames {
        columns: vec![Vec::new(); channels],
        lines: Vec::new(),
        non_finite: None,
        first_glued: None,
        glued_line_count: 0,
        diagnostics,
    };
    if channels > 0 {
        match detect_layout(lexer.clone(), channels) {
            Layout::FrameByLine => frames.read_lines(lexer),
            Layout::Stream { line, found } => frames.read_stream(lexer, line, found),
        }
        frames.report_glued_numbers();
    }
    let end = lexer.location();
    let Frames { columns, lines, non_finite, diagnostics, .. } = frames;
    let motion = Motion { frame_time: header.frame_time, columns, lines };
    report_frame_diagnostics(&motion, &header, end, non_finite, diagnostics.finish());
    motion
}

struct Header {
    frame_count: Option<usize>,
    frame_time: Option<f64>,
    location: SourceLocation,
    frame_time_location: SourceLocation,
}

impl Header {
    fn read(lexer: &mut Lexer<'_>, diagnostics: &mut CappedDiagnostics<'_>) -> Self {
        let mut header = Self {
            frame_count: None,
            frame_time: None,
            location: lexer.location(),
            frame_time_location: lexer.location(),
        };
        loop {
            let start = lexer.clone();
            let Some(token) = lexer.next_header_token() else { break };
            if token.is_keyword("Frames") {
                header.location = token.location();
                let value = lexer.next_header_token();
                header.frame_count = value.and_then(|value| number::parse_integer(value.text));
                if header.frame_count.is_none() {
                    let found = value.map_or("the end of the file".to_owned(), |v| v.quoted());
                    let message = || {
                        format!(
                            "Frames: expected a number, found {found}; using the frames that follow"
                        )
                    };
                    diagnostics.warning(codes::MOTION_HEADER, token.location(), message);
                }
            } else if token.is_keyword("Frame") || token.is_keyword("FrameTime") {
                if token.is_keyword("Frame")
                    && lexer.clone().next_header_token().is_some_and(|w| w.is_keyword("Time"))
                {
                    lexer.next_header_token();
                }
                header.frame_time_location = token.location();
                header.read_frame_time(token.location(), lexer, diagnostics);
            } else if number::split_glued(token.text).all(|part| number::parse(part).is_some()) {
                *lexer = start;
                break;
            } else {
                let message =
                    || format!("expected Frames or Frame Time, found {}; skipped", token.quoted());
                diagnostics.warning(codes::MOTION_HEADER, token.location(), message);
            }
        }
        header
    }

    fn read_frame_time(
        &mut self,
        location: SourceLocation,
        lexer: &mut Lexer<'_>,
        diagnostics: &mut CappedDiagnostics<'_>,
    ) {
        let value = lexer.next_header_token();
        let time = value.and_then(|value| number::parse(value.text));
        self.frame_time = time.filter(|time| time.is_finite() && *time > 0.0);
        if self.frame_time.is_none() {
            let found = value.map_or("the end of the file".to_owned(), |value| value.quoted());
            let message = || format!("Frame Time: expected a time above 0, found {found}");
            diagnostics.warning(codes::NO_FRAME_TIME, location, message);
        }
    }
}

enum Layout {
    /// One line per frame, which is the usual layout.
    FrameByLine,
    /// The line breaks have no meaning. A frame ends when each channel has a value.
    Stream { line: u32, found: usize },
}

/// Returns [`Layout::Stream`] if no line has exactly one value per channel, and if the total number
/// of values is a multiple of the number of channels. Otherwise returns [`Layout::FrameByLine`].
fn detect_layout(mut lexer: Lexer<'_>, channels: usize) -> Layout {
    let Some((line, first)) = lexer.next_line() else { return Layout::FrameByLine };
    let found = split_values(first).count();
    if is_frame(first, channels) {
        return Layout::FrameByLine;
    }
    let (mut total, mut whole_lines) = (found, 0);
    while let Some((_, text)) = lexer.next_line() {
        total += split_values(text).count();
        whole_lines += usize::from(is_frame(text, channels));
    }
    if total.is_multiple_of(channels) && whole_lines == 0 {
        Layout::Stream { line, found }
    } else {
        Layout::FrameByLine
    }
}

fn is_frame(line: &[u8], channels: usize) -> bool {
    split_words(line).count() == channels || split_values(line).count() == channels
}

fn split_words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    line.split(is_space).filter(|word| !word.is_empty())
}

/// Splits a line at white space, and between numbers that only a sign separates, such as
/// `0.0-7.5`.
fn split_values(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    split_words(line).flat_map(number::split_glued)
}

struct Frames<'n> {
    columns: Vec<Vec<f64>>,
    lines: Vec<u32>,
    non_finite: Option<(u32, usize)>,
    first_glued: Option<(u32, String)>,
    glued_line_count: usize,
    diagnostics: CappedDiagnostics<'n>,
}

impl Frames<'_> {
    fn read_lines(&mut self, lexer: &mut Lexer<'_>) {
        while let Some((line, text)) = lexer.next_line() {
            // If the words already are one for each channel, a word such as `0.0-7.5` is a single
            // damaged value. Splitting it would move all values after it by a channel.
            let is_split = split_words(text).count() != self.columns.len();
            let count = if is_split { split_values(text).count() } else { self.columns.len() };
            let is_last = lexer.clone().next_line().is_none();
            let frame = self.lines.len();
            if count < self.columns.len() && is_last {
                let message = || {
                    format!(
                        "frame {frame}: expected {} values, found {count}: truncated; skipped",
                        self.columns.len()
                    )
                };
                self.diagnostics.error(codes::TRUNCATED, SourceLocation::line(line), message);
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
                let location = SourceLocation::line(line);
                let diagnostic = self.diagnostics.error(codes::VALUE_COUNT, location, message);
                if let Some(diagnostic) = diagnostic {
                    diagnostic.with("frame", frame).with("expected", expected).with("found", count);
                }
            }
            if is_split {
                self.record_glued_numbers(line, text);
                self.push_frame(line, split_values(text));
            } else {
                self.push_frame(line, split_words(text));
            }
        }
    }

    fn push_frame<'l>(&mut self, line: u32, mut values: impl Iterator<Item = &'l [u8]>) {
        for channel in 0..self.columns.len() {
            self.push_value(channel, values.next(), line);
        }
        self.lines.push(line);
    }

    fn record_glued_numbers(&mut self, line: u32, text: &[u8]) {
        let glued = split_words(text).find(|word| number::split_glued(word).nth(1).is_some());
        if let Some(word) = glued {
            self.glued_line_count += 1;
            self.first_glued.get_or_insert_with(|| (line, quoted(word)));
        }
    }

    fn report_glued_numbers(&mut self) {
        let Some((line, word)) = self.first_glued.take() else { return };
        let lines = format_count(self.glued_line_count, "line");
        self.diagnostics.warning(codes::GLUED_NUMBERS, SourceLocation::line(line), || {
            format!("{}, in {lines}", number::describe_glued_numbers(&word))
        });
    }

    fn read_stream(&mut self, lexer: &mut Lexer<'_>, line: u32, found: usize) {
        let channels = self.columns.len();
        let message = || {
            format!(
                "expected a frame of {channels} values in a line, found {found}; using {channels} \
             values for each frame, wherever lines end"
            )
        };
        self.diagnostics.warning(codes::WRAPPED_FRAMES, SourceLocation::line(line), message);
        let mut channel = 0;
        while let Some((line, text)) = lexer.next_line() {
            self.record_glued_numbers(line, text);
            for token in split_values(text) {
                if channel == 0 {
                    self.lines.push(line);
                }
                self.push_value(channel, Some(token), line);
                channel = (channel + 1) % channels;
            }
        }
    }

    /// Adds the value of `token` to the channel. If `token` is `None` or not a number, repeats the
    /// previous value of the channel, or adds 0 to an empty channel.
    fn push_value(&mut self, channel: usize, token: Option<&[u8]>, line: u32) {
        let before = self.columns[channel].last().copied().unwrap_or(0.0);
        let value = token.map_or(before, |token| {
            number::parse(token).unwrap_or_else(|| {
                let frame = self.columns[channel].len();
                self.diagnostics.error(codes::INVALID_VALUE, SourceLocation::line(line), || {
                    let found = quoted(token);
                    format!(
                        "frame {frame}: expected a number, found {found}; using the value of the \
                         previous frame"
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

fn report_frame_diagnostics(
    motion: &Motion,
    header: &Header,
    end: SourceLocation,
    non_finite: Option<(u32, usize)>,
    diagnostics: &mut Diagnostics,
) {
    let frame_time = motion.frame_time.unwrap_or(super::DEFAULT_FRAME_RATE_HZ.recip());
    let time = |frame: usize| frame_time * frame as f64;
    if let Some((line, frame)) = non_finite {
        let location = SourceLocation::line(line);
        let message = format!("frame {frame}: a non-finite value");
        diagnostics.warning(Topic::NonFinite.code(), location, message).at_time(time(frame));
    }
    let found = motion.lines.len();
    match header.frame_count {
        Some(stated) if stated > 0 && found == 0 && !motion.columns.is_empty() => {
            let message =
                format!("expected {}, found none; {AT_REST}", format_count(stated, "frame"));
            diagnostics
                .error(codes::TRUNCATED, end, message)
                .with("expected", stated)
                .with("found", found);
        }
        Some(stated) if found < stated && !motion.columns.is_empty() => {
            let until = time(found.saturating_sub(1));
            let frames = format_count(stated, "frame");
            let message = format!("expected {frames}, found {found}; loaded up to {until:.3} s");
            diagnostics
                .error(codes::TRUNCATED, end, message)
                .at_time(until)
                .with("expected", stated)
                .with("found", found);
        }
        Some(stated) if found > stated => {
            let (location, from) = (SourceLocation::line(motion.lines[stated]), time(stated));
            let frames = format_count(stated, "frame");
            let message = format!("expected {frames}, found {found}; using all of them");
            diagnostics
                .warning(codes::FRAME_COUNT, location, message)
                .at_time(from)
                .with("expected", stated)
                .with("found", found);
        }
        _ if found == 0 => {
            let cause = if motion.columns.is_empty() {
                "no joint has channels"
            } else {
                "the file has no frames"
            };
            let message = format!("no motion, because {cause}; {AT_REST}");
            diagnostics.warning(codes::NO_MOTION, header.location.clone(), message);
        }
        _ => {}
    }
    match motion.frame_time {
        None if found > 0 => {
            let message =
                format!("no Frame Time; using {} frames a second", super::DEFAULT_FRAME_RATE_HZ);
            diagnostics
                .warning(codes::NO_FRAME_TIME, header.location.clone(), message)
                .with("assumed_rate_hz", super::DEFAULT_FRAME_RATE_HZ);
        }
        Some(frame_time) if found > 1 && !PLAUSIBLE_FRAME_TIMES.contains(&frame_time) => {
            let message = describe_implausible_frame_time(frame_time);
            diagnostics
                .warning(codes::UNLIKELY_FRAME_TIME, header.frame_time_location.clone(), message)
                .with("frame_time_s", frame_time);
        }
        _ => {}
    }
}

const AT_REST: &str = "showing the joints at rest";

fn describe_implausible_frame_time(frame_time: f64) -> String {
    let written = if (1e-6..1e9).contains(&frame_time) {
        frame_time.to_string()
    } else {
        format!("{frame_time:e}")
    };
    let unusual = if frame_time < PLAUSIBLE_FRAME_TIMES.start { "short" } else { "long" };
    let mut message = format!(
        "Frame Time: each frame lasts {written} s, which is unusually {unusual}; playing the file \
         at this rate"
    );
    // Name the likely meanings of the number, each with the time that the file should have.
    let meanings = [
        ("a frame rate in Hz", frame_time.recip()),
        ("in milliseconds", frame_time * 1e-3),
        ("in microseconds", frame_time * 1e-6),
    ];
    for (meaning, seconds) in meanings {
        if LIKELY_FRAME_TIMES.contains(&seconds) {
            message += &format!(". If {written} is {meaning}, replace it by {seconds:.6}");
        }
    }
    message
}
