//! Writes the text of the file: a header, and curves line by line.

use std::io::{self, Write};

use crate::{clip::NodeId, export::decimal::write_decimal};

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

pub(super) struct Curve {
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
    pub(super) keys: Vec<Key>,
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
    /// A tangent vector. Its components are a duration in the time unit of the file, and a
    /// difference of values.
    Fixed { seconds_in_units: f64, value: f64 },
}

impl Curve {
    /// Writes the curve. `attribute` is its index among the attributes of the node that have
    /// curves.
    pub(super) fn write(
        &self,
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
        self.keys.iter().try_for_each(|key| key.write(out))?;
        out.write_all(b"  }\n}\n")
    }
}

impl Key {
    fn write(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let [before, after] = self.tangents;
        let words = [before, after].map(|tangent| match tangent {
            Tangent::Named(word) => word,
            Tangent::Fixed { .. } => "fixed",
        });
        let angle = before.angle();
        let angles = [angle, if after == before { angle } else { after.angle() }];
        // Write a broken tangent unless both sides have the same direction.
        let is_one_line = match (before, after) {
            (Tangent::Fixed { .. }, Tangent::Fixed { .. }) => angles[0] == angles[1],
            (before, after) => before == after,
        };
        out.extend_from_slice(b"    ");
        write_decimal(self.input, out)?;
        out.push(b' ');
        write_decimal(self.value, out)?;
        for word in words {
            out.push(b' ');
            out.extend_from_slice(word.as_bytes());
        }
        out.extend_from_slice(if is_one_line { b" 1 1 0" } else { b" 0 1 0" });
        for (tangent, angle) in [before, after].into_iter().zip(angles) {
            if let Tangent::Fixed { seconds_in_units, value } = tangent {
                for number in [angle, seconds_in_units.hypot(value)] {
                    out.push(b' ');
                    write_decimal(number, out)?;
                }
            }
        }
        out.extend_from_slice(b";\n");
        Ok(())
    }
}

impl Tangent {
    /// In degrees.
    fn angle(self) -> f64 {
        match self {
            Self::Named(_) => 0.0,
            Self::Fixed { seconds_in_units, value } => value.atan2(seconds_in_units).to_degrees(),
        }
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
