//! Recognises the games' files that are not recordings by themselves.

use crate::{
    diagnostics::{Error, SourceLocation},
    formats::prime::{
        archive::{ResourceType, is_archive, is_later_archive},
        model::is_model,
    },
};

/// A file of the games that is not a recording by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// An archive (PAK).
    Archive,
    /// Characters and their animations (ANCS).
    Characters,
    /// A part of a character: CMDL, CSKR, EVNT or TXTR.
    Part(ResourceType),
}

impl FileKind {
    /// Returns the kind of a file. Archives, models and character sets are recognised by their
    /// first bytes, and other kinds by the `extension` alone. Returns `None` for other files,
    /// including animations and skeletons.
    pub fn detect(bytes: &[u8], extension: Option<&str>) -> Option<Self> {
        let has = |wanted: &str| extension.is_some_and(|given| given.eq_ignore_ascii_case(wanted));
        // An archive of a later game also needs the extension, because its first bytes are those of
        // an animation.
        if is_archive(bytes) || (has("pak") && is_later_archive(bytes)) {
            return Some(Self::Archive);
        }
        if is_model(bytes) {
            return Some(Self::Part(ResourceType::CMDL));
        }
        if has_ancs_header(bytes) {
            return Some(Self::Characters);
        }
        match extension.and_then(ResourceType::from_extension)? {
            ResourceType::ANCS => Some(Self::Characters),
            ResourceType::ANIM | ResourceType::CINF => None,
            part => Some(Self::Part(part)),
        }
    }

    pub(crate) fn not_a_recording_error(self) -> Error {
        let message = format!(
            "{} is not a recording. Open the archive or the ANCS of its character, or check the \
             file with `mutoscope check`",
            self.name()
        );
        Error::unsupported(SourceLocation::File, message)
    }

    /// Returns the name of this kind in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Archive => "an archive (PAK)",
            Self::Characters => "a set of characters (ANCS)",
            Self::Part(ResourceType::CMDL) => "a model (CMDL)",
            Self::Part(ResourceType::CSKR) => "a skin (CSKR)",
            Self::Part(ResourceType::EVNT) => "a list of events (EVNT)",
            Self::Part(_) => "a texture (TXTR)",
        }
    }
}

/// Returns `true` if `bytes` begin like an ANCS: two 16-bit versions that are 1, the count of
/// characters, and a character's id and version.
fn has_ancs_header(bytes: &[u8]) -> bool {
    let Some(head) = bytes.get(..14) else { return false };
    let count = u32::from_be_bytes([head[4], head[5], head[6], head[7]]);
    let version = u16::from_be_bytes([head[12], head[13]]);
    head.starts_with(&[0, 1, 0, 1]) && (1..0x1_0000).contains(&count) && (1..=10).contains(&version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_and_models_are_known_by_content_and_the_rest_by_extension() {
        let characters = [0, 1, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 6];
        let cases: [(&[u8], Option<&str>, Option<FileKind>); 11] = [
            (&characters, None, Some(FileKind::Characters)),
            (&characters[..12], None, None),
            (&[0, 3, 0, 5], None, Some(FileKind::Archive)),
            (&[0, 3, 0, 5], Some("anim"), Some(FileKind::Archive)),
            (&[0, 0, 0, 2], Some("PAK"), Some(FileKind::Archive)),
            (&[0, 0, 0, 2], Some("anim"), None),
            (&[0xde, 0xad, 0xba, 0xbe], None, Some(FileKind::Part(ResourceType::CMDL))),
            (b"", Some("Ancs"), Some(FileKind::Characters)),
            (b"", Some("TXTR"), Some(FileKind::Part(ResourceType::TXTR))),
            (b"", Some("CINF"), None),
            (b"PACK", Some("pak"), None),
        ];
        for (bytes, extension, expected) in cases {
            assert_eq!(FileKind::detect(bytes, extension), expected, "{bytes:?} {extension:?}");
        }
    }
}
