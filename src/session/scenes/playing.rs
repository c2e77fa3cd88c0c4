//! Playing a scene as it was edited.

use std::sync::Arc;

use bevy::prelude::*;

use super::{EditedScene, SceneBytes};
use crate::{
    recording::Recording,
    session::{
        FailedLoading, Jobs, Progress, Source,
        files::loading::{LoadingJob, Taker},
        files::reader::Reader,
    },
};
use mutoscope_core::{io::bytes::FileContent, read::SkeletonChoice};
use mutoscope_minecraft::Scene;

/// Notes which open recordings are scenes. One that was reloaded as it is keeps its edits.
pub(in crate::session) fn find_scenes(
    mut recordings: Query<(Entity, &Recording, &Source, Option<&mut EditedScene>)>,
    mut commands: Commands,
) {
    for (entity, recording, source, scene) in &mut recordings {
        let is_scene = recording.clip().procedural_as::<Scene>().is_some_and(|one| one.is_scene);
        let file = recording.file().filter(|_| is_scene).and_then(in_memory);
        match (file, scene) {
            (Some(file), Some(mut scene)) => {
                if Arc::ptr_eq(file, &scene.shown) && scene.source() == source {
                    continue;
                }
                if scene.is_of(source, file) {
                    scene.shown = file.clone();
                } else if let Some(other) = EditedScene::read(source.clone(), file.clone()) {
                    *scene = other;
                }
            }
            (Some(file), None) => {
                if let Some(scene) = EditedScene::read(source.clone(), file.clone()) {
                    commands.entity(entity).insert(scene);
                }
            }
            (None, Some(_)) => {
                commands.entity(entity).remove::<EditedScene>();
            }
            (None, None) => {}
        }
    }
}

/// The bytes of a file: scenes are read as a whole.
fn in_memory(file: &FileContent) -> Option<&SceneBytes> {
    match file {
        FileContent::Memory(bytes) => Some(bytes),
        FileContent::File(_) => None,
    }
}

/// Decodes scenes again that are not played as they are now, one after the other, and plays them.
/// Edits that come while one is decoded wait, so that every few of them are seen.
pub(in crate::session) fn play_edited(mut taker: Taker, loading: Res<LoadingJob>, jobs: Res<Jobs>) {
    let assumptions = taker.assumptions();
    for entity in taker.entities() {
        let Some(mut scene) = taker.scene_mut(entity) else { continue };
        // Accessed without triggering change detection, until something has changed.
        let quiet = scene.bypass_change_detection();
        if let Some((_, done)) = quiet.decoding.poll() {
            let name = quiet.source().name();
            match done.map_err(|crashed| crashed.to_string()).and_then(|done| done) {
                Ok(asset) => {
                    if let Some(file) = asset.file.as_ref().and_then(in_memory) {
                        scene.shown = file.clone();
                    }
                    taker.play_again(entity, asset);
                }
                Err(message) => taker.fail(FailedLoading { name, message }),
            }
            continue;
        }
        if quiet.decoding.is_running() || !std::mem::take(&mut quiet.is_stale) {
            continue;
        }
        let content = quiet.content();
        if *content == *quiet.shown {
            continue;
        }
        let (source, format) = (quiet.source().clone(), loading.format);
        let assumptions = assumptions.clone();
        quiet.decoding.start_cooperative(&jobs, (), Progress::default(), async move |progress| {
            let (assumptions, progress) = (&assumptions, &progress);
            let (variants, edited, columns) = (&[], &[], None);
            let reader = Reader { format, columns, variants, assumptions, progress, edited };
            reader.decode(&source, FileContent::Memory(content), SkeletonChoice::Own).await
        });
    }
}
