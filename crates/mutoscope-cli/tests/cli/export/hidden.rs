//! Tests that hidden nodes are hidden in every target, including ranges in which they are hidden
//! throughout.

use std::{collections::HashMap, sync::LazyLock};

use glam::DVec3;
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Node, NodeId, NodeVisibility, Pose},
    decode,
    export::ExportOptions,
};

use crate::export::{
    animj::unique_names, exported_as, fixtures, glb, recordings, strict_animj, times,
};

struct Case {
    name: String,
    clip: Clip,
    options: ExportOptions,
    times: Vec<f64>,
}

impl Case {
    fn new(name: String, clip: Clip, from: f64, to: f64) -> Self {
        let options = ExportOptions { range: Some(from..=to), ..ExportOptions::default() };
        let all = times(&clip, 2000);
        let inside = |time: &f64| (from..to).contains(time);
        let times = all.into_iter().filter(inside).collect();
        Self { name, clip, options, times }
    }
}

/// Returns every recording with hidden nodes, as a whole and with a range in which something is
/// always hidden.
fn cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(find_cases);
    &CASES
}

fn find_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut all = recordings();
    let hands = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
    all.push((
        "two hands".to_owned(),
        decode(hands, &ReadOptions::from(mutoscope_cli::registry())).unwrap(),
    ));
    for (name, clip) in all {
        let (mut pose, mut hidden) = (Pose::default(), Vec::new());
        for time in times(&clip, 400) {
            clip.sample(time, &mut pose);
            let is_hidden = clip.nodes.iter().zip(&pose.nodes).any(|(node, stands)| {
                node.motion.visibility != NodeVisibility::Never && !stands.is_visible
            });
            hidden.push((time, is_hidden));
        }
        if hidden.iter().all(|(_, is_hidden)| !is_hidden) {
            continue;
        }
        cases.push(Case::new(name.clone(), clip.clone(), clip.span.start, clip.span.end()));
        // Export the longest run of times at which something is hidden, so that a node may be
        // hidden throughout.
        let runs = hidden.chunk_by(|one, other| one.1 == other.1).filter(|run| run[0].1);
        if let Some(run) = runs.max_by_key(|run| run.len())
            && run.len() > 2
        {
            let (from, to) = (run[1].0, run[run.len() - 2].0);
            cases.push(Case::new(format!("{name} {from}..{to}"), clip, from, to));
        }
    }
    assert!(cases.len() > 20, "{}", cases.len());
    cases
}

/// Compares the visibility in a target with that of the recording. Returns the number of hidden
/// poses.
fn compare_visibility(case: &Case, mut is_shown: impl FnMut(usize, &Node, f64) -> bool) -> usize {
    let Case { name, clip, times, .. } = case;
    let [mut pose, mut other] = [(); 2].map(|()| Pose::default());
    let mut hidden = 0;
    let compared_nodes: Vec<_> =
        clip.nodes.with_ids().filter(|(id, _)| !is_never_visible(clip, *id)).collect();
    for &time in times {
        clip.sample(time, &mut pose);
        for &(id, node) in &compared_nodes {
            let index = id.index();
            let shown = pose.nodes[index].is_visible;
            if is_shown(index, node, time) != shown {
                let moment = 1e-5 * time.abs().max(1.0);
                let is_changing = [time - moment, time + moment].into_iter().any(|time| {
                    clip.sample(time, &mut other);
                    other.nodes[index].is_visible != shown
                });
                assert!(is_changing, "{name}: {} at {time}: shown is {shown}", node.name);
            }
            hidden += usize::from(!shown);
        }
    }
    hidden
}

fn is_never_visible(clip: &Clip, id: NodeId) -> bool {
    let mut above = Some(id);
    while let Some(id) = above {
        if clip.nodes[id].motion.visibility == NodeVisibility::Never {
            return true;
        }
        above = clip.nodes[id].parent;
    }
    false
}

#[test]
fn hidden_nodes_have_zero_scale_in_glb() {
    let mut hidden = 0;
    for case in cases() {
        let bytes = exported_as(&case.clip, "glb", &case.options).0;
        let back = glb::GlbFile::new(&bytes);
        let from = *case.options.range.as_ref().unwrap().start();
        hidden += compare_visibility(case, |index, _, time| {
            let mut above = Some(index);
            while let Some(node) = above {
                if back.scale(node, time - from) == DVec3::ZERO {
                    return false;
                }
                above = back.parents[node];
            }
            true
        });
    }
    assert!(hidden > 10_000, "{hidden}");
}

#[test]
fn hidden_nodes_are_inactive_in_animj() {
    let mut hidden = 0;
    for case in cases() {
        let bytes = exported_as(&case.clip, "animj", &case.options).0;
        let animation = strict_animj::read(&case.name, &bytes);
        let active: HashMap<&str, &[strict_animj::Key]> = animation
            .tracks
            .iter()
            .filter(|track| track.data.property == "Active")
            .map(|track| (track.data.node.as_str(), track.data.keyframes.as_slice()))
            .collect();
        let names = unique_names(&case.clip);
        let from = *case.options.range.as_ref().unwrap().start();
        hidden += compare_visibility(case, |index, _, time| {
            let mut above = Some(NodeId::new(index));
            while let Some(id) = above {
                if let Some(keys) = active.get(names[id.index()].as_str()) {
                    let after = keys.partition_point(|key| key.time <= time - from);
                    if keys[after.saturating_sub(1)].value == false {
                        return false;
                    }
                }
                above = case.clip.nodes[id].parent;
            }
            true
        });
    }
    assert!(hidden > 10_000, "{hidden}");
}

/// Regression test: the left hand is lost from before the range until after it.
#[test]
fn hand_lost_throughout_is_hidden() {
    let hands = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
    let clip = decode(hands, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let options = ExportOptions { range: Some(1.6..=1.9), ..ExportOptions::default() };
    let back = glb::GlbFile::new(&exported_as(&clip, "glb", &options).0);
    let left = clip.nodes.iter().enumerate().filter(|(_, node)| node.name.starts_with("left/"));
    let mut count = 0;
    for (index, node) in left {
        assert_eq!(back.local(index, 0.1).scale, DVec3::ZERO, "{}", node.name);
        count += 1;
    }
    assert_eq!(count, 26);
}

/// The cow of this recording comes and goes. It must appear and disappear at once, without a ramp.
#[test]
fn visibility_changes_are_steps_without_ramps() {
    let day = include_bytes!("../../../../../assets/mcmocap/a-day.mcmocap_rec");
    let mut clips = vec![(
        "a day".to_owned(),
        decode(day, &ReadOptions::from(mutoscope_cli::registry())).unwrap(),
    )];
    let sinks = ["sink_v5", "full_v5"].map(|name| (name, fixtures::mcmocap_file(name)));
    clips.extend(sinks.map(|(name, bytes)| {
        (name.to_owned(), decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap())
    }));
    let mut visibilities = 0;
    for (name, clip) in clips {
        let animj = exported_as(&clip, "animj", &ExportOptions::default()).0;
        for track in strict_animj::read(&name, &animj).tracks {
            let is_state = track.data.keyframes.iter().all(|key| key.value.is_boolean());
            if is_state {
                assert_eq!(track.track_type, "Discrete", "{name}: {}", track.data.property);
                visibilities += usize::from(track.data.property == "Active");
            }
        }
        let anim = exported_as(&clip, "anim", &ExportOptions::default()).0;
        let anim = String::from_utf8(anim).unwrap();
        let mut is_visibility = false;
        for line in anim.lines() {
            if line.starts_with("anim ") {
                is_visibility = line.starts_with("anim visibility ");
                visibilities += usize::from(is_visibility);
            }
            // The first words of a key are the time, the value, and the tangents before and after
            // the key.
            let words: Vec<&str> = line.split_whitespace().collect();
            if let ([_, value, _, after, ..], true) = (&words[..], is_visibility)
                && value.parse::<f64>().is_ok()
                && line.ends_with(';')
                && line.starts_with("    ")
            {
                assert_eq!(*after, "step", "{name}: {line}");
            }
        }
    }
    assert!(visibilities > 3, "{visibilities}");
}
