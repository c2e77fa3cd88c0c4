//! Exports recordings to each target, and reads the results.

use std::ops::ControlFlow;

use super::hash;
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, FormatId, Pose},
    decode,
    diagnostics::{Diagnostics, Severity},
    export::{ExportError, ExportOptions, MotionOptions, OptionValue, Progress, TargetSettings},
    io::bytes::NoSidecars,
};
use mutoscope_minecraft::{rewrite_mcmocap, write::RewriteOptions};

/// Clips with more keys take too long.
const MAX_KEYS: usize = 3_000;

/// The largest exported duration, in seconds.
const MAX_DURATION_S: f64 = 10.0;

/// The number of progress reports after which an export is cancelled.
const MAX_PROGRESS_CALLS: usize = 20_000;

/// Chooses a range of the recording, and its own keys or a rate.
fn choose_options(clip: &Clip, number: u64) -> ExportOptions {
    let (start, end) = (clip.span.start, clip.span.end());
    let length = (end - start).min(MAX_DURATION_S);
    let part = |from: f64, to: f64| start + from * length..=start + to * length;
    let range = match number % 4 {
        0 => part(0.31, 0.83),
        1 => part(-0.5, 0.5),
        2 => part(0.4, 0.4),
        _ => part(0.0, 1.0),
    };
    let rate = (number / 4).is_multiple_of(2).then_some(30.0);
    let speed = if (number / 8).is_multiple_of(4) { 2.0 } else { 1.0 };
    let motion = MotionOptions { speed, ..MotionOptions::default() };
    let title = "take".to_owned();
    ExportOptions { title, range: Some(range), rate, motion, ..ExportOptions::default() }
}

/// Exports the recording in `bytes`. Returns `None` if the bytes are not a recording, or if the
/// export takes too long.
fn export(bytes: &[u8], target: &str) -> Option<(Clip, ExportOptions, Vec<u8>)> {
    export_with(bytes, target, TargetSettings::default())
}

/// Exports like [`export`], with the options of the target.
fn export_with(
    bytes: &[u8],
    target: &str,
    settings: TargetSettings,
) -> Option<(Clip, ExportOptions, Vec<u8>)> {
    let clip = decode(bytes, &ReadOptions::from(mutoscope_cli::registry())).ok()?;
    if clip.key_count() > MAX_KEYS || clip.nodes.len() > 300 || clip.tracks.len() > 1000 {
        return None;
    }
    let options = ExportOptions { settings, ..choose_options(&clip, hash(bytes)) };
    let target = mutoscope_cli::targets().target(target)?;
    let (mut out, mut before, mut calls) = (Vec::new(), 0.0, 0);
    let mut progress = Progress::new(|done| {
        assert!((before..=1.0).contains(&done), "{done} after {before}");
        (before, calls) = (done, calls + 1);
        if calls > MAX_PROGRESS_CALLS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match target.write(&clip, &options, &mut out, &mut progress) {
        Ok(report) => {
            report.remarks().iter().for_each(|remark| assert!(!remark.message.is_empty()));
            Some((clip, options, out))
        }
        Err(
            ExportError::Cancelled(_) | ExportError::LimitExceeded(_) | ExportError::Refused { .. },
        ) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Reads an exported file, which must not cause errors.
fn read_back(bytes: &[u8], format: FormatId) -> Clip {
    let clip = decode(bytes, &ReadOptions::from(mutoscope_cli::registry()).with_format(format))
        .unwrap_or_else(|failure| {
            panic!("{failure}:\n{}", String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]))
        });
    assert!(clip.diagnostics.worst_severity() < Some(Severity::Error), "{:?}", clip.diagnostics);
    clip
}

pub(super) fn glb(bytes: &[u8]) {
    let Some((clip, options, out)) = export(bytes, "glb") else { return };
    let skeleton = mutoscope_core::Registry::default()
        .decode_skeleton(&out, "back.glb", &NoSidecars)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(skeleton.diagnostics.len(), 0, "{:?}", skeleton.diagnostics);
    assert!(skeleton.nodes.len() > clip.nodes.len(), "the file has all nodes and a common parent");
    for (node, back) in clip.nodes.iter().zip(&skeleton.nodes) {
        assert_eq!(node.name, back.name);
    }
    // The file has no animation if nothing moves.
    if let Ok(back) =
        decode(&out, &ReadOptions::from(mutoscope_cli::registry()).with_format(FormatId::GLTF))
    {
        assert_same_start(&clip, &back, &options);
    }
}

/// Writes both encodings. Both have the same nodes, and neither causes warnings.
pub(super) fn fbx(bytes: &[u8]) {
    let Some((clip, options, binary)) = export(bytes, "fbx") else { return };
    let Some(target) = mutoscope_cli::targets().target("fbx") else { return };
    let Some(option) = target.option("ascii") else { return };
    let settings = TargetSettings::default().with(option, OptionValue::Flag);
    let as_text = ExportOptions { settings, ..options };
    let mut text = Vec::new();
    if target.write(&clip, &as_text, &mut text, &mut Progress::default()).is_err() {
        return;
    }
    for out in [binary, text] {
        let back = read_back(&out, FormatId::new("fbx"));
        assert!(back.nodes.len() > clip.nodes.len(), "the file has all nodes and a common parent");
    }
}

/// Checks that a GLB file starts with the pose of the recording, within the precision of `f32`.
fn assert_same_start(clip: &Clip, back: &Clip, options: &ExportOptions) {
    let Some(start) = options.range.as_ref().map(|range| *range.start()) else { return };
    let (mut expected, mut found) = (Pose::default(), Pose::default());
    // The error is proportional to the largest distance from the common origin.
    let mut max_distance = 0.0_f64;
    for time in clip.sample_times() {
        clip.sample(time, &mut expected);
        let positions = expected.nodes.iter().map(|node| node.world.translation);
        let distances =
            positions.filter(|position| position.is_finite()).map(|position| position.length());
        max_distance = distances.fold(max_distance, f64::max);
    }
    let precision = max_distance * f64::from(f32::EPSILON);
    clip.sample(start, &mut expected);
    back.sample(0.0, &mut found);
    for ((node, recorded), back) in clip.nodes.iter().zip(&expected.nodes).zip(&found.nodes) {
        // Only check roots, because rounding errors add up along a chain of nodes.
        let position = recorded.local.translation;
        let is_near_origin = position.is_finite() && position.abs().max_element() < 400.0;
        if node.parent.is_none() && recorded.is_visible && is_near_origin && back.is_visible {
            let distance = back.world.translation.distance(recorded.world.translation);
            assert!(distance < 1e-2 + precision, "{}: {distance} m off at the start", node.name);
        }
    }
}

pub(super) fn csv(bytes: &[u8]) {
    let Some((.., out)) = export(bytes, "csv") else { return };
    let text = String::from_utf8(out).unwrap_or_else(|error| panic!("{error}"));
    let (mut is_quoted, mut cells, mut first) = (false, 1, None);
    for character in text.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells += 1,
            '\n' if !is_quoted => {
                assert_eq!(
                    *first.get_or_insert(cells),
                    cells,
                    "all rows have the same number of cells"
                );
                cells = 1;
            }
            _ => {}
        }
    }
    assert!(!is_quoted && text.ends_with('\n'));
}

pub(super) fn animj(bytes: &[u8]) {
    let Some((clip, options, out)) = export(bytes, "animj") else { return };
    let back = read_back(&out, FormatId::ANIMJ);
    let length = options.written_range().map_or(0.0, |range| range.end() - range.start());
    let is_resonite = matches!(clip.format, FormatId::ANIMJ | FormatId::ANIMX);
    assert!(is_resonite || (back.span.duration - length).abs() < 1e-6, "{}", back.span.duration);
}

pub(super) fn animx(bytes: &[u8]) {
    let Some((.., out)) = export(bytes, "animx") else { return };
    read_back(&out, FormatId::ANIMX);
}

pub(super) fn mrtk(bytes: &[u8]) {
    let Some((.., out)) = export(bytes, "mrtk") else { return };
    read_back(&out, FormatId::MRTK);
}

/// Writes both formats of Metroid Prime, for the skeleton of the fixtures.
pub(super) fn prime(bytes: &[u8]) {
    let Some(target) = mutoscope_cli::targets().target("prime") else { return };
    let (Some(rig), Some(format)) = (target.skeleton_option(), target.option("prime-format"))
    else {
        return;
    };
    let skeleton = &include_bytes!("../../../tests/data/prime/rig_mp1.CINF")[..];
    for version in ["0", "2"] {
        let settings = TargetSettings::default()
            .with(rig, OptionValue::File(skeleton.into()))
            .with(format, version.into());
        let Some((.., out)) = export_with(bytes, "prime", settings) else { return };
        read_back(&out, FormatId::PRIME);
    }
}

pub(super) fn vrma(bytes: &[u8]) {
    let Some((.., out)) = export(bytes, "vrma") else { return };
    read_back(&out, FormatId::GLTF);
}

pub(super) fn html(bytes: &[u8]) {
    let Some((.., out)) = export(bytes, "html") else { return };
    let page = String::from_utf8(out).unwrap_or_else(|error| panic!("{error}"));
    assert!(page.ends_with("</html>\n"), "the page is incomplete");
}

pub(super) fn parquet(bytes: &[u8]) {
    export_table(bytes, "parquet");
}

pub(super) fn arrow(bytes: &[u8]) {
    export_table(bytes, "arrow");
}

fn export_table(bytes: &[u8], target: &str) {
    let Some((clip, _, out)) = export(bytes, target) else { return };
    // A table without poses is not recognised.
    if !clip.nodes.is_empty() {
        read_back(&out, mutoscope_logs::FORMAT_ID);
    }
}

pub(super) fn mcap(bytes: &[u8]) {
    let Some((clip, _, out)) = export(bytes, "mcap") else { return };
    if !clip.nodes.is_empty() {
        read_back(&out, FormatId::new("mcap"));
    }
}

pub(super) fn anim(bytes: &[u8]) {
    let Some((clip, _, out)) = export(bytes, "anim") else { return };
    // A file without curves is not recognised.
    if clip.nodes.is_empty() {
        return;
    }
    let back = read_back(&out, FormatId::MAYA);
    assert_eq!(clip.nodes.len(), back.nodes.len());
}

pub(super) fn bvh(bytes: &[u8]) {
    let Some((.., out)) = export(bytes, "bvh") else { return };
    let back = read_back(&out, FormatId::BVH);
    assert!(!back.nodes.is_empty());
}

/// Checks that two recordings have the same pose at each tick.
fn assert_same_poses(first: &[u8], second: &[u8]) {
    let [first, second] =
        [first, second].map(|bytes| read_back(bytes, mutoscope_minecraft::FORMAT_ID));
    let (mut expected, mut found) = (Pose::default(), Pose::default());
    for time in first.sample_times() {
        first.sample(time, &mut expected);
        second.sample(time, &mut found);
        // Compare the formatted poses, because NaN is not equal to itself.
        assert_eq!(format!("{expected:?}"), format!("{found:?}"), "at {time} s");
    }
}

/// A recording rewritten for the game has version 5 and no errors. Rewriting that file gives the
/// same poses, and rewriting it once more gives the same bytes. The second pass may drop actions
/// that change nothing.
pub(super) fn mcmocap(bytes: &[u8]) {
    let options = || RewriteOptions { drops_numeric_ids: true, ..RewriteOptions::default() };
    let Ok((out, _)) = rewrite_mcmocap(bytes, None, options(), &mut Diagnostics::new()) else {
        return;
    };
    let mut diagnostics = Diagnostics::new();
    let mut write_again = |bytes: &[u8]| {
        let (again, _) = rewrite_mcmocap(bytes, None, options(), &mut diagnostics)
            .unwrap_or_else(|error| panic!("a rewritten file must be readable: {error}"));
        assert!(diagnostics.worst_severity() < Some(Severity::Error), "{diagnostics:?}");
        again
    };
    let again = write_again(&out);
    if again != out {
        assert_same_poses(&out, &again);
        assert!(write_again(&again) == again, "the third rewrite equals the second");
    }
    let start = (hash(bytes) % 40) as f64 / 10.0;
    let range = start..=start + 1.0;
    let _ = rewrite_mcmocap(bytes, Some(&range), options(), &mut Diagnostics::new());
}
