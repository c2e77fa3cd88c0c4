//! Assumptions where a file declares nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Convention, FormatId, Handedness, Origin, RotationRule, Stated, Up};

/// One fact that a file may not declare, as the user chose it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Assumption {
    /// The handedness of the axes.
    Handedness(Handedness),
    /// The up axis.
    Up(Up),
    /// The length of one unit in metres; above 0.
    MetresPerUnit(f64),
    /// How many seconds a unit of time has; above 0.
    SecondsPerUnit(f64),
    /// How quaternion components are interpolated between keys.
    Rotation(RotationRule),
}

/// The user's assumptions where a file declares nothing; the rest has the format's default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Assumptions {
    /// The handedness of the axes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handedness: Option<Handedness>,
    /// The up axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<Up>,
    /// The length of one unit in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metres_per_unit: Option<f64>,
    /// How many seconds a unit of time has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_per_unit: Option<f64>,
    /// How quaternion components are interpolated between keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<RotationRule>,
}

impl Assumptions {
    /// Adds `assumption`.
    pub fn assume(&mut self, assumption: Assumption) {
        match assumption {
            Assumption::Handedness(handedness) => self.handedness = Some(handedness),
            Assumption::Up(up) => self.up = Some(up),
            Assumption::MetresPerUnit(length) => self.metres_per_unit = Some(length),
            Assumption::SecondsPerUnit(time) => self.seconds_per_unit = Some(time),
            Assumption::Rotation(rule) => self.rotation = Some(rule),
        }
    }

    /// Applies the assumptions to `convention`, except to what the file declares.
    pub fn apply(&self, convention: &mut Convention) {
        let before = (convention.handedness.value, convention.up.value);
        choose(&mut convention.handedness, self.handedness);
        choose(&mut convention.up, self.up);
        if before != (convention.handedness.value, convention.up.value) {
            convention.axes = None;
        }
        let is_unit = |unit: &f64| unit.is_finite() && *unit > 0.0;
        choose(&mut convention.metres_per_unit, self.metres_per_unit.filter(is_unit));
        if let Some(time) = &mut convention.seconds_per_unit {
            choose(time, self.seconds_per_unit.filter(is_unit));
        }
        choose(&mut convention.rotation, self.rotation);
    }
}

impl Assumptions {
    /// These assumptions, completed by those of `other`.
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
    /// For all formats; they precede those for one.
    pub of_all: Assumptions,
    /// By the words of formats.
    pub by_format: BTreeMap<String, Assumptions>,
}

impl FormatAssumptions {
    /// The same of recordings of every format.
    pub fn of_all(of_all: Assumptions) -> Self {
        Self { of_all, by_format: BTreeMap::new() }
    }

    /// The assumptions for recordings of `format`.
    pub fn of(&self, format: FormatId) -> Assumptions {
        let of_format = self.by_format.get(format.word()).copied().unwrap_or_default();
        self.of_all.or(of_format)
    }
}

fn choose<T>(fact: &mut Stated<T>, chosen: Option<T>) {
    if let (Some(value), Origin::Assumed | Origin::Chosen) = (chosen, fact.origin) {
        *fact = Stated { value, origin: Origin::Chosen };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::ViewerMirror;

    fn convention() -> Convention {
        Convention {
            handedness: Stated::assumed(Handedness::Right),
            up: Stated::assumed(Up::Y),
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
        assumptions.assume(Assumption::Up(Up::Z));
        assumptions.assume(Assumption::MetresPerUnit(1.0));
        assumptions.apply(&mut convention);
        assert_eq!(convention.up, Stated { value: Up::Z, origin: Origin::Chosen });
        assert_eq!(convention.metres_per_unit, Stated::declared(0.01));
        assert_eq!(convention.handedness, Stated::assumed(Handedness::Right));
        assumptions.assume(Assumption::Up(Up::Y));
        assumptions.apply(&mut convention);
        assert_eq!(convention.up.value, Up::Y, "a choice can be changed");
    }

    #[test]
    fn global_assumptions_precede_those_of_a_format() {
        let rotation = Some(RotationRule::AsAuthored);
        let mut assumptions =
            FormatAssumptions::of_all(Assumptions { rotation, ..Assumptions::default() });
        let of_format = Assumptions {
            up: Some(Up::Z),
            rotation: Some(RotationRule::Continuous),
            ..Assumptions::default()
        };
        assumptions.by_format.insert("some".to_owned(), of_format);
        let expected = Assumptions { rotation, ..of_format };
        assert_eq!(assumptions.of(FormatId::new("some")), expected);
        assert_eq!(assumptions.of(FormatId::new("other")), assumptions.of_all);
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
