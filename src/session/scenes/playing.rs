//! Plays a scene with its edits.

use std::sync::Arc;

use bevy::prelude::*;

use super::{EditedScene, SceneBytes};
use crate::session::{
    files::{FileFailure, RecordingInstaller, Source, decode_recording},
    history::{Document, EditHistory},
    jobs::{Jobs, Progress},
};
use bevy_mutoscope::Recording;
use mutoscope_core::io::bytes::FileContent;
use mutoscope_minecraft::Scene;

pub(super) fn update_edited_scenes(
    mut recordings: Query<(Entity, &Recording, &Source, Option<&mut EditedScene>)>,
    mut history: ResMut<EditHistory>,
    mut commands: Commands,
) {
    for (entity, recording, source, scene) in &mut recordings {
        let is_scene =
            recording.clip().procedural_as::<Scene>().is_some_and(|scene| scene.is_scene);
        let file = recording.file().filter(|_| is_scene).and_then(bytes_in_memory);
        match (file, scene) {
            (Some(file), Some(mut scene)) => {
                if Arc::ptr_eq(file, &scene.playing_bytes) && scene.source() == source {
                    continue;
                }
                if scene.matches_file(source, file) {
                    scene.playing_bytes = file.clone();
                } else if let Some(other) = EditedScene::read(source.clone(), file.clone()) {
                    *scene = other;
                    history.forget(Document::Scene(entity));
                }
            }
            (Some(file), None) => {
                if let Some(scene) = EditedScene::read(source.clone(), file.clone()) {
                    commands.entity(entity).insert(scene);
                }
            }
            (None, Some(_)) => {
                commands.entity(entity).remove::<EditedScene>();
                history.forget(Document::Scene(entity));
            }
            (None, None) => {}
        }
    }
}

fn bytes_in_memory(file: &FileContent) -> Option<&SceneBytes> {
    match file {
        FileContent::Memory(bytes) => Some(bytes),
        FileContent::File(_) => None,
    }
}

/// Decodes edited scenes again, one after the other, and plays them. If the user edits a scene
/// while it is being decoded, it is decoded once more afterwards. While the user drags a value, not
/// every value is therefore decoded.
pub(super) fn play_edited_scenes(
    mut installer: RecordingInstaller,
    mut scenes: Query<(Entity, &mut EditedScene)>,
    jobs: Res<Jobs>,
) {
    let options = installer.read_options();
    for (entity, mut scene) in &mut scenes {
        // Bypass change detection, because polling a running job is not a change of the component.
        let untracked = scene.bypass_change_detection();
        if let Some((_, done)) = untracked.decoding.poll() {
            let name = untracked.source().name();
            match done.map_err(|crashed| crashed.to_string()).and_then(|done| done) {
                Ok(asset) => {
                    if let Some(file) = asset.file.as_ref().and_then(bytes_in_memory) {
                        scene.playing_bytes = file.clone();
                    }
                    installer.replace_clip(entity, asset);
                }
                Err(message) => installer.set_failure(FileFailure { name, message }),
            }
            continue;
        }
        if untracked.decoding.is_running() || !std::mem::take(&mut untracked.is_stale) {
            continue;
        }
        let content = untracked.current_bytes().clone();
        if *content == *untracked.playing_bytes {
            continue;
        }
        let (source, options) = (untracked.source().clone(), options.clone());
        let work =
            async move |_| decode_recording(&source, FileContent::Memory(content), &options).await;
        untracked.decoding.start_cooperative(&jobs, (), Progress::default(), work);
    }
}
