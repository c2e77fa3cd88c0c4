//! Tests that exports match their recordings, for every target and every format.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod anim;
mod animj;
mod bvh;
mod characters;
mod compare;
mod csv;
mod edges;
mod figures;
mod glb;
mod hidden;
mod hostile;
mod matrix;
mod mcap;
mod mcap_file;
mod read_back;
mod round_trip;
mod strict_animj;
mod table_round_trip;
mod tables;
mod thinning;
mod threads;
mod three_vrm;
mod validator;
mod whole;

use std::{
    collections::{HashMap, HashSet},
    env,
    ops::ControlFlow,
    path::PathBuf,
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
};

use mutoscope_core::{
    ReadOptions,
    clip::Clip,
    decode,
    export::{ExportOptions, ExportTarget, Progress, Report},
    io::bytes::NoSidecars,
};
use mutoscope_testing::fixtures;

/// Returns the folder of modules that a script of `tools` installs, such as `tools/three-vrm.sh`.
fn node_modules(script: &str) -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.unwrap_or_else(|| PathBuf::from(env::var_os("HOME").unwrap()).join(".cache"));
    cache.join("mutoscope").join(script).join("node_modules")
}

/// Returns every readable recording, some of them on skeletons. The clips are decoded once and are
/// cheap to clone.
fn recordings() -> Vec<(String, Clip)> {
    static RECORDINGS: LazyLock<Vec<(String, Clip)>> = LazyLock::new(read_recordings);
    RECORDINGS.clone()
}

fn read_recordings() -> Vec<(String, Clip)> {
    let mcmocap =
        fixtures::mcmocap_fixtures().into_iter().map(|one| (one.name + ".mcmocap_rec", one.bytes));
    let alone = fixtures::mrtk_files()
        .into_iter()
        .chain(fixtures::maya_files())
        .chain(fixtures::resonite_files())
        .chain(fixtures::prime_files())
        .chain(mcmocap);
    let mut clips: Vec<_> = alone
        .map(|(name, bytes)| {
            let clip = decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
            (name, clip)
        })
        .collect();
    let prime = |recording, skeleton| [recording, skeleton].map(fixtures::prime_file);
    let animj = ["rig/arm_swing.animj", "rig/arm.glb"].map(fixtures::resonite_file);
    for (name, [recording, skeleton]) in [
        ("animj on a skeleton", animj),
        ("prime on a skeleton", prime("walk_mp1_v2.ANIM", "rig_mp1.CINF")),
        ("prime 2 on a skeleton", prime("walk_mp2_v2.ANIM", "rig_mp2.CINF")),
    ] {
        let rig =
            mutoscope_cli::registry().decode_skeleton(&skeleton, "skeleton", &NoSidecars).unwrap();
        let clip = decode(
            &recording,
            &ReadOptions::from(mutoscope_cli::registry()).with_skeleton(rig.clone()),
        )
        .unwrap();
        clips.push((name.to_owned(), clip));
    }
    for (archive, animation) in [("warden_mp1.pak", "B_walk"), ("warden_mp2.pak", "B_attack")] {
        clips.push((
            format!("{archive} {animation}"),
            characters::load_character(archive, animation, "Warden"),
        ));
    }
    let names: HashSet<&String> = clips.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), clips.len(), "names must be unique");
    clips
}

/// Tests that export each recording several times use these, because other recordings would take
/// too long.
fn small_recordings() -> Vec<(String, Clip)> {
    let mut small = recordings();
    small.retain(|(_, clip)| clip.key_count() < 3000);
    assert!(small.len() > 60, "{}", small.len());
    small
}

fn exported(clip: &Clip, target: &str) -> (Vec<u8>, Report) {
    let options = ExportOptions { title: "take".to_owned(), ..ExportOptions::default() };
    exported_as(clip, target, &options)
}

/// Exports a clip of [`recordings`] once for all tests that use it, because some exports are slow.
fn exported_once(name: &str, clip: &Clip, target: &'static str) -> Arc<(Vec<u8>, Report)> {
    type Once = Arc<OnceLock<Arc<(Vec<u8>, Report)>>>;
    static EXPORTS: LazyLock<Mutex<HashMap<(String, &'static str), Once>>> =
        LazyLock::new(Mutex::default);
    // Hold the lock only for the lookup, so that several exports can run at a time.
    let once = {
        let mut exports = EXPORTS.lock().unwrap_or_else(PoisonError::into_inner);
        exports.entry((name.to_owned(), target)).or_default().clone()
    };
    once.get_or_init(|| Arc::new(exported(clip, target))).clone()
}

/// Returns the targets that write the hands of an MRTK recording. An animation of Metroid Prime needs
/// a skeleton, and a VRM animation a whole body.
fn targets_for_hands() -> impl Iterator<Item = &'static ExportTarget> {
    let targets = mutoscope_cli::targets();
    let holds_hands = |target: &&ExportTarget| !["prime", "vrma"].contains(&target.id);
    let all: Vec<_> = targets.motion_targets().filter(holds_hands).collect();
    all.into_iter()
}

/// Returns the targets that write nodes of any name. MRTK holds the joints of hands, heads and gazes
/// only.
fn targets_for_any_node() -> impl Iterator<Item = &'static ExportTarget> {
    targets_for_hands().filter(|target| target.id != "mrtk")
}

fn exported_as(clip: &Clip, target: &str, options: &ExportOptions) -> (Vec<u8>, Report) {
    let target = mutoscope_cli::targets().target(target).unwrap();
    let mut bytes = Vec::new();
    let mut before = 0.0;
    let mut progress = Progress::new(|done| {
        assert!((before..=1.0).contains(&done), "{done} after {before}");
        before = done;
        ControlFlow::Continue(())
    });
    let report = target.write(clip, options, &mut bytes, &mut progress).unwrap();
    (bytes, report)
}

/// Returns at most `max_count` times: the clip's own samples, and two times between each pair of
/// them.
fn times(clip: &Clip, max_count: usize) -> Vec<f64> {
    let mut samples = clip.sample_times();
    samples.extend([clip.span.start, clip.span.end()]);
    samples.sort_by(f64::total_cmp);
    let between = |part: f64| {
        let pairs = samples.windows(2);
        pairs.map(move |pair| pair[0] + (pair[1] - pair[0]) * part)
    };
    let mut all: Vec<f64> = samples.clone();
    all.extend(between(0.31).chain(between(0.77)));
    all.sort_by(f64::total_cmp);
    all.dedup();
    let step = all.len().div_ceil(max_count).max(1);
    all.into_iter().step_by(step).collect()
}

fn report_text(report: &Report) -> String {
    let lines = report.remarks().iter();
    lines.map(|remark| format!("{}: {}\n", remark.severity, remark.message)).collect()
}
