//! Helpers for tests of the stage.

use bevy::prelude::*;

use super::{
    View,
    measure::measure,
    subject::{Staged, Subject},
};
use crate::{ClipAsset, Recording, stage::HiddenNodes};
use mutoscope_core::{ReadOptions, clip::Clip, decode};

pub(super) fn sample_clip() -> Clip {
    let bytes = include_bytes!("../../../../assets/mrtk/two-hands.bin");
    decode(bytes, &ReadOptions::from(&crate::loader::default_registry())).unwrap()
}

pub(super) fn on_stage<T>(
    clip: Clip,
    view: View,
    time: f64,
    inspect: impl FnOnce(&Subject<'_>) -> T,
) -> T {
    let mut recording = Recording::new(ClipAsset::new(clip));
    recording.sample(time);
    let staged = Staged { bounds: measure(recording.clip(), true), ..Staged::default() };
    inspect(&Subject {
        entity: Entity::PLACEHOLDER,
        recording: &recording,
        staged: &staged,
        hidden: &HiddenNodes::default(),
        view: &view,
        is_visible: true,
    })
}
