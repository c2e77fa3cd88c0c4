//! Every analysis of a clip, at any pace: recordings may last for an instant or for longer than there is time.

use std::hint::black_box;

use mutoscope_core::{
    clip::{Clip, NodeId, TrackId},
    formats::{self, DecodeRequest},
    measure::{
        analysis::{
            self, DispersionOptions, Episode, Fixation, JointMotion, VelocityOptions,
            fixations_by_dispersion, fixations_by_velocity,
        },
        checks,
        compare::{DetailLevel, Kinematics},
    },
};

use super::number;

/// Clips with more keys than that are analysed less: they show nothing new.
const MANY: usize = 20_000;

/// A clip of `bytes` whose times are multiplied by some power of ten, or left; nothing if there is none.
pub(super) fn clip(bytes: &[u8]) -> Option<Clip> {
    const PACES: [f64; 8] = [1.0, 1.0, 1e-300, 1e-3, 1e5, 1e30, 1e200, 1e300];
    let mut clip = formats::decode(bytes, &DecodeRequest::default()).ok()?;
    if clip.key_count() > MANY || clip.nodes.len() > 1000 {
        return None;
    }
    let pace = PACES[(number(bytes) % 8) as usize];
    if pace != 1.0 && (clip.span.end() * pace).is_finite() && (clip.span.start * pace).is_finite() {
        clip.scale_time(pace);
    }
    Some(clip)
}

pub(super) fn all(bytes: &[u8]) {
    let Some(clip) = clip(bytes) else { return };
    black_box(analysis::summarise(&clip));
    black_box(checks::check_clip(&clip));
    let rates = [1e-9, 1.0, 60.0, 1e9, 1e300];
    let rate = rates[(number(bytes) / 8 % 5) as usize];
    let ends = [0, clip.nodes.len().saturating_sub(1)];
    for node in ends.into_iter().take(clip.nodes.len()).map(NodeId::new) {
        motion(&clip, analysis::joint_motion(&clip, node, rate));
        kinematics(&clip, node);
        gaze(&clip, node);
    }
    for track in (0..clip.tracks.len().min(50)).map(TrackId::new) {
        episodes(&clip, &analysis::find_episodes(&clip, track));
    }
}

fn motion(clip: &Clip, motion: JointMotion) {
    let JointMotion { visible_duration: visible, path_length, mean_speed, max_speed, max_at } =
        motion;
    let (start, end) = (clip.span.start, clip.span.end());
    assert!(visible >= 0.0 && visible <= clip.span.duration * (1.0 + 1e-6), "{motion:?}");
    assert!(path_length >= 0.0 && mean_speed >= 0.0 && max_speed >= 0.0, "{motion:?}");
    assert!(
        max_speed == 0.0 || (start..=end).contains(&max_at),
        "{motion:?} from {start} to {end}"
    );
}

fn kinematics(clip: &Clip, node: NodeId) {
    let mut kinematics = Kinematics::new(clip, node);
    let window = clip.span.start..=clip.span.end();
    for detail in [DetailLevel::default(), kinematics.detail_for(clip.span.duration, 100)] {
        kinematics.prepare(clip, detail, &window, &mut 4);
        kinematics.samples(detail, &window).for_each(|it| assert!(it.0.is_finite()));
        black_box(kinematics.sample_at(detail, clip.span.end()));
    }
}

fn gaze(clip: &Clip, node: NodeId) {
    let samples = analysis::sample_gaze(clip, node, &clip.sample_times());
    for found in [
        fixations_by_dispersion(&samples, &DispersionOptions::default()),
        fixations_by_velocity(&samples, &VelocityOptions::default()),
    ] {
        found.iter().for_each(|one: &Fixation| assert!(one.start <= one.end, "{one:?}"));
        assert!(found.windows(2).all(|pair| pair[0].samples.end <= pair[1].samples.start));
    }
}

fn episodes(clip: &Clip, found: &[Episode]) {
    let (start, end) = (clip.span.start, clip.span.end());
    for one in found {
        assert!(start <= one.start && one.start <= one.end && one.end <= end, "{one:?}");
    }
    assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start), "{found:?}");
}
