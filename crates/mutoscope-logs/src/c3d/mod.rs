//! Reads C3D, a format for points, analog channels and events of motion capture:
//! <https://www.c3d.org>.
//!
//! | file | what it does |
//! |---|---|
//! | `numbers` | reads integers and floats of the three processors |
//! | `parameters` | reads groups of parameters: labels, units, rates |
//! | `frames` | reads the frames of points and analog samples |
//! | `rotations` | reads the poses of segments |

mod frames;
mod numbers;
mod parameters;
mod rotations;

use std::collections::HashSet;

use mutoscope_core::{
    clip::{AxisDirection, SourceAxes, UniqueNames},
    diagnostics::{Diagnostics, Error, SourceLocation},
};

use crate::{
    codes,
    names::UnitWord,
    table::{Column, Declared, POSE_PROPERTIES, Role, Series, Table},
};
use frames::Layout;
use numbers::Processor;
use parameters::Parameters;
use rotations::Rotations;

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
    let data_start = usize::from(header.read_u16(9)).saturating_sub(1) * BLOCK_BYTES;
    let parameters =
        Parameters::read(bytes, header.parameters, data_start, header.processor, diagnostics);
    let mut rotations = Rotations::read(&header, &parameters, diagnostics);
    let mut layout = Layout::from_header(&header, &parameters, rotations.as_ref(), diagnostics)?;
    if let Some(rotations) = rotations.as_mut().filter(|_| layout.has_no_numbers()) {
        layout.split_frames(std::mem::replace(&mut rotations.per_frame, 1));
    }
    let rate = layout.rate_hz;
    let units = PointUnits::read(&parameters, layout.points, diagnostics);
    let mut table = Table::new("c3d");
    table.declared = Declared {
        metres_per_unit: units.metres_per_unit,
        axes: read_axes(&parameters),
        rate_hz: Some(rate),
        events: read_events(&parameters).unwrap_or_else(|| header.events()),
        ..Declared::default()
    };
    table.columns.push(Column::new("frame"));
    table.declared.roles.insert(0, Role::Time);
    let mut unique = UniqueNames::default();
    let labels = parameters.labels("POINT", "LABELS");
    let names = unique_names(&labels, layout.points, "point", &mut unique);
    let measures = measure_names(&parameters);
    for (point, name) in names.iter().enumerate() {
        // Results of models, such as angles and forces, are stored as points too.
        let is_point = !measures.contains(name) && !units.is_angle(point);
        add_columns(&mut table, name, &POSE_PROPERTIES[..3], is_point);
    }
    let first_rotation = table.columns.len();
    if let Some(rotations) = &rotations {
        let labels = &rotations.labels;
        for name in unique_names(labels, labels.len(), "rotation", &mut unique) {
            add_columns(&mut table, &name, &POSE_PROPERTIES, true);
        }
    }
    table.make_column_names_unique();
    layout.read_points(bytes, &units.factors, &mut table);
    if let Some(rotations) = &rotations {
        rotations.read_poses(bytes, layout.frames, first_rotation, &mut table, diagnostics);
    }
    let labels = parameters.labels("ANALOG", "LABELS");
    let names = unique_names(&labels, layout.channels, "channel", &mut UniqueNames::default());
    let start = layout.frame_time(0);
    let channels = layout.read_analog(bytes, &parameters);
    for (name, values) in names.into_iter().zip(channels) {
        let rate = rate * layout.samples_per_frame as f64;
        table.series.push(Series { name, start, rate, values });
    }
    Ok(table)
}

fn add_columns(table: &mut Table, name: &str, properties: &[&'static str], is_node: bool) {
    for property in properties {
        if is_node {
            let role = Role::Property(name.to_owned(), property);
            table.declared.roles.insert(table.columns.len(), role);
        }
        let part = property.strip_prefix("position.").unwrap_or(property);
        table.columns.push(Column::new(format!("{name}.{part}")));
    }
}

fn unique_names(
    labels: &[String],
    count: usize,
    word: &str,
    unique: &mut UniqueNames,
) -> Vec<String> {
    let name = |index: usize| {
        let label = labels.get(index).filter(|label| !label.is_empty());
        label.cloned().unwrap_or_else(|| format!("{word} {}", index + 1))
    };
    (0..count).map(|index| unique.make_unique(name(index))).collect()
}

/// The units in `POINT:UNITS`, which holds one text for all points, or one for each.
struct PointUnits {
    /// The unit of the first point that states a length.
    metres_per_unit: Option<f64>,
    /// The factors that convert the coordinates of each point to that unit.
    factors: Vec<f64>,
    units: Vec<UnitWord>,
}

impl PointUnits {
    fn read(parameters: &Parameters<'_>, points: usize, diagnostics: &mut Diagnostics) -> Self {
        let texts = parameters.labels("POINT", "UNITS");
        let units: Vec<UnitWord> = texts.iter().map(|text| parse_unit(text)).collect();
        let length = |unit: &UnitWord| match unit {
            UnitWord::Length(metres) => Some(*metres),
            _ => None,
        };
        let base = units.iter().find_map(length);
        let factor = |point: usize| {
            let own = units.get(point).and_then(length);
            own.zip(base).map_or(1.0, |(own, base)| own / base)
        };
        let unknown = texts.iter().find(|text| !text.is_empty());
        if let (None, Some(text)) = (base, unknown) {
            let message =
                format!("the unit {text:?} in POINT:UNITS is not a known length; ignored");
            diagnostics
                .warning(codes::c3d::UNKNOWN_UNIT, SourceLocation::File, message)
                .with("found", text.as_str());
        }
        Self { metres_per_unit: base, factors: (0..points).map(factor).collect(), units }
    }

    fn is_angle(&self, point: usize) -> bool {
        matches!(self.units.get(point), Some(UnitWord::Angle(_)))
    }
}

/// Parses a unit, even if a field of fixed width cuts its name, such as `mete`.
fn parse_unit(text: &str) -> UnitWord {
    const NAMES: [&str; 6] =
        ["millimeters", "millimetres", "centimeters", "centimetres", "meters", "metres"];
    let unit = UnitWord::parse(text);
    let cut = text.to_ascii_lowercase();
    let whole = NAMES.iter().find(|name| cut.len() >= 3 && name.starts_with(&cut));
    match (unit, whole) {
        (UnitWord::Other, Some(whole)) => UnitWord::parse(whole),
        _ => unit,
    }
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
        let labels = ["LASI", "", "LASI"].map(str::to_owned);
        let names = unique_names(&labels, 4, "point", &mut UniqueNames::default());
        assert_eq!(names, ["LASI", "point 2", "LASI (2)", "point 4"]);
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
