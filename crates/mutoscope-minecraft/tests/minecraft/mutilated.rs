//! Truncated and corrupted files never cause a panic. Data before a cut plays, and losses are
//! reported.

use mutoscope_core::{
    clip::{Clip, Pose},
    decode,
    diagnostics::Severity,
};

use crate::recording;
use mutoscope_testing::{fixtures, mcmocap::sample, property::check_property};

fn small_files() -> Vec<(String, Vec<u8>)> {
    let fixtures =
        fixtures::mcmocap_fixtures().into_iter().map(|fixture| (fixture.name, fixture.bytes));
    let small = fixtures.filter(|(_, bytes)| bytes.len() < 6000);
    small.chain([("sample".to_owned(), sample::bytes_with_respawn())]).collect()
}

/// Samples a clip and calls all its queries.
pub(crate) fn sample_everything(clip: &Clip) {
    let mut pose = Pose::default();
    for time in [0.0, 0.33, clip.span.duration * 0.7, clip.span.duration + 1.0, -1.0, f64::NAN] {
        clip.sample(time, &mut pose);
        for (node, node_pose) in clip.nodes.iter().zip(&pose.nodes) {
            assert!(
                !node_pose.is_visible || node_pose.world.is_finite(),
                "{} at {time}",
                node.name
            );
        }
        for track in &clip.tracks {
            clip.value_label(track, &track.curve.value(time));
        }
        for (node, _) in clip.nodes.with_ids() {
            clip.node_type_label(node);
            assert!(clip.details(node, time).iter().all(|detail| !detail.label.is_empty()));
        }
    }
    for take in &crate::scene(clip).takes {
        let cells = take
            .recording
            .blocks
            .positions()
            .filter_map(|position| take.placement.block_bounds(position));
        assert!(cells.into_iter().all(|cells| cells.size().min_element() > 0.0));
    }
    for track in &clip.tracks {
        (0..track.curve.key_count()).for_each(|key| drop(track.curve.key_value(key)));
    }
    for event in &clip.events {
        assert!(clip.describe_event(event).is_some_and(|words| !words.verb.is_empty()));
    }
    for condition in clip.conditions() {
        let spans = &condition.spans;
        assert!(spans.iter().all(|(start, end)| start < end), "{condition:?}");
        assert!(spans.windows(2).all(|pair| pair[0].1 < pair[1].0), "{condition:?}");
    }
}

#[test]
fn truncated_files_play_up_to_the_cut() {
    // Only the end of `utf16bug_v2` shows how its string lengths are to be read, so a cut changes
    // the whole file.
    let is_comparable = |(name, _): &(String, Vec<u8>)| name != "utf16bug_v2";
    for (name, bytes) in small_files().into_iter().filter(is_comparable) {
        let original =
            decode(&bytes, &crate::options().with_format(mutoscope_minecraft::FORMAT_ID)).unwrap();
        let mut ticks = 0;
        for length in (0..bytes.len()).step_by(1 + bytes.len() / 700) {
            let label = format!("{name}, {length} of {} bytes", bytes.len());
            let Ok(clip) = decode(
                &bytes[..length],
                &crate::options().with_format(mutoscope_minecraft::FORMAT_ID),
            ) else {
                assert_eq!(ticks, 0, "{label}: only a cut within the header may be rejected");
                continue;
            };
            let cut = recording(&clip);
            assert!(cut.ticks >= ticks, "{label}: a longer piece must not have fewer ticks");
            ticks = cut.ticks;
            let has_error = clip.diagnostics.worst_severity() == Some(Severity::Error);
            assert_eq!(has_error, !cut.intact, "{label}");
            // The last frame may lack an action, so compare only earlier frames.
            for frame in (0..cut.ticks).step_by(13) {
                let path_point = |clip: &Clip| recording(clip).player.path.at_frame(frame);
                assert_eq!(path_point(&clip), path_point(&original), "{label}, frame {frame}");
            }
        }
    }
}

#[test]
fn corrupted_files_never_panic() {
    let files = small_files();
    check_property(|random| {
        let (_, bytes) = &files[random.below(files.len())];
        let mut bytes = bytes.clone();
        for _ in 0..1 + random.below(6) {
            let offset = random.below(bytes.len());
            let edge_values = [0, 1, 0x7f, 0x80, 0xff, 17, 22, 25, random.below(256) as u8];
            match random.below(4) {
                0 => bytes[offset] = edge_values[random.below(edge_values.len())],
                1 => bytes.insert(offset, edge_values[random.below(edge_values.len())]),
                2 => drop(bytes.drain(offset..bytes.len().min(offset + 1 + random.below(9)))),
                _ => {
                    let end = bytes.len().min(offset + 1 + random.below(60));
                    let again = bytes[offset..end].to_vec();
                    bytes.splice(offset..offset, again);
                }
            }
        }
        if let Ok(clip) =
            decode(&bytes, &crate::options().with_format(mutoscope_minecraft::FORMAT_ID))
        {
            sample_everything(&clip);
        }
    });
}
