//! Writes the text of the file: a header, and curves line by line.

use std::io::{self, Write};

use crate::{
    clip::NodeId,
    export::decimal::{write_decimal, write_rounded_decimal},
};

/// Steeper tangents keep all digits, because their slope changes much with the angle.
const MAX_ROUNDED_ANGLE: f64 = 89.9999;

/// A node with the place in the hierarchy that its lines state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    pub(super) id: NodeId,
    pub(super) depth: usize,
    pub(super) child_count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeUnit {
    name: &'static str,
    pub(super) per_second: f64,
}

impl TimeUnit {
    /// Returns the frame unit that Maya has for this rate, or else seconds, which represent all
    /// times exactly.
    pub(super) fn for_rate(rate: Option<f64>) -> Self {
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
        let &(name, per_second) = known.unwrap_or(&("sec", 1.0));
        Self { name, per_second }
    }

    /// Converts `time` from seconds to this unit. Results within rounding of an integer become that
    /// integer.
    pub(super) fn convert_seconds(self, time: f64) -> f64 {
        /// The largest rounding error, so that keys of a clock that runs for years are not merged.
        const MAX_ERROR: f64 = 1e-6;
        let count = time * self.per_second;
        let rounded = count.round();
        let error = (1e-12 * rounded.abs().max(1.0)).min(MAX_ERROR);
        if (count - rounded).abs() <= error { rounded } else { count }
    }
}

pub(super) struct Header {
    pub(super) time: TimeUnit,
    pub(super) length: &'static str,
    pub(super) span: (f64, f64),
}

impl Header {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { time, length, span: (from, to) } = self;
        let word = time.name;
        let mut text = format!(
            "animVersion 1.1;\nmayaVersion 2022;\ntimeUnit {word};\nlinearUnit {length};\n\
             angularUnit deg;\nstartTime "
        )
        .into_bytes();
        write_decimal(time.convert_seconds(*from), &mut text)?;
        text.extend_from_slice(b";\nendTime ");
        write_decimal(time.convert_seconds(*to), &mut text)?;
        text.extend_from_slice(b";\n");
        out.write_all(&text)
    }
}

/// Writes a node without curves. Without this entry, the following nodes would lose their positions
/// in the hierarchy.
pub(super) fn write_placeholder(
    name: &str,
    branch: &Branch,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "anim {} {} {} 0;", quote_name(name), branch.depth, branch.child_count)
}

pub(super) struct Curve<'a> {
    /// The full name, such as `translate.translateX`. Empty for a curve that drives nothing.
    pub(super) full_name: String,
    pub(super) short_name: String,
    pub(super) is_over_time: bool,
    /// The output type: `linear`, `angular`, `time` or `unitless`.
    pub(super) output: &'static str,
    /// The name of the unit if it differs from the header's.
    pub(super) unit: Option<&'static str>,
    pub(super) is_weighted: bool,
    pub(super) infinities: [&'static str; 2],
    pub(super) precision: Precision,
    pub(super) keys: Keys<'a>,
}

/// The keys of a curve. They are created one by one, because all of them together would take as
/// much memory as their text.
pub(super) type Keys<'a> = Box<dyn Iterator<Item = Key> + 'a>;

/// How precisely a curve states the values of its keys and the angles of its tangents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// As many as needed to read the same numbers again.
    Exact,
    /// Nine decimals, which are shorter and far below the error of tracing.
    NineDecimals,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key {
    /// The time in the time unit of the file. For a driven curve, the value of the driver.
    pub(super) input: f64,
    pub(super) value: f64,
    pub(super) tangents: [Tangent; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tangent {
    /// A tangent type by Maya's name.
    Named(&'static str),
    /// A vector by its angle in degrees, and its length. Its components are a duration in the time
    /// unit of the file, and a difference of values. Only a weighted curve uses the length.
    Fixed { angle: f64, length: f64 },
}

impl Tangent {
    /// Returns a tangent of an unweighted curve. `slope` is per time unit of the file. The length
    /// is 1, as Maya writes it.
    pub(super) fn from_slope(slope: f64) -> Self {
        Self::Fixed { angle: slope.atan().to_degrees(), length: 1.0 }
    }

    /// Returns a tangent of a weighted curve. The duration is in the time unit of the file.
    pub(super) fn from_vector(duration: f64, value: f64) -> Self {
        Self::Fixed { angle: value.atan2(duration).to_degrees(), length: duration.hypot(value) }
    }
}

impl Curve<'_> {
    /// Appends the curve to `out`. `attribute` is its index among the attributes of the node that
    /// have curves.
    pub(super) fn encode(
        self,
        node: &str,
        branch: &Branch,
        attribute: usize,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Branch { depth, child_count, .. } = branch;
        let names: &[&str] = match (node, &*self.full_name) {
            ("", "") => &[],
            // If the node has no name, write the attribute's name alone.
            ("", full_name) => &[full_name],
            // Also write empty names of the attribute. Otherwise the name of the node would be read as
            // the name of the attribute.
            (node, full_name) => &[full_name, &self.short_name, node],
        };
        let names: String = names.iter().map(|name| quote_name(name) + " ").collect();
        writeln!(out, "anim {names}{depth} {child_count} {attribute};")?;
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
        for key in self.keys {
            key.encode(self.precision, out)?;
        }
        out.write_all(b"  }\n}\n")
    }
}

impl Precision {
    fn write(self, number: f64, out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Exact => write_decimal(number, out),
            Self::NineDecimals => write_rounded_decimal(number, out),
        }
    }
}

impl Key {
    fn encode(&self, precision: Precision, out: &mut Vec<u8>) -> io::Result<()> {
        let [before, after] = self.tangents;
        // Write a broken tangent unless both sides have the same direction.
        let is_one_line = match (before, after) {
            (Tangent::Fixed { angle: before, .. }, Tangent::Fixed { angle: after, .. }) => {
                before == after
            }
            (before, after) => before == after,
        };
        out.extend_from_slice(b"    ");
        write_decimal(self.input, out)?;
        out.push(b' ');
        precision.write(self.value, out)?;
        for tangent in [before, after] {
            out.push(b' ');
            out.extend_from_slice(match tangent {
                Tangent::Named(word) => word.as_bytes(),
                Tangent::Fixed { .. } => b"fixed",
            });
        }
        out.extend_from_slice(if is_one_line { b" 1 1 0" } else { b" 0 1 0" });
        for tangent in [before, after] {
            if let Tangent::Fixed { angle, length } = tangent {
                let is_steep = angle.abs() >= MAX_ROUNDED_ANGLE;
                let precision = if is_steep { Precision::Exact } else { precision };
                out.push(b' ');
                precision.write(angle, out)?;
                out.push(b' ');
                write_decimal(length, out)?;
            }
        }
        out.extend_from_slice(b";\n");
        Ok(())
    }
}

fn quote_name(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_:|.-[]".contains(c);
    if name.chars().all(is_plain) && !name.is_empty() {
        return name.to_owned();
    }
    // Quotation marks and control characters cannot be escaped, so replace them.
    let quoted: String =
        name.chars().map(|c| if c == '"' || c.is_control() { '_' } else { c }).collect();
    format!("\"{quoted}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_frames_are_converted_exactly() {
        let film = TimeUnit::for_rate(Some(24.0));
        for frame in 0..10_000 {
            let frame = f64::from(frame);
            assert_eq!(film.convert_seconds(frame / 24.0), frame);
        }
        assert_eq!(film.convert_seconds(0.3), 0.3 * 24.0);
        let seconds = TimeUnit::for_rate(None);
        assert_eq!(seconds.convert_seconds(1.7e9 + 1e-3), 1.7e9 + 1e-3);
        assert_eq!(TimeUnit::for_rate(Some(29.97)), TimeUnit { name: "sec", per_second: 1.0 });
    }

    #[test]
    fn names_are_quoted_for_maya() {
        assert_eq!(
            ["a:b|c", "a b", "#x", "say \"so\"\n"].map(quote_name),
            ["a:b|c", "\"a b\"", "\"#x\"", "\"say _so__\""]
        );
    }
}
