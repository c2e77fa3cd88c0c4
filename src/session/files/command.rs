//! Commands on files, and how they are applied.

use std::path::PathBuf;

use bevy::prelude::*;

use super::{FileSort, Source, opening::FileOpener};
use crate::session::view::{FilePurpose, LinkedFiles, Panels, SavedView, WindowRequest};
use bevy_mutoscope::stage::View;
use mutoscope_core::playback::Direction;

/// A command on files.
#[derive(Clone, Debug, PartialEq)]
pub enum FileCommand {
    /// Asks the user for files and opens them.
    Choose,
    /// Opens files together. Opens the first recording and attaches it to the skeleton, if the
    /// files include one. If there is a skeleton but no recording, the skeleton is attached to the
    /// open recording.
    Open(Vec<PathBuf>),
    /// Opens the files of a link. Asks first if any of them was not open recently.
    OpenLinked(Box<LinkedFiles>),
    /// Opens the files that the viewer asked about.
    AllowLinked,
    /// Refuses the files that the viewer asked about.
    RefuseLinked,
    /// Reports why a link is invalid.
    ReportInvalidLink(String),
    /// Opens the embedded sample with this index.
    OpenSample(usize),
    /// Reloads the open files.
    Reload,
    /// Opens the next or previous file of the list.
    Step(Direction),
    /// Opens the listed file with this index.
    OpenListed(usize),
    /// Sorts the list of files.
    Sort(FileSort),
    /// Reloads a recording as another of its [`Variants`](mutoscope_core::clip::Variants).
    ChooseVariant {
        /// The recording.
        recording: Entity,
        /// The label of the group of variants.
        label: String,
        /// The name of the variant. `None` lets the decoder choose.
        name: Option<String>,
    },
    /// Reloads the recording of the selected node, or else the reference, as its next or previous
    /// animation. Wraps around at the ends.
    StepAnimation(Direction),
    /// Closes all recordings and shows the gallery of samples.
    ShowGallery,
    /// Dismisses the message of the last failure.
    DismissFailure,
    /// Closes an open recording.
    Close(Entity),
}

pub(in crate::session) fn apply(
    In(command): In<FileCommand>,
    mut opener: FileOpener,
    mut panels: ResMut<Panels>,
    mut view: ResMut<View>,
    mut first_view: ResMut<SavedView>,
    mut window: MessageWriter<WindowRequest>,
) {
    let mut open_linked = |opener: &mut FileOpener, LinkedFiles { files, view, .. }| {
        *first_view = view;
        opener.open_together(files);
    };
    match command {
        FileCommand::Choose => {
            window.write(WindowRequest::ChooseFiles(FilePurpose::Recordings));
        }
        FileCommand::Open(files) => opener.open_together(files),
        FileCommand::OpenLinked(linked) if linked.unknown.is_empty() => {
            open_linked(&mut opener, *linked);
        }
        FileCommand::OpenLinked(linked) => panels.pending_link = Some(*linked),
        FileCommand::AllowLinked => {
            if let Some(linked) = panels.pending_link.take() {
                open_linked(&mut opener, linked);
            }
        }
        FileCommand::RefuseLinked => panels.pending_link = None,
        FileCommand::ReportInvalidLink(why) => opener.files.refused_link = Some(why),
        FileCommand::OpenSample(index) => opener.open(Source::Sample(index)),
        FileCommand::OpenListed(index) => opener.open_listed(index),
        FileCommand::Sort(sort) => opener.files.sort = sort,
        FileCommand::Reload => {
            opener.reload_all();
            opener.loading.announces_reload = true;
        }
        FileCommand::Step(direction) => opener.step_file(direction),
        FileCommand::ChooseVariant { recording, label, name } => {
            opener.choose_variant(recording, &label, name);
        }
        FileCommand::StepAnimation(direction) => opener.step_animation(direction, &view),
        FileCommand::ShowGallery => opener.close_all(&mut view),
        FileCommand::Close(recording) => opener.close(recording, &mut view),
        FileCommand::DismissFailure => {
            let files = &mut *opener.files;
            (files.failure, files.write_failure, files.refused_link) = (None, None, None);
        }
    }
}
