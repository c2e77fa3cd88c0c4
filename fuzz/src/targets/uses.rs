//! Every query of a clip.

use std::hint::black_box;

use mutoscope_core::{
    clip::{Clip, NodeId, Pose, TrackId},
    diagnostics::SourceLocation,
    io::bytes::FileContent,
    measure::{
        checks,
        compare::{JointMatching, joint_distance},
    },
};
use mutoscope_view::{listing::Listing, timeline, trails::Trails};

/// Larger clips skip the slow queries, because they find nothing new.
const MAX_KEYS: usize = 20_000;

/// Runs every query of `clip`, which was decoded from `bytes`.
pub(super) fn query_clip(clip: &Clip, bytes: &[u8]) {
    assert!(clip.span.start.is_finite() && clip.span.duration.is_finite());
    assert!(clip.span.duration >= 0.0);
    let times = test_times(clip);
    let mut pose = Pose::default();
    for &time in &times {
        clip.sample(time, &mut pose);
        assert_eq!(pose.nodes.len(), clip.nodes.len());
        assert_eq!(pose.signals.len(), clip.signals.len());
        (0..clip.tracks.len())
            .for_each(|track| drop(black_box(clip.value(TrackId::new(track), time))));
    }
    check_hints(clip, &times);
    clip.sample_rest_pose(&mut pose);
    pose_model(clip);
    clip.diagnostics.iter().for_each(|diagnostic| assert!(!diagnostic.message.is_empty()));
    if clip.key_count() > MAX_KEYS || clip.tracks.len() > MAX_KEYS {
        return;
    }
    query_keys(clip);
    black_box(checks::check_clip(clip));
    query_listing(clip, bytes);
    query_for_panels(clip);
}

/// Returns times within the clip, at its ends, outside of it, and times that are not finite.
fn test_times(clip: &Clip) -> [f64; 9] {
    let (start, end) = (clip.span.start, clip.span.end());
    let within = start + 0.37 * clip.span.duration;
    [start, within, end, start - 1.0, end + 1.0, -1e30, 1e30, f64::NAN, f64::INFINITY]
}

/// Checks that the search hints in a reused pose do not change the result.
fn check_hints(clip: &Clip, times: &[f64]) {
    let mut reused = Pose::default();
    for &time in times.iter().rev() {
        clip.sample(time, &mut reused);
    }
    for &time in &times[..3] {
        let mut fresh = Pose::default();
        clip.sample(time, &mut reused);
        clip.sample(time, &mut fresh);
        for (reused_node, fresh_node) in reused.nodes.iter().zip(&fresh.nodes) {
            assert_eq!(format!("{reused_node:?}"), format!("{fresh_node:?}"), "at {time}");
        }
    }
}

/// Computes the vertices of the clip's model.
pub(super) fn pose_model(clip: &Clip) {
    let Some(model) = clip.model() else { return };
    let (mut pose, mut matrices, mut positions) = (Pose::default(), Vec::new(), Vec::new());
    for time in [clip.span.start, clip.span.end(), f64::NAN] {
        clip.sample(time, &mut pose);
        clip.nodes.fill_world_matrices(&pose, &mut matrices);
        for piece in &model.pieces {
            piece.fill_posed_positions(&matrices, &mut positions);
            assert_eq!(positions.len(), piece.positions.len());
        }
    }
}

fn query_keys(clip: &Clip) {
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

fn query_listing(clip: &Clip, bytes: &[u8]) {
    let file = FileContent::from(bytes.to_vec());
    let listing = Listing::new(clip, &file, mutoscope_cli::registry());
    let length = listing.size();
    for row in 0..listing.row_count().min(100) {
        assert!(listing.row_range(row).end <= length);
        black_box(listing.keys_in(clip, listing.row_range(row)));
    }
    for diagnostic in &clip.diagnostics {
        assert!(
            listing.location_ranges(&diagnostic.location).iter().all(|range| range.end <= length)
        );
    }
    let keyed = clip.tracks.iter().find(|track| track.curve.key_count() > 0);
    if let Some(SourceLocation::Bytes(range)) = keyed.map(|track| track.source.key_location(0)) {
        black_box(listing.key_at(clip, range.start as usize, None));
    }
}

/// Runs the queries of the panels of the viewer.
fn query_for_panels(clip: &Clip) {
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
