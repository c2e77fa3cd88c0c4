//! Decodes the text of an AnimJ file.

use std::{fmt, sync::Arc};

use serde::de::{DeserializeSeed as _, MapAccess, SeqAccess};

use super::{
    json::{JsonSink, NameSeed, Scalar, SinkSeed},
    member::SeenMembers,
    track::{Header, PartialTrack, TrackSink},
};
use crate::{
    diagnostics::{
        Code, Diagnostic, Diagnostics, Error, LineIndex, Severity, SourceLocation,
        describe_json_syntax_error,
    },
    formats::resonite::{Animation, TrackType, codes, limiter::DiagnosticLimiter},
};

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Decodes a file. Tracks are kept as far as they can be read. Lost data, and data that Resonite
/// rejects, is added to `diagnostics`.
///
/// # Errors
/// If the file does not begin with a JSON object, if nothing can be kept, or if the file is larger
/// than 4 GiB.
pub fn decode(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<Animation, Error> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(Error::unsupported(SourceLocation::File, "the file is larger than 4 GiB"));
    }
    let lines = Arc::new(LineIndex::new(bytes));
    let mut pass_diagnostics = Diagnostics::new();
    let (mut animation, headers, result) = read_text(bytes, &lines, &[], &mut pass_diagnostics);
    // The keys of a track can only be read if its types are known. If the file declares types after
    // the keys, read the file again with the types from the first pass.
    if headers.iter().any(|header| header.follows_keys) && result.is_ok() {
        pass_diagnostics = Diagnostics::new();
        (animation, ..) = read_text(bytes, &lines, &headers, &mut pass_diagnostics);
    }
    diagnostics.extend(pass_diagnostics);
    result.map(|()| animation)
}

/// Reads the text once. `known` holds the track types from an earlier pass, because a file may
/// declare the types after the keys. In the first pass `known` is empty.
fn read_text(
    bytes: &[u8],
    lines: &Arc<LineIndex>,
    known: &[Header],
    diagnostics: &mut Diagnostics,
) -> (Animation, Vec<Header>, Result<(), Error>) {
    let all = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    // Validate the UTF-8 once, so that serde need not validate each name.
    let text = match str::from_utf8(all) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&all[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut reader = AnimationReader {
        text: text.as_bytes(),
        has_invalid_tail: text.len() < all.len(),
        text_offset: bytes.len() - all.len(),
        lines: lines.clone(),
        limiter: DiagnosticLimiter::new(diagnostics),
        animation: Animation::default(),
        known_headers: known,
        headers: Vec::new(),
        track: None,
        last_member_offset: bytes.len() - all.len(),
        is_object: false,
    };
    let mut json = serde_json::Deserializer::from_str(text);
    let parsed = SinkSeed(RootSink(&mut reader)).deserialize(&mut json);
    let result = match parsed {
        Ok(()) if !reader.is_object => {
            let location = reader.location(reader.text_offset);
            Err(Error::malformed(location, "a JSON object", "another value"))
        }
        Ok(()) => {
            let tail = match json.end() {
                Err(error) => Some(reader.describe_syntax_error(&error).location),
                Ok(()) => reader
                    .has_invalid_tail
                    .then(|| reader.location(reader.text_offset + text.len())),
            };
            if let Some(location) = tail {
                let message = "text after the end of the animation; Resonite refuses it".to_owned();
                let (code, kind) = (codes::TEXT_AFTER_END, "texts after the end");
                reader.limiter.add(Severity::Warning, code, kind, || (location, message));
            }
            Ok(())
        }
        Err(error) => reader.recover_from(&error),
    };
    let AnimationReader { animation, headers, limiter, .. } = reader;
    limiter.finish();
    (animation, headers, result)
}

pub(super) struct AnimationReader<'de, 'n> {
    text: &'de [u8],
    has_invalid_tail: bool,
    text_offset: usize,
    pub(super) lines: Arc<LineIndex>,
    pub(super) limiter: DiagnosticLimiter<'n>,
    pub(super) animation: Animation,
    pub(super) known_headers: &'n [Header],
    pub(super) headers: Vec<Header>,
    pub(super) track: Option<Box<PartialTrack>>,
    pub(super) last_member_offset: usize,
    is_object: bool,
}

struct SyntaxError {
    location: SourceLocation,
    expected: String,
    found: String,
}

impl<'de> AnimationReader<'de, '_> {
    pub(super) fn record_member_offset(&mut self, name: &str) -> usize {
        // A name without escapes is a slice of the text, so the difference of the addresses is its
        // offset.
        let (start, end) = (self.text.as_ptr() as usize, name.as_ptr() as usize);
        if let Some(offset) = end.checked_sub(start).filter(|&offset| offset < self.text.len()) {
            // Subtract 1 for the quotation mark before the name.
            self.last_member_offset = self.text_offset + offset.saturating_sub(1);
        }
        self.last_member_offset
    }

    pub(super) fn object_start(&self, offset: usize) -> usize {
        let before = &self.text[..(offset - self.text_offset).min(self.text.len())];
        let brace = before.iter().rposition(|&byte| byte == b'{');
        self.text_offset + brace.unwrap_or(offset - self.text_offset)
    }

    pub(super) fn element_starts(&self, offset: usize) -> Vec<u32> {
        array_element_starts(self.text, self.text_offset, offset)
    }

    pub(super) fn location(&self, offset: usize) -> SourceLocation {
        self.lines.location(offset)
    }

    pub(super) fn report_unknown_member(&mut self, path: &str, name: &str, known_members: &[&str]) {
        let near = known_members.iter().find(|known| {
            known.eq_ignore_ascii_case(name)
                || known.strip_suffix('s') == Some(name)
                || name.strip_suffix('s') == Some(known)
        });
        let hint = near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
        let problem = format_args!("{name:?} is not a known member{hint}");
        if let Some(diagnostic) = self.report_unused_member(path, problem) {
            diagnostic.with("name", name);
        }
    }

    pub(super) fn report_unused_member(
        &mut self,
        path: &str,
        problem: impl fmt::Display,
    ) -> Option<&mut Diagnostic> {
        let (code, kind) = (codes::UNUSED_MEMBER, "unused members");
        self.report_member(Severity::Warning, code, kind, path, problem)
    }

    pub(super) fn report_repeated_member(&mut self, path: &str, name: &str) {
        let problem = format_args!("{name:?} is repeated; using the last");
        let (code, kind) = (codes::REPEATED_MEMBER, "repeated members");
        if let Some(diagnostic) = self.report_member(Severity::Warning, code, kind, path, problem) {
            diagnostic.with("name", name);
        }
    }

    pub(super) fn report_wrong_type(&mut self, path: &str, expected: &str, found: &Scalar) {
        let problem = format_args!(": expected {expected}, found {}", found.type_name());
        let (code, kind) = (codes::WRONG_TYPE, "values of the wrong type");
        self.report_member(Severity::Error, code, kind, path, problem);
    }

    /// Reports a problem at the last member name. The message is `path` and `problem`.
    pub(super) fn report_member(
        &mut self,
        severity: Severity,
        code: Code,
        kind: &'static str,
        path: &str,
        problem: impl fmt::Display,
    ) -> Option<&mut Diagnostic> {
        let location = self.location(self.last_member_offset);
        let what = || (location, format!("{path}{problem}"));
        let diagnostic = self.limiter.add(severity, code, kind, what)?;
        Some(diagnostic.with("path", path.trim_end_matches('.')))
    }

    /// Reports a problem of the key with this index in the current track. The reported location is
    /// the last member name of the key. Keys of Raw tracks have no members, so their location is
    /// the start of the key.
    pub(super) fn report_key_problem(
        &mut self,
        severity: Severity,
        code: Code,
        kind: &'static str,
        key: usize,
        path: &str,
        problem: impl fmt::Display,
    ) {
        let Self { text, text_offset, lines, track, last_member_offset, limiter, .. } = self;
        let start_of_keys = track.as_ref().and_then(|track| match track.track_type() {
            TrackType::Raw => track.keys_start,
            _ => None,
        });
        let what = || {
            let element = |start| array_element_starts(text, *text_offset, start).get(key).copied();
            let offset =
                start_of_keys.and_then(element).map_or(*last_member_offset, |start| start as usize);
            (lines.location(offset), format!("{path}: {problem}"))
        };
        if let Some(diagnostic) = limiter.add(severity, code, kind, what) {
            diagnostic.with("path", path);
        }
    }

    fn describe_syntax_error(&self, error: &serde_json::Error) -> SyntaxError {
        if self.has_invalid_tail && error.is_eof() {
            return SyntaxError {
                location: self.location(self.text_offset + self.text.len()),
                expected: "JSON".to_owned(),
                found: "a byte that is not UTF-8".to_owned(),
            };
        }
        let in_first = if error.line() == 1 { self.text_offset } else { 0 };
        // For an error at the end of a line, serde reports column 0 of the next line.
        let column = (error.column() + in_first).max(1);
        let location = SourceLocation::column(error.line().max(1) as u32, column as u32);
        let (expected, found) = describe_json_syntax_error(error, self.text);
        SyntaxError { location, expected, found }
    }

    fn recover_from(&mut self, error: &serde_json::Error) -> Result<(), Error> {
        let SyntaxError { location, expected, found } = self.describe_syntax_error(error);
        if let Some(mut track) = self.track.take() {
            if error.is_eof() && self.text.last().is_some_and(can_continue_number) {
                track.drop_last_number(self.last_member_offset);
            }
            track.finish(self);
        }
        if self.animation.tracks.is_empty() {
            return Err(Error::malformed(location, expected, found));
        }
        let message = format!("expected {expected}, found {found}; everything after this is lost");
        let code = codes::SYNTAX_ERROR;
        self.limiter.add(Severity::Error, code, "syntax errors", || (location, message));
        Ok(())
    }
}

fn array_element_starts(text: &[u8], text_offset: usize, offset: usize) -> Vec<u32> {
    let text = &text[offset - text_offset..];
    let is_start = |&byte: &u8| byte == b'[';
    let Some(start) = text.iter().position(is_start) else { return Vec::new() };
    let (mut starts, mut depth, mut in_text, mut escaped) = (Vec::new(), 0_usize, false, false);
    let mut is_due = false;
    for (index, &byte) in text.iter().enumerate().skip(start) {
        if is_due && !byte.is_ascii_whitespace() && byte != b']' {
            starts.push((offset + index) as u32);
            is_due = false;
        }
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => {
                depth += 1;
                is_due = depth == 1;
            }
            b']' | b'}' if depth <= 1 => break,
            b']' | b'}' => depth -= 1,
            b',' => is_due = depth == 1,
            _ => {}
        }
    }
    starts
}

/// Returns `true` if a number can contain this byte, so that a truncated number may continue after
/// it.
fn can_continue_number(byte: &u8) -> bool {
    byte.is_ascii_digit() || b"+-.eE".contains(byte)
}

struct RootSink<'a, 'de, 'n>(&'a mut AnimationReader<'de, 'n>);

const ROOT_MEMBERS: [&str; 3] = ["name", "globalDuration", "tracks"];

impl<'de> JsonSink<'de> for RootSink<'_, 'de, '_> {
    fn object<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let reader = self.0;
        reader.is_object = true;
        let mut seen = SeenMembers::default();
        while let Some(name) = members.next_key_seed(NameSeed)? {
            let last_member_offset = reader.record_member_offset(&name);
            let known = ROOT_MEMBERS.iter().position(|known| *known == name);
            if known.is_some_and(|member| seen.check_repeated(member as u8)) {
                reader.report_repeated_member("", &name);
            }
            let mut scalar = Scalar::Null;
            match &*name {
                "tracks" => {
                    reader.animation.tracks.clear();
                    reader.headers.clear();
                    members.next_value_seed(SinkSeed(TracksSink(reader)))?;
                }
                _ => members.next_value_seed(SinkSeed(&mut scalar))?,
            }
            match (&*name, scalar) {
                ("tracks", _) | ("name", Scalar::Null) => {}
                ("name", Scalar::Text(text)) => reader.animation.name = text.into_owned(),
                ("name", other) => reader.report_wrong_type("name", "a string", &other),
                ("globalDuration", scalar) => {
                    reader.animation.duration_location = reader.location(last_member_offset);
                    reader.animation.global_duration = scalar.as_f64();
                    if scalar.as_f64().is_none() {
                        reader.report_wrong_type("globalDuration", "a number", &scalar);
                    }
                }
                _ => reader.report_unknown_member("", &name, &ROOT_MEMBERS),
            }
        }
        Ok(())
    }

    fn scalar(self, _: Scalar<'de>) {}
}

struct TracksSink<'a, 'de, 'n>(&'a mut AnimationReader<'de, 'n>);

impl<'de> JsonSink<'de> for TracksSink<'_, 'de, '_> {
    fn array<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let mut index = 0;
        while elements
            .next_element_seed(SinkSeed(TrackSink { reader: &mut *self.0, index }))?
            .is_some()
        {
            index += 1;
        }
        Ok(())
    }

    fn scalar(self, scalar: Scalar<'de>) {
        self.0.report_wrong_type("tracks", "an array", &scalar);
    }
}
