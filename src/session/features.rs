//! The open recordings with the components of all features.

use super::{
    compare::Comparing,
    files::{self, OpenRecordings},
    labels::EditedLabels,
    scenes::EditedScene,
};

/// The query for the components of all features. A tuple, because the items of a derived query are
/// invariant, so that panels could not shorten their lifetimes.
pub type FeatureQuery =
    (Option<&'static Comparing>, Option<&'static EditedScene>, Option<&'static EditedLabels>);

/// The components of all features of a recording.
pub type Features<'a> = (Option<&'a Comparing>, Option<&'a EditedScene>, Option<&'a EditedLabels>);

/// An open recording with the components of all features.
pub type OpenRecording<'a> = files::RecordingItem<'a, Features<'a>>;

/// Read access to the open recordings with the components of all features.
pub type AllOpenRecordings<'w, 's> = OpenRecordings<'w, 's, FeatureQuery>;

impl<'a> OpenRecording<'a> {
    /// Returns the comparison with the base. `None` for the reference.
    pub fn comparing(&self) -> Option<&'a Comparing> {
        let (comparing, _, _) = self.features;
        comparing
    }

    /// Returns the edited scene, if the recording is a scene.
    pub fn scene(&self) -> Option<&'a EditedScene> {
        let (_, scene, _) = self.features;
        scene
    }

    /// Returns the labels. `None` until the label file was looked for.
    pub fn labels(&self) -> Option<&'a EditedLabels> {
        let (_, _, labels) = self.features;
        labels
    }
}

/// Returns the index of the recording whose label is selected or being edited.
pub fn edited_labels_index(recordings: &[OpenRecording<'_>]) -> Option<usize> {
    recordings.iter().position(|open| {
        open.labels().is_some_and(|labels| {
            labels.selected().is_some()
                || labels.naming().is_some()
                || labels.open_start().is_some()
        })
    })
}
