//! Numbers as people read them: times, lengths, counts.

use std::{borrow::Cow, fmt};

pub(super) use mutoscope_core::clip::trimmed;
use mutoscope_core::{
    clip::{Clip, Event, GroupId, Interpolation, Node, NodeId, Owner, Side, Value},
    playback::Looping,
    rig::RigKind,
};

/// A time as a clock shows it: `00:03.217`, or `1:00:03.217` from one hour on.
pub(super) fn clock_time(seconds: f64) -> String {
    let sign = if seconds <= -0.0005 { "-" } else { "" };
    let millis = (seconds.abs() * 1000.0).round() as u64;
    let (minutes, millis) = (millis / 60_000, millis % 60_000);
    let (seconds, millis) = (millis / 1000, millis % 1000);
    match minutes / 60 {
        0 => format!("{sign}{minutes:02}:{seconds:02}.{millis:03}"),
        hours => format!("{sign}{hours}:{:02}:{seconds:02}.{millis:03}", minutes % 60),
    }
}

/// A time as exactly as it can be pointed at where this many seconds are one point.
pub(super) fn fine_time(seconds: f64, seconds_per_point: f64) -> String {
    if seconds_per_point < 5e-4 { exact_time(seconds) } else { clock_time(seconds) }
}

/// A time as exactly as a recording knows it, as far as microseconds: `00:03.217`,
/// `00:03.217 25`.
pub(super) fn exact_time(seconds: f64) -> String {
    let clock = clock_time((seconds * 1000.0).floor() / 1000.0);
    let micros = ((seconds * 1000.0).fract() * 1000.0).round();
    if (1.0..1000.0).contains(&micros) {
        return format!("{clock} {}", format!("{micros:03}").trim_end_matches('0'));
    }
    clock_time(seconds)
}

/// The time that `text` means: seconds, `mm:ss`, or `h:mm:ss`, each with a decimal part.
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

/// A duration: `11.25 s`, `2:05 min`, `1:02:05 h`.
pub(super) fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{} s", trimmed(seconds, 2)),
        60..3600 => format!("{}:{:02} min", whole / 60, whole % 60),
        _ => format!("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60),
    }
}

/// A duration to the millisecond: `11.250 s`, and from a minute on as people read it too: `2:05 min (125.250 s)`.
pub(super) fn exact_duration(seconds: f64) -> String {
    let exact = format!("{seconds:.3} s");
    if seconds.round() < 60.0 { exact } else { format!("{} ({exact})", duration(seconds)) }
}

/// `value` with just this many decimals, and no sign before what rounds to zero.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        _ => text,
    }
}

/// A length in the unit that suits it: `10 cm`, `2 m`, `1.5 km`.
pub(super) fn length(metres: f64) -> String {
    let (value, unit) = match metres.abs() {
        m if m >= 1000.0 => (metres / 1000.0, "km"),
        m if m >= 1.0 => (metres, "m"),
        m if m >= 0.01 => (metres * 100.0, "cm"),
        _ => (metres * 1000.0, "mm"),
    };
    format!("{} {unit}", trimmed(value, 3))
}

/// How far apart: `0.51 mm`, `12.3 cm`, `1.50 m`, with three figures.
pub(super) fn distance(metres: f64) -> String {
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

/// The files with skeletons of this kind, as people call them: FBX goes wherever glTF does.
pub(super) fn skeletons(kind: RigKind) -> &'static str {
    if kind == RigKind::GLTF { "glTF, VRM or FBX" } else { kind.name() }
}

/// A count with thin gaps between thousands: `216 000`.
pub(super) fn count(number: usize) -> String {
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

/// A count and what is counted: `1 key`, `2 keys`.
pub(super) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A speed: `0.25×`.
pub(super) fn speed(speed: f64) -> String {
    format!("{}×", trimmed(speed, 2))
}

/// The word for a looping mode.
pub(super) fn looping(looping: Looping) -> &'static str {
    match looping {
        Looping::Off => "No loop",
        Looping::All => "Loop all",
        Looping::Range => "Loop range",
        Looping::PingPong => "Ping-pong",
    }
}

/// A value as short text: numbers rounded, text as it is, null as a dash.
pub(super) fn value(value: &Value) -> String {
    value.to_text()
}

/// The name of rows of events of this kind.
pub(super) fn event_name(clip: &Clip, event: &Event) -> String {
    clip.event_words(event).map_or_else(|| event.name.clone(), |words| words.event_name.to_owned())
}

/// The details of an event besides its name.
pub(super) fn event_detail(clip: &Clip, event: &Event) -> String {
    if let Some(details) = event.details.as_deref() {
        return match details.effect {
            Some(effect) => format!("{} · {effect}", event.name),
            None => event.name.clone(),
        };
    }
    let with = match clip.event_words(event) {
        Some(words) => words.with,
        None => event.value.as_deref().map(value),
    };
    match (event.owner, with) {
        (_, Some(with)) => with,
        (None, None) => event.name.clone(),
        // The player needs no name.
        (Some(Owner::Node(node)), None) if node.index() == 0 => String::new(),
        (Some(owner), None) => clip.owner_label(owner),
    }
}

/// `text` with a capital at its start.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// How a curve goes on, in a word.
pub(super) fn interpolation(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Step => "step",
        Interpolation::StepNext => "step to the next",
        Interpolation::Nearest => "nearest key",
        Interpolation::Linear => "linear",
        Interpolation::Smooth => "smooth",
    }
}

/// How a recording counts its time besides seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frames {
    /// How many there are in a second.
    pub(super) rate_hz: f64,
    /// The word for one of them.
    word: &'static str,
}

impl Frames {
    /// How `clip` counts, if it states a rate: in frames, or as its format says.
    pub(super) fn of(clip: &Clip) -> Option<Self> {
        let word = clip.frame_word();
        clip.rate_hz.map(|rate_hz| Self { rate_hz, word })
    }

    /// The frame at `time` and the part of it that has passed: `frame 9`, `tick 9.4`.
    pub(super) fn at(self, time: f64) -> String {
        format!("{} {}", self.word, trimmed(time * self.rate_hz, 1))
    }

    /// The nearest whole frame, as short as it goes: `9 f`.
    pub(super) fn short(self, time: f64) -> String {
        // No zero has a sign.
        let whole = (time * self.rate_hz).round() + 0.0;
        format!("{whole:.0} {}", &self.word[..1])
    }
}

impl fmt::Display for Frames {
    /// The rate: `24 fps`, or `20 ticks/s` where a format has a word of its own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = trimmed(self.rate_hz, 3);
        match self.word {
            "frame" => write!(f, "{rate} fps"),
            word => write!(f, "{rate} {word}s/s"),
        }
    }
}

/// `text` with the symbol of its unit: `1.2 m`, `84°`; alone if there is none.
pub(super) fn with_unit(text: String, symbol: &str) -> String {
    match symbol {
        "" => text,
        "°" | "′" | "″" => text + symbol,
        _ => format!("{text} {symbol}"),
    }
}

/// The word for a side of a body.
pub(super) fn side(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

/// The name of a node and what it is, if that is something else: `entity/0 · cow`.
pub(super) fn full_name(clip: &Clip, id: NodeId) -> Cow<'_, str> {
    let name = short_name(&clip.nodes[id], &clip.groups);
    match clip.kind_of(id) {
        Some(kind) => format!("{name} · {kind}").into(),
        None => name.into(),
    }
}

/// The name of `node` below a heading with its group's name: `Wrist`, not `left/Wrist`.
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
            assert_eq!(clock_time(seconds), text);
        }
    }

    #[test]
    fn frames_count_from_zero_with_fractions() {
        let frames = Frames { rate_hz: 20.0, word: "tick" };
        assert_eq!(
            [0.5, 0.47, -0.001].map(|time| frames.at(time)),
            ["tick 10", "tick 9.4", "tick 0"]
        );
        assert_eq!([0.5, 0.47, -0.001].map(|time| frames.short(time)), ["10 t", "9 t", "0 t"]);
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
        let said = |name: &str| {
            let event = clip.events.iter().find(|event| event.name == name).unwrap();
            (event_name(&clip, event), event_detail(&clip, event), clip.event_text(event))
        };
        let three = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(said("add"), three("added", "cow (entity/0)", "cow (entity/0): added"));
        assert_eq!(said("place"), three("places", "oak planks", "player: places oak planks"));
        assert_eq!(said("swing"), three("swings", "main hand", "player: swings main hand"));
        assert_eq!(said("die"), three("dies", "", "player: dies"));
        assert_eq!(said("chat"), three("chat", "A zombie!", "player: A zombie!"));
    }

    #[test]
    fn distances_have_three_figures() {
        let said = [0.000_512, 0.0123, 0.0999, 0.09997, 0.1234, 1.5, 12.34, 1234.5].map(distance);
        let expected =
            ["0.51 mm", "12.3 mm", "99.9 mm", "10.0 cm", "12.3 cm", "1.50 m", "12.3 m", "1234 m"];
        assert_eq!(said, expected);
    }

    #[test]
    fn numbers_are_formatted_readably() {
        assert_eq!(duration(11.25), "11.25 s");
        assert_eq!(duration(125.2), "2:05 min");
        assert_eq!(duration(3725.0), "1:02:05 h");
        assert_eq!(
            [0.1, 1.0, 2.5, 0.005, 1000.0].map(length),
            ["10 cm", "1 m", "2.5 m", "5 mm", "1 km"]
        );
        assert_eq!(count(216_000), "216 000");
        assert_eq!(counted(1, "key", "keys"), "1 key");
        assert_eq!(speed(-0.25), "-0.25×");
        assert_eq!(trimmed(-0.0001, 2), "0");
        assert_eq!([-0.001, -0.01].map(|value| fixed(value, 2)), ["0.00", "-0.01"]);
    }
}
