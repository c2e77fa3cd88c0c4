//! The user's assumptions about facts that files do not declare.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Convention, FactOrigin, FormatId, Handedness, RotationRule, Stated, UpAxis};

/// The user's assumption about one fact that files may not declare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Assumption {
    /// The handedness of the axes.
    Handedness(Handedness),
    /// The up axis.
    Up(UpAxis),
    /// The length of one unit, in metres; above 0.
    MetresPerUnit(f64),
    /// The duration of one unit of time, in seconds; above 0.
    SecondsPerUnit(f64),
    /// The interpolation of rotations between keys.
    Rotation(RotationRule),
}

/// The user's assumptions about facts that files may not declare. `None` keeps the format's
/// default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Assumptions {
    /// The handedness of the axes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handedness: Option<Handedness>,
    /// The up axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<UpAxis>,
    /// The length of one unit, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metres_per_unit: Option<f64>,
    /// The duration of one unit of time, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_per_unit: Option<f64>,
    /// The interpolation of rotations between keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<RotationRule>,
}

impl Assumptions {
    /// Sets the fact that `assumption` is about.
    pub fn assume(&mut self, assumption: Assumption) {
        match assumption {
            Assumption::Handedness(handedness) => self.handedness = Some(handedness),
            Assumption::Up(up) => self.up = Some(up),
            Assumption::MetresPerUnit(length) => self.metres_per_unit = Some(length),
            Assumption::SecondsPerUnit(time) => self.seconds_per_unit = Some(time),
            Assumption::Rotation(rule) => self.rotation = Some(rule),
        }
    }

    /// Applies the assumptions to `convention`, except to facts that the file declares. Lengths and
    /// durations that are not above 0 are ignored.
    pub fn apply(&self, convention: &mut Convention) {
        let before = (convention.handedness.value, convention.up.value);
        override_fact(&mut convention.handedness, self.handedness);
        override_fact(&mut convention.up, self.up);
        if before != (convention.handedness.value, convention.up.value) {
            convention.axes = None;
        }
        let is_unit = |unit: &f64| unit.is_finite() && *unit > 0.0;
        override_fact(&mut convention.metres_per_unit, self.metres_per_unit.filter(is_unit));
        if let Some(time) = &mut convention.seconds_per_unit {
            override_fact(time, self.seconds_per_unit.filter(is_unit));
        }
        override_fact(&mut convention.rotation, self.rotation);
    }
}

impl Assumptions {
    /// For each fact without an assumption, copies the assumption of `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            handedness: self.handedness.or(other.handedness),
            up: self.up.or(other.up),
            metres_per_unit: self.metres_per_unit.or(other.metres_per_unit),
            seconds_per_unit: self.seconds_per_unit.or(other.seconds_per_unit),
            rotation: self.rotation.or(other.rotation),
        }
    }
}

/// The user's assumptions for the recordings of each format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormatAssumptions {
    /// The assumptions for all formats. They take precedence over `by_format`.
    pub all_formats: Assumptions,
    /// The assumptions for single formats, keyed by [`FormatId::as_str`].
    pub by_format: BTreeMap<String, Assumptions>,
}

impl FormatAssumptions {
    /// Creates the same assumptions for all formats.
    pub fn for_all_formats(all_formats: Assumptions) -> Self {
        Self { all_formats, by_format: BTreeMap::new() }
    }

    /// Returns the assumptions for recordings of `format`.
    pub fn for_format(&self, format: FormatId) -> Assumptions {
        let of_format = self.by_format.get(format.as_str()).copied().unwrap_or_default();
        self.all_formats.or(of_format)
    }
}

fn override_fact<T>(fact: &mut Stated<T>, chosen: Option<T>) {
    if let (Some(value), FactOrigin::Assumed | FactOrigin::Chosen) = (chosen, fact.origin) {
        *fact = Stated { value, origin: FactOrigin::Chosen };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::ViewerMirror;

    fn convention() -> Convention {
        Convention {
            handedness: Stated::assumed(Handedness::Right),
            up: Stated::assumed(UpAxis::Y),
            metres_per_unit: Stated::declared(0.01),
            rotation: Stated::assumed(RotationRule::AsAuthored),
            seconds_per_unit: None,
            mirror: ViewerMirror::Z,
            axes: None,
        }
    }

    #[test]
    fn only_assumed_facts_can_be_overridden() {
        let mut assumptions = Assumptions::default();
        let mut convention = convention();
        assumptions.apply(&mut convention);
        assert_eq!(convention, self::convention());
        assumptions.assume(Assumption::Up(UpAxis::Z));
        assumptions.assume(Assumption::MetresPerUnit(1.0));
        assumptions.apply(&mut convention);
        assert_eq!(convention.up, Stated { value: UpAxis::Z, origin: FactOrigin::Chosen });
        assert_eq!(convention.metres_per_unit, Stated::declared(0.01));
        assert_eq!(convention.handedness, Stated::assumed(Handedness::Right));
        assumptions.assume(Assumption::Up(UpAxis::Y));
        assumptions.apply(&mut convention);
        assert_eq!(convention.up.value, UpAxis::Y, "a choice can be changed");
    }

    #[test]
    fn global_assumptions_precede_those_of_a_format() {
        let rotation = Some(RotationRule::AsAuthored);
        let mut assumptions =
            FormatAssumptions::for_all_formats(Assumptions { rotation, ..Assumptions::default() });
        let of_format = Assumptions {
            up: Some(UpAxis::Z),
            rotation: Some(RotationRule::Continuous),
            ..Assumptions::default()
        };
        assumptions.by_format.insert("some".to_owned(), of_format);
        let expected = Assumptions { rotation, ..of_format };
        assert_eq!(assumptions.for_format(FormatId::new("some")), expected);
        assert_eq!(assumptions.for_format(FormatId::new("other")), assumptions.all_formats);
    }

    #[test]
    fn invalid_lengths_are_rejected() {
        for length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut convention = convention();
            convention.metres_per_unit = Stated::assumed(1.0);
            let metres_per_unit = Some(length);
            Assumptions { metres_per_unit, ..Assumptions::default() }.apply(&mut convention);
            assert_eq!(convention.metres_per_unit, Stated::assumed(1.0), "{length}");
        }
    }
}
