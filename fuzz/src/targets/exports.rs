//! A recording written as each target, and read back.

use std::ops::ControlFlow;

use super::number;
use mutoscope_core::{
    clip::{Clip, FormatId, Pose},
    diagnostics::{Diagnostics, Severity},
    export::{ExportError, ExportOptions, ExportTarget},
    formats::{self, DecodeRequest},
    io::bytes::NoSidecars,
};
use mutoscope_minecraft::{rewrite_mcmocap, write::RewriteOptions};

/// Clips with more keys than that take too long to be tried often.
const MANY: usize = 3_000;

/// How many seconds are written at most.
const LONG: f64 = 10.0;

/// How often progress is told before it is enough.
const PATIENCE: usize = 20_000;

/// A part of the recording, or all of it, at its own keys or at even times.
fn options(clip: &Clip, number: u64) -> ExportOptions {
    let (start, end) = (clip.span.start, clip.span.end());
    let length = (end - start).min(LONG);
    let part = |from: f64, to: f64| start + from * length..=start + to * length;
    let range = match number % 4 {
        0 => part(0.31, 0.83),
        1 => part(-0.5, 0.5),
        2 => part(0.4, 0.4),
        _ => part(0.0, 1.0),
    };
    let rate = (number / 4).is_multiple_of(2).then_some(30.0);
    ExportOptions { title: "take".to_owned(), range: Some(range), rate }
}

/// Writes the recording in `bytes`; nothing if it is none, or too large to be written often.
fn written(bytes: &[u8], target: &str) -> Option<(Clip, ExportOptions, Vec<u8>)> {
    let clip = formats::decode(bytes, &DecodeRequest::default()).ok()?;
    if clip.key_count() > MANY || clip.nodes.len() > 300 || clip.tracks.len() > 1000 {
        return None;
    }
    let options = options(&clip, number(bytes));
    let target = ExportTarget::from_id(target)?;
    let (mut out, mut before, mut calls) = (Vec::new(), 0.0, 0);
    let mut progress = |done: f64| {
        assert!((before..=1.0).contains(&done), "{done} after {before}");
        (before, calls) = (done, calls + 1);
        if calls > PATIENCE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    match target.write(&clip, &options, &mut out, &mut progress) {
        Ok(report) => {
            report.remarks().iter().for_each(|remark| assert!(!remark.message.is_empty()));
            Some((clip, options, out))
        }
        Err(ExportError::Cancelled | ExportError::LimitExceeded(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Reads what was written; it leaves nothing to complain of.
fn read_back(bytes: &[u8], format: FormatId) -> Clip {
    let clip = formats::decode(bytes, &DecodeRequest::default().format(format)).unwrap_or_else(
        |failure| {
            panic!("{failure}:\n{}", String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]))
        },
    );
    assert!(clip.diagnostics.worst_severity() < Some(Severity::Error), "{:?}", clip.diagnostics);
    clip
}

pub(super) fn glb(bytes: &[u8]) {
    let Some((clip, options, out)) = written(bytes, "glb") else { return };
    let rig = formats::decode_skeleton(&out, "back.glb", &NoSidecars)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(rig.diagnostics.len(), 0, "{:?}", rig.diagnostics);
    assert!(rig.nodes.len() > clip.nodes.len(), "all nodes, and the one that holds them");
    for (node, back) in clip.nodes.iter().zip(&rig.nodes) {
        assert_eq!(node.name, back.name);
    }
    // Where nothing moves there is no animation.
    if let Ok(back) = formats::decode(&out, &DecodeRequest::default().format(FormatId::GLTF)) {
        stands_where_it_stood(&clip, &back, &options);
    }
}

/// Whatever is written as GLB starts where the recording starts, as far as single precision can tell.
fn stands_where_it_stood(clip: &Clip, back: &Clip, options: &ExportOptions) {
    let Some(start) = options.range.as_ref().map(|range| *range.start()) else { return };
    let (mut expected, mut found) = (Pose::default(), Pose::default());
    // All is relative to one place, and rounded to the steps of the farthest from it.
    let mut farthest = 0.0_f64;
    for time in clip.sample_times() {
        clip.sample(time, &mut expected);
        let places = expected.nodes.iter().map(|node| node.world.translation);
        let far = places.filter(|place| place.is_finite()).map(|place| place.length());
        farthest = far.fold(farthest, f64::max);
    }
    let step = farthest * f64::from(f32::EPSILON);
    clip.sample(start, &mut expected);
    back.sample(0.0, &mut found);
    for ((node, stands), back) in clip.nodes.iter().zip(&expected.nodes).zip(&found.nodes) {
        // Of what hangs on others, rounding adds up beyond what can be said here.
        let place = stands.local.translation;
        let is_plain = place.is_finite() && place.abs().max_element() < 400.0;
        if node.parent.is_none() && stands.is_visible && is_plain && back.is_visible {
            let apart = back.world.translation.distance(stands.world.translation);
            assert!(apart < 1e-2 + step, "{}: {apart} m off at the start", node.name);
        }
    }
}

pub(super) fn csv(bytes: &[u8]) {
    let Some((.., out)) = written(bytes, "csv") else { return };
    let text = String::from_utf8(out).unwrap_or_else(|error| panic!("{error}"));
    let (mut is_quoted, mut cells, mut first) = (false, 1, None);
    for character in text.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells += 1,
            '\n' if !is_quoted => {
                assert_eq!(*first.get_or_insert(cells), cells, "all rows are of one length");
                cells = 1;
            }
            _ => {}
        }
    }
    assert!(!is_quoted && text.ends_with('\n'));
}

pub(super) fn animj(bytes: &[u8]) {
    let Some((clip, options, out)) = written(bytes, "animj") else { return };
    let back = read_back(&out, FormatId::ANIMJ);
    let length = options.range.map_or(0.0, |range| range.end() - range.start());
    let is_own = matches!(clip.format, FormatId::ANIMJ | FormatId::ANIMX);
    assert!(is_own || (back.span.duration - length).abs() < 1e-6, "{}", back.span.duration);
}

pub(super) fn anim(bytes: &[u8]) {
    let Some((clip, _, out)) = written(bytes, "anim") else { return };
    // A file of no curves is none to read, which is said.
    if clip.nodes.is_empty() {
        return;
    }
    let back = read_back(&out, FormatId::MAYA);
    assert_eq!(clip.nodes.len(), back.nodes.len());
}

pub(super) fn bvh(bytes: &[u8]) {
    let Some((.., out)) = written(bytes, "bvh") else { return };
    let back = read_back(&out, FormatId::BVH);
    assert!(!back.nodes.is_empty());
}

/// Both recordings stand the same at each tick.
fn reads_the_same(one: &[u8], other: &[u8]) {
    let [one, other] = [one, other].map(|bytes| read_back(bytes, mutoscope_minecraft::FORMAT_ID));
    let (mut expected, mut found) = (Pose::default(), Pose::default());
    for time in one.sample_times() {
        one.sample(time, &mut expected);
        other.sample(time, &mut found);
        // Not by their values: what is not a number stays so.
        assert_eq!(format!("{expected:?}"), format!("{found:?}"), "at {time} s");
    }
}

/// A recording written for the game is of version 5 and sound. Written again it reads the same, and from then on it
/// is the same file: what changed nothing in the recording is left out once it is known to.
pub(super) fn mcmocap(bytes: &[u8]) {
    let how = || RewriteOptions { drops_numeric_ids: true, ..RewriteOptions::default() };
    let Ok((out, _)) = rewrite_mcmocap(bytes, None, how(), &mut Diagnostics::new()) else { return };
    let mut notices = Diagnostics::new();
    let mut write_again = |bytes: &[u8]| {
        let (again, _) = rewrite_mcmocap(bytes, None, how(), &mut notices)
            .unwrap_or_else(|error| panic!("what was written is refused: {error}"));
        assert!(notices.worst_severity() < Some(Severity::Error), "{notices:?}");
        again
    };
    let again = write_again(&out);
    if again != out {
        reads_the_same(&out, &again);
        assert!(write_again(&again) == again, "written a third time it is another file");
    }
    let part = (number(bytes) % 40) as f64 / 10.0;
    let range = part..=part + 1.0;
    let _ = rewrite_mcmocap(bytes, Some(&range), how(), &mut Diagnostics::new());
}
