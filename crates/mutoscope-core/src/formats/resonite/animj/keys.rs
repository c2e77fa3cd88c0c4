//! Reads the keys of a track.

use serde::de::{MapAccess, SeqAccess};
use strum::VariantArray as _;

use super::{
    json::{JsonSink, NameSeed, Scalar, SinkSeed},
    member::SeenMembers,
    reader::AnimationReader,
    values::{ColumnBuilder, Number, Value, ValueProblem},
};
use crate::{
    diagnostics::Severity,
    formats::resonite::{Interpolation, Tangents, TrackType, TypeInfo, codes},
};

pub(super) struct KeyColumns {
    pub(super) value_type: &'static TypeInfo,
    pub(super) times: Vec<f64>,
    pub(super) values: ColumnBuilder,
    pub(super) interpolations: Vec<Interpolation>,
    pub(super) tangents: Option<Box<Tangents>>,
    pub(super) offsets: Vec<u32>,
}

impl KeyColumns {
    pub(super) fn new(value_type: &'static TypeInfo) -> Self {
        Self {
            value_type,
            times: Vec::new(),
            values: ColumnBuilder::new(value_type),
            interpolations: Vec::new(),
            tangents: None,
            offsets: Vec::new(),
        }
    }

    pub(super) fn drop_last_number(&mut self) {
        if self.value_type.component_count() == 1 {
            self.values.pop();
        }
    }

    /// Adds the tangents of the last key. The columns are created for the first key that has a
    /// tangent, and are filled with zeros for the earlier keys.
    #[inline]
    fn push_tangents(&mut self, tangents: [Option<[f64; 4]>; 2]) {
        let is_given = tangents.map(|tangent| tangent.is_some());
        if self.tangents.is_none() && is_given == [false; 2] {
            return;
        }
        let (count, components) = (self.values.len(), self.value_type.component_count());
        let before = || vec![vec![0.0; count - 1]; components];
        let columns = self.tangents.get_or_insert_with(|| {
            let given = vec![[false; 2]; count - 1];
            Box::new(Tangents { left: before(), right: before(), given })
        });
        columns.given.push(is_given);
        let [left, right] = tangents.map(Option::unwrap_or_default);
        for (column, number) in columns.left.iter_mut().zip(left) {
            column.push(number);
        }
        for (column, number) in columns.right.iter_mut().zip(right) {
            column.push(number);
        }
    }
}

#[inline]
fn key_columns_mut<'a>(reader: &'a mut AnimationReader) -> &'a mut KeyColumns {
    let track = reader.track.as_mut().expect("a track is being read");
    track.keys.as_mut().expect("its keys are being read")
}

pub(super) struct KeysSink<'a, 'de, 'n>(pub(super) &'a mut AnimationReader<'de, 'n>);

impl<'de> JsonSink<'de> for KeysSink<'_, 'de, '_> {
    fn array<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let reader = self.0;
        let track = reader.track.as_ref().expect("a track is being read");
        let track_type = track.track_type();
        let value_type = key_columns_mut(reader).value_type;
        loop {
            let more = if track_type == TrackType::Raw {
                let mut value = Value::empty(value_type);
                let into = &mut value;
                let sink = ValueSink { reader: &mut *reader, value_type, value: into, member: "" };
                let more = elements.next_element_seed(SinkSeed(sink))?;
                if more.is_some() {
                    push_value(reader, value);
                }
                more
            } else {
                elements
                    .next_element_seed(SinkSeed(KeySink { reader: &mut *reader, track_type }))?
            };
            if more.is_none() {
                return Ok(());
            }
        }
    }

    fn scalar(self, scalar: Scalar<'de>) {
        if scalar != Scalar::Null {
            let path = key_path(self.0, "");
            let path = path.split('[').take(2).collect::<Vec<_>>().join("[");
            self.0.report_wrong_type(&path, "an array", &scalar);
        }
    }
}

fn key_path(reader: &AnimationReader, member: &str) -> String {
    let track = reader.track.as_ref().expect("a track is being read");
    let key = track.keys.as_ref().map_or(0, |keys| keys.values.len());
    let dot = if member.is_empty() { "" } else { "." };
    format!("tracks[{}].data.keyframes[{key}]{dot}{member}", track.index)
}

#[inline]
fn push_value(reader: &mut AnimationReader, value: Value) {
    let columns = key_columns_mut(reader);
    let value_type = columns.value_type;
    let mut first = None;
    let on_problem = |component: usize, problem: ValueProblem| {
        first.get_or_insert((component, problem));
    };
    columns.values.push(value, value_type, on_problem);
    if let Some((component, problem)) = first {
        report_value_problem(reader, value_type, component, problem);
    }
}

#[cold]
fn report_value_problem(
    reader: &mut AnimationReader,
    value_type: &TypeInfo,
    component: usize,
    problem: ValueProblem,
) {
    let track = reader.track.as_ref().expect("a track is being read");
    let key = track.keys.as_ref().map_or(0, |keys| keys.values.len().saturating_sub(1));
    let index = track.index;
    let what = if value_type.component_count() == 1 {
        String::new()
    } else {
        format!(".{}", value_type.member_name(component))
    };
    let path = format!("tracks[{index}].data.keyframes[{key}]{what}");
    let name = value_type.name;
    let (severity, code, kind, problem) = match problem {
        ValueProblem::Missing => (
            Severity::Warning,
            codes::MISSING_MEMBER,
            "missing values",
            format!("no value; using the default of {name}"),
        ),
        ValueProblem::WrongKind => (
            Severity::Error,
            codes::WRONG_TYPE,
            "values of the wrong type",
            format!("expected {name}, found another type; converted"),
        ),
        ValueProblem::NotInteger => (
            Severity::Warning,
            codes::NUMBER_FORM,
            "integers with a decimal point",
            format!("expected {name} without a decimal point; Resonite refuses it"),
        ),
        ValueProblem::OutOfBounds => (
            Severity::Error,
            codes::OUT_OF_RANGE,
            "numbers out of range",
            format!("out of range for {name}; using the nearest value"),
        ),
    };
    reader.report_key_problem(severity, code, kind, key, &path, problem);
}

#[cold]
fn report_tangent_problem(
    reader: &mut AnimationReader,
    value_type: &TypeInfo,
    member: &str,
    component: usize,
    problem: ValueProblem,
) {
    let mut path = key_path(reader, member);
    if value_type.component_count() > 1 {
        path = format!("{path}.{}", value_type.member_name(component));
    }
    let key = key_columns_mut(reader).values.len();
    let name = value_type.name;
    let (code, kind, what) = match problem {
        ValueProblem::NotInteger => {
            (codes::NUMBER_FORM, "integers with a decimal point", "without a decimal point")
        }
        ValueProblem::OutOfBounds => {
            (codes::OUT_OF_RANGE, "tangents out of range", "within the range of the type")
        }
        ValueProblem::Missing | ValueProblem::WrongKind => {
            (codes::WRONG_TYPE, "tangents of the wrong type", "a number")
        }
    };
    let problem = format_args!("expected {name}, {what}; Resonite refuses it");
    reader.report_key_problem(Severity::Warning, code, kind, key, &path, problem);
}

struct KeySink<'a, 'de, 'n> {
    reader: &'a mut AnimationReader<'de, 'n>,
    track_type: TrackType,
}

const KEY_MEMBERS: [&str; 5] = ["time", "value", "interpolation", "leftTangent", "rightTangent"];

impl<'de> JsonSink<'de> for KeySink<'_, 'de, '_> {
    fn object<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { reader, track_type } = self;
        let value_type = key_columns_mut(reader).value_type;
        let mut value = Value::empty(value_type);
        let (mut tangents, mut time, mut interpolation) = ([None, None], None, None);
        let (mut seen, mut start) = (SeenMembers::default(), None);
        while let Some(name) = members.next_key_seed(NameSeed)? {
            let here = reader.record_member_offset(&name);
            start.get_or_insert(here);
            let member = KEY_MEMBERS.iter().position(|known| *known == name);
            if member.is_some_and(|member| seen.check_repeated(member as u8)) {
                let path = key_path(reader, "");
                reader.report_repeated_member(&format!("{path}."), &name);
            }
            if track_type == TrackType::Discrete && member.is_some_and(|member| member > 1) {
                let path = key_path(reader, &name);
                reader.report_unused_member(&path, " is used only by Curve tracks");
            }
            let mut scalar = Scalar::Null;
            match member {
                Some(1) => {
                    value = Value::empty(value_type);
                    let into = &mut value;
                    let sink = ValueSink {
                        reader: &mut *reader,
                        value_type,
                        value: into,
                        member: "value",
                    };
                    members.next_value_seed(SinkSeed(sink))?;
                }
                Some(side @ (3 | 4)) => {
                    let mut tangent = Value::empty(value_type);
                    let (into, member) = (&mut tangent, KEY_MEMBERS[side]);
                    let sink = ValueSink { reader: &mut *reader, value_type, value: into, member };
                    members.next_value_seed(SinkSeed(sink))?;
                    if let Some((component, problem)) = tangent.first_problem(value_type) {
                        report_tangent_problem(reader, value_type, member, component, problem);
                    }
                    tangents[side - 3] = Some(tangent.to_f64s());
                }
                _ => {
                    members.next_value_seed(SinkSeed(&mut scalar))?;
                    match member {
                        Some(0) => time = parse_time(reader, &scalar),
                        Some(_) => interpolation = parse_interpolation(reader, &scalar),
                        None => {
                            let path = key_path(reader, "");
                            reader.report_unknown_member(&format!("{path}."), &name, &KEY_MEMBERS);
                        }
                    }
                }
            }
        }
        // Report problems of the whole key at its start.
        reader.last_member_offset = reader.object_start(start.unwrap_or(reader.last_member_offset));
        let offset = reader.last_member_offset as u32;
        if !seen.contains(0) {
            report_missing_member(reader, "time", "0");
        }
        let is_curve = matches!(track_type, TrackType::Curve | TrackType::Bezier);
        if is_curve && !seen.contains(2) && track_type == TrackType::Curve {
            report_missing_member(reader, "interpolation", "Hold");
        }
        let default_interpolation = match track_type {
            TrackType::Bezier => Interpolation::CubicBezier,
            _ => Interpolation::Hold,
        };
        push_value(reader, value);
        let columns = key_columns_mut(reader);
        columns.offsets.push(offset);
        columns.times.push(time.unwrap_or(0.0));
        columns.interpolations.push(interpolation.unwrap_or(default_interpolation));
        columns.push_tangents(tangents);
        Ok(())
    }

    fn scalar(self, scalar: Scalar<'de>) {
        let path = key_path(self.reader, "");
        self.reader.report_wrong_type(&path, "an object with a time and a value", &scalar);
    }
}

#[cold]
fn report_missing_member(reader: &mut AnimationReader, member: &'static str, default: &str) {
    let path = key_path(reader, "");
    let kind =
        if member == "time" { "keys without a time" } else { "keys without an interpolation" };
    let problem = format_args!(": no {member}; using {default}");
    reader.report_member(Severity::Warning, codes::MISSING_MEMBER, kind, &path, problem);
}

fn parse_time(reader: &mut AnimationReader, scalar: &Scalar) -> Option<f64> {
    let time = scalar.as_f64();
    if time.is_none() {
        let path = key_path(reader, "time");
        reader.report_wrong_type(&path, "a number", scalar);
    }
    time
}

/// Parses the name of an interpolation, in any case, or its number.
fn parse_interpolation(reader: &mut AnimationReader, scalar: &Scalar) -> Option<Interpolation> {
    let known = match scalar {
        Scalar::Text(text) => text.parse().ok(),
        Scalar::Unsigned(number) => Interpolation::VARIANTS.get(*number as usize).copied(),
        _ => None,
    };
    if known.is_none() {
        let path = key_path(reader, "interpolation");
        let found = match scalar {
            Scalar::Text(text) => format!("{text:?}"),
            other => other.type_name().to_owned(),
        };
        let problem = format_args!(
            ": expected Hold, Linear, Tangent or CubicBezier, found {found}; using Hold"
        );
        let (code, kind) = (codes::UNKNOWN_NAME, "unknown interpolations");
        reader.report_member(Severity::Error, code, kind, &path, problem);
    }
    known
}

struct ValueSink<'a, 'de, 'n> {
    reader: &'a mut AnimationReader<'de, 'n>,
    value_type: &'static TypeInfo,
    value: &'a mut Value,
    /// The name of the member that holds the value. Empty if the key is the value itself.
    member: &'static str,
}

impl ValueSink<'_, '_, '_> {
    #[cold]
    fn report_wrong_type(&mut self, found: &Scalar) {
        let path = key_path(self.reader, self.member);
        let members: Vec<_> = (0..self.value_type.component_count())
            .map(|component| self.value_type.member_name(component))
            .collect();
        let expected = match self.value_type.component_count() {
            1 => self.value_type.name.to_owned(),
            _ => format!("{} with {}", self.value_type.name, members.join(", ")),
        };
        let problem = format_args!("expected {expected}, found {}", found.type_name());
        let key = key_columns_mut(self.reader).values.len();
        let (code, kind) = (codes::WRONG_TYPE, "values of the wrong type");
        self.reader.report_key_problem(Severity::Error, code, kind, key, &path, problem);
    }

    fn set_component(&mut self, component: usize, scalar: &Scalar) {
        let number = Number::from_json(scalar);
        if let Value::Components(numbers) = self.value {
            numbers[component] = number;
        }
        match (scalar, number) {
            (_, None) => self.report_wrong_type(scalar),
            (Scalar::Text(_), Some(_)) => {
                let path = key_path(self.reader, self.member);
                let key = key_columns_mut(self.reader).values.len();
                let (code, kind) = (codes::NUMBER_FORM, "numbers in quotation marks");
                let problem = "a number in quotation marks; Resonite refuses it";
                self.reader.report_key_problem(Severity::Warning, code, kind, key, &path, problem);
            }
            _ => {}
        }
    }
}

impl<'de> JsonSink<'de> for ValueSink<'_, 'de, '_> {
    fn object<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        let components = self.value_type.component_count();
        if components == 1 {
            self.report_wrong_type(&Scalar::Other("an object"));
        }
        let mut seen = SeenMembers::default();
        while let Some(name) = members.next_key_seed(NameSeed)? {
            let mut scalar = Scalar::Null;
            members.next_value_seed(SinkSeed(&mut scalar))?;
            let is_it = |&component: &usize| self.value_type.member_name(component) == name;
            match (0..components).find(is_it) {
                _ if components == 1 => {}
                Some(component) => {
                    if seen.check_repeated(component as u8) {
                        let path = key_path(self.reader, self.member);
                        self.reader.report_repeated_member(&format!("{path}."), &name);
                    }
                    self.set_component(component, &scalar);
                }
                None => {
                    let path = key_path(self.reader, self.member);
                    self.reader.report_unknown_member(&format!("{path}."), &name, &[]);
                }
            }
        }
        Ok(())
    }

    fn scalar(mut self, scalar: Scalar<'de>) {
        match (&mut *self.value, scalar) {
            (Value::Text(words), Scalar::Text(text)) => *words = Some(text.into()),
            (Value::Text(_), Scalar::Null) => {}
            (Value::Components(_), scalar) if self.value_type.component_count() == 1 => {
                self.set_component(0, &scalar);
            }
            (_, scalar) => self.report_wrong_type(&scalar),
        }
    }
}
