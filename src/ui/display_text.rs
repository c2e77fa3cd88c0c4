//! Formats times, lengths, counts and names for display.

use std::{borrow::Cow, fmt};

pub(super) use mutoscope_core::clip::format_decimal;
use mutoscope_core::{
    clip::{Clip, Event, GroupId, Interpolation, Node, NodeId, Owner, Side, Value},
    playback::Looping,
    skeleton_file::SkeletonKind,
};

/// Formats a time like a clock: `00:03.217`, or `1:00:03.217` from one hour on.
pub(super) fn format_clock_time(seconds: f64) -> String {
    let sign = if seconds <= -0.0005 { "-" } else { "" };
    let millis = (seconds.abs() * 1000.0).round() as u64;
    let (minutes, millis) = (millis / 60_000, millis % 60_000);
    let (seconds, millis) = (millis / 1000, millis % 1000);
    match minutes / 60 {
        0 => format!("{sign}{minutes:02}:{seconds:02}.{millis:03}"),
        hours => format!("{sign}{hours}:{:02}:{seconds:02}.{millis:03}", minutes % 60),
    }
}

/// Formats a time. Adds microseconds if a point on the screen is shorter than half a millisecond.
pub(super) fn format_time_at_zoom(seconds: f64, seconds_per_point: f64) -> String {
    if seconds_per_point < 5e-4 { format_exact_time(seconds) } else { format_clock_time(seconds) }
}

/// Formats a time to the microsecond. The microseconds follow a space and lose their trailing
/// zeros: `00:03.217`, `00:03.217 25`.
pub(super) fn format_exact_time(seconds: f64) -> String {
    let clock = format_clock_time((seconds * 1000.0).floor() / 1000.0);
    let micros = ((seconds * 1000.0).fract() * 1000.0).round();
    if (1.0..1000.0).contains(&micros) {
        return format!("{clock} {}", format!("{micros:03}").trim_end_matches('0'));
    }
    format_clock_time(seconds)
}

/// Parses a time in seconds, `mm:ss` or `h:mm:ss`, each with an optional decimal part.
pub(super) fn parse_time(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches('s').trim_end().replace(',', ".");
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.as_str()),
    };
    let parts: Vec<&str> = text.split(':').collect();
    if parts.len() > 3 {
        return None;
    }
    let mut seconds = 0.0;
    for part in parts {
        let number: f64 = part.trim().parse().ok()?;
        if number.is_sign_negative() || !number.is_finite() {
            return None;
        }
        seconds = seconds * 60.0 + number;
    }
    Some(sign * seconds)
}

/// Formats a duration: `11.25 s`, `2:05 min`, `1:02:05 h`.
pub(super) fn format_duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{} s", format_decimal(seconds, 2)),
        60..3600 => format!("{}:{:02} min", whole / 60, whole % 60),
        _ => format!("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60),
    }
}

/// Formats a duration to the millisecond: `11.250 s`, or `2:05 min (125.250 s)` from a minute on.
pub(super) fn format_exact_duration(seconds: f64) -> String {
    let exact = format!("{seconds:.3} s");
    if seconds.round() < 60.0 { exact } else { format!("{} ({exact})", format_duration(seconds)) }
}

/// Formats `value` with exactly this many decimals, and without the sign of a negative zero.
pub(super) fn format_fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        _ => text,
    }
}

pub(super) fn format_length(metres: f64) -> String {
    let (value, unit) = match metres.abs() {
        m if m >= 1000.0 => (metres / 1000.0, "km"),
        m if m >= 1.0 => (metres, "m"),
        m if m >= 0.01 => (metres * 100.0, "cm"),
        _ => (metres * 1000.0, "mm"),
    };
    format!("{} {unit}", format_decimal(value, 3))
}

/// Formats a distance with three significant digits: `0.51 mm`, `12.3 cm`, `1.50 m`.
pub(super) fn format_distance(metres: f64) -> String {
    let (value, unit) = match metres {
        m if m >= 0.9995 => (metres, "m"),
        m if m >= 0.099_95 => (metres * 100.0, "cm"),
        _ => (metres * 1000.0, "mm"),
    };
    let decimals = match value {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.decimals$} {unit}")
}

/// Formats a size with two significant digits: `850 kB`, `2.4 MB`, `13 MB`.
pub(super) fn format_bytes(bytes: f64) -> String {
    let (value, unit) = match bytes {
        b if b >= 0.95e9 => (b / 1e9, "GB"),
        b if b >= 0.95e6 => (b / 1e6, "MB"),
        b => (b / 1e3, "kB"),
    };
    let decimals = if value < 9.95 { 1 } else { 0 };
    format!("{} {unit}", format_decimal(value, decimals))
}

/// Parses a number with a decimal point or a decimal comma.
pub(super) fn parse_number(text: &str) -> Option<f64> {
    let number: f64 = text.trim().replace(',', ".").parse().ok()?;
    number.is_finite().then_some(number)
}

pub(super) fn skeleton_file_types(kind: SkeletonKind) -> &'static str {
    if kind == SkeletonKind::GLTF { "glTF, VRM or FBX" } else { kind.name() }
}

pub(super) fn format_count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

pub(super) fn format_counted(number: usize, singular: &str, plural: &str) -> String {
    format!("{} {}", format_count(number), if number == 1 { singular } else { plural })
}

pub(super) fn format_speed(speed: f64) -> String {
    format!("{}×", format_decimal(speed, 2))
}

pub(super) fn looping_label(looping: Looping) -> &'static str {
    match looping {
        Looping::Off => "No loop",
        Looping::All => "Loop all",
        Looping::Range => "Loop range",
        Looping::PingPong => "Ping-pong",
    }
}

pub(super) fn format_value(value: &Value) -> String {
    value.to_text()
}

pub(super) fn event_name(clip: &Clip, event: &Event) -> String {
    let description = clip.describe_event(event);
    description.map_or_else(|| event.name.clone(), |description| description.verb.to_owned())
}

pub(super) fn event_detail(clip: &Clip, event: &Event) -> String {
    if let Some(details) = event.details.as_deref() {
        return match details.effect {
            Some(effect) => format!("{} · {effect}", event.name),
            None => event.name.clone(),
        };
    }
    let object = match clip.describe_event(event) {
        Some(description) => description.object,
        None => event.value.as_deref().map(format_value),
    };
    match (event.owner, object) {
        (_, Some(object)) => object,
        (None, None) => event.name.clone(),
        // The player is the only actor in most recordings, so its name adds nothing.
        (Some(Owner::Node(node)), None) if node.index() == 0 => String::new(),
        (Some(owner), None) => clip.owner_label(owner),
    }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

pub(super) fn interpolation_label(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Step => "step",
        Interpolation::StepNext => "step to the next",
        Interpolation::Nearest => "nearest key",
        Interpolation::Linear => "linear",
        Interpolation::Smooth => "smooth",
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frames {
    pub(super) rate_hz: f64,
    /// The noun for one frame. Its first letter is the short form.
    noun: &'static str,
}

impl Frames {
    pub(super) fn for_clip(clip: &Clip) -> Option<Self> {
        let word = clip.frame_label();
        clip.rate_hz.map(|rate_hz| Self { rate_hz, noun: word })
    }

    /// Formats the frame number at `time` with at most one decimal, such as `frame 9` or
    /// `tick 9.4`.
    pub(super) fn format_at(self, time: f64) -> String {
        format!("{} {}", self.noun, self.format_number(time))
    }

    /// Formats the frame number at `time` with at most one decimal, such as `9` or `9.4`.
    pub(super) fn format_number(self, time: f64) -> String {
        format_decimal(time * self.rate_hz, 1)
    }

    /// Parses a frame number, such as `9`, `9 f`, `tick 9` or `9.5`. Returns its time, in seconds.
    pub(super) fn parse(self, text: &str) -> Option<f64> {
        let text = text.trim().to_lowercase();
        let text = text.trim_start_matches(self.noun).trim_end_matches(self.noun);
        let frame: f64 = text.trim_end_matches(&self.noun[..1]).trim().parse().ok()?;
        Some(frame / self.rate_hz).filter(|time| time.is_finite())
    }

    /// Formats the nearest frame number, as short as possible: `9 f`.
    pub(super) fn format_short(self, time: f64) -> String {
        // Adding zero turns -0.0 into 0.0, which prints without a sign.
        let whole = (time * self.rate_hz).round() + 0.0;
        format!("{whole:.0} {}", &self.noun[..1])
    }
}

impl fmt::Display for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = format_decimal(self.rate_hz, 3);
        match self.noun {
            "frame" => write!(f, "{rate} fps"),
            word => write!(f, "{rate} {word}s/s"),
        }
    }
}

pub(super) fn append_unit(text: String, symbol: &str) -> String {
    match symbol {
        "" => text,
        "°" | "′" | "″" => text + symbol,
        _ => format!("{text} {symbol}"),
    }
}

pub(super) fn side_label(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

pub(super) fn full_name(clip: &Clip, id: NodeId) -> Cow<'_, str> {
    with_kind(clip, id, short_name(&clip.nodes[id], &clip.groups))
}

/// Appends the kind of a node to its name, if the format has kinds: `entity/1 · zombie`.
pub(super) fn with_kind<'a>(clip: &Clip, id: NodeId, name: &'a str) -> Cow<'a, str> {
    match clip.node_type_label(id) {
        Some(kind) => format!("{name} · {kind}").into(),
        None => name.into(),
    }
}

pub(super) fn short_name<'a>(node: &'a Node, groups: &[String]) -> &'a str {
    let group = node.group.and_then(|group: GroupId| groups.get(group.index()));
    group
        .and_then(|group| node.name.strip_prefix(group.as_str())?.strip_prefix('/'))
        .filter(|name| !name.is_empty())
        .unwrap_or(&node.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_times_have_a_constant_width() {
        let cases = [
            (0.0, "00:00.000"),
            (3.2174, "00:03.217"),
            (59.9996, "01:00.000"),
            (-1.5, "-00:01.500"),
            (-0.0001, "00:00.000"),
            (3600.25, "1:00:00.250"),
        ];
        for (seconds, text) in cases {
            assert_eq!(format_clock_time(seconds), text);
        }
    }

    #[test]
    fn frames_count_from_zero_with_fractions() {
        let frames = Frames { rate_hz: 20.0, noun: "tick" };
        assert_eq!(
            [0.5, 0.47, -0.001].map(|time| frames.format_at(time)),
            ["tick 10", "tick 9.4", "tick 0"]
        );
        assert_eq!(
            [0.5, 0.47, -0.001].map(|time| frames.format_short(time)),
            ["10 t", "9 t", "0 t"]
        );
        let texts = ["9", " 9 t", "tick 9", "Tick 9.5", "9 ticks", "9 s", "inf"];
        assert_eq!(
            texts.map(|text| frames.parse(text)),
            [Some(0.45), Some(0.45), Some(0.45), Some(0.475), None, None, None]
        );
    }

    #[test]
    fn displayed_times_can_be_parsed() {
        let cases = [
            ("3.2", Some(3.2)),
            (" 3,2 s ", Some(3.2)),
            ("00:03.217", Some(3.217)),
            ("1:00:03", Some(3603.0)),
            ("-0:01.5", Some(-1.5)),
            ("", None),
            ("1:-2", None),
            ("1:2:3:4", None),
            ("inf", None),
            ("later", None),
        ];
        for (text, seconds) in cases {
            assert_eq!(parse_time(text), seconds, "{text:?}");
        }
    }

    #[test]
    fn events_are_described_in_plain_words() {
        let clip = crate::ui::testing::a_day();
        let describe = |name: &str| {
            let event = clip.events.iter().find(|event| event.name == name).unwrap();
            (event_name(&clip, event), event_detail(&clip, event), clip.event_text(event))
        };
        let three = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(describe("add"), three("added", "cow (entity/0)", "cow (entity/0): added"));
        assert_eq!(describe("place"), three("places", "oak planks", "player: places oak planks"));
        assert_eq!(describe("swing"), three("swings", "main hand", "player: swings main hand"));
        assert_eq!(describe("die"), three("dies", "", "player: dies"));
        assert_eq!(describe("chat"), three("chat", "A zombie!", "player: A zombie!"));
    }

    #[test]
    fn distances_have_three_figures() {
        let texts =
            [0.000_512, 0.0123, 0.0999, 0.09997, 0.1234, 1.5, 12.34, 1234.5].map(format_distance);
        let expected =
            ["0.51 mm", "12.3 mm", "99.9 mm", "10.0 cm", "12.3 cm", "1.50 m", "12.3 m", "1234 m"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn numbers_are_formatted_readably() {
        assert_eq!(format_duration(11.25), "11.25 s");
        assert_eq!(format_duration(125.2), "2:05 min");
        assert_eq!(format_duration(3725.0), "1:02:05 h");
        assert_eq!(
            [0.1, 1.0, 2.5, 0.005, 1000.0].map(format_length),
            ["10 cm", "1 m", "2.5 m", "5 mm", "1 km"]
        );
        assert_eq!([850e3, 2.43e6, 13.2e6].map(format_bytes), ["850 kB", "2.4 MB", "13 MB"]);
        assert_eq!(["1,5", " 2.5 ", "x"].map(parse_number), [Some(1.5), Some(2.5), None]);
        assert_eq!(format_count(216_000), "216 000");
        assert_eq!(format_counted(1, "key", "keys"), "1 key");
        assert_eq!(format_speed(-0.25), "-0.25×");
        assert_eq!(format_decimal(-0.0001, 2), "0");
        assert_eq!([-0.001, -0.01].map(|value| format_fixed(value, 2)), ["0.00", "-0.01"]);
    }
}
