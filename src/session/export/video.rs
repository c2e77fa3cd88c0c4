//! Renders videos of the open recordings, independent of the window.

use std::ops::RangeInclusive;

use super::job::{ExportFailure, ExportRequest, ExportScene};
use crate::{
    capture::{Studio, Video, video_times},
    footage::{Programs, Soundtrack},
};
use mutoscope_core::{
    clip::Span,
    export::{Progress, VideoFormat},
};

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
    studio.aim_camera_from_time(scene.camera, scene.time);
    let count = times.len();
    progress.begin_phase(1.0);
    for (index, time) in times.enumerate() {
        progress.report_progress(index, count)?;
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
