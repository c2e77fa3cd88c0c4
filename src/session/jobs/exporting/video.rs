//! Videos of the open recordings, rendered apart from the window.

use std::ops::RangeInclusive;

use super::{ExportOrder, Failed, Scene, tell};
use crate::{
    capture::{Studio, Video, video_times},
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
    let times = video_times(range, rate)?;
    let mut video = Video::begin(format, &order.path, rate)?;
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
        video.add(studio.picture_between_frames(time).await?)?;
    }
    Ok(video.finish()?)
}
