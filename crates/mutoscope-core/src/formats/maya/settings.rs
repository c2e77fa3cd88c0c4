//! Determines the units of the file and of its curves.

use std::collections::HashSet;

use super::{
    Curve, Document, Header, Output, Tangent, Text, codes,
    tangents::TangentUnits,
    units::{self, FILM, TimeUnit},
};
use crate::{
    clip::{Convention, FactOrigin, Handedness, RotationRule, Stated as Known, Unit, UpAxis},
    diagnostics::{Diagnostics, SourceLocation},
};

/// Maya's internal unit of length. Maya also assumes this unit for files without one.
const MAYA_LENGTH_UNIT: Unit = Unit::Centimetres;

const DEFAULT_ANGLE_UNIT: Unit = Unit::Degrees;

#[derive(Debug)]
pub(super) struct Settings {
    time: Known<TimeUnit>,
    length: Known<Unit>,
    angle: Unit,
    /// `true` if Maya 2 wrote the file. The fixed tangents are then in Maya's internal units.
    is_from_maya_2: bool,
    reported_units: HashSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CurveUnits {
    pub(super) tangents: TangentUnits,
    /// The factor from the unit of the output to the file's length unit; 1 if the output is not a
    /// length.
    pub(super) length_factor: f64,
    /// The factor to radians, from the unit of the output if the output is an angle, otherwise from
    /// the file's angle unit.
    pub(super) radians_factor: f64,
    pub(super) output: Unit,
}

impl Settings {
    pub(super) fn new(document: &Document, diagnostics: &mut Diagnostics) -> Self {
        let header = &document.header;
        report_missing_units(header, diagnostics);
        let is_from_maya_2 =
            header.maya_version.as_ref().is_some_and(|version| version.text.starts_with("2."));
        if is_from_maya_2 && has_fixed_tangents(document) {
            let line = header.maya_version.as_ref().map_or(1, |version| version.line);
            let message = "written by Maya 2; reading its fixed tangents in seconds and centimetres \
                           or radians, not in the file's units";
            diagnostics.warning(codes::MAYA_2_TANGENTS, SourceLocation::line(line), message);
        }
        let mut reported_units = HashSet::new();
        let mut unit =
            |text: &Option<Text>, read: fn(&str) -> Option<Unit>, assumed, assumed_name| {
                let stated = text.as_ref().and_then(|text| read(&text.text));
                if let (Some(text), None) = (text, stated) {
                    report_unknown_unit(text, assumed_name, &mut reported_units, diagnostics);
                }
                stated.map_or(Known::assumed(assumed), Known::declared)
            };
        let length = unit(&header.linear_unit, units::parse_length_unit, MAYA_LENGTH_UNIT, "cm");
        let angle =
            unit(&header.angular_unit, units::parse_angle_unit, DEFAULT_ANGLE_UNIT, "deg").value;
        Self {
            time: read_time_unit(header, diagnostics),
            length,
            angle,
            is_from_maya_2,
            reported_units,
        }
    }

    pub(super) fn time(&self) -> TimeUnit {
        self.time.value
    }

    pub(super) fn rate_hz(&self) -> Option<f64> {
        let Known { value: unit, origin } = self.time;
        (unit.is_frame && origin == FactOrigin::Declared).then(|| unit.per_second())
    }

    /// Assumes Maya's default axes, right-handed with Y up, because a file does not state them.
    pub(super) fn convention(&self) -> Convention {
        Convention {
            metres_per_unit: Known {
                value: self.length.value.si_factor(),
                origin: self.length.origin,
            },
            rotation: Known::assumed(RotationRule::AsAuthored),
            ..Convention::assumed(Handedness::Right, UpAxis::Y)
        }
    }

    pub(super) fn curve_units(
        &mut self,
        curve: &Curve,
        diagnostics: &mut Diagnostics,
    ) -> CurveUnits {
        let (length, time) = (self.length.value, self.time.value);
        let angle = self.unit_or(
            &curve.tangent_angle_unit,
            units::parse_angle_unit,
            self.angle,
            diagnostics,
        );
        let unit = &curve.output_unit;
        let (output, maya_units_per_value) = match curve.output {
            Output::Linear => {
                let own = self.unit_or(unit, units::parse_length_unit, length, diagnostics);
                (own, own.si_factor() / MAYA_LENGTH_UNIT.si_factor())
            }
            Output::Angular => {
                let own = self.unit_or(unit, units::parse_angle_unit, self.angle, diagnostics);
                (own, own.si_factor())
            }
            Output::Time => {
                let own = self.unit_or(unit, TimeUnit::from_keyword, time, diagnostics);
                (own.to_clip_unit(), own.to_seconds(1.0))
            }
            Output::Unitless => (Unit::None, 1.0),
        };
        let length_factor = if curve.output == Output::Linear {
            output.si_factor() / length.si_factor()
        } else {
            1.0
        };
        let angle_unit = if curve.output == Output::Angular { output } else { self.angle };
        let tangents = TangentUnits {
            time: self.input_unit(curve, diagnostics),
            maya_units_per_value,
            radians_per_angle: angle.si_factor(),
            fixed_in_maya_units: self.is_from_maya_2,
        };
        CurveUnits { tangents, length_factor, radians_factor: angle_unit.si_factor(), output }
    }

    fn unit_or<T>(
        &mut self,
        text: &Option<Text>,
        read: impl Fn(&str) -> Option<T>,
        default: T,
        diagnostics: &mut Diagnostics,
    ) -> T {
        let Some(text) = text else { return default };
        read(&text.text).unwrap_or_else(|| {
            report_unknown_unit(text, "the header's", &mut self.reported_units, diagnostics);
            default
        })
    }

    fn input_unit(&mut self, curve: &Curve, diagnostics: &mut Diagnostics) -> TimeUnit {
        if curve.input == super::Input::Unitless {
            return units::UNITLESS;
        }
        self.unit_or(&curve.input_unit, TimeUnit::from_keyword, self.time(), diagnostics)
    }
}

/// Reports units that are missing from the header. Maya omits them from files with a single frame.
fn report_missing_units(header: &Header, diagnostics: &mut Diagnostics) {
    let units = [
        ("timeUnit", header.time_unit.is_none(), "film (24 frames a second)"),
        ("linearUnit", header.linear_unit.is_none(), "cm"),
        ("angularUnit", header.angular_unit.is_none(), "deg"),
    ];
    let missing = || units.iter().filter(|unit| unit.1);
    if missing().next().is_some() {
        let list = |pick: fn(&(&'static str, bool, &'static str)) -> &'static str| {
            missing().map(pick).collect::<Vec<_>>().join(", ")
        };
        let (keywords, assumed) = (list(|unit| unit.0), list(|unit| unit.2));
        let message = format!("the header has no {keywords}; using Maya's defaults, {assumed}");
        diagnostics.warning(codes::UNITS_ASSUMED, SourceLocation::line(header.end_line), message);
    }
}

fn read_time_unit(header: &Header, diagnostics: &mut Diagnostics) -> Known<TimeUnit> {
    let Some(Text { text, line }) = &header.time_unit else { return Known::assumed(FILM) };
    let location = SourceLocation::line(*line);
    match TimeUnit::from_keyword(text) {
        Some(unit) => {
            if !unit.is_known_to_maya {
                let rate = unit.per_second();
                let message = format!("Maya does not read timeUnit {text:?}; using {rate} fps");
                diagnostics.warning(codes::UNKNOWN_UNIT, location, message);
            }
            Known::declared(unit)
        }
        None if text.starts_with(units::UNKNOWN_TIME_UNIT) => {
            let message = "the frame rate is lost, because Maya writes \"Unknown Time Unit\" for \
                           rates without a name (23.976, 29.97, 59.94, 120 fps …); using 24 fps";
            diagnostics.warning(codes::FRAME_RATE_LOST, location, message);
            Known::assumed(FILM)
        }
        None => {
            let message = format!("timeUnit {text:?} is not known; using 24 fps");
            diagnostics.warning(codes::UNKNOWN_UNIT, location, message);
            Known::assumed(FILM)
        }
    }
}

fn report_unknown_unit(
    text: &Text,
    assumed: &str,
    reported_units: &mut HashSet<String>,
    diagnostics: &mut Diagnostics,
) {
    let Text { text, line } = text;
    if reported_units.insert(text.to_string()) {
        let message = format!("unit {text:?} is not known; using {assumed}");
        diagnostics.warning(codes::UNKNOWN_UNIT, SourceLocation::line(*line), message);
    }
}

fn has_fixed_tangents(document: &Document) -> bool {
    let mut curves = document.items.iter().flat_map(|item| &item.curves);
    let is_fixed = |tangent: Tangent| matches!(tangent, Tangent::Fixed { .. });
    curves.any(|curve| {
        curve.keys.iter().any(|key| is_fixed(key.in_tangent) || is_fixed(key.out_tangent))
    })
}
