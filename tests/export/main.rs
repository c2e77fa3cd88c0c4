//! What is taken along is what was there: every target, from recordings of every format.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod anim;
mod animj;
mod bvh;
mod compare;
mod csv;
mod glb;
mod hostile;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod support;
mod whole;

use std::ops::ControlFlow;

use mutoscope::{
    bytes::NoSidecars,
    clip::Clip,
    export::{Report, Target, Wanted},
    formats::{self, DecodeRequest},
};
use support::fixtures;

/// Every recording that can be read, also on skeletons.
fn recordings() -> Vec<(String, Clip)> {
    let mcmocap = fixtures::mcmocap().into_iter().map(|one| (one.name + ".mcmocap_rec", one.bytes));
    let alone = fixtures::mrtk()
        .into_iter()
        .chain(fixtures::maya())
        .chain(fixtures::resonite())
        .chain(fixtures::prime())
        .chain(mcmocap);
    let mut clips: Vec<_> = alone
        .map(|(name, bytes)| {
            let clip = formats::decode(&bytes, &DecodeRequest::default()).unwrap();
            (name, clip)
        })
        .collect();
    for (recording, skeleton) in [
        (fixtures::one_resonite("rig/arm_swing.animj"), fixtures::one_resonite("rig/arm.glb")),
        (fixtures::one_prime("walk_mp1_v2.ANIM"), fixtures::one_prime("rig_mp1.CINF")),
        (fixtures::one_prime("walk_mp2_v2.ANIM"), fixtures::one_prime("rig_mp2.CINF")),
    ] {
        let rig = formats::decode_skeleton(&skeleton, "skeleton", &NoSidecars).unwrap();
        let clip = formats::decode(&recording, &DecodeRequest::default().rig(&rig)).unwrap();
        clips.push((format!("{} on a skeleton", clip.format), clip));
    }
    clips
}

/// All of `clip`, at its own keys.
fn exported(clip: &Clip, extension: &str) -> (Vec<u8>, Report) {
    exported_as(clip, extension, &Wanted { title: "take".to_owned(), ..Wanted::default() })
}

fn exported_as(clip: &Clip, extension: &str, wanted: &Wanted) -> (Vec<u8>, Report) {
    let target = Target::of_extension(extension).unwrap();
    let mut bytes = Vec::new();
    let mut before = 0.0;
    let mut progress = |done: f64| {
        assert!((before..=1.0).contains(&done), "{done} after {before}");
        before = done;
        ControlFlow::Continue(())
    };
    let report = target.write(clip, wanted, &mut bytes, &mut progress).unwrap();
    (bytes, report)
}

/// Times to compare at: the recording's own samples, and as many between them; `most` of them.
fn times(clip: &Clip, most: usize) -> Vec<f64> {
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
    let step = all.len().div_ceil(most).max(1);
    all.into_iter().step_by(step).collect()
}

/// What the report says in all.
fn said(report: &Report) -> String {
    let lines = report.remarks().iter();
    lines.map(|remark| format!("{}: {}\n", remark.severity, remark.message)).collect()
}
