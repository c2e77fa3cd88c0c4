//! The input of decoding: requests from callers, and the context that decoders receive.

use crate::{
    clip::{Assumptions, FormatAssumptions, FormatId, VariantChoice},
    io::bytes::{NoSidecars, Sidecars},
    skeleton_file::LoadedSkeleton,
};

/// A mapping file, which assigns meanings to the columns of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingFile {
    /// The format for files that no format recognises.
    pub format: FormatId,
    /// The name of the mapping file, for messages.
    pub name: String,
    /// The content of the mapping file, in TOML.
    pub text: String,
}

/// A request to decode a file. By default, the format is recognised by content, and there is no
/// skeleton from another file, no sidecar file and no assumption other than the format's own.
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
    /// The extension of the file, in any case and without its dot. It breaks ties if several
    /// formats recognise the content equally well.
    pub extension: Option<&'a str>,
    /// The format of the file. It is used even if the content looks like another format.
    pub format: Option<FormatId>,
    /// The skeleton to place the recording on. The format must support skeletons of its kind.
    pub rig: Option<&'a LoadedSkeleton>,
    /// The source of the files that the recording refers to.
    pub sidecars: &'a dyn Sidecars,
    /// The assumptions for values that the file does not declare.
    pub assumptions: FormatAssumptions,
    /// The selected variants. If a label occurs several times, its last choice is used.
    pub variants: &'a [VariantChoice],
    /// The name of the file, which locates the files that belong to it.
    pub name: Option<&'a str>,
    /// The mapping file for the columns of a table.
    pub columns: Option<&'a MappingFile>,
    /// The frame rate in Hz of a table whose rows or frame numbers are the times.
    pub frame_rate: Option<f64>,
    /// `true` to play all clips of a composed animation approximately if none is selected; `false`
    /// to play its first clip.
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
            frame_rate: None,
            plays_all_clips: false,
        }
    }
}

impl<'a> DecodeRequest<'a> {
    /// Sets the name of the file, and takes the extension from it.
    #[must_use]
    pub fn named(self, name: &'a str) -> Self {
        Self { extension: extension_of(name), name: Some(name), ..self }
    }

    /// Sets the format to decode the file as.
    #[must_use]
    pub fn format(self, format: FormatId) -> Self {
        Self { format: Some(format), ..self }
    }

    /// Sets the skeleton to place the recording on.
    #[must_use]
    pub fn rig(self, rig: &'a LoadedSkeleton) -> Self {
        Self { rig: Some(rig), ..self }
    }

    /// Sets the source of the files that the recording refers to.
    #[must_use]
    pub fn sidecars(self, sidecars: &'a dyn Sidecars) -> Self {
        Self { sidecars, ..self }
    }

    /// Sets the assumptions for values that the file does not declare.
    #[must_use]
    pub fn assumptions(self, assumptions: FormatAssumptions) -> Self {
        Self { assumptions, ..self }
    }

    /// Sets the mapping file for the columns of a table.
    #[must_use]
    pub fn columns(self, columns: &'a MappingFile) -> Self {
        Self { columns: Some(columns), ..self }
    }

    /// Sets the selected variants.
    #[must_use]
    pub fn variants(self, variants: &'a [VariantChoice]) -> Self {
        Self { variants, ..self }
    }
}

/// Returns the part of a file's name after the last dot, or `None` if the name has no dot or ends
/// with it.
pub fn extension_of(name: &str) -> Option<&str> {
    let name = name.rsplit(['/', '\\']).next()?;
    name.rsplit_once('.').map(|(_, extension)| extension).filter(|extension| !extension.is_empty())
}

/// The input of a format's decoder in addition to the bytes.
#[derive(Clone, Copy)]
pub struct DecodeContext<'a> {
    /// The skeleton to attach the recording to. It must be of a kind that the format supports.
    pub skeleton: Option<&'a LoadedSkeleton>,
    /// The source of the files that the recording refers to.
    pub sidecars: &'a dyn Sidecars,
    /// The assumptions for values that the file does not declare. A decoder uses them only to
    /// compute other values from them. After decoding, the assumptions are applied to the clip's
    /// convention.
    pub assumptions: Assumptions,
    /// The name of the file, which locates the files that belong to it.
    pub name: Option<&'a str>,
    /// The mapping file for the columns of a table.
    pub columns: Option<&'a MappingFile>,
    /// The frame rate in Hz of a table whose rows or frame numbers are the times.
    pub frame_rate: Option<f64>,
    /// The variants that the user selected.
    pub variants: &'a [VariantChoice],
    /// `true` to play all clips of a composed animation if none is selected.
    pub plays_all_clips: bool,
}

impl DecodeContext<'_> {
    /// Returns the name that the user selected for the variants with this label, or `None` if
    /// the user selected none.
    pub fn variant(&self, label: &str) -> Option<&str> {
        let has_label = |choice: &&VariantChoice| choice.label.eq_ignore_ascii_case(label);
        self.variants.iter().rfind(has_label).map(|choice| choice.name.as_str())
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
