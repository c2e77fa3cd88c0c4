//! Writes problems as a SARIF 2.1.0 log, so that pipelines can show them.

use std::{
    io::{self, Write},
    path::Path,
};

use mutoscope_core::{
    Registry,
    diagnostics::{Diagnostic, ErrorKind, Severity, SourceLocation},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::{Message, json};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The code of problems that do not depend on the content of a file.
const USAGE: &str = "file/usage";

/// The characters that a path in a URI may contain (RFC 3986, section 3.3).
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The problems of all files.
#[derive(Default)]
pub(super) struct SarifLog {
    /// The codes of the rules, in the order of their indices.
    rules: Vec<String>,
    results: Vec<Value>,
}

impl SarifLog {
    pub(super) fn add(&mut self, message: &Message) {
        let code = message.code.as_deref().unwrap_or(USAGE);
        let rule_index = self.rule_index(code);
        let mut place = json!({ "artifactLocation": { "uri": to_uri(message.path) } });
        if let Some(region) = message.location.as_ref().and_then(to_region) {
            place["region"] = region;
        }
        let mut properties = Diagnostic::data_object(message.data);
        properties.extend(message.format.map(|format| ("format".to_owned(), format.into())));
        properties.extend(message.time.map(|time| ("time_s".to_owned(), time.into())));
        properties.extend(message.end.map(|end| ("end_s".to_owned(), end.into())));
        if !message.nodes.is_empty() {
            properties.insert("nodes".to_owned(), json!(message.nodes));
        }
        properties.extend(message.measure.map(|measure| ("measure".to_owned(), json!(measure))));
        properties.extend(
            message
                .location
                .as_ref()
                .map(|location| ("place".to_owned(), location.to_string().into())),
        );
        self.results.push(json!({
            "ruleId": code,
            "ruleIndex": rule_index,
            "level": to_level(message.severity),
            "message": { "text": message.message },
            "locations": [{ "physicalLocation": place }],
            "properties": properties,
        }));
    }

    /// Adds the problems of `other` after those of this log.
    pub(super) fn append(&mut self, other: Self) {
        for mut result in other.results {
            let code = result["ruleId"].as_str().unwrap_or(USAGE);
            result["ruleIndex"] = self.rule_index(code).into();
            self.results.push(result);
        }
    }

    /// Returns the index of the rule for a code. Adds the rule if it is new.
    fn rule_index(&mut self, code: &str) -> usize {
        self.rules.iter().position(|known| known == code).unwrap_or_else(|| {
            self.rules.push(code.to_owned());
            self.rules.len() - 1
        })
    }

    pub(super) fn write(self, registry: &Registry, out: &mut impl Write) -> io::Result<()> {
        let rules: Vec<_> = self.rules.iter().map(|code| to_rule(code, registry)).collect();
        let driver = json!({
            "name": "Mutoscope",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        });
        let run = json!({ "tool": { "driver": driver }, "results": self.results });
        let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
        json::write_line(out, &log)
    }
}

fn to_rule(code: &str, registry: &Registry) -> Value {
    let rule = |meaning: &str, help: String| {
        json!({
            "id": code,
            "shortDescription": { "text": meaning },
            "help": { "text": help },
        })
    };
    if let Some(code) = registry.codes().iter().find(|known| known.as_str() == code) {
        let description = code.description();
        return rule(
            description.meaning.trim(),
            format!("{} {}", description.cause, description.remedy),
        );
    }
    let kind = code.rsplit_once('/').map_or(code, |(_, kind)| kind);
    match <ErrorKind as strum::VariantArray>::VARIANTS.iter().find(|known| known.as_str() == kind) {
        Some(kind) => {
            let (meaning, remedy) = kind.description();
            rule(meaning, remedy.to_owned())
        }
        None => json!({ "id": code }),
    }
}

fn to_level(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// Returns the region of a location. `None` for the whole file, and for unpacked data, which has no
/// position in the file. SARIF counts columns in characters, but ours are bytes, so they are left
/// out.
fn to_region(location: &SourceLocation) -> Option<Value> {
    let span = |start: u64, end: u64| {
        Some(json!({ "byteOffset": start, "byteLength": end.saturating_sub(start) }))
    };
    match location {
        SourceLocation::File | SourceLocation::Unpacked(_) => None,
        SourceLocation::Bytes(range) => span(range.start, range.end),
        SourceLocation::Bits { word, bits } => {
            span(word + bits.start / 32 * 4, word + bits.end.div_ceil(32) * 4)
        }
        SourceLocation::Line { line, .. } => Some(json!({ "startLine": (*line).max(1) })),
    }
}

/// Returns a path as a URI: relative to the current folder, or a `file` URI if it is absolute.
fn to_uri(path: &str) -> String {
    let slashes = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let encoded = utf8_percent_encode(&slashes, PATH);
    match Path::new(path).is_absolute() {
        true => format!("file:///{}", encoded.to_string().trim_start_matches('/')),
        false => encoded.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(to_uri("takes/a b#1.bvh"), "takes/a%20b%231.bvh");
        assert_eq!(to_uri("-"), "-");
        #[cfg(unix)]
        assert_eq!(to_uri("/data/é.bvh"), "file:///data/%C3%A9.bvh");
    }
}
