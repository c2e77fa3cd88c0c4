//! The units of the header and of the curves.

use std::collections::HashSet;

use super::{
    Curve, Document, Header, Output, Tangent, Text,
    tangents::Units,
    units::{self, FILM, TimeUnit},
};
use crate::{
    clip::{Convention, Handedness, Origin, RotationRule, Stated as Known, Unit, Up},
    diagnostics::{Notices, SourceLocation},
};

/// Maya's own unit of length, and what it assumes.
const LENGTH: Unit = Unit::Centimetres;

/// The unit of angle that Maya assumes.
const ANGLE: Unit = Unit::Degrees;

/// The units of a file.
#[derive(Debug)]
pub(super) struct Settings {
    time: Known<TimeUnit>,
    length: Known<Unit>,
    angle: Unit,
    /// Whether Maya 2 has written the file, whose fixed tangents are in Maya's own units.
    is_of_maya_2: bool,
    /// The unknown units that have been reported.
    said: HashSet<String>,
}

/// The units of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CurveUnits {
    /// The units that tangents need.
    pub(super) tangents: Units,
    /// The file's units of length in one unit of output, for a curve that moves something.
    pub(super) lengths: f64,
    /// Radians in one unit of output, for a curve that turns something.
    pub(super) radians: f64,
    /// The unit of output.
    pub(super) output: Unit,
}

impl Settings {
    /// The units that the header states. Missing or unknown ones are assumed, with notices.
    pub(super) fn new(document: &Document, notices: &mut Notices) -> Self {
        let header = &document.header;
        report_missing(header, notices);
        let is_of_maya_2 =
            header.maya_version.as_ref().is_some_and(|version| version.text.starts_with("2."));
        if is_of_maya_2 && has_fixed_tangents(document) {
            let line = header.maya_version.as_ref().map_or(1, |version| version.line);
            let message = "written by Maya 2: its fixed tangents are taken to be in seconds and \
                           centimetres or radians, not in the file's units";
            notices.warning(SourceLocation::line(line), message);
        }
        let mut said = HashSet::new();
        let mut unit = |text: &Option<Text>, read: fn(&str) -> Option<Unit>, assumed, word| {
            let stated = text.as_ref().and_then(|text| read(&text.text));
            if let (Some(text), None) = (text, stated) {
                report_unknown(text, word, &mut said, notices);
            }
            stated.map_or(Known::assumed(assumed), Known::declared)
        };
        let length = unit(&header.linear_unit, units::length, LENGTH, "cm");
        let angle = unit(&header.angular_unit, units::angle, ANGLE, "deg").value;
        Self { time: time_unit(header, notices), length, angle, is_of_maya_2, said }
    }

    /// The unit of times.
    pub(super) fn time(&self) -> TimeUnit {
        self.time.value
    }

    /// The frames a second, if the file states them.
    pub(super) fn rate_hz(&self) -> Option<f64> {
        let Known { value: unit, origin } = self.time;
        (unit.is_frame && origin == Origin::Declared).then(|| unit.per_second())
    }

    /// Right-handed with Y up, as Maya is by default. The file says nothing of it.
    pub(super) fn convention(&self) -> Convention {
        Convention {
            metres_per_unit: Known {
                value: self.length.value.factor(),
                origin: self.length.origin,
            },
            rotation: Known::assumed(RotationRule::AsAuthored),
            ..Convention::assumed(Handedness::Right, Up::Y)
        }
    }

    /// The units of `curve`: its own, or else the file's.
    pub(super) fn of_curve(&mut self, curve: &Curve, notices: &mut Notices) -> CurveUnits {
        let (length, time) = (self.length.value, self.time.value);
        let angle = self.own(&curve.tangent_angle_unit, units::angle, self.angle, notices);
        let unit = &curve.output_unit;
        let (output, internal) = match curve.output {
            Output::Linear => {
                let own = self.own(unit, units::length, length, notices);
                (own, own.factor() / LENGTH.factor())
            }
            Output::Angular => {
                let own = self.own(unit, units::angle, self.angle, notices);
                (own, own.factor())
            }
            Output::Time => {
                let own = self.own(unit, TimeUnit::of_word, time, notices);
                (own.unit(), own.in_seconds(1.0))
            }
            Output::Unitless => (Unit::None, 1.0),
        };
        let is = |kind: Output| curve.output == kind;
        let lengths = if is(Output::Linear) { output.factor() / length.factor() } else { 1.0 };
        let radians = if is(Output::Angular) { output } else { self.angle }.factor();
        let tangents = Units {
            time: self.input_unit(curve, notices),
            internal,
            angle: angle.factor(),
            fixed_are_internal: self.is_of_maya_2,
        };
        CurveUnits { tangents, lengths, radians, output }
    }

    /// The unit that `text` states, or else that of `others`.
    fn own<T>(
        &mut self,
        text: &Option<Text>,
        read: impl Fn(&str) -> Option<T>,
        others: T,
        notices: &mut Notices,
    ) -> T {
        let Some(text) = text else { return others };
        read(&text.text).unwrap_or_else(|| {
            report_unknown(text, "the header's", &mut self.said, notices);
            others
        })
    }

    fn input_unit(&mut self, curve: &Curve, notices: &mut Notices) -> TimeUnit {
        if curve.input == super::Input::Unitless {
            return units::PLAIN;
        }
        self.own(&curve.input_unit, TimeUnit::of_word, self.time(), notices)
    }
}

/// Reports which units the header does not state. Maya leaves them out of files of a single frame.
fn report_missing(header: &Header, notices: &mut Notices) {
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
        let (words, assumed) = (list(|unit| unit.0), list(|unit| unit.2));
        let message = format!("the header has no {words}; using Maya's defaults, {assumed}");
        notices.warning(SourceLocation::line(header.end_line), message);
    }
}

fn time_unit(header: &Header, notices: &mut Notices) -> Known<TimeUnit> {
    let Some(Text { text, line }) = &header.time_unit else { return Known::assumed(FILM) };
    let place = SourceLocation::line(*line);
    match TimeUnit::of_word(text) {
        Some(unit) => {
            if !unit.is_known_to_maya {
                let rate = unit.per_second();
                let message =
                    format!("timeUnit {text:?} is not one that Maya reads; using {rate} fps");
                notices.warning(place, message);
            }
            Known::declared(unit)
        }
        None if text.starts_with(units::UNKNOWN_TIME_UNIT) => {
            let message = "the rate is lost: Maya writes \"Unknown Time Unit\" for rates that it \
                           has no name for (23.976, 29.97, 59.94, 120 fps …); using 24 fps";
            notices.warning(place, message);
            Known::assumed(FILM)
        }
        None => {
            let message = format!("timeUnit {text:?} is not known; using 24 fps");
            notices.warning(place, message);
            Known::assumed(FILM)
        }
    }
}

fn report_unknown(text: &Text, assumed: &str, said: &mut HashSet<String>, notices: &mut Notices) {
    let Text { text, line } = text;
    if said.insert(text.to_string()) {
        let message = format!("unit {text:?} is not known; using {assumed}");
        notices.warning(SourceLocation::line(*line), message);
    }
}

fn has_fixed_tangents(document: &Document) -> bool {
    let mut curves = document.items.iter().flat_map(|item| &item.curves);
    let is_fixed = |tangent: Tangent| matches!(tangent, Tangent::Fixed { .. });
    curves.any(|curve| {
        curve.keys.iter().any(|key| is_fixed(key.in_tangent) || is_fixed(key.out_tangent))
    })
}
