//! Everything that can be asked of a clip.

use std::hint::black_box;

use mutoscope_core::{
    clip::{Clip, NodeId, Pose, TrackId},
    diagnostics::SourceLocation,
    io::bytes::FileContent,
    measure::{
        checks,
        compare::{JointMatching, joint_distance},
        listing::Listing,
        timeline,
        trails::Trails,
    },
};

/// Clips with more keys than that are used less: they show nothing new.
const MANY: usize = 20_000;

/// Asks everything of `clip`, which `bytes` were decoded to.
pub(super) fn clip(clip: &Clip, bytes: &[u8]) {
    assert!(clip.span.start.is_finite() && clip.span.duration.is_finite());
    assert!(clip.span.duration >= 0.0);
    let times = moments(clip);
    let mut pose = Pose::default();
    for &time in &times {
        clip.sample(time, &mut pose);
        assert_eq!(pose.nodes.len(), clip.nodes.len());
        assert_eq!(pose.signals.len(), clip.signals.len());
        (0..clip.tracks.len())
            .for_each(|track| drop(black_box(clip.value(TrackId::new(track), time))));
    }
    guesses_change_nothing(clip, &times);
    clip.sample_rest_pose(&mut pose);
    model(clip);
    clip.diagnostics.iter().for_each(|notice| assert!(!notice.message.is_empty()));
    if clip.key_count() > MANY || clip.tracks.len() > MANY {
        return;
    }
    keys(clip);
    black_box(checks::check_clip(clip));
    listing(clip, bytes);
    panels(clip);
}

/// Times within the clip, at its ends, and where nobody has anything.
fn moments(clip: &Clip) -> [f64; 9] {
    let (start, end) = (clip.span.start, clip.span.end());
    let within = start + 0.37 * clip.span.duration;
    [start, within, end, start - 1.0, end + 1.0, -1e30, 1e30, f64::NAN, f64::INFINITY]
}

/// A pose that has been sampled before knows where keys are; that must not show.
fn guesses_change_nothing(clip: &Clip, times: &[f64]) {
    let mut used = Pose::default();
    for &time in times.iter().rev() {
        clip.sample(time, &mut used);
    }
    for &time in &times[..3] {
        let mut fresh = Pose::default();
        clip.sample(time, &mut used);
        clip.sample(time, &mut fresh);
        for (one, other) in used.nodes.iter().zip(&fresh.nodes) {
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "at {time}");
        }
    }
}

/// Poses what the clip's nodes wear.
pub(super) fn model(clip: &Clip) {
    let Some(model) = clip.model() else { return };
    let (mut pose, mut matrices, mut places) = (Pose::default(), Vec::new(), Vec::new());
    for time in [clip.span.start, clip.span.end(), f64::NAN] {
        clip.sample(time, &mut pose);
        clip.nodes.fill_world_matrices(&pose, &mut matrices);
        for piece in &model.pieces {
            piece.fill_posed_positions(&matrices, &mut places);
            assert_eq!(places.len(), piece.positions.len());
        }
    }
}

fn keys(clip: &Clip) {
    let times = clip.sample_times();
    assert!(times.is_sorted() && times.iter().all(|time| time.is_finite()));
    for track in &clip.tracks {
        let times = track.curve.key_times();
        assert!(times.is_sorted(), "{}", track.property);
        for key in 0..track.curve.key_count() {
            black_box((
                track.curve.key_value(key),
                track.source.key_location(key),
                track.source.quantized_key(key),
            ));
        }
    }
}

fn listing(clip: &Clip, bytes: &[u8]) {
    let file = FileContent::from(bytes.to_vec());
    let listing = Listing::new(clip, &file);
    let length = listing.size();
    for row in 0..listing.row_count().min(100) {
        assert!(listing.row_range(row).end <= length);
        black_box(listing.keys_in(clip, listing.row_range(row)));
    }
    for notice in &clip.diagnostics {
        assert!(listing.location_ranges(&notice.location).iter().all(|range| range.end <= length));
    }
    let keyed = clip.tracks.iter().find(|track| track.curve.key_count() > 0);
    if let Some(SourceLocation::Bytes(range)) = keyed.map(|track| track.source.key_location(0)) {
        black_box(listing.key_at(clip, range.start as usize, None));
    }
}

/// The questions of the panels of the viewer.
fn panels(clip: &Clip) {
    let index = timeline::KeyIndex::new(clip, &clip.sample_times());
    let axis = timeline::TimeAxis::new(timeline::TimeWindow::around(clip.span), 0.0, 800.0);
    index.tree().ids().take(50).for_each(|id| drop(black_box(index.density(clip, id, &axis))));
    black_box(index.density_of_all(clip, &axis));
    black_box(JointMatching::by_name(clip, clip));
    if clip.nodes.is_empty() {
        return;
    }
    let ends = [NodeId::new(0), NodeId::new(clip.nodes.len() - 1)];
    let mut pose = Pose::default();
    clip.sample(clip.span.start, &mut pose);
    black_box(joint_distance(&pose, ends));
    let mut trails = Trails::new(clip, ends.to_vec());
    trails.prepare(clip, &(clip.span.start..=clip.span.end()), 2);
}
