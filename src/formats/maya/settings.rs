//! What the header's units come to, and the curves' own.

use std::collections::HashSet;

use super::{
    Curve, Document, Header, Output, Tangent, Text,
    tangents::Units,
    units::{self, FILM, TimeUnit},
};
use crate::{
    clip::{Convention, Handedness, Origin, RotationRule, Stated as Known, Up, ViewerMirror},
    diagnostics::{Notices, Place},
};

/// The metres in a centimetre: Maya's own unit of length, and what it assumes.
const CENTIMETRE: f64 = 0.01;

/// The radians in a degree: the unit of angle that Maya assumes.
const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// The units of a file.
#[derive(Debug)]
pub(super) struct Settings {
    time: Known<TimeUnit>,
    metres: Known<f64>,
    /// Radians in the unit of angle.
    radians: f64,
    /// Whether Maya 2 has written the file, whose fixed tangents are in Maya's own units.
    is_of_maya_2: bool,
    /// The words that have been said to be no units.
    said: HashSet<String>,
}

/// The units of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CurveUnits {
    /// What tangents need.
    pub(super) tangents: Units,
    /// The file's units of length in one unit of output, for a curve that moves something.
    pub(super) lengths: f64,
    /// Radians in one unit of output, for a curve that turns something.
    pub(super) radians: f64,
}

impl Settings {
    /// The units that the header states. What it does not state, or not so that it can be
    /// understood, is assumed, and `notices` say so.
    pub(super) fn new(document: &Document, notices: &mut Notices) -> Self {
        let header = &document.header;
        report_missing(header, notices);
        let is_of_maya_2 =
            header.maya_version.as_ref().is_some_and(|version| version.text.starts_with("2."));
        if is_of_maya_2 && has_fixed_tangents(document) {
            let line = header.maya_version.as_ref().map_or(1, |version| version.line);
            let message = "written by Maya 2: its fixed tangents are taken to be in seconds and \
                           centimetres or radians, not in the file's units";
            notices.warning(Place::line(line), message);
        }
        let mut said = HashSet::new();
        let mut unit = |text: &Option<Text>, read: fn(&str) -> Option<f64>, assumed: f64, word| {
            let stated = text.as_ref().and_then(|text| read(&text.text));
            if let (Some(text), None) = (text, stated) {
                report_unknown(text, word, &mut said, notices);
            }
            stated.map_or(Known::assumed(assumed), Known::declared)
        };
        let metres = unit(&header.linear_unit, units::metres, CENTIMETRE, "cm");
        let radians = unit(&header.angular_unit, units::radians, DEGREE, "deg").value;
        Self { time: time_unit(header, notices), metres, radians, is_of_maya_2, said }
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
            handedness: Known::assumed(Handedness::Right),
            up: Known::assumed(Up::Y),
            metres_per_unit: self.metres,
            rotation: Known::assumed(RotationRule::Faithful),
            mirror: ViewerMirror::Z,
        }
    }

    /// The units of `curve`: its own, or else the file's.
    pub(super) fn of_curve(&mut self, curve: &Curve, notices: &mut Notices) -> CurveUnits {
        let mut own = |text: &Option<Text>, read: fn(&str) -> Option<f64>, others: f64| {
            let Some(text) = text else { return others };
            read(&text.text).unwrap_or_else(|| {
                report_unknown(text, "the header's", &mut self.said, notices);
                others
            })
        };
        let seconds = |word: &str| TimeUnit::of_word(word).map(|unit| unit.in_seconds(1.0));
        let angle = own(&curve.tangent_angle_unit, units::radians, self.radians);
        let unit = &curve.output_unit;
        let (metres, radians) = (self.metres.value, self.radians);
        let (internal, lengths, radians) = match curve.output {
            Output::Linear => {
                let own = own(unit, units::metres, metres);
                (own / CENTIMETRE, own / metres, radians)
            }
            Output::Angular => {
                let own = own(unit, units::radians, radians);
                (own, 1.0, own)
            }
            Output::Time => (own(unit, seconds, self.time.value.in_seconds(1.0)), 1.0, radians),
            Output::Unitless => (1.0, 1.0, radians),
        };
        let fixed_are_internal = self.is_of_maya_2;
        let time = self.input_unit(curve, notices);
        CurveUnits {
            tangents: Units { time, internal, angle, fixed_are_internal },
            lengths,
            radians,
        }
    }

    fn input_unit(&mut self, curve: &Curve, notices: &mut Notices) -> TimeUnit {
        if curve.input == super::Input::Unitless {
            return units::PLAIN;
        }
        let Some(text) = &curve.input_unit else { return self.time() };
        TimeUnit::of_word(&text.text).unwrap_or_else(|| {
            report_unknown(text, "the header's", &mut self.said, notices);
            self.time()
        })
    }
}

/// Says which units the header does not state. Maya leaves them out of files of a single frame.
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
        let message = format!("the header has no {words}: Maya's defaults assumed, {assumed}");
        notices.warning(Place::line(header.end_line), message);
    }
}

fn time_unit(header: &Header, notices: &mut Notices) -> Known<TimeUnit> {
    let Some(Text { text, line }) = &header.time_unit else { return Known::assumed(FILM) };
    let place = Place::line(*line);
    match TimeUnit::of_word(text) {
        Some(unit) => {
            if !unit.is_known_to_maya {
                let rate = unit.per_second();
                let message =
                    format!("timeUnit {text:?} is none that Maya reads: taken for {rate} a second");
                notices.warning(place, message);
            }
            Known::declared(unit)
        }
        None if text.starts_with(units::UNKNOWN_TIME_UNIT) => {
            let message = "the rate is lost: Maya writes \"Unknown Time Unit\" for all it has no \
                           word for (23.976, 29.97, 59.94, 120 fps …); 24 frames a second assumed";
            notices.warning(place, message);
            Known::assumed(FILM)
        }
        None => {
            let message = format!("timeUnit {text:?} is not known: 24 frames a second assumed");
            notices.warning(place, message);
            Known::assumed(FILM)
        }
    }
}

fn report_unknown(text: &Text, assumed: &str, said: &mut HashSet<String>, notices: &mut Notices) {
    let Text { text, line } = text;
    if said.insert(text.to_string()) {
        let message = format!("unit {text:?} is not known here: {assumed} assumed");
        notices.warning(Place::line(*line), message);
    }
}

fn has_fixed_tangents(document: &Document) -> bool {
    let mut curves = document.items.iter().flat_map(|item| &item.curves);
    let is_fixed = |tangent: Tangent| matches!(tangent, Tangent::Fixed { .. });
    curves.any(|curve| {
        curve.keys.iter().any(|key| is_fixed(key.in_tangent) || is_fixed(key.out_tangent))
    })
}
