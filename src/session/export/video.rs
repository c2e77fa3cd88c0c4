//! Renders videos of the open recordings, independent of the window.

use std::ops::RangeInclusive;

use super::job::{ExportFailure, ExportRequest, ExportScene};
use crate::{
    capture::{Studio, Video, video_times},
    footage::{Programs, Soundtrack},
};
use bevy_mutoscope::stage::{CameraPose, Follow};
use mutoscope_core::{
    clip::Span,
    export::{Progress, VideoFormat},
};

/// The camera of a video.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VideoCamera {
    /// The camera of the viewport.
    #[default]
    AsSeen,
    /// The direction of the viewport, at a distance from which the whole motion is visible.
    AllOfMotion,
    /// Moves with the selected node, or else the root.
    Follow,
    /// Turns once around its focus during the video.
    Turntable,
}

impl VideoCamera {
    /// All cameras.
    pub const ALL: [Self; 4] = [Self::AsSeen, Self::AllOfMotion, Self::Follow, Self::Turntable];

    /// Returns the pose at the image `index` of `count`. `None` if the camera does not move by
    /// itself.
    fn turned_pose(self, start: CameraPose, index: usize, count: usize) -> Option<CameraPose> {
        let turned = 360.0 * index as f32 / count as f32;
        (self == Self::Turntable).then_some(CameraPose { yaw: start.yaw + turned, ..start })
    }
}

pub(super) async fn write(
    request: &ExportRequest,
    format: VideoFormat,
    scene: ExportScene,
    progress: &mut Progress<'_>,
) -> Result<(), ExportFailure> {
    let span = scene.snapshots.first().map_or(Span::default(), |first| first.asset.clip.span);
    let range: RangeInclusive<f64> =
        request.range.map_or(span.start..=span.end(), |(from, to)| from..=to);
    let rate = request.rate.unwrap_or_else(|| format.default_rate());
    let times = video_times(range.clone(), rate)?;
    let sound = sound(request, format, &scene, *range.start())?;
    let mut video = Video::begin(format, &request.path, rate, sound)?;
    let clip = scene.snapshots.first().map(|first| first.asset.clip.clone());
    let mut studio = Studio::new(request.size)?;
    studio.set_player_skin(scene.player_skin);
    let entities = studio.open_all(scene.snapshots);
    let scene_entities = scene.entities;
    *studio.view_mut() = scene.view.map_entities(|entity| {
        let index = scene_entities.iter().position(|other| *other == entity)?;
        entities.get(index).copied()
    });
    if request.camera == VideoCamera::Follow {
        studio.view_mut().follow = Some(Follow::Position);
    }
    let camera = match request.camera {
        VideoCamera::AllOfMotion => CameraPose { distance: None, middle: None, ..scene.camera },
        _ => scene.camera,
    };
    studio.aim_camera_from_time(camera, scene.time);
    let count = times.len();
    progress.begin_phase(1.0);
    for (index, time) in times.enumerate() {
        progress.report_progress(index, count)?;
        if let Some(pose) = request.camera.turned_pose(camera, index, count) {
            studio.aim_camera(Some(pose));
        }
        let mut picture = studio.render_image_async(time).await?;
        if let Some(clip) = &clip {
            request.burn_in.draw(&mut picture, clip, time);
        }
        video.add(picture)?;
    }
    Ok(video.finish()?)
}

/// Returns the sound of the video, starting at the clock time `start`, in seconds. `None` if the
/// video gets no sound.
fn sound(
    request: &ExportRequest,
    format: VideoFormat,
    scene: &ExportScene,
    start: f64,
) -> Result<Option<Soundtrack>, ExportFailure> {
    match &scene.footage {
        Some(footage) if request.sound && format == VideoFormat::Mp4 => {
            let from = start - footage.offset;
            Ok(Soundtrack::from_path(&footage.path, from, &Programs::default())?)
        }
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turntable_turns_once() {
        let start = CameraPose { yaw: 30.0, pitch: 10.0, ..CameraPose::default() };
        let yaw = |index| VideoCamera::Turntable.turned_pose(start, index, 4).map(|pose| pose.yaw);
        assert_eq!([0, 1, 3].map(yaw), [Some(30.0), Some(120.0), Some(300.0)]);
        assert_eq!(VideoCamera::AsSeen.turned_pose(start, 1, 4), None);
    }
}
