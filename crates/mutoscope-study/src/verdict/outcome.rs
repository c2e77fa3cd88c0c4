//! The verdict on a recording.

use std::{borrow::Cow, collections::BTreeMap};

use mutoscope_core::{
    clip::Clip,
    diagnostics::{Measure, Severity},
    read::Message,
};
use serde::Serialize;

use super::{
    Profile,
    check::{Limit, motion_checks},
};

/// The largest number of reasons of a verdict.
const MAX_REASONS: usize = 3;

/// Whether a recording is usable, according to a profile.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Outcome {
    /// No problem is severe enough for a review.
    #[default]
    Pass,
    /// A person has to look at the recording.
    Review,
    /// The recording is not usable.
    Fail,
}

impl Outcome {
    /// Returns the name in the output: `pass`, `review` or `fail`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A verdict with its reasons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The verdict itself.
    pub outcome: Outcome,
    /// At most three reasons, the worst first. None for a recording that passes.
    pub reasons: Vec<Reason>,
}

/// All problems with one code, as a reason for the verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// The code.
    pub code: Cow<'static, str>,
    /// The number of problems with this code.
    pub count: usize,
    /// The worst value, for problems of degree.
    pub worst: Option<Measure>,
    /// The time of the worst problem, or of the first one, in clip seconds.
    pub time: Option<f64>,
    #[serde(skip)]
    severity: Severity,
}

impl Verdict {
    /// Runs the checks of `profile` on `clip`. Returns the verdict on what they and the decoder
    /// reported.
    pub fn from_clip(clip: &Clip, profile: &Profile) -> Self {
        let decoded = clip
            .diagnostics
            .iter()
            .map(|diagnostic| Message::from_diagnostic("", clip.format, diagnostic));
        let mut messages = profile.apply(decoded);
        let checked = profile.check_for_verdict(clip).diagnostics;
        messages.extend(checked.iter().map(|one| Message::from_clip_diagnostic("", clip, one)));
        Self::from_messages(profile, &messages)
    }

    /// Returns the verdict on a recording with these problems, which have the severities of
    /// `profile`.
    pub fn from_messages(profile: &Profile, messages: &[Message<'_>]) -> Self {
        let mut by_code: BTreeMap<&str, Reason> = BTreeMap::new();
        for message in messages {
            let matters =
                profile.fails_on(message.severity) || profile.reviews_on(message.severity);
            if !matters {
                continue;
            }
            let code = message.code.clone().unwrap_or(Cow::Borrowed("file/unreadable"));
            let key = message.code.as_deref().unwrap_or("file/unreadable");
            let reason = by_code.entry(key).or_insert_with(|| Reason {
                code,
                count: 0,
                worst: message.measure,
                time: message.time,
                severity: message.severity,
            });
            reason.count += 1;
            reason.severity = reason.severity.max(message.severity);
            if excess(key, message.measure) > excess(key, reason.worst) {
                (reason.worst, reason.time) = (message.measure, message.time);
            }
        }
        let mut reasons: Vec<Reason> = by_code.into_values().collect();
        let outcome = match &reasons[..] {
            _ if reasons.iter().any(|reason| profile.fails_on(reason.severity)) => Outcome::Fail,
            [] => Outcome::Pass,
            _ => Outcome::Review,
        };
        reasons.sort_by(|a, b| {
            let excess = |reason: &Reason| excess(&reason.code, reason.worst);
            let by_severity = b.severity.cmp(&a.severity);
            by_severity.then(excess(b).total_cmp(&excess(a))).then(b.count.cmp(&a.count))
        });
        reasons.truncate(MAX_REASONS);
        Self { outcome, reasons }
    }
}

/// Returns by which factor a value crosses its threshold. 0 without a value.
fn excess(code: &str, measure: Option<Measure>) -> f64 {
    let Some(Measure { name, value, threshold, .. }) = measure else { return 0.0 };
    let is_below = motion_checks().any(|check| {
        let measured = check.measured.filter(|measured| measured.name == name);
        check.code.as_str() == code && measured.is_some_and(|it| it.limit == Limit::Below)
    });
    let (value, threshold) = (value.max(f64::MIN_POSITIVE), threshold.max(f64::MIN_POSITIVE));
    if is_below { threshold / value } else { value / threshold }
}
