//! Profiles: the thresholds and severities of checks, and which severities fail.

use std::collections::BTreeMap;

use mutoscope_core::{
    clip::Clip,
    diagnostics::{Code, Severity},
    measure::checks::{ClipDiagnostic, unreported_diagnostics_of},
    read::Message,
};
use serde::{Deserialize, Serialize};

use super::check::{Limit, Measured, MotionCheck, motion_checks};

/// The built-in profiles, by name. The first one is the default.
const BUILT_IN: [(&str, &str); 8] = [
    ("default", include_str!("profiles/default.toml")),
    ("mrtk", include_str!("profiles/mrtk.toml")),
    ("study-hands", include_str!("profiles/study-hands.toml")),
    ("game-body", include_str!("profiles/game-body.toml")),
    ("blender", include_str!("profiles/blender.toml")),
    ("maya", include_str!("profiles/maya.toml")),
    ("resonite", include_str!("profiles/resonite.toml")),
    ("minecraft", include_str!("profiles/minecraft.toml")),
];

/// A profile: which problems fail a recording, and the thresholds of checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The name of a built-in profile, or the path of a file.
    pub name: String,
    codes: BTreeMap<String, Rule>,
    fail_on: Vec<Severity>,
    review_on: Vec<Severity>,
}

/// The file of a profile.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ProfileFile {
    #[serde(default)]
    codes: BTreeMap<String, Rule>,
    #[serde(default = "default_fail_on")]
    fail_on: Vec<Level>,
    #[serde(default = "default_review_on")]
    review_on: Vec<Level>,
}

/// What a profile changes for one code.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    threshold: Option<f64>,
    threshold_mps: Option<f64>,
    severity: Option<Level>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Off,
    Info,
    Warning,
    Error,
}

impl Level {
    fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Info => Some(Severity::Info),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }

    fn from_severity(severity: Severity) -> Self {
        match severity {
            Severity::Info => Self::Info,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

fn default_fail_on() -> Vec<Level> {
    vec![Level::Error]
}

fn default_review_on() -> Vec<Level> {
    vec![Level::Warning]
}

impl Default for Profile {
    fn default() -> Self {
        Self::built_in("default", &[]).expect("a test parses the built-in profiles")
    }
}

impl Profile {
    /// Returns the names of the built-in profiles. The first one is the default.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// Returns the built-in profile `name`, or `None` if there is none. `known` are the codes of all
    /// formats.
    pub fn built_in(name: &str, known: &[Code]) -> Option<Self> {
        let (name, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        Self::parse(name, text, known).ok()
    }

    /// Parses the TOML of a profile. `known` are the codes that the profile may name besides those
    /// of the checks.
    ///
    /// # Errors
    /// Returns the message if the text is not TOML, names an unknown key or code, sets the threshold
    /// of a code without one, or has a threshold that is negative or not finite.
    pub fn parse(name: &str, text: &str, known: &[Code]) -> Result<Self, String> {
        let ProfileFile { codes, fail_on, review_on } =
            toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        for (code, rule) in &codes {
            let is_known = |known: Code| known.as_str() == code;
            let is_motion_check = motion_checks().any(|check| is_known(check.code));
            if !is_motion_check && !known.iter().any(|known| is_known(*known)) {
                return Err(format!(
                    "codes.{code:?}: unknown code; docs/checks.md lists the codes"
                ));
            }
            let thresholds = [("threshold", rule.threshold), ("threshold_mps", rule.threshold_mps)];
            for (key, threshold) in thresholds {
                let Some(threshold) = threshold else { continue };
                let has_key = |check: &MotionCheck| {
                    is_known(check.code)
                        && check.measured.is_some_and(|measured| measured.key == key)
                };
                if !motion_checks().any(has_key) {
                    return Err(format!("codes.{code:?}.{key}: the code has no such threshold"));
                }
                if !(threshold >= 0.0 && threshold.is_finite()) {
                    let expected = "expected a finite number that is not negative";
                    return Err(format!("codes.{code:?}.{key}: {expected}, found {threshold}"));
                }
            }
        }
        let severities = |name: &str, levels: Vec<Level>| {
            let severities: Option<Vec<Severity>> =
                levels.into_iter().map(Level::severity).collect();
            severities.ok_or_else(|| format!("{name}: \"off\" is no severity of a problem"))
        };
        Ok(Self {
            name: name.to_owned(),
            codes,
            fail_on: severities("fail_on", fail_on)?,
            review_on: severities("review_on", review_on)?,
        })
    }

    /// Returns the TOML of the profile, which [`Self::parse`] reads.
    pub fn to_toml(&self) -> String {
        let levels = |severities: &[Severity]| {
            severities.iter().map(|severity| Level::from_severity(*severity)).collect()
        };
        let file = ProfileFile {
            codes: self.codes.clone(),
            fail_on: levels(&self.fail_on),
            review_on: levels(&self.review_on),
        };
        toml::to_string(&file).expect("a profile has only names, numbers and severities")
    }

    /// Returns the codes that the profile turns off, in alphabetical order.
    pub fn muted_codes(&self) -> impl Iterator<Item = &str> {
        let is_off = |rule: &Rule| rule.severity == Some(Level::Off);
        self.codes.iter().filter(move |(_, rule)| is_off(rule)).map(|(code, _)| code.as_str())
    }

    /// Turns a code off, or on again with its default severity.
    pub fn set_muted(&mut self, code: &str, is_muted: bool) {
        let rule = self.codes.entry(code.to_owned()).or_default();
        rule.severity = is_muted.then_some(Level::Off);
        if *rule == Rule::default() {
            self.codes.remove(code);
        }
    }

    /// Returns diagnostics with the severities of this profile, without those that it turns off.
    pub fn apply_to_clip(&self, mut diagnostics: Vec<ClipDiagnostic>) -> Vec<ClipDiagnostic> {
        diagnostics.retain_mut(|diagnostic| {
            let severity = self.severity(diagnostic.code.as_str(), diagnostic.severity);
            diagnostic.severity = severity.unwrap_or(diagnostic.severity);
            severity.is_some()
        });
        diagnostics
    }

    /// Returns the severity of problems with this code, or `None` if the profile turns the code off.
    /// `severity` applies if the profile does not change the code.
    pub fn severity(&self, code: &str, severity: Severity) -> Option<Severity> {
        match self.codes.get(code).and_then(|rule| rule.severity) {
            Some(level) => level.severity(),
            None => Some(severity),
        }
    }

    /// Returns the threshold of a check, or `None` if the check measures no value.
    pub fn threshold(&self, check: &MotionCheck) -> Option<f64> {
        let Measured { key, threshold, .. } = check.measured?;
        let rule = self.codes.get(check.code.as_str());
        let chosen = rule.and_then(|rule| match key {
            "threshold_mps" => rule.threshold_mps,
            _ => rule.threshold,
        });
        Some(chosen.unwrap_or(threshold))
    }

    /// Returns `true` if a problem of this severity fails a recording.
    pub fn fails_on(&self, severity: Severity) -> bool {
        self.fail_on.contains(&severity)
    }

    /// Returns `true` if a recording with a problem of this severity has to be reviewed.
    pub fn reviews_on(&self, severity: Severity) -> bool {
        self.review_on.contains(&severity)
    }

    /// Returns the messages of a decoder with the severities of this profile, without those that it
    /// turns off.
    pub fn apply<'m>(&self, messages: impl IntoIterator<Item = Message<'m>>) -> Vec<Message<'m>> {
        let apply = |mut message: Message<'m>| {
            if let Some(code) = &message.code {
                message.severity = self.severity(code, message.severity)?;
            }
            Some(message)
        };
        messages.into_iter().filter_map(apply).collect()
    }

    /// Runs the checks of tracks and the checks of motion on `clip`, with the severities of this
    /// profile. Leaves out problems that the decoder has already reported.
    pub fn check(&self, clip: &Clip) -> CheckedClip {
        self.check_severities(clip, |_| true)
    }

    /// Returns the same as [`Self::check`], but without the problems that do not affect the verdict.
    /// This is faster, because it skips checks whose problems are only worth knowing.
    pub fn check_for_verdict(&self, clip: &Clip) -> CheckedClip {
        self.check_severities(clip, |severity| self.fails_on(severity) || self.reviews_on(severity))
    }

    fn check_severities(&self, clip: &Clip, is_needed: impl Fn(Severity) -> bool) -> CheckedClip {
        let severity_of = |code: Code, severity| {
            self.severity(code.as_str(), severity).filter(|severity| is_needed(*severity))
        };
        let of_tracks = unreported_diagnostics_of(clip, |check| {
            severity_of(check.topic.code(), check.severity).is_some()
        });
        let mut diagnostics = self.apply_to_clip(of_tracks);
        diagnostics.retain(|diagnostic| is_needed(diagnostic.severity));
        let mut checked = super::check_motion_for(clip, self, &is_needed);
        diagnostics.append(&mut checked.diagnostics);
        CheckedClip { diagnostics, ..checked }
    }
}

/// The result of checks.
#[derive(Clone, Debug, Default)]
pub struct CheckedClip {
    /// The problems, those of each check together.
    pub diagnostics: Vec<ClipDiagnostic>,
    /// The codes of the checks that do not apply to the recording.
    pub not_applicable: Vec<Code>,
    /// The worst value of each check that measures one.
    pub worst_values: Vec<WorstValue>,
}

/// The worst value of a check over a whole recording, even if it does not cross the threshold.
#[derive(Clone, Copy, Debug)]
pub struct WorstValue {
    /// The code of the check.
    pub code: Code,
    /// What the check measures.
    pub measured: Measured,
    /// The threshold of the profile.
    pub threshold: f64,
    /// The value, in the unit of the measure.
    pub value: f64,
}

impl WorstValue {
    /// Returns `true` if the value crosses the threshold.
    pub fn is_problem(&self) -> bool {
        match self.measured.limit {
            Limit::Below => self.value < self.threshold,
            Limit::Above | Limit::Duration => self.value > self.threshold,
        }
    }
}
