//! The keys of a track.

use serde::de::{MapAccess, SeqAccess};

use super::{
    json::{Name, Reading, Scalar, Take},
    member::Seen,
    reader::Reader,
    values::{Builder, Misfit, Number, Value},
};
use crate::{
    diagnostics::Severity,
    formats::resonite::{Interpolation, Tangents, TrackType, TypeInfo},
};

/// Keys, column by column, as they are read.
pub(super) struct KeyColumns {
    pub(super) value_type: &'static TypeInfo,
    pub(super) times: Vec<f64>,
    pub(super) values: Builder,
    pub(super) interpolations: Vec<Interpolation>,
    pub(super) tangents: Option<Box<Tangents>>,
    /// Where each begins, as offsets in the file.
    pub(super) offsets: Vec<u32>,
}

impl KeyColumns {
    pub(super) fn new(value_type: &'static TypeInfo) -> Self {
        Self {
            value_type,
            times: Vec::new(),
            values: Builder::new(value_type),
            interpolations: Vec::new(),
            tangents: None,
            offsets: Vec::new(),
        }
    }

    /// Takes back the key that was added last, if its value is a number of its own.
    pub(super) fn forget_last(&mut self) {
        if self.value_type.components() == 1 {
            self.values.pop();
        }
    }

    /// Adds the tangents of the key that was added last.
    #[inline]
    fn push_tangents(&mut self, tangents: [Option<[f64; 4]>; 2]) {
        let is_given = tangents.map(|tangent| tangent.is_some());
        if self.tangents.is_none() && is_given == [false; 2] {
            return;
        }
        let (count, components) = (self.values.len(), self.value_type.components());
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

/// The columns of the track that is being read.
#[inline]
fn columns<'a>(reader: &'a mut Reader) -> &'a mut KeyColumns {
    let track = reader.track.as_mut().expect("one is being read");
    track.keys.as_mut().expect("its keys are being read")
}

/// Takes the array of the keys of the track that is being read.
pub(super) struct TakeKeys<'a, 'de, 'n>(pub(super) &'a mut Reader<'de, 'n>);

impl<'de> Take<'de> for TakeKeys<'_, 'de, '_> {
    fn array<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let reader = self.0;
        let track = reader.track.as_ref().expect("one is being read");
        let track_type = track.track_type();
        let value_type = columns(reader).value_type;
        loop {
            let more = if track_type == TrackType::Raw {
                let mut value = Value::none(value_type);
                let into = &mut value;
                let take = TakeValue { reader: &mut *reader, value_type, value: into, member: "" };
                let more = elements.next_element_seed(Reading(take))?;
                if more.is_some() {
                    push_value(reader, value);
                }
                more
            } else {
                elements.next_element_seed(Reading(TakeKey { reader: &mut *reader, track_type }))?
            };
            if more.is_none() {
                return Ok(());
            }
        }
    }

    fn scalar(self, scalar: Scalar<'de>) {
        if scalar != Scalar::Null {
            let path = path(self.0, "");
            let path = path.split('[').take(2).collect::<Vec<_>>().join("[");
            self.0.misplaced(&path, "an array", &scalar);
        }
    }
}

/// The path of a member of the key that is being read: `tracks[0].data.keyframes[7].value`.
fn path(reader: &Reader, member: &str) -> String {
    let track = reader.track.as_ref().expect("one is being read");
    let key = track.keys.as_ref().map_or(0, |keys| keys.values.len());
    let dot = if member.is_empty() { "" } else { "." };
    format!("tracks[{}].data.keyframes[{key}]{dot}{member}", track.index)
}

/// Adds a value to those of the track that is being read, and says where it is none of its type.
#[inline]
fn push_value(reader: &mut Reader, value: Value) {
    let columns = columns(reader);
    let value_type = columns.value_type;
    let mut first = None;
    let tell = |component: usize, misfit: Misfit| {
        first.get_or_insert((component, misfit));
    };
    columns.values.push(value, value_type, tell);
    if let Some((component, misfit)) = first {
        say_misfit(reader, value_type, component, misfit);
    }
}

#[cold]
fn say_misfit(reader: &mut Reader, value_type: &TypeInfo, component: usize, misfit: Misfit) {
    let track = reader.track.as_ref().expect("one is being read");
    let key = track.keys.as_ref().map_or(0, |keys| keys.values.len().saturating_sub(1));
    let index = track.index;
    let what = if value_type.components() == 1 {
        String::new()
    } else {
        format!(".{}", value_type.member(component))
    };
    let path = format!("tracks[{index}].data.keyframes[{key}]{what}");
    let name = value_type.name;
    let (severity, kind, what) = match misfit {
        Misfit::Missing => (
            Severity::Warning,
            "values that are missing",
            format!("no value; using that of a new {name}"),
        ),
        Misfit::WrongKind => (
            Severity::Error,
            "values of another kind",
            format!("a value of another kind than {name}"),
        ),
        Misfit::NotWhole => (
            Severity::Warning,
            "whole numbers with a point",
            format!("{name} is written without a point; Resonite refuses it"),
        ),
        Misfit::OutOfBounds => (
            Severity::Error,
            "numbers out of bounds",
            format!("out of the bounds of {name}; using the nearest"),
        ),
    };
    reader.tell_of_key(severity, kind, key, || format!("{path}: {what}"));
}

/// Says that a tangent, which is of the type of the values, is none of that type.
#[cold]
fn say_tangent_misfit(
    reader: &mut Reader,
    value_type: &TypeInfo,
    member: &str,
    component: usize,
    misfit: Misfit,
) {
    let mut path = path(reader, member);
    if value_type.components() > 1 {
        path = format!("{path}.{}", value_type.member(component));
    }
    let key = columns(reader).values.len();
    let name = value_type.name;
    let (kind, what) = match misfit {
        Misfit::NotWhole => ("whole numbers with a point", "written without a point"),
        Misfit::OutOfBounds => ("tangents out of bounds", "within the bounds of the type"),
        Misfit::Missing | Misfit::WrongKind => ("tangents of another kind", "a number"),
    };
    let message = || format!("{path}: expected {name}, {what}; Resonite refuses it");
    reader.tell_of_key(Severity::Warning, kind, key, message);
}

/// Takes a key that has a time of its own.
struct TakeKey<'a, 'de, 'n> {
    reader: &'a mut Reader<'de, 'n>,
    track_type: TrackType,
}

const MEMBERS: [&str; 5] = ["time", "value", "interpolation", "leftTangent", "rightTangent"];

impl<'de> Take<'de> for TakeKey<'_, 'de, '_> {
    fn object<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { reader, track_type } = self;
        let value_type = columns(reader).value_type;
        let mut value = Value::none(value_type);
        let (mut tangents, mut time, mut interpolation) = ([None, None], None, None);
        let (mut seen, mut start) = (Seen::default(), None);
        while let Some(name) = members.next_key_seed(Name)? {
            let here = reader.meet(&name);
            start.get_or_insert(here);
            let member = MEMBERS.iter().position(|known| *known == name);
            if member.is_some_and(|member| seen.again(member as u8)) {
                let path = path(reader, "");
                reader.repeated(&format!("{path}."), &name);
            }
            if track_type == TrackType::Discrete && member.is_some_and(|member| member > 1) {
                let path = path(reader, &name);
                let message = || format!("{path} is used by Curve tracks only");
                reader.oddities.warning("unused members", reader.here(), message);
            }
            let mut scalar = Scalar::Null;
            match member {
                Some(1) => {
                    value = Value::none(value_type);
                    let into = &mut value;
                    let take = TakeValue {
                        reader: &mut *reader,
                        value_type,
                        value: into,
                        member: "value",
                    };
                    members.next_value_seed(Reading(take))?;
                }
                Some(side @ (3 | 4)) => {
                    let mut tangent = Value::none(value_type);
                    let (into, member) = (&mut tangent, MEMBERS[side]);
                    let take = TakeValue { reader: &mut *reader, value_type, value: into, member };
                    members.next_value_seed(Reading(take))?;
                    if let Some((component, misfit)) = tangent.misfit(value_type) {
                        say_tangent_misfit(reader, value_type, member, component, misfit);
                    }
                    tangents[side - 3] = Some(tangent.doubles());
                }
                _ => {
                    members.next_value_seed(Reading(&mut scalar))?;
                    match member {
                        Some(0) => time = self::time(reader, &scalar),
                        Some(_) => interpolation = self::interpolation(reader, &scalar),
                        None => {
                            let path = path(reader, "");
                            reader.unknown(&format!("{path}."), &name, &MEMBERS);
                        }
                    }
                }
            }
        }
        // Issues of the key as a whole are reported at its start.
        reader.here = reader.start_of_object(start.unwrap_or(reader.here));
        let offset = reader.here as u32;
        if !seen.has(0) {
            say_missing(reader, "time", "0");
        }
        let is_curve = matches!(track_type, TrackType::Curve | TrackType::Bezier);
        if is_curve && !seen.has(2) && track_type == TrackType::Curve {
            say_missing(reader, "interpolation", "Hold");
        }
        let unsaid = match track_type {
            TrackType::Bezier => Interpolation::CubicBezier,
            _ => Interpolation::Hold,
        };
        push_value(reader, value);
        let columns = columns(reader);
        columns.offsets.push(offset);
        columns.times.push(time.unwrap_or(0.0));
        columns.interpolations.push(interpolation.unwrap_or(unsaid));
        columns.push_tangents(tangents);
        Ok(())
    }

    fn scalar(self, scalar: Scalar<'de>) {
        let path = path(self.reader, "");
        self.reader.misplaced(&path, "an object with a time and a value", &scalar);
    }
}

#[cold]
fn say_missing(reader: &mut Reader, member: &'static str, taken: &str) {
    let path = path(reader, "");
    let message = || format!("{path}: no {member}; using {taken}");
    let kind = if member == "time" { "keys without a time" } else { "keys without interpolation" };
    reader.oddities.warning(kind, reader.here(), message);
}

fn time(reader: &mut Reader, scalar: &Scalar) -> Option<f64> {
    let time = scalar.number();
    if time.is_none() {
        let path = path(reader, "time");
        reader.misplaced(&path, "a number", scalar);
    }
    time
}

/// The interpolation of this name, in any case, or of this number.
fn interpolation(reader: &mut Reader, scalar: &Scalar) -> Option<Interpolation> {
    let known = match scalar {
        Scalar::Text(text) => {
            Interpolation::ALL.iter().find(|one| one.name().eq_ignore_ascii_case(text))
        }
        Scalar::Unsigned(number) => Interpolation::ALL.get(*number as usize),
        _ => None,
    };
    if known.is_none() {
        let path = path(reader, "interpolation");
        let found = match scalar {
            Scalar::Text(text) => format!("{text:?}"),
            other => other.word().to_owned(),
        };
        let message = || {
            format!("{path}: expected Hold, Linear, Tangent or CubicBezier, found {found}: Hold")
        };
        reader.oddities.error("unknown interpolations", reader.here(), message);
    }
    known.copied()
}

/// Takes a value, or a tangent, which is one too.
struct TakeValue<'a, 'de, 'n> {
    reader: &'a mut Reader<'de, 'n>,
    value_type: &'static TypeInfo,
    value: &'a mut Value,
    /// The member of its key; empty if the value is the key itself.
    member: &'static str,
}

impl TakeValue<'_, '_, '_> {
    #[cold]
    fn say_misplaced(&mut self, found: &Scalar) {
        let path = path(self.reader, self.member);
        let members: Vec<_> = (0..self.value_type.components())
            .map(|component| self.value_type.member(component))
            .collect();
        let expected = match self.value_type.components() {
            1 => self.value_type.name.to_owned(),
            _ => format!("{} with {}", self.value_type.name, members.join(", ")),
        };
        let message = || format!("{path}: expected {expected}, found {}", found.word());
        let key = columns(self.reader).values.len();
        self.reader.tell_of_key(Severity::Error, "values of another kind", key, message);
    }

    fn number(&mut self, component: usize, scalar: &Scalar) {
        let number = Number::of(scalar);
        if let Value::Components(numbers) = self.value {
            numbers[component] = number;
        }
        match (scalar, number) {
            (_, None) => self.say_misplaced(scalar),
            (Scalar::Text(_), Some(_)) => {
                let path = path(self.reader, self.member);
                let message =
                    || format!("{path}: a number in quotation marks; Resonite refuses it");
                let (kind, key) = ("numbers in quotation marks", columns(self.reader).values.len());
                self.reader.tell_of_key(Severity::Warning, kind, key, message);
            }
            _ => {}
        }
    }
}

impl<'de> Take<'de> for TakeValue<'_, 'de, '_> {
    fn object<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        let components = self.value_type.components();
        if components == 1 {
            self.say_misplaced(&Scalar::Other("an object"));
        }
        let mut seen = Seen::default();
        while let Some(name) = members.next_key_seed(Name)? {
            let mut scalar = Scalar::Null;
            members.next_value_seed(Reading(&mut scalar))?;
            let is_it = |&component: &usize| self.value_type.member(component) == name;
            match (0..components).find(is_it) {
                _ if components == 1 => {}
                Some(component) => {
                    if seen.again(component as u8) {
                        let path = path(self.reader, self.member);
                        self.reader.repeated(&format!("{path}."), &name);
                    }
                    self.number(component, &scalar);
                }
                None => {
                    let path = path(self.reader, self.member);
                    self.reader.unknown(&format!("{path}."), &name, &[]);
                }
            }
        }
        Ok(())
    }

    fn scalar(mut self, scalar: Scalar<'de>) {
        match (&mut *self.value, scalar) {
            (Value::Text(words), Scalar::Text(text)) => *words = Some(text.into()),
            (Value::Text(_), Scalar::Null) => {}
            (Value::Components(_), scalar) if self.value_type.components() == 1 => {
                self.number(0, &scalar);
            }
            (_, scalar) => self.say_misplaced(&scalar),
        }
    }
}
