//! Truncated and corrupted files: none causes a panic, data before a cut plays, and losses are
//! reported.

use mutoscope_core::{
    clip::{Clip, Pose},
    diagnostics::Severity,
    formats::{self, DecodeRequest},
};

use crate::recording;
use mutoscope_testing::{chance::always, fixtures, mcmocap::sample};

fn small() -> Vec<(String, Vec<u8>)> {
    let fixtures = fixtures::mcmocap().into_iter().map(|fixture| (fixture.name, fixture.bytes));
    let small = fixtures.filter(|(_, bytes)| bytes.len() < 6000);
    small.chain([("sample".to_owned(), sample::with_return())]).collect()
}

/// Plays whatever could be read, and asks all that there is to be asked.
pub(crate) fn play(clip: &Clip) {
    let mut pose = Pose::default();
    for time in [0.0, 0.33, clip.span.duration * 0.7, clip.span.duration + 1.0, -1.0, f64::NAN] {
        clip.sample(time, &mut pose);
        for (node, stands) in clip.nodes.iter().zip(&pose.nodes) {
            assert!(!stands.shown || stands.world.is_finite(), "{} at {time}", node.name);
        }
        for track in &clip.tracks {
            clip.value_words(track, &track.curve.value(time));
        }
        for (node, _) in clip.nodes.with_ids() {
            clip.kind_of(node);
            assert!(clip.details(node, time).iter().all(|detail| !detail.label.is_empty()));
        }
    }
    for take in &crate::scene(clip).takes {
        let cells = take.recording.blocks.places().filter_map(|place| take.placement.block(place));
        assert!(cells.into_iter().all(|cells| cells.size().min_element() > 0.0));
    }
    for track in &clip.tracks {
        (0..track.curve.key_count()).for_each(|key| drop(track.curve.key_value(key)));
    }
    for event in &clip.events {
        assert!(clip.event_words(event).is_some_and(|words| !words.event_name.is_empty()));
    }
    for condition in clip.conditions() {
        let spans = &condition.spans;
        assert!(spans.iter().all(|(start, end)| start < end), "{condition:?}");
        assert!(spans.windows(2).all(|pair| pair[0].1 < pair[1].0), "{condition:?}");
    }
}

#[test]
fn truncated_files_play_up_to_the_cut() {
    // How the lengths of its strings are meant only shows at its end.
    let is_telling = |(name, _): &(String, Vec<u8>)| name != "utf16bug_v2";
    for (name, bytes) in small().into_iter().filter(is_telling) {
        let whole = formats::decode(
            &bytes,
            &DecodeRequest::default().format(mutoscope_minecraft::FORMAT_ID),
        )
        .unwrap();
        let mut ticks = 0;
        for length in (0..bytes.len()).step_by(1 + bytes.len() / 700) {
            let place = format!("{name}, {length} of {} bytes", bytes.len());
            let Ok(clip) = formats::decode(
                &bytes[..length],
                &DecodeRequest::default().format(mutoscope_minecraft::FORMAT_ID),
            ) else {
                assert_eq!(ticks, 0, "{place}: cut within the header");
                continue;
            };
            let cut = recording(&clip);
            assert!(cut.ticks >= ticks, "{place}: a longer piece plays no shorter");
            ticks = cut.ticks;
            let is_said = clip.notices.worst() == Some(Severity::Error);
            assert_eq!(is_said, !cut.intact, "{place}");
            // The last frame may still have missed something.
            for frame in (0..cut.ticks).step_by(13) {
                let of = |clip: &Clip| recording(clip).player.path.at(frame);
                assert_eq!(of(&clip), of(&whole), "{place}, frame {frame}");
            }
        }
    }
}

#[test]
fn corrupted_files_never_panic() {
    let files = small();
    always(|chance| {
        let (_, bytes) = &files[chance.below(files.len())];
        let mut bytes = bytes.clone();
        for _ in 0..1 + chance.below(6) {
            let at = chance.below(bytes.len());
            let nasty = [0, 1, 0x7f, 0x80, 0xff, 17, 22, 25, chance.below(256) as u8];
            match chance.below(4) {
                0 => bytes[at] = nasty[chance.below(nasty.len())],
                1 => bytes.insert(at, nasty[chance.below(nasty.len())]),
                2 => drop(bytes.drain(at..bytes.len().min(at + 1 + chance.below(9)))),
                _ => {
                    let end = bytes.len().min(at + 1 + chance.below(60));
                    let again = bytes[at..end].to_vec();
                    bytes.splice(at..at, again);
                }
            }
        }
        if let Ok(clip) = formats::decode(
            &bytes,
            &DecodeRequest::default().format(mutoscope_minecraft::FORMAT_ID),
        ) {
            play(&clip);
        }
    });
}
