//! Distinguishes animations from other JSON.

use super::reader::BYTE_ORDER_MARK;
use crate::formats::Recognition;

const SNIFF_BYTES: usize = 4096;

/// Returns [`Recognition::Certain`] for a JSON object with the member names of a track near its
/// start, or with these names in the first element of the member `tracks`. If only some of the
/// names occur, or if the list of tracks is empty, returns [`Recognition::Plausible`].
pub(super) fn recognise(bytes: &[u8]) -> Recognition {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii_start();
    if !text.starts_with(b"{") {
        return Recognition::No;
    }
    match recognise_member_names(text) {
        Recognition::Certain => Recognition::Certain,
        words => words.max(recognise_tracks(text).unwrap_or(Recognition::No)),
    }
}

fn recognise_member_names(text: &[u8]) -> Recognition {
    let start = &text[..text.len().min(SNIFF_BYTES)];
    let holds = |name: &str| {
        let name = format!("\"{name}\"");
        start.windows(name.len()).any(|window| window == name.as_bytes())
    };
    if holds("trackType") && holds("valueType") {
        Recognition::Certain
    } else if ["trackType", "valueType", "keyframes", "globalDuration"].into_iter().any(holds) {
        Recognition::Plausible
    } else {
        Recognition::No
    }
}

fn recognise_tracks(text: &[u8]) -> Option<Recognition> {
    let tracks = find_member(text, b"tracks")?.strip_prefix(b"[")?.trim_ascii_start();
    if tracks.starts_with(b"]") {
        return Some(Recognition::Plausible);
    }
    Some(if tracks.starts_with(b"{") { recognise_member_names(tracks) } else { Recognition::No })
}

fn find_member<'t>(text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let mut rest = text.strip_prefix(b"{")?;
    loop {
        let (key, after) = split_string(rest.trim_ascii_start())?;
        rest = after.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        if key == name {
            return Some(rest);
        }
        rest = skip_value(rest)?.strip_prefix(b",")?;
    }
}

fn split_string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.strip_prefix(b"\"")?;
    let mut is_escaped = false;
    let end = text.iter().position(|&byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })?;
    Some((&text[..end], &text[end + 1..]))
}

fn skip_value(text: &[u8]) -> Option<&[u8]> {
    let (mut rest, mut depth) = (text, 0_usize);
    loop {
        rest = match *rest.first()? {
            b'"' => split_string(rest)?.1,
            b',' | b'}' | b']' if depth == 0 => return Some(rest),
            byte => {
                match byte {
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                &rest[1..]
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACK: &str = r#"{"trackType":"Curve","valueType":"float","data":{"node":"A"}}"#;

    #[test]
    fn tracks_member_may_come_late() {
        let long = "a\\\"}],{[".repeat(1000);
        let blanks = " ".repeat(10_000);
        let before = [
            format!(r#""comment":"{long}","#),
            format!(r#""metadata":{{"list":[1,[],{{"{long}":-1e5}}],"x":null}},"#),
            format!(r#""globalDuration":1.5,"comment":"{long}","#),
            blanks.clone(),
        ];
        for before in &before {
            let text = format!("{{{before}\"tracks\": [{blanks}{TRACK}]}}");
            assert_eq!(recognise(text.as_bytes()), Recognition::Certain, "{}", &before[..20]);
            // Recognition gets only the head of a large file. This head ends with the first track.
            let head = &text.as_bytes()[..text.len() - 2];
            assert_eq!(recognise(head), Recognition::Certain);
        }
        let text = format!("\u{feff}{blanks}{{\"tracks\":[{TRACK}]}}");
        assert_eq!(recognise(text.as_bytes()), Recognition::Certain, "blanks before the object");
    }

    #[test]
    fn animation_without_tracks_is_recognised() {
        for text in [r#"{"tracks":[]}"#, "{ \"name\": \"x\", \"tracks\" : [ ] }"] {
            assert_eq!(recognise(text.as_bytes()), Recognition::Plausible, "{text}");
        }
    }

    #[test]
    fn other_json_is_not_recognised() {
        let deep = format!("{{\"a\":{}", "[".repeat(100_000));
        let texts = [
            "",
            "[]",
            "{",
            "{}",
            "{\"tracks\"",
            "{\"tracks\":",
            "{\"tracks\":{}}",
            "{\"tracks\":[1,2]}",
            r#"{"tracks":[{"artist":"A","title":"B"}]}"#,
            r#"{"name":"a","version":"1.0.0","list":["tracks",[]]}"#,
            r#"{"a":"tracks\":[]"}"#,
            &deep,
        ];
        for text in texts {
            assert_eq!(
                recognise(text.as_bytes()),
                Recognition::No,
                "{}",
                &text[..text.len().min(40)]
            );
        }
    }
}
