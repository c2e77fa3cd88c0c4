//! Requests to decode a file.

use crate::{
    clip::{Assumptions, FormatAssumptions, FormatId, VariantChoice},
    io::bytes::{NoSidecars, Sidecars},
    rig::Rig,
};

/// A file that says what the columns of a table mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingFile {
    /// The format that a file is read as that is recognised as none.
    pub format: FormatId,
    /// Its name in messages.
    pub name: String,
    /// Its text, in TOML.
    pub text: String,
}

/// A request to decode a file. By default: recognised by content, on no other skeleton, without
/// sidecars, with the format's default assumptions.
///
/// ```
/// use mutoscope_core::{clip::FormatId, formats::{self, DecodeRequest}};
///
/// let bytes = include_bytes!("../../../../assets/mrtk/two-hands.bin");
/// let request = DecodeRequest::default().format(FormatId::MRTK);
/// assert_eq!(formats::decode(bytes, &request)?.nodes.len(), 54);
/// # Ok::<(), formats::Failure>(())
/// ```
#[derive(Clone)]
pub struct DecodeRequest<'a> {
    /// The extension of the file, in any case and without its dot: it breaks ties where the content
    /// may be of several formats.
    pub extension: Option<&'a str>,
    /// The format that the bytes are taken for, whatever they look like.
    pub format: Option<FormatId>,
    /// The skeleton that the recording is put on; it has to take it.
    pub rig: Option<&'a Rig>,
    /// The files that the recording names.
    pub sidecars: &'a dyn Sidecars,
    /// The assumptions where the file declares nothing.
    pub assumptions: FormatAssumptions,
    /// The chosen variants of the file; of several with one label the last.
    pub variants: &'a [VariantChoice],
    /// The name of the file, by which files that belong to it are found.
    pub name: Option<&'a str>,
    /// The mapping file of the columns of a table, if one was given.
    pub columns: Option<&'a MappingFile>,
    /// Whether all clips of a composed animation play, approximately, where none is chosen; else its
    /// first clip does.
    pub plays_all_clips: bool,
}

impl Default for DecodeRequest<'_> {
    fn default() -> Self {
        Self {
            extension: None,
            format: None,
            rig: None,
            sidecars: &NoSidecars,
            assumptions: FormatAssumptions::default(),
            variants: &[],
            name: None,
            columns: None,
            plays_all_clips: false,
        }
    }
}

impl<'a> DecodeRequest<'a> {
    /// The same for a file with this name: its extension breaks ties.
    #[must_use]
    pub fn named(self, name: &'a str) -> Self {
        Self { extension: extension_of(name), name: Some(name), ..self }
    }

    /// The same, read as this format.
    #[must_use]
    pub fn format(self, format: FormatId) -> Self {
        Self { format: Some(format), ..self }
    }

    /// The same, put on this skeleton.
    #[must_use]
    pub fn rig(self, rig: &'a Rig) -> Self {
        Self { rig: Some(rig), ..self }
    }

    /// The same with these files for those that the recording names.
    #[must_use]
    pub fn sidecars(self, sidecars: &'a dyn Sidecars) -> Self {
        Self { sidecars, ..self }
    }

    /// The same with these assumptions.
    #[must_use]
    pub fn assumptions(self, assumptions: FormatAssumptions) -> Self {
        Self { assumptions, ..self }
    }

    /// The same with this mapping file for the columns of a table.
    #[must_use]
    pub fn columns(self, columns: &'a MappingFile) -> Self {
        Self { columns: Some(columns), ..self }
    }

    /// The same with this variant.
    #[must_use]
    pub fn variants(self, variants: &'a [VariantChoice]) -> Self {
        Self { variants, ..self }
    }
}

/// The part of a file's name after the last dot, if it has one.
pub fn extension_of(name: &str) -> Option<&str> {
    let name = name.rsplit(['/', '\\']).next()?;
    name.rsplit_once('.').map(|(_, extension)| extension).filter(|extension| !extension.is_empty())
}

/// The input of a format's decoder besides the bytes.
#[derive(Clone, Copy)]
pub struct DecodeContext<'a> {
    /// The skeleton that the recording is put on, of the kind that the format takes.
    pub rig: Option<&'a Rig>,
    /// The files that the recording names.
    pub sidecars: &'a dyn Sidecars,
    /// The assumptions where the file declares nothing, for values that are computed while
    /// decoding. They are applied to the convention of the clip afterwards.
    pub assumptions: Assumptions,
    /// The name of the file, by which files that belong to it are found.
    pub name: Option<&'a str>,
    /// The mapping file of the columns of a table, if one was given.
    pub columns: Option<&'a MappingFile>,
    /// The user's choices of variants.
    pub variants: &'a [VariantChoice],
    /// Whether all clips of a composed animation play where none is chosen.
    pub plays_all_clips: bool,
}

impl DecodeContext<'_> {
    /// The name that the user chose of the variants with this label, if any.
    pub fn variant(&self, label: &str) -> Option<&str> {
        let is_of = |choice: &&VariantChoice| choice.label.eq_ignore_ascii_case(label);
        self.variants.iter().rfind(is_of).map(|choice| choice.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extension_follows_the_last_dot() {
        let cases = [
            ("take.ANIM", Some("ANIM")),
            ("a.b/take", None),
            ("a\\take.tar.gz", Some("gz")),
            ("-", None),
            ("take.", None),
        ];
        for (name, expected) in cases {
            assert_eq!(extension_of(name), expected, "{name}");
        }
    }
}
