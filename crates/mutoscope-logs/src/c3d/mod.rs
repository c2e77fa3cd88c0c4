//! Reads C3D, a format for points, analog channels and events of motion capture:
//! <https://www.c3d.org>.
//!
//! | file | what it does |
//! |---|---|
//! | `numbers` | reads integers and floats of the three processors |
//! | `parameters` | reads groups of parameters: labels, units, rates |
//! | `frames` | reads the frames of points and analog samples |

mod frames;
mod numbers;
mod parameters;

use std::collections::HashSet;

use mutoscope_core::{
    clip::{AxisDirection, SourceAxes, UniqueNames},
    diagnostics::{Diagnostics, Error, SourceLocation},
};

use crate::{
    names::parse_length_unit,
    table::{Column, Declared, Role, Series, Table},
};
use frames::Layout;
use numbers::Processor;
use parameters::Parameters;

const BLOCK_BYTES: usize = 512;

const MAGIC: u8 = 0x50;

pub(crate) fn is_c3d(bytes: &[u8]) -> bool {
    bytes.get(1) == Some(&MAGIC) && Header::parse(bytes).is_some()
}

#[derive(Clone, Copy, Debug)]
struct Header<'a> {
    bytes: &'a [u8],
    processor: Processor,
    parameters: usize,
}

impl<'a> Header<'a> {
    fn parse(bytes: &'a [u8]) -> Option<Self> {
        let parameters = usize::from(*bytes.first()?).checked_sub(1)? * BLOCK_BYTES;
        // A text file may begin with the same bytes, for example `xPos`, but unlike C3D it contains
        // no zero bytes.
        if parameters == 0 || !bytes.get(..BLOCK_BYTES)?.contains(&0) {
            return None;
        }
        let processor = Processor::from_code(*bytes.get(parameters + 3)?)?;
        Some(Self { bytes, processor, parameters })
    }

    /// Returns a 16-bit word. Words are numbered from 1, as in the format's manual.
    fn read_u16(&self, number: usize) -> u16 {
        self.processor.u16_at(self.bytes, 2 * (number - 1)).unwrap_or(0)
    }

    fn read_f32(&self, word: usize) -> f64 {
        self.processor.f32_at(self.bytes, 2 * (word - 1)).unwrap_or(0.0)
    }

    fn events(&self) -> Vec<(f64, String)> {
        const EVENTS_KEY: u16 = 12_345;
        const MAX_EVENTS: usize = 18;
        if self.read_u16(150) != EVENTS_KEY {
            return Vec::new();
        }
        let count = usize::from(self.read_u16(151)).min(MAX_EVENTS);
        let event = |index: usize| {
            let label = self.bytes.get(396 + 4 * index..400 + 4 * index)?;
            Some((self.read_f32(153 + 2 * index), parameters::decode_text(label)))
        };
        (0..count).filter_map(event).filter(|(time, _)| time.is_finite()).collect()
    }
}

pub(crate) fn read(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<Table, Error> {
    let header = Header::parse(bytes).ok_or_else(|| {
        let expected = "a header that points to the parameters, and a processor type there";
        Error::malformed(SourceLocation::byte(0), expected, "other bytes")
    })?;
    let parameters = Parameters::read(bytes, header.parameters, header.processor, diagnostics);
    let layout = Layout::from_header(&header, &parameters, diagnostics)?;
    let rate = layout.rate_hz;
    let mut table = Table::new("c3d");
    table.declared = Declared {
        metres_per_unit: parameters.text("POINT", "UNITS").as_deref().and_then(parse_length_unit),
        axes: read_axes(&parameters),
        rate_hz: Some(rate),
        events: read_events(&parameters).unwrap_or_else(|| header.events()),
        ..Declared::default()
    };
    table.columns.push(Column::new("frame"));
    table.declared.roles.insert(0, Role::Time);
    let names = unique_names(parameters.labels("POINT", "LABELS"), layout.points, "point");
    let measures = measure_names(&parameters);
    for name in names {
        // Results of models, such as angles and forces, are stored as points too.
        let is_point = !measures.contains(&name);
        let properties = ["position.x", "position.y", "position.z"];
        for (axis, property) in ["x", "y", "z"].into_iter().zip(properties) {
            if is_point {
                let role = Role::Property(name.clone(), property);
                table.declared.roles.insert(table.columns.len(), role);
            }
            table.columns.push(Column::new(format!("{name}.{axis}")));
        }
    }
    table.make_column_names_unique();
    layout.read_points(bytes, &mut table);
    let names =
        self::unique_names(parameters.labels("ANALOG", "LABELS"), layout.channels, "channel");
    let start = layout.frame_time(0);
    let channels = layout.read_analog(bytes, &parameters);
    for (name, values) in names.into_iter().zip(channels) {
        let rate = rate * layout.samples_per_frame as f64;
        table.series.push(Series { name, start, rate, values });
    }
    Ok(table)
}

fn unique_names(labels: Vec<String>, count: usize, word: &str) -> Vec<String> {
    let mut unique = UniqueNames::default();
    let mut names = Vec::with_capacity(count);
    for index in 0..count {
        let label = labels.get(index).filter(|label| !label.is_empty());
        let label = label.cloned().unwrap_or_else(|| format!("{word} {}", index + 1));
        names.push(unique.make_unique(label));
    }
    names
}

/// Returns the names of points that are not positions: angles, forces, moments, powers and other
/// results of models.
fn measure_names(parameters: &Parameters<'_>) -> HashSet<String> {
    let kinds = ["ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS"];
    kinds.into_iter().flat_map(|kind| parameters.labels("POINT", kind)).collect()
}

/// Derives the axes from the parameters `X_SCREEN` and `Y_SCREEN`, which name the axes shown to the
/// right and up on the screen.
fn read_axes(parameters: &Parameters<'_>) -> Option<SourceAxes> {
    let axis = |name: &str| {
        let text = parameters.text("POINT", name)?.to_ascii_uppercase();
        let (sign, letter) = match text.as_bytes() {
            [b'-', letter] => (-1, *letter),
            [b'+', letter] | [letter] => (1, *letter),
            _ => return None,
        };
        (b'X'..=b'Z').contains(&letter).then(|| (usize::from(letter - b'X'), sign))
    };
    let ((right, right_sign), (up, up_sign)) = (axis("X_SCREEN")?, axis("Y_SCREEN")?);
    if right == up {
        return None;
    }
    let third = 3 - right - up;
    // The third axis completes a right-handed space: right × up points back.
    let is_even = (right + 1) % 3 == up;
    let third_sign = right_sign * up_sign * if is_even { 1 } else { -1 };
    let pick = |sign: i32, plus, minus| if sign > 0 { plus } else { minus };
    let mut directions = [AxisDirection::Right; 3];
    directions[right] = pick(right_sign, AxisDirection::Right, AxisDirection::Left);
    directions[up] = pick(up_sign, AxisDirection::Up, AxisDirection::Down);
    directions[third] = pick(third_sign, AxisDirection::Back, AxisDirection::Forward);
    SourceAxes::new(directions)
}

fn read_events(parameters: &Parameters<'_>) -> Option<Vec<(f64, String)>> {
    let times = parameters.numbers("EVENT", "TIMES");
    let labels = parameters.labels("EVENT", "LABELS");
    if times.is_empty() || labels.is_empty() {
        return None;
    }
    let contexts = parameters.labels("EVENT", "CONTEXTS");
    let mut events = Vec::new();
    for (index, (time, label)) in times.chunks_exact(2).zip(labels).enumerate() {
        // A time is stored as minutes and seconds.
        let time = time[0] * 60.0 + time[1];
        let context = contexts.get(index).filter(|it| matches!(it.as_str(), "Left" | "Right"));
        let name = context.map_or_else(|| label.clone(), |context| format!("{context} {label}"));
        if time.is_finite() {
            events.push((time, name));
        }
    }
    events.sort_by(|one, other| one.0.total_cmp(&other.0));
    Some(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_labels_get_unique_names() {
        let labels = ["LASI", "", "LASI"].map(str::to_owned).to_vec();
        assert_eq!(unique_names(labels, 4, "point"), ["LASI", "point 2", "LASI (2)", "point 4"]);
    }

    #[test]
    fn rejects_bytes_that_are_not_c3d() {
        for bytes in [
            &b""[..],
            b"\x02\x50",
            &[2, MAGIC, 0, 0].repeat(300),
            &[1, MAGIC].repeat(600),
            &b"xPTT".repeat(16_000),
        ] {
            assert!(!is_c3d(bytes), "{} bytes", bytes.len());
        }
        let mut bytes = vec![0; 1024];
        (bytes[0], bytes[1], bytes[515]) = (2, MAGIC, 84);
        assert!(is_c3d(&bytes));
        let error = read(&bytes, &mut Diagnostics::new()).unwrap_err();
        assert!(error.message().contains("points"), "{error:?}");
    }
}
