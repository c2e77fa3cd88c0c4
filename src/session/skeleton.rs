//! Attaches skeletons to the recording, and chooses how their bones are matched.

use std::{
    fs,
    path::{Path, PathBuf},
};

use bevy::prelude::*;

use super::{
    files::{
        FileFailure, FileOpener, SkeletonOrigin, Source, display_name, folder_of,
        write_complete_file,
    },
    history::EditedValue,
    view::{FilePurpose, WindowRequest},
};
use mutoscope_core::{
    clip::Clip,
    formats::Fit,
    io::storage,
    read::format_path,
    retarget::{BoneMap, Retargeting, bone_map},
};

/// A command on the skeleton that the recording is attached to.
#[derive(Clone, Debug, PartialEq)]
pub enum SkeletonCommand {
    /// Asks the user for a skeleton and attaches it.
    Choose,
    /// Attaches the skeleton in this file.
    Attach(PathBuf),
    /// Attaches the built-in character with this name.
    AttachBuiltIn(&'static str),
    /// Detaches the skeleton from the recording.
    Detach,
    /// Sets the way in which recordings are attached to skeletons.
    Retarget(Fit),
    /// Asks the user for a bone map and opens it.
    ChooseMap,
    /// Retargets with the bone map in this file.
    OpenMap(PathBuf),
    /// Writes the current bone map next to the recording, so that the user can edit it.
    SaveMap,
}

pub(in crate::session) fn apply(
    In(command): In<SkeletonCommand>,
    mut opener: FileOpener,
    mut window: MessageWriter<WindowRequest>,
) {
    let mut choose_files = |purpose| {
        window.write(WindowRequest::ChooseFiles(purpose));
    };
    match command {
        SkeletonCommand::Choose => choose_files(FilePurpose::Skeleton),
        SkeletonCommand::Attach(path) => opener.attach_skeleton(SkeletonOrigin::File(path)),
        SkeletonCommand::AttachBuiltIn(name) => {
            opener.attach_skeleton(SkeletonOrigin::File(name.into()));
        }
        SkeletonCommand::Detach => {
            opener.files.skeleton = None;
            opener.files.detached_folder = match opener.open.reference_source() {
                Some(Source::File(path)) => Some(folder_of(path).to_owned()),
                _ => None,
            };
            opener.attach_skeleton(SkeletonOrigin::None);
        }
        SkeletonCommand::Retarget(fit) => opener.retarget(fit),
        SkeletonCommand::ChooseMap => choose_files(FilePurpose::BoneMap),
        SkeletonCommand::OpenMap(path) => match read_bone_map(&path) {
            Ok(map) => {
                opener.history.mark_saved(EditedValue::Fit(Fit::Map(map.clone())));
                opener.retarget(Fit::Map(map));
            }
            Err(message) => {
                opener.files.failure = Some(FileFailure { name: display_name(&path), message });
            }
        },
        SkeletonCommand::SaveMap => save_map(&mut opener),
    }
}

/// Restores the way in which the reference is attached to its skeleton, after undo or redo.
pub(in crate::session) fn restore(In(fit): In<Fit>, mut opener: FileOpener) {
    match opener.open.reference() {
        Some(reference) => opener.reload_with(reference, |options| options.fit = fit),
        None => opener.files.options.fit = fit,
    }
}

fn save_map(opener: &mut FileOpener) {
    let map = opener.open.reference_clip().and_then(bone_map_of);
    let (Some(map), Some(source)) = (map, opener.open.reference_source()) else { return };
    let path = unused_map_path(source);
    match write_complete_file(&path, map.to_json().as_bytes()) {
        Ok(()) => {
            let fit = opener.files.options.fit.clone();
            opener.history.mark_saved(EditedValue::Fit(fit));
            opener.files.notify(format!("Wrote {}", format_path(&path)));
        }
        Err(error) => {
            let message = format!("cannot be written: {error}");
            opener.files.write_failure = Some(FileFailure { name: display_name(&path), message });
        }
    }
}

fn bone_map_of(clip: &Clip) -> Option<BoneMap> {
    let retargeting: &Retargeting = clip.procedural_as()?;
    Some(bone_map(retargeting, &clip.nodes))
}

fn unused_map_path(source: &Source) -> PathBuf {
    let base = source.output_base_path();
    let stem = base.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names = (1..).map(|number: u32| match number {
        1 => format!("{stem}.bones.json"),
        number => format!("{stem}-{number}.bones.json"),
    });
    let mut paths = names.map(|name| base.with_file_name(name));
    // Do not follow links. Otherwise the name of a dangling link would look free.
    let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
    paths.find(is_free).expect("there are more numbers than files")
}

fn read_bone_map(path: &Path) -> Result<BoneMap, String> {
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| format!("expected a bone map as JSON: {error}"))?;
    BoneMap::parse(text).map_err(|error| error.to_string())
}
