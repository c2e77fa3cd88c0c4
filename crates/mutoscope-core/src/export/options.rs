//! The options of targets, as data: the command line, the window and Python show and set them
//! without knowing the targets.

use std::{collections::BTreeMap, str::FromStr, sync::Arc};

use super::{ExportError, ExportTarget, codes, thinning::Thinning};

/// An option that a target has.
#[derive(Debug, PartialEq, Eq)]
pub struct TargetOption {
    /// The name on the command line, without dashes before it: `mrtk-version`. In Python, an
    /// underscore replaces each dash.
    pub name: &'static str,
    /// The label in a dialog: `Version`.
    pub label: &'static str,
    /// The help on the command line, and the tooltip in a dialog.
    pub help: &'static str,
    /// The kind of value.
    pub kind: OptionKind,
}

/// The kind of value of an option.
#[derive(Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// One of several values.
    Choice {
        /// The values.
        values: &'static [&'static str],
        /// The value that is used if none is chosen. `None` if it depends on the recording.
        default: Option<&'static str>,
    },
    /// A flag, which is off unless it is set.
    Flag,
    /// A flag that asks for [all animations of the file](super::ExportOptions::takes).
    Takes,
    /// Two bounds, separated by a comma: a distance in millimetres and an angle in degrees.
    Bounds,
    /// The file of a skeleton. On the command line and in Python, it is the file of the reading
    /// option with this name.
    Skeleton {
        /// The extension of the file, in lower case and without the dot.
        extension: &'static str,
    },
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// The chosen value, or the string of bounds.
    Choice(String),
    /// The flag is set.
    Flag,
    /// The bytes of the file.
    File(Arc<[u8]>),
}

impl From<&str> for OptionValue {
    fn from(chosen: &str) -> Self {
        Self::Choice(chosen.to_owned())
    }
}

/// The values of options that a target has, by name. Options without a value have their default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetSettings(BTreeMap<&'static str, OptionValue>);

impl TargetSettings {
    /// Returns the settings with a value for `option`, which replaces an earlier value.
    #[must_use]
    pub fn with(mut self, option: &TargetOption, value: OptionValue) -> Self {
        self.0.insert(option.name, value);
        self
    }

    /// Sets the value of `option`. `None` restores its default.
    pub fn set(&mut self, option: &TargetOption, value: Option<OptionValue>) {
        match value {
            Some(value) => drop(self.0.insert(option.name, value)),
            None => drop(self.0.remove(option.name)),
        }
    }

    /// Returns the value of `option`, or `None` if it has its default.
    pub fn value(&self, option: &TargetOption) -> Option<&OptionValue> {
        self.0.get(option.name)
    }

    /// Returns the chosen or the default value of `option`, or `None` if it has neither.
    pub(super) fn choice<T: FromStr>(&self, option: &TargetOption) -> Option<T> {
        let chosen = match (self.value(option), &option.kind) {
            (Some(OptionValue::Choice(chosen)), _) => chosen,
            (_, OptionKind::Choice { default, .. }) => (*default)?,
            _ => return None,
        };
        chosen.parse().ok()
    }

    /// Returns the bytes of the file of `option`, or `None` if there is none.
    pub(super) fn file(&self, option: &TargetOption) -> Option<&[u8]> {
        match self.value(option)? {
            OptionValue::File(bytes) => Some(bytes),
            OptionValue::Choice(_) | OptionValue::Flag => None,
        }
    }

    /// Returns `true` if the flag `option` is set.
    pub fn has_flag(&self, option: &TargetOption) -> bool {
        self.value(option) == Some(&OptionValue::Flag)
    }

    /// Checks that `target` has these options, and that they allow these values.
    pub(super) fn check(&self, target: &ExportTarget) -> Result<(), ExportError> {
        for (name, value) in &self.0 {
            let Some(option) = target.option(name) else {
                let message = format!("{} has no option {name}; nothing written", target.name);
                return Err(ExportError::refused(codes::OPTION_NOT_SUPPORTED, message));
            };
            let is_valid = match (&option.kind, value) {
                (OptionKind::Choice { values, .. }, OptionValue::Choice(chosen)) => {
                    values.contains(&chosen.as_str())
                }
                (OptionKind::Bounds, OptionValue::Choice(bounds)) => {
                    bounds.parse::<Thinning>().is_ok()
                }
                (OptionKind::Flag | OptionKind::Takes, OptionValue::Flag)
                | (OptionKind::Skeleton { .. }, OptionValue::File(_)) => true,
                _ => false,
            };
            if !is_valid {
                let found = match value {
                    OptionValue::Choice(chosen) => format!("{chosen:?}"),
                    OptionValue::Flag => "a flag".to_owned(),
                    OptionValue::File(_) => "a file".to_owned(),
                };
                let expected = option.expected();
                let message =
                    format!("{name}: expected {expected}, found {found}; nothing written");
                return Err(ExportError::refused(codes::OPTION_INVALID, message));
            }
        }
        Ok(())
    }
}

impl TargetOption {
    /// Returns what the option accepts, for messages: `one of none, lz4`.
    pub fn expected(&self) -> String {
        match self.kind {
            OptionKind::Choice { values, .. } => format!("one of {}", values.join(", ")),
            OptionKind::Flag | OptionKind::Takes => "a flag".to_owned(),
            OptionKind::Bounds => "millimetres and degrees, such as 0.5,0.2".to_owned(),
            OptionKind::Skeleton { extension } => format!("a .{extension} file"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::Targets;

    #[test]
    fn settings_are_checked_against_the_options_of_the_target() {
        let targets = Targets::default();
        let target = |id| targets.target(id).unwrap();
        let compression = target("animx").option("compression").unwrap();
        let with = |value| TargetSettings::default().with(compression, value);
        let code = |settings: &TargetSettings, id| {
            settings.check(target(id)).err().and_then(|error| error.code())
        };
        assert_eq!(code(&with("none".into()), "animx"), None);
        assert_eq!(code(&with("zip".into()), "animx"), Some(codes::OPTION_INVALID));
        assert_eq!(code(&with(OptionValue::Flag), "animx"), Some(codes::OPTION_INVALID));
        assert_eq!(code(&with("none".into()), "bvh"), Some(codes::OPTION_NOT_SUPPORTED));
        let thin = target("glb").option("thin").unwrap();
        let with_bounds = |bounds: &str| TargetSettings::default().with(thin, bounds.into());
        assert_eq!(code(&with_bounds("0.5,0.2"), "glb"), None);
        assert_eq!(code(&with_bounds("0.5"), "glb"), Some(codes::OPTION_INVALID));
        assert_eq!(code(&with_bounds("0.5,0.2"), "csv"), Some(codes::OPTION_NOT_SUPPORTED));
        let mut settings = with("none".into());
        settings.set(compression, None);
        assert_eq!(settings, TargetSettings::default());
    }

    #[test]
    fn defaults_are_values_and_equal_names_are_the_same_option() {
        let targets = Targets::default();
        let all: Vec<_> = targets.iter().flat_map(|target| target.options).collect();
        for option in &all {
            if let OptionKind::Choice { values, default: Some(default) } = &option.kind {
                assert!(values.contains(default), "{}", option.name);
            }
            // The command line has one option for each name.
            assert!(all.iter().all(|other| other.name != option.name || other == option));
        }
    }
}
