//! Videos of the open recordings, rendered apart from the window.

use std::ops::RangeInclusive;

use super::{ExportOrder, Failed, Scene, tell};
use crate::{
    capture::{Studio, Video, video_times},
    footage::{Programs, Soundtrack},
    session::Progress,
};
use mutoscope_core::{clip::Span, export::VideoFormat};

/// Renders `scene` at each of its times and writes a video.
pub(super) async fn write(
    order: &ExportOrder,
    format: VideoFormat,
    scene: Scene,
    progress: &Progress,
) -> Result<(), Failed> {
    let span = scene.seen.first().map_or(Span::default(), |first| first.asset.clip.span);
    let range: RangeInclusive<f64> =
        order.range.map_or(span.start..=span.end(), |(from, to)| from..=to);
    let rate = order.rate.unwrap_or_else(|| format.default_rate());
    let times = video_times(range.clone(), rate)?;
    let sound = sound(order, format, &scene, *range.start())?;
    let mut video = Video::begin(format, &order.path, rate, sound)?;
    let clip = scene.seen.first().map(|first| first.asset.clip.clone());
    let mut studio = Studio::new(order.size)?;
    studio.dress(scene.player_skin);
    let entities = studio.open_all(scene.seen);
    let before = scene.entities;
    *studio.view_mut() = scene.view.mapped(|entity| {
        let index = before.iter().position(|one| *one == entity)?;
        entities.get(index).copied()
    });
    studio.aim_at(scene.from, scene.now);
    let count = times.len();
    for (index, time) in times.enumerate() {
        if tell(progress, index as f64 / count as f64).is_break() {
            return Err(Failed::Cancelled);
        }
        let mut picture = studio.picture_between_frames(time).await?;
        if let Some(clip) = &clip {
            order.burn_in.write(&mut picture, clip, time);
        }
        video.add(picture)?;
    }
    Ok(video.finish()?)
}

/// The sound of the video, which begins at `start` of the clock, in seconds.
fn sound(
    order: &ExportOrder,
    format: VideoFormat,
    scene: &Scene,
    start: f64,
) -> Result<Option<Soundtrack>, Failed> {
    match &scene.footage {
        Some(footage) if order.sound && format == VideoFormat::Mp4 => {
            let from = start - footage.offset;
            Ok(Soundtrack::of_path(&footage.path, from, &Programs::default())?)
        }
        _ => Ok(None),
    }
}
