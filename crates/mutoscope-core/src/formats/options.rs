//! The options for reading recordings.

use std::{borrow::Cow, sync::Arc};

use super::{FormatSet, Registry};
use crate::{
    clip::{Assumptions, FormatAssumptions, FormatId, VariantChoice, Variants},
    retarget::BoneMap,
    skeleton_file::LoadedSkeleton,
};

/// The options for reading a recording.
///
/// By default, the format is recognised by content, the recording keeps its own skeleton, and each
/// format's own assumptions apply.
///
/// ```
/// use mutoscope_core::{decode, formats::ReadOptions, clip::FormatId};
///
/// let bytes = include_bytes!("../../../../assets/mrtk/two-hands.bin");
/// let options = ReadOptions { format: Some(FormatId::MRTK), ..ReadOptions::default() };
/// assert_eq!(decode(bytes, &options)?.nodes.len(), 54);
/// # Ok::<(), mutoscope_core::formats::Failure>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The known formats.
    pub registry: Registry,
    /// The format to read the file as, even if the content looks like another format. `None`
    /// recognises the format by content.
    pub format: Option<FormatId>,
    /// The choice of an animation, a character, a clip or another variant in a file that has
    /// several. If a label occurs several times, its last choice applies.
    pub variants: Vec<VariantChoice>,
    /// `true` to play all clips of a composed animation together if `variants` chooses none. The
    /// result is approximate. `false` to play the first clip.
    pub plays_all_clips: bool,
    /// The skeleton to attach the recording to.
    pub skeleton: SkeletonSource,
    /// The way in which the recording is attached to a given skeleton.
    pub fit: Fit,
    /// `true` to keep the recording's own skeleton if its format does not support the given one.
    /// Otherwise reading fails in that case.
    pub skips_unsupported_skeleton: bool,
    /// `true` to attach a given skeleton even if the recording animates none of its nodes. Otherwise
    /// reading fails in that case.
    pub allows_unmatched_skeleton: bool,
    /// The assumptions for values that the file does not declare.
    pub assumptions: FormatAssumptions,
    /// The mapping file for the columns of a table.
    pub columns: Option<MappingFile>,
    /// The frame rate in Hz. It replaces the rate that the file declares, so that the recording
    /// plays faster or slower. In a table without times it determines the times of the rows.
    pub frame_rate: Option<f64>,
    /// `true` to read the models of characters too.
    pub with_model: bool,
}

/// The skeleton that a recording is attached to.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SkeletonSource {
    /// The recording's own skeleton, if it has one.
    #[default]
    Own,
    /// The only skeleton in the folder of the recording, if the format keeps skeletons there. If it
    /// does not fit, the recording is read without it, and a warning gives the reason.
    Beside,
    /// This skeleton.
    Given(Arc<LoadedSkeleton>),
}

/// The way in which a recording is attached to a given skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Fit {
    /// Match nodes by name. A skeleton that has no node names of its own is matched by bones.
    #[default]
    ByName,
    /// Retarget the recording bone by bone: see [`retarget`](mod@crate::retarget). Every format
    /// supports this.
    ByBones,
    /// Retarget the recording with this map, which overrides the bones that are found by name.
    Map(BoneMap),
    /// Match nodes by name if the format supports the skeleton and most nodes match. Otherwise
    /// retarget the recording if both are bodies. A diagnostic says so.
    Automatic,
}

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

impl From<&Registry> for ReadOptions {
    /// Returns the default options for a program with these formats.
    fn from(registry: &Registry) -> Self {
        Self { registry: registry.clone(), ..Self::default() }
    }
}

impl ReadOptions {
    /// Adds the formats of another crate.
    #[must_use]
    pub fn with_formats(self, set: FormatSet) -> Self {
        Self { registry: self.registry.with(set), ..self }
    }

    /// Sets the format to read files as.
    #[must_use]
    pub fn with_format(self, format: FormatId) -> Self {
        Self { format: Some(format), ..self }
    }

    /// Sets the skeleton to attach recordings to.
    #[must_use]
    pub fn with_skeleton(self, skeleton: impl Into<Arc<LoadedSkeleton>>) -> Self {
        Self { skeleton: SkeletonSource::Given(skeleton.into()), ..self }
    }

    /// Adds the choice of the variant `name` among those with this label, such as
    /// [`Variants::ANIMATION`].
    #[must_use]
    pub fn with_variant(mut self, label: &str, name: &str) -> Self {
        self.variants.push(VariantChoice { label: label.to_owned(), name: name.to_owned() });
        self
    }

    /// Returns the given skeleton, or `None` if the recording is read on another one.
    pub fn given_skeleton(&self) -> Option<&LoadedSkeleton> {
        match &self.skeleton {
            SkeletonSource::Given(skeleton) => Some(skeleton),
            SkeletonSource::Own | SkeletonSource::Beside => None,
        }
    }

    /// Returns the assumptions for recordings of a format.
    pub fn assumptions_for(&self, format: FormatId) -> Assumptions {
        self.assumptions.for_format(format)
    }

    /// Returns the name of the chosen variant among those with this label, or `None` if there is no
    /// choice.
    pub fn variant(&self, label: &str) -> Option<&str> {
        let has_label = |choice: &&VariantChoice| choice.label.eq_ignore_ascii_case(label);
        self.variants.iter().rfind(has_label).map(|choice| choice.name.as_str())
    }

    /// Returns these options with the recording's own skeleton in place of a given one.
    pub(crate) fn on_own_skeleton(&self) -> Cow<'_, Self> {
        match self.skeleton {
            SkeletonSource::Own => Cow::Borrowed(self),
            _ => Cow::Owned(Self { skeleton: SkeletonSource::Own, ..self.clone() }),
        }
    }
}

/// Returns the choices of an animation, a character of an archive or a character set, and a clip of
/// a composed animation.
pub fn animation_choice(
    animation: Option<String>,
    character: Option<String>,
    clip: Option<String>,
) -> Vec<VariantChoice> {
    let labels = [Variants::ANIMATION, Variants::CHARACTER, Variants::CLIP];
    let names = [animation, character, clip];
    let choice = |(label, name): (&'static str, Option<String>)| {
        Some(VariantChoice { label: label.to_owned(), name: name? })
    };
    labels.into_iter().zip(names).filter_map(choice).collect()
}
