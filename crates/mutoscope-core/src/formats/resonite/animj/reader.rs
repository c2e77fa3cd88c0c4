//! From text to animation.

use std::sync::Arc;

use serde::de::{DeserializeSeed as _, MapAccess, SeqAccess};

use super::{
    json::{Name, Reading, Scalar, Take},
    member::Seen,
    track::{Header, PartialTrack, TakeTrack},
};
use crate::{
    diagnostics::{Error, Lines, Notices, Severity, SourceLocation, json_syntax},
    formats::resonite::{Animation, TrackType, oddities::Oddities},
};

/// The byte order mark that some editors write before a text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Decodes a file. What can be kept is kept, and `notices` say what is lost, what Resonite refuses,
/// and where.
///
/// # Errors
/// If it is no JSON from the start, or no object, or larger than four gibibytes.
pub fn decode(bytes: &[u8], notices: &mut Notices) -> Result<Animation, Error> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(Error::unsupported(SourceLocation::File, "the file is larger than 4 GiB"));
    }
    let lines = Arc::new(Lines::new(bytes));
    let mut noticed = Notices::new();
    let (mut animation, headers, is_read) = read(bytes, &lines, &[], &mut noticed);
    // The types of a track are needed to read it, and may come late in the file.
    if headers.iter().any(|header| header.came_late) && is_read.is_ok() {
        noticed = Notices::new();
        (animation, ..) = read(bytes, &lines, &headers, &mut noticed);
    }
    notices.extend(noticed);
    is_read.map(|()| animation)
}

/// Walks through the text once. The types of tracks that are in `known` may follow the data that
/// they are about.
fn read(
    bytes: &[u8],
    lines: &Arc<Lines>,
    known: &[Header],
    notices: &mut Notices,
) -> (Animation, Vec<Header>, Result<(), Error>) {
    let all = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    // Looked at once, and not again for every name in it.
    let text = match str::from_utf8(all) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&all[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut reader = Reader {
        text: text.as_bytes(),
        is_cut: text.len() < all.len(),
        base: bytes.len() - all.len(),
        lines: lines.clone(),
        oddities: Oddities::new(notices),
        animation: Animation::default(),
        known,
        headers: Vec::new(),
        track: None,
        here: bytes.len() - all.len(),
        is_object: false,
    };
    let mut json = serde_json::Deserializer::from_str(text);
    let walked = Reading(TakeRoot(&mut reader)).deserialize(&mut json);
    let ended = match walked {
        Ok(()) if !reader.is_object => {
            let place = reader.place(reader.base);
            Err(Error::malformed(place, "an object of JSON", "something else"))
        }
        Ok(()) => {
            let rest = match json.end() {
                Err(error) => Some(reader.told(&error).0),
                Ok(()) => reader.is_cut.then(|| reader.place(reader.base + text.len())),
            };
            if let Some(place) = rest {
                let message = || "text after the end; Resonite refuses it".to_owned();
                reader.oddities.warning("texts after the end", place, message);
            }
            Ok(())
        }
        Err(error) => reader.break_off(&error),
    };
    let Reader { animation, headers, oddities, .. } = reader;
    oddities.finish();
    (animation, headers, ended)
}

/// The state of a walk through a text.
pub(super) struct Reader<'de, 'n> {
    text: &'de [u8],
    /// Whether something follows that is no text.
    is_cut: bool,
    /// Where the text begins in the file.
    base: usize,
    pub(super) lines: Arc<Lines>,
    pub(super) oddities: Oddities<'n>,
    pub(super) animation: Animation,
    /// The types of tracks, from a walk before this.
    pub(super) known: &'n [Header],
    /// The same, from this walk.
    pub(super) headers: Vec<Header>,
    /// The track that is being read.
    pub(super) track: Option<Box<PartialTrack>>,
    /// Where the name of a member was met last, as an offset in the file.
    pub(super) here: usize,
    is_object: bool,
}

impl<'de> Reader<'de, '_> {
    /// Remembers that `name` was met, and returns where.
    pub(super) fn meet(&mut self, name: &str) -> usize {
        // A name without escapes is a slice of the text, so its address gives its offset.
        let (start, end) = (self.text.as_ptr() as usize, name.as_ptr() as usize);
        if let Some(offset) = end.checked_sub(start).filter(|&offset| offset < self.text.len()) {
            // It is preceded by a quotation mark.
            self.here = self.base + offset.saturating_sub(1);
        }
        self.here
    }

    /// The start of the object whose first member's name is at `offset` in the file.
    pub(super) fn start_of_object(&self, offset: usize) -> usize {
        let before = &self.text[..(offset - self.base).min(self.text.len())];
        let brace = before.iter().rposition(|&byte| byte == b'{');
        self.base + brace.unwrap_or(offset - self.base)
    }

    /// The start of each element of the array whose member name is at `offset`.
    pub(super) fn elements(&self, offset: usize) -> Vec<u32> {
        elements(self.text, self.base, offset)
    }

    /// The place of an offset in the file.
    pub(super) fn place(&self, offset: usize) -> SourceLocation {
        self.lines.place(offset)
    }

    /// The place where a member was met last.
    pub(super) fn here(&self) -> SourceLocation {
        self.place(self.here)
    }

    /// Says that a member has no meaning where it stands.
    pub(super) fn unknown(&mut self, path: &str, name: &str, meant: &[&str]) {
        let near = meant.iter().find(|known| {
            known.eq_ignore_ascii_case(name)
                || known.strip_suffix('s') == Some(name)
                || name.strip_suffix('s') == Some(known)
        });
        let message = || match near {
            Some(near) => format!("{path}{name:?} is not a known member; {near:?} is"),
            None => format!("{path}{name:?} is not a known member"),
        };
        self.oddities.warning("unused members", self.lines.place(self.here), message);
    }

    /// Says that a member came before; using the last.
    pub(super) fn repeated(&mut self, path: &str, name: &str) {
        let message = || format!("{path}{name:?} is repeated; using the last");
        self.oddities.warning("repeated members", self.lines.place(self.here), message);
    }

    /// Reports a value of another kind than `expected`.
    pub(super) fn misplaced(&mut self, path: &str, expected: &str, found: &Scalar) {
        let message = || format!("{path}: expected {expected}, found {}", found.word());
        self.oddities.error("values of another kind", self.lines.place(self.here), message);
    }

    /// Says something of the key with this index of the track that is being read: where it begins if
    /// it has no members, else where one was met last.
    pub(super) fn tell_of_key(
        &mut self,
        severity: Severity,
        kind: &'static str,
        key: usize,
        message: impl FnOnce() -> String,
    ) {
        let Self { text, base, lines, track, here, .. } = self;
        let start_of_keys = track.as_ref().and_then(|track| match track.track_type() {
            TrackType::Raw => track.keys_start,
            _ => None,
        });
        self.oddities.tell(severity, kind, || {
            let element = |start| elements(text, *base, start).get(key).copied();
            let offset = start_of_keys.and_then(element).map_or(*here, |start| start as usize);
            (lines.place(offset), message())
        });
    }

    /// Where serde stopped, what is expected there, and what it found.
    fn told(&self, error: &serde_json::Error) -> (SourceLocation, String, String) {
        if self.is_cut && error.is_eof() {
            return (
                self.place(self.base + self.text.len()),
                "JSON".to_owned(),
                "a byte that is not UTF-8".to_owned(),
            );
        }
        let in_first = if error.line() == 1 { self.base } else { 0 };
        // At the end of a line serde counts column 0 of the next.
        let column = (error.column() + in_first).max(1);
        let place = SourceLocation::column(error.line().max(1) as u32, column as u32);
        let (expected, found) = json_syntax(error, self.text);
        (place, expected, found)
    }

    /// Keeps what was read before a break in the text; an error if that is nothing.
    fn break_off(&mut self, error: &serde_json::Error) -> Result<(), Error> {
        let (place, expected, found) = self.told(error);
        if let Some(mut track) = self.track.take() {
            if error.is_eof() && self.text.last().is_some_and(is_of_a_number) {
                track.forget_last_number(self.here);
            }
            track.finish(self);
        }
        if self.animation.tracks.is_empty() {
            return Err(Error::malformed(place, expected, found));
        }
        let message = || format!("expected {expected}, found {found}: all after it is lost");
        self.oddities.error("breaks", place, message);
        Ok(())
    }
}

/// The start of each element of the array whose member name is at `offset` in the file, of which
/// `text` begins at `base`.
fn elements(text: &[u8], base: usize, offset: usize) -> Vec<u32> {
    let text = &text[offset - base..];
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

/// Whether a number may go on after this byte.
fn is_of_a_number(byte: &u8) -> bool {
    byte.is_ascii_digit() || b"+-.eE".contains(byte)
}

/// Takes the object that a file is.
struct TakeRoot<'a, 'de, 'n>(&'a mut Reader<'de, 'n>);

const MEMBERS: [&str; 3] = ["name", "globalDuration", "tracks"];

impl<'de> Take<'de> for TakeRoot<'_, 'de, '_> {
    fn object<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let reader = self.0;
        reader.is_object = true;
        let mut seen = Seen::default();
        while let Some(name) = members.next_key_seed(Name)? {
            let here = reader.meet(&name);
            let known = MEMBERS.iter().position(|known| *known == name);
            if known.is_some_and(|member| seen.again(member as u8)) {
                reader.repeated("", &name);
            }
            let mut scalar = Scalar::Null;
            match &*name {
                "tracks" => {
                    reader.animation.tracks.clear();
                    reader.headers.clear();
                    members.next_value_seed(Reading(TakeTracks(reader)))?;
                }
                _ => members.next_value_seed(Reading(&mut scalar))?,
            }
            match (&*name, scalar) {
                ("tracks", _) | ("name", Scalar::Null) => {}
                ("name", Scalar::Text(text)) => reader.animation.name = text.into_owned(),
                ("name", other) => reader.misplaced("name", "text", &other),
                ("globalDuration", scalar) => {
                    reader.animation.duration_place = reader.place(here);
                    reader.animation.global_duration = scalar.number();
                    if scalar.number().is_none() {
                        reader.misplaced("globalDuration", "a number", &scalar);
                    }
                }
                _ => reader.unknown("", &name, &MEMBERS),
            }
        }
        Ok(())
    }

    fn scalar(self, _: Scalar<'de>) {}
}

/// Takes the array of all tracks.
struct TakeTracks<'a, 'de, 'n>(&'a mut Reader<'de, 'n>);

impl<'de> Take<'de> for TakeTracks<'_, 'de, '_> {
    fn array<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let mut index = 0;
        while elements
            .next_element_seed(Reading(TakeTrack { reader: &mut *self.0, index }))?
            .is_some()
        {
            index += 1;
        }
        Ok(())
    }

    fn scalar(self, scalar: Scalar<'de>) {
        self.0.misplaced("tracks", "an array", &scalar);
    }
}
