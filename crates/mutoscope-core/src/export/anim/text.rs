//! The text: a header, and curves line by line.

use std::io::{self, Write};

use super::tree::Branch;

/// How a file counts time: Maya's word for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeUnit {
    word: &'static str,
    /// How many make a second.
    pub(super) per_second: f64,
}

impl TimeUnit {
    /// The frames that Maya has for this rate, or else seconds, of which all times are exact.
    pub(super) fn of_rate(rate: Option<f64>) -> Self {
        const FRAMES: [(&str, f64); 7] = [
            ("game", 15.0),
            ("film", 24.0),
            ("pal", 25.0),
            ("ntsc", 30.0),
            ("show", 48.0),
            ("palf", 50.0),
            ("ntscf", 60.0),
        ];
        let known = FRAMES.iter().find(|(_, frames)| rate == Some(*frames));
        let &(word, per_second) = known.unwrap_or(&("sec", 1.0));
        Self { word, per_second }
    }

    /// `time`, in seconds, in this unit: a whole number where it was one.
    pub(super) fn of_seconds(self, time: f64) -> f64 {
        let count = time * self.per_second;
        let whole = count.round();
        if (count - whole).abs() <= 1e-12 * whole.abs().max(1.0) { whole } else { count }
    }
}

/// The header, before the first curve.
pub(super) struct Header {
    pub(super) time: TimeUnit,
    /// Maya's word for the unit of lengths.
    pub(super) length: &'static str,
    /// From when to when it plays, in seconds.
    pub(super) span: (f64, f64),
}

impl Header {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { time, length, span: (from, to) } = self;
        let (start, end) = (number(time.of_seconds(*from)), number(time.of_seconds(*to)));
        let word = time.word;
        write!(
            out,
            "animVersion 1.1;\nmayaVersion 2022;\ntimeUnit {word};\nlinearUnit {length};\n\
             angularUnit deg;\nstartTime {start};\nendTime {end};\n"
        )
    }
}

/// A node without curves, which keeps its place.
pub(super) fn placeholder(name: &str, branch: &Branch, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "anim {} {} {} 0;", word(name), branch.row, branch.children)
}

/// A curve of an attribute.
pub(super) struct Curve {
    /// Its full name: `translate.translateX`; empty for a curve that drives nothing.
    pub(super) full: String,
    /// The last part of it.
    pub(super) leaf: String,
    /// Whether it is over time.
    pub(super) is_over_time: bool,
    /// `linear`, `angular`, `time` or `unitless`.
    pub(super) output: &'static str,
    /// The word for its unit, if that is not the header's.
    pub(super) unit: Option<&'static str>,
    pub(super) is_weighted: bool,
    /// The words for what it does before its first key and after its last.
    pub(super) infinities: [&'static str; 2],
    pub(super) keys: Vec<Key>,
}

/// A key of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key {
    /// In the unit of the file, if the curve is over time.
    pub(super) input: f64,
    pub(super) value: f64,
    /// The tangents before and after it.
    pub(super) tangents: [Tangent; 2],
}

/// A tangent of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tangent {
    /// One of Maya's types.
    Word(&'static str),
    /// One of this direction and length, in units of value and of time.
    Fixed { seconds_in_units: f64, value: f64 },
}

impl Curve {
    /// Writes it as the attribute of a node with this index among those that have curves.
    pub(super) fn write(
        &self,
        node: &str,
        branch: &Branch,
        attribute: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let Branch { row, children, .. } = branch;
        let names: Vec<_> = [&*self.full, &*self.leaf, node]
            .iter()
            .filter(|name| !name.is_empty())
            .map(|name| word(name) + " ")
            .collect();
        // Without a node's name, the attribute's is written alone.
        let names = if node.is_empty() {
            names.first().cloned().unwrap_or_default()
        } else {
            names.concat()
        };
        writeln!(out, "anim {names}{row} {children} {attribute};")?;
        let input = if self.is_over_time { "time" } else { "unitless" };
        write!(out, "animData {{\n  input {input};\n  output {};\n", self.output)?;
        if let Some(unit) = self.unit {
            writeln!(out, "  outputUnit {unit};")?;
        }
        let [before, after] = self.infinities;
        write!(
            out,
            "  weighted {};\n  preInfinity {before};\n  postInfinity {after};\n  keys {{\n",
            u8::from(self.is_weighted)
        )?;
        self.keys.iter().try_for_each(|key| key.write(out))?;
        out.write_all(b"  }\n}\n")
    }
}

impl Key {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let [before, after] = self.tangents;
        let words = [before, after].map(|tangent| match tangent {
            Tangent::Word(word) => word,
            Tangent::Fixed { .. } => "fixed",
        });
        // Tangents that are not the same line on both sides are broken.
        let is_one_line = match (before, after) {
            (Tangent::Fixed { .. }, Tangent::Fixed { .. }) => before.angle() == after.angle(),
            (before, after) => before == after,
        };
        write!(
            out,
            "    {} {} {} {} {} 1 0",
            number(self.input),
            number(self.value),
            words[0],
            words[1],
            u8::from(is_one_line)
        )?;
        for tangent in [before, after] {
            if let Tangent::Fixed { seconds_in_units, value } = tangent {
                let length = seconds_in_units.hypot(value);
                write!(out, " {} {}", number(tangent.angle()), number(length))?;
            }
        }
        out.write_all(b";\n")
    }
}

impl Tangent {
    /// In degrees.
    fn angle(self) -> f64 {
        match self {
            Self::Word(_) => 0.0,
            Self::Fixed { seconds_in_units, value } => value.atan2(seconds_in_units).to_degrees(),
        }
    }
}

/// The shortest text that reads back as the same number, without an exponent where none is needed.
fn number(number: f64) -> String {
    let magnitude = number.abs();
    if magnitude != 0.0 && !(1e-5..1e15).contains(&magnitude) {
        format!("{number:e}")
    } else {
        format!("{number}")
    }
}

/// A name as one word of the file.
fn word(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_:|.-[]".contains(c);
    if name.chars().all(is_plain) && !name.is_empty() {
        return name.to_owned();
    }
    // Quotation marks and control characters cannot be escaped in a word.
    let quoted: String =
        name.chars().map(|c| if c == '"' || c.is_control() { '_' } else { c }).collect();
    format!("\"{quoted}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_frames_stay_whole() {
        let film = TimeUnit::of_rate(Some(24.0));
        for frame in 0..10_000 {
            let frame = f64::from(frame);
            assert_eq!(film.of_seconds(frame / 24.0), frame);
        }
        assert_eq!(film.of_seconds(0.3), 0.3 * 24.0);
        assert_eq!(TimeUnit::of_rate(Some(29.97)), TimeUnit { word: "sec", per_second: 1.0 });
    }

    #[test]
    fn numbers_and_words_are_those_of_the_file() {
        assert_eq!([0.1, 1e-7, -2.0, 1e20].map(number), ["0.1", "1e-7", "-2", "1e20"]);
        assert_eq!(
            ["a:b|c", "a b", "#x", "say \"so\"\n"].map(word),
            ["a:b|c", "\"a b\"", "\"#x\"", "\"say _so__\""]
        );
    }
}
