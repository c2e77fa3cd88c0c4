//! C3D: points, analog channels and events of motion capture, by <https://www.c3d.org>.
//!
//! | file | what it does |
//! |---|---|
//! | `words` | numbers of the three processors |
//! | `parameters` | groups of parameters: labels, units, rates |
//! | `frames` | the frames of points and analog samples |

mod frames;
mod parameters;
mod words;

use std::collections::HashSet;

use mutoscope_core::{
    clip::{AxisDirection, SourceAxes, UniqueNames},
    diagnostics::{Error, Notices, SourceLocation},
};

use crate::{
    names::length_of,
    table::{Column, Declared, Role, Series, Table},
};
use frames::Layout;
use parameters::Parameters;
use words::Processor;

/// The bytes of a block: the parts of a file begin at one.
const BLOCK: usize = 512;

/// The mark of the second byte of a header, and of the parameters.
const MARK: u8 = 0x50;

/// Whether bytes begin as a C3D does.
pub(crate) fn is_one(bytes: &[u8]) -> bool {
    bytes.get(1) == Some(&MARK) && Header::of(bytes).is_some()
}

/// The first block.
#[derive(Clone, Copy, Debug)]
struct Header<'a> {
    bytes: &'a [u8],
    processor: Processor,
    /// The first byte of the parameters.
    parameters: usize,
}

impl<'a> Header<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let parameters = usize::from(*bytes.first()?).checked_sub(1)? * BLOCK;
        // A text may begin with the same letters, as `xPos` does, but has no zeros.
        if parameters == 0 || !bytes.get(..BLOCK)?.contains(&0) {
            return None;
        }
        let processor = Processor::of(*bytes.get(parameters + 3)?)?;
        Some(Self { bytes, processor, parameters })
    }

    /// The word with this number, from 1 on.
    fn word(&self, number: usize) -> u16 {
        self.processor.word(self.bytes, 2 * (number - 1)).unwrap_or(0)
    }

    fn number(&self, word: usize) -> f64 {
        self.processor.number(self.bytes, 2 * (word - 1)).unwrap_or(0.0)
    }

    /// The events in the header: at most 18, in seconds, with labels of four characters.
    fn events(&self) -> Vec<(f64, String)> {
        const KEY: u16 = 12_345;
        const MOST: usize = 18;
        if self.word(150) != KEY {
            return Vec::new();
        }
        let count = usize::from(self.word(151)).min(MOST);
        let event = |index: usize| {
            let label = self.bytes.get(396 + 4 * index..400 + 4 * index)?;
            Some((self.number(153 + 2 * index), parameters::text(label)))
        };
        (0..count).filter_map(event).filter(|(time, _)| time.is_finite()).collect()
    }
}

/// Reads a C3D as a table: a row for each frame, a node for each point.
///
/// # Errors
/// If it has no points, or no frames.
pub(crate) fn read(bytes: &[u8], notices: &mut Notices) -> Result<Table, Error> {
    let header = Header::of(bytes).ok_or_else(|| {
        let expected = "a header with the place of the parameters, and these with their processor";
        Error::malformed(SourceLocation::byte(0), expected, "another")
    })?;
    let parameters = Parameters::read(bytes, header.parameters, header.processor, notices);
    let layout = Layout::of(&header, &parameters, notices)?;
    let rate = layout.rate;
    let mut table = Table::new("c3d");
    table.declared = Declared {
        metres_per_unit: parameters.text("POINT", "UNITS").as_deref().and_then(length_of),
        axes: axes(&parameters),
        rate_hz: Some(rate),
        events: events(&parameters).unwrap_or_else(|| header.events()),
        ..Declared::default()
    };
    table.columns.push(Column::new("frame"));
    table.declared.roles.insert(0, Role::Time);
    let names = names(parameters.labels("POINT", "LABELS"), layout.points, "point");
    let measures = measures(&parameters);
    for name in names {
        // Angles, forces and the like stand among the points.
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
    table.name_columns_apart();
    layout.read(bytes, &mut table);
    let names = self::names(parameters.labels("ANALOG", "LABELS"), layout.channels, "channel");
    let start = layout.time(0);
    let channels = layout.analog(bytes, &parameters);
    for (name, values) in names.into_iter().zip(channels) {
        let rate = rate * layout.samples as f64;
        table.series.push(Series { name, start, rate, values });
    }
    Ok(table)
}

/// The names of points or channels: their labels, numbers where there are none, each once.
fn names(labels: Vec<String>, count: usize, word: &str) -> Vec<String> {
    let mut taken = UniqueNames::default();
    let mut names = Vec::with_capacity(count);
    for index in 0..count {
        let label = labels.get(index).filter(|label| !label.is_empty());
        let label = label.cloned().unwrap_or_else(|| format!("{word} {}", index + 1));
        names.push(taken.take(label));
    }
    names
}

/// The names of points that are no places: angles, forces, moments, powers and other results of models.
fn measures(parameters: &Parameters<'_>) -> HashSet<String> {
    let kinds = ["ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS"];
    kinds.into_iter().flat_map(|kind| parameters.labels("POINT", kind)).collect()
}

/// The axes by the parameters that say which of them a screen shows to the right and up.
fn axes(parameters: &Parameters<'_>) -> Option<SourceAxes> {
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

/// The events of the group `EVENT`, with times in seconds; nothing if there is none.
fn events(parameters: &Parameters<'_>) -> Option<Vec<(f64, String)>> {
    let times = parameters.numbers("EVENT", "TIMES");
    let labels = parameters.labels("EVENT", "LABELS");
    if times.is_empty() || labels.is_empty() {
        return None;
    }
    let contexts = parameters.labels("EVENT", "CONTEXTS");
    let mut events = Vec::new();
    for (index, (time, label)) in times.chunks_exact(2).zip(labels).enumerate() {
        // Minutes, and the seconds beyond them.
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
    fn names_are_told_apart() {
        let labels = ["LASI", "", "LASI"].map(str::to_owned).to_vec();
        assert_eq!(names(labels, 4, "point"), ["LASI", "point 2", "LASI (2)", "point 4"]);
    }

    #[test]
    fn other_bytes_are_no_c3d() {
        for bytes in [
            &b""[..],
            b"\x02\x50",
            &[2, MARK, 0, 0].repeat(300),
            &[1, MARK].repeat(600),
            &b"xPTT".repeat(16_000),
        ] {
            assert!(!is_one(bytes), "{} bytes", bytes.len());
        }
        let mut bytes = vec![0; 1024];
        (bytes[0], bytes[1], bytes[515]) = (2, MARK, 84);
        assert!(is_one(&bytes));
        let error = read(&bytes, &mut Notices::new()).unwrap_err();
        assert!(error.message().contains("points"), "{error:?}");
    }
}
