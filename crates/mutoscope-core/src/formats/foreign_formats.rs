//! Files that share an extension with a format that is read here, but are something else.

use super::prime;
use crate::rig::gltf;

/// The kind of file that `bytes` are, if it is known but not read by any format here.
pub(super) fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    /// How many bytes are examined.
    const SNIFFED: usize = 1024;
    let start = &bytes[..bytes.len().min(SNIFFED)];
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let holds = |words: &[u8]| start.windows(words.len()).any(|window| window == words);
    if text.starts_with(b"%YAML") && (holds(b"unity3d") || holds(b"AnimationClip")) {
        Some("a Unity animation clip (.anim in YAML)")
    } else if text.starts_with(b"atomVersion") {
        Some("a Maya ATOM file (.atom)")
    } else if text.starts_with(b"//Maya ASCII") {
        Some("a Maya scene (.ma)")
    } else if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        Some("text in UTF-16: save it as UTF-8")
    } else if prime::is_skeleton(bytes) {
        Some("a skeleton of Metroid Prime (.CINF): attach it to an animation with --rig")
    } else if gltf::is_recognised(bytes) {
        Some("a glTF without animations: attach it to a recording with --rig")
    } else {
        metroid_prime(bytes)
    }
}

/// Metroid Prime's animations have no signature: they begin with a small version, as a big-endian
/// integer, and the rest may be invalid.
fn metroid_prime(bytes: &[u8]) -> Option<&'static str> {
    const HEADER: usize = 32;
    // Zeros are a file that was never written, whatever its name.
    if bytes.len() < HEADER || bytes[4..HEADER].iter().all(|&byte| byte == 0) {
        return None;
    }
    match bytes[..4] {
        [0, 0, 0, 0 | 2] => Some("by its first bytes a binary animation of Metroid Prime (.ANIM)"),
        [0, 0, 0, 1] => {
            Some("by its first bytes an animation of Metroid Prime 3 (.ANIM, version 1)")
        }
        [0, 0, 0, 3] => Some(
            "by its first bytes an animation of Metroid Prime as metaforce writes it for itself \
             (.ANIM, version 3)",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_files_with_known_extensions_are_named() {
        let mut prime = [7; 64];
        prime[..4].copy_from_slice(&[0, 0, 0, 2]);
        let unity =
            b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n";
        let cases: [(&[u8], Option<&str>); 8] = [
            (unity, Some("Unity")),
            (b"%YAML 1.2\n---\na: 1\n", None),
            (b"\n atomVersion 1.0;\n", Some("ATOM")),
            (b"//Maya ASCII 2018 scene\n", Some("scene")),
            (b"\xff\xfea\0n\0i\0m\0", Some("UTF-16")),
            (&prime, Some("Metroid Prime")),
            (&[0, 0, 0, 2], None),
            (&[0; 4096], None),
        ];
        for (bytes, expected) in cases {
            let kind = kind_of(bytes);
            let fits = match expected {
                None => kind.is_none(),
                Some(word) => kind.is_some_and(|kind| kind.contains(word)),
            };
            assert!(fits, "{kind:?}, expected {expected:?}");
        }
    }
}
