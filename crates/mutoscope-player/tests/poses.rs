//! Compares the player's poses with those of the recording: every sample and every format, at 200
//! random times.
//!
//! The test writes the pages to a folder, next to the poses in the format of `mutoscope sample`.
//! The player's modules then read the pages in node.

use std::{
    fs,
    ops::{ControlFlow, RangeInclusive},
    path::{Path, PathBuf},
    process::Command,
};

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, NodeId, Pose},
    decode,
    diagnostics::Severity,
    export::{ExportOptions, Progress, Report, Targets},
    read::{Source, open, open_skeleton},
};
use mutoscope_player::{Page, PageRecording};
use mutoscope_testing::needs;
use serde_json::{Value, json};

/// Files with their skeletons (or an empty string): all samples, and files of the formats that have
/// no sample.
const RECORDINGS: [(&str, &str); 12] = [
    ("assets/mrtk/two-hands.bin", ""),
    ("assets/mrtk/two-hands-damaged.bin", ""),
    ("assets/maya/walk-with-hat.anim", ""),
    ("assets/animj/arm-swing.animj", "assets/animj/arm-swing.glb"),
    ("assets/animj/arm-swing.animj", ""),
    ("assets/animj/lantern-show.animj", ""),
    ("assets/bvh/walk.bvh", ""),
    ("assets/gltf/walker.glb", ""),
    ("assets/prime/walk.ANIM", "assets/prime/walk.CINF"),
    ("assets/mcmocap/a-day.mcmocap_rec", ""),
    ("tests/data/animj/generated/all_types_lzma.animx", ""),
    ("tests/data/animj/rig/arm_swing_lzma.animx", ""),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str, rig: &str) -> Clip {
    let mut options = ReadOptions {
        with_model: true,
        ..ReadOptions::default().with_formats(mutoscope_minecraft::formats())
    };
    let source = |path: &str| Source::from(root().join(path).into_os_string());
    if !rig.is_empty() {
        let skeleton = open_skeleton(&source(rig), &options.registry);
        options = options.with_skeleton(skeleton.expect("the skeleton must be readable"));
    }
    open(&source(path), &options).unwrap_or_else(|_| panic!("{path}")).clip
}

/// Returns the poses of a clip in the format of `mutoscope sample`.
fn samples(clip: &Clip, times: &[f64]) -> Value {
    let mut pose = Pose::default();
    let poses: Vec<Value> = times
        .iter()
        .map(|&time| {
            clip.sample(time, &mut pose);
            let nodes = pose.nodes.iter().enumerate().map(|(index, node)| {
                json!({
                    "name": clip.nodes[NodeId::new(index)].name,
                    "shown": node.is_visible,
                    "translation": node.local.translation.to_array(),
                    "rotation": node.local.rotation.to_array(),
                    "world": {
                        "translation": node.world.translation.to_array(),
                        "rotation": node.world.rotation.to_array(),
                    },
                })
            });
            let signals = clip.signals.iter().zip(&pose.signals);
            let signals = signals.map(|(signal, value)| json!([signal.name, value]));
            json!({"time": time, "nodes": Value::from_iter(nodes), "signals": Value::from_iter(signals)})
        })
        .collect();
    json!(poses)
}

fn random_times(clip: &Clip, seed: u64) -> Vec<f64> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..200).map(|_| clip.span.start + clip.span.duration * random.f64()).collect()
}

fn write(clip: &Clip, target: &str, name: &str, folder: &Path) -> Report {
    write_range(clip, target, name, None, folder)
}

fn write_range(
    clip: &Clip,
    target: &str,
    name: &str,
    range: Option<RangeInclusive<f64>>,
    folder: &Path,
) -> Report {
    let target = Targets::default()
        .with(mutoscope_player::targets())
        .target(target)
        .expect("the crate adds it");
    let options = ExportOptions { title: name.to_owned(), range, ..ExportOptions::default() };
    let mut page = Vec::new();
    let report = target
        .write(clip, &options, &mut page, &mut Progress::default())
        .expect("writing to memory must succeed");
    fs::write(folder.join(format!("{name}.html")), &page).expect("the folder must be writable");
    report
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the folder must be writable");
    folder
}

/// Runs a module of the player's tests in node.
fn run_node(module: &str, folder: &Path) -> String {
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("player/tests").join(module);
    let output = Command::new("node").arg(module).arg(folder).output().expect("node must start");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    text
}

#[needs(node)]
#[test]
fn page_poses_match_the_recording() {
    let folder = folder("pages");
    for (index, (path, rig)) in RECORDINGS.into_iter().enumerate() {
        let clip = read(path, rig);
        let stem = Path::new(path).file_name().expect("a file").to_string_lossy().into_owned();
        let skeleton_suffix = if rig.is_empty() { "" } else { "-on-rig" };
        for (target, ending) in [("html", ""), ("html-exact", "-exact")] {
            let name = format!("{stem}{skeleton_suffix}{ending}");
            let report = write(&clip, target, &name, &folder);
            for remark in report.remarks() {
                println!("{name}: {}: {}", remark.severity.as_str(), remark.message);
            }
            if name == "a-day.mcmocap_rec" {
                let size = fs::metadata(folder.join(format!("{name}.html")))
                    .expect("the page must exist")
                    .len();
                assert!(size < 300_000, "the page has {size} bytes");
            }
            let times = random_times(&clip, index as u64);
            let expected =
                json!({"samples": samples(&clip, &times), "exact": target == "html-exact"});
            fs::write(folder.join(format!("{name}.poses.json")), expected.to_string())
                .expect("the folder must be writable");
        }
    }
    let output = run_node("against.mjs", &folder);
    println!("{output}");
    assert_eq!(output.lines().count(), 2 * RECORDINGS.len() + 1, "{output}");
}

/// Steps 16 ms apart, 13 hours after time 0, and a scene whose players are absent at times.
#[needs(node)]
#[test]
fn page_keeps_steps_far_from_time_0_and_times_without_values() {
    let folder = folder("ranges");
    let pages = [
        ("far_steps.gltf", Some(48111.0..=48111.15625)),
        ("far_steps.gltf", None),
        ("loops.mcmocap_scene", Some(1.0..=3.0)),
        ("loops.mcmocap_scene", None),
    ];
    for (file, range) in pages.clone() {
        let clip = read(&format!("crates/mutoscope-player/tests/data/{file}"), "");
        let (from, to) = match range.clone() {
            Some(range) => range.into_inner(),
            None => (clip.span.start, clip.span.end()),
        };
        let mut random = fastrand::Rng::with_seed(7);
        let times: Vec<f64> = (0..200).map(|_| from + (to - from) * random.f64()).collect();
        let part = if range.is_some() { "-range" } else { "" };
        for (target, ending) in [("html", ""), ("html-exact", "-exact")] {
            let name = format!("{file}{part}{ending}");
            write_range(&clip, target, &name, range.clone(), &folder);
            let expected =
                json!({"samples": samples(&clip, &times), "exact": target == "html-exact"});
            fs::write(folder.join(format!("{name}.poses.json")), expected.to_string())
                .expect("the folder must be writable");
        }
    }
    let output = run_node("against.mjs", &folder);
    assert_eq!(output.lines().count(), 2 * pages.len() + 1, "{output}");
}

#[needs(node)]
#[test]
fn several_recordings_share_one_clock() {
    let folder = folder("several");
    let [a, b] = ["assets/bvh/walk.bvh", "assets/gltf/walker.glb"].map(|path| read(path, ""));
    let options = ["walk", "walker"]
        .map(|title| ExportOptions { title: title.to_owned(), ..ExportOptions::default() });
    let page = Page::new(
        "Two walks",
        vec![
            PageRecording::new(&a, &options[0]),
            PageRecording {
                offset: 0.25,
                rate: 1.5,
                tint: Some([255, 180, 84]),
                ..PageRecording::new(&b, &options[1])
            },
        ],
    );
    let mut html = Vec::new();
    page.write(&mut html, &mut Progress::default()).expect("writing to memory must succeed");
    fs::write(folder.join("two.html"), &html).expect("the folder must be writable");
    let (pack, _) = page.pack(&mut Progress::default()).expect("the recordings must fit a pack");
    fs::write(folder.join("two.pack"), pack.to_bytes().expect("the pack must be below 4 GiB"))
        .expect("the folder must be writable");
    run_node("several.mjs", &folder);
}

#[test]
fn export_is_cancelled_on_request() {
    let clip = read("assets/mrtk/two-hands.bin", "");
    let target = Targets::default()
        .with(mutoscope_player::targets())
        .target("html")
        .expect("html is a target");
    let result = target.write(
        &clip,
        &ExportOptions::default(),
        &mut Vec::new(),
        &mut Progress::new(|_| ControlFlow::Break(())),
    );
    assert!(matches!(result, Err(mutoscope_core::export::ExportError::Cancelled(_))), "{result:?}");
}

#[test]
fn markup_in_names_is_escaped() {
    let markup = "<img/src=x/onerror=window.hacked=1>";
    let bvh = format!(
        "HIERARCHY\nROOT {markup}\n{{ OFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation \
         Yrotation\nJOINT </script><script>window.hacked=1</script>\n{{ OFFSET 0 40 0\nCHANNELS 3 Zrotation \
         Xrotation Yrotation\nEnd Site\n{{ OFFSET 0 40 0\n}} }} }}\nMOTION\nFrames: 3\nFrame Time: 0.5\n\
         0 90 0 0 0 0 0 0 0\n0 90 0 40 0 0 60 0 0\n0 90 0 0 0 0 0 0 0\n"
    );
    let clip = decode(bvh.as_bytes(), &ReadOptions::default()).expect("the text must be valid BVH");
    assert!(
        clip.nodes[NodeId::new(0)].name.contains("<img"),
        "{:?}",
        clip.nodes[NodeId::new(0)].name
    );
    let title = format!("</title>{markup}");
    let options = ExportOptions { title: title.clone(), ..ExportOptions::default() };
    let mut page = Vec::new();
    Page::new(&title, vec![PageRecording::new(&clip, &options)])
        .write(&mut page, &mut Progress::default())
        .expect("writing to memory must succeed");
    let text = String::from_utf8(page).expect("a page must be UTF-8");
    assert!(!text.contains("<img") && text.contains("&lt;img"), "names must be escaped");
    assert_eq!(text.matches("<script type=\"module\">").count(), 1);
    assert!(!text.contains("<script>"), "a name must not add a script to the page");
    fs::write(folder("pages").join("names.html"), text).expect("the folder must be writable");
}

#[test]
fn page_of_a_minute_of_hands_is_below_a_megabyte_and_a_large_one_gets_a_warning() {
    let bytes = mutoscope_testing::minute_mrtk::recording(
        mutoscope_testing::minute_mrtk::Keyed::EveryFrame,
    )
    .encode();
    let clip = decode(&bytes, &Default::default()).expect("the recording must be valid MRTK");
    let folder = folder("minute");
    let size = |report: &Report, name: &str| {
        let page = fs::metadata(folder.join(format!("{name}.html"))).expect("the page must exist");
        println!("{name}: {} bytes; {:?}", page.len(), report.remarks());
        page.len() as f64 / 1e6
    };
    let report = write(&clip, "html", "minute", &folder);
    let megabytes = size(&report, "minute");
    assert!(megabytes < 1.0, "{megabytes}");
    let expected = format!("a page of {megabytes:.2} MB");
    assert!(report.remarks().iter().any(|remark| remark.message == expected), "{expected}");

    let report = write(&clip, "html-exact", "minute-exact", &folder);
    let megabytes = size(&report, "minute-exact");
    let expected = format!(
        "a page of {megabytes:.2} MB. Export a part with --range, or fewer samples with --fps"
    );
    let warning = report.remarks().iter().find(|remark| remark.message == expected);
    assert!(warning.is_some_and(|warning| warning.severity == Severity::Warning), "{expected}");
}

/// `scripts/test-page` opens the page.
#[test]
fn page_of_an_hour_of_hands_is_below_17_megabytes() {
    let bytes = mutoscope_testing::long_mrtk::recording(16_000_000).encode();
    let clip = decode(&bytes, &Default::default()).expect("the recording must be valid MRTK");
    let folder = folder("hour");
    write(&clip, "html", "hour", &folder);
    let size = fs::metadata(folder.join("hour.html")).expect("the page must exist").len();
    assert!(size < 17_000_000, "{size}");
}
