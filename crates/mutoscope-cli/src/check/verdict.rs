//! `check --verdict`: prints a line for each file.

use std::io::{self, Write};

use mutoscope_core::{
    Registry,
    clip::FormatId,
    diagnostics::{escape_control_chars, format_number},
};
use mutoscope_study::verdict::{Outcome, Profile, Reason, Verdict};
use serde::Serialize;

use super::{Check, CheckFormat, CheckedFile, VerdictOptions, json};

/// A profile is a few kilobytes. A larger file is not one.
const MAX_PROFILE_BYTES: u64 = 1 << 20;

/// Returns the built-in profile of this name, or reads the file.
///
/// # Errors
/// Returns the message if the file cannot be read or is not a profile.
pub fn read_profile(name: &str, registry: &Registry) -> Result<Profile, String> {
    let codes = registry.codes();
    if let Some(profile) = Profile::built_in(name, codes) {
        return Ok(profile);
    }
    let read = || -> io::Result<String> {
        let mut text = String::new();
        let file = std::fs::File::open(name)?;
        io::Read::read_to_string(&mut io::Read::take(file, MAX_PROFILE_BYTES), &mut text)?;
        Ok(text)
    };
    let text = read().map_err(|error| {
        let names: Vec<&str> = Profile::names().collect();
        format!("--profile {name}: {error}; the built-in profiles are {}", names.join(", "))
    })?;
    Profile::parse(name, &text, codes).map_err(|message| format!("--profile {name}: {message}"))
}

#[derive(Serialize)]
struct VerdictLine<'a> {
    path: &'a str,
    format: Option<&'static str>,
    profile: &'a str,
    verdict: Outcome,
    reasons: &'a [Reason],
    not_applicable: Vec<&'static str>,
}

impl<W: Write> Check<'_, W> {
    /// Prints the verdict on a file. A file that is not readable fails under any profile.
    pub(super) fn print_verdict(
        &mut self,
        VerdictOptions { is_strict }: VerdictOptions,
        file: &CheckedFile<'_>,
    ) -> io::Result<()> {
        let Verdict { outcome, reasons } =
            Verdict::from_messages(self.settings.profile, &file.messages);
        let outcome = if file.is_readable { outcome } else { Outcome::Fail };
        self.is_sound &= outcome < if is_strict { Outcome::Review } else { Outcome::Fail };
        if self.settings.format == CheckFormat::Json {
            let line = VerdictLine {
                path: file.path,
                format: file.format.map(FormatId::as_str),
                profile: &self.settings.profile.name,
                verdict: outcome,
                reasons: &reasons,
                not_applicable: file.not_applicable.iter().map(|code| code.as_str()).collect(),
            };
            return json::write_line(&mut self.out, &line);
        }
        let reasons: Vec<String> = reasons.iter().map(describe_reason).collect();
        let line =
            [outcome.as_str(), &escape_control_chars(file.path), &reasons.join(", ")].join("  ");
        writeln!(self.out, "{}", line.trim_end())
    }
}

/// Describes a reason: `hand/jump (2, speed 14.2 m/s at 3.2 s)`.
fn describe_reason(reason: &Reason) -> String {
    let worst = reason.worst.map(|worst| {
        let value = format!("{} {} {}", worst.name, format_number(worst.value), worst.unit);
        value.trim_end_matches(" 1").to_owned()
    });
    let time = reason.time.map(|time| format!("at {} s", format_number(time)));
    let details: Vec<String> = worst.into_iter().chain(time).collect();
    match details.is_empty() {
        true => format!("{} ({})", reason.code, reason.count),
        false => format!("{} ({}, {})", reason.code, reason.count, details.join(" ")),
    }
}
