//! Every analysis of a clip, at any time scale. A recording may last a tiny fraction of a second or
//! longer than the age of the universe.

use std::hint::black_box;

use mutoscope_core::{
    clip::{Clip, NodeId, TrackId},
    formats::{ReadOptions, decode},
    measure::{
        analysis::{
            self, DispersionOptions, Episode, JointMotion, VelocityOptions,
            fixations_by_dispersion, fixations_by_velocity,
        },
        checks,
        compare::{DetailLevel, Kinematics},
    },
};

use super::hash;

/// Clips with more keys take long and find nothing new.
const MAX_KEYS: usize = 20_000;

/// Decodes `bytes` to a clip, and multiplies its times by a power of ten. Returns `None` if the
/// bytes are not a recording, or if the clip is large.
pub(super) fn scaled_clip(bytes: &[u8]) -> Option<Clip> {
    const TIME_SCALES: [f64; 8] = [1.0, 1.0, 1e-300, 1e-3, 1e5, 1e30, 1e200, 1e300];
    let mut clip = decode(bytes, &ReadOptions::from(mutoscope_cli::registry())).ok()?;
    if clip.key_count() > MAX_KEYS || clip.nodes.len() > 1000 {
        return None;
    }
    let scale = TIME_SCALES[(hash(bytes) % 8) as usize];
    if scale != 1.0
        && (clip.span.end() * scale).is_finite()
        && (clip.span.start * scale).is_finite()
    {
        clip.scale_time(scale);
    }
    Some(clip)
}

pub(super) fn analyse(bytes: &[u8]) {
    let Some(clip) = scaled_clip(bytes) else { return };
    black_box(analysis::summarise(&clip));
    black_box(checks::check_clip(&clip));
    let rates = [1e-9, 1.0, 60.0, 1e9, 1e300];
    let rate = rates[(hash(bytes) / 8 % 5) as usize];
    let ends = [0, clip.nodes.len().saturating_sub(1)];
    for node in ends.into_iter().take(clip.nodes.len()).map(NodeId::new) {
        check_motion(&clip, analysis::joint_motion(&clip, node, rate));
        check_kinematics(&clip, node);
        check_gaze(&clip, node);
    }
    for track in (0..clip.tracks.len().min(50)).map(TrackId::new) {
        check_episodes(&clip, &analysis::find_episodes(&clip, track));
    }
}

fn check_motion(clip: &Clip, motion: JointMotion) {
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

fn check_kinematics(clip: &Clip, node: NodeId) {
    let mut kinematics = Kinematics::new(clip, node);
    let window = clip.span.start..=clip.span.end();
    for detail in [DetailLevel::default(), kinematics.detail_for(clip.span.duration, 100)] {
        kinematics.prepare(clip, detail, &window, &mut 4);
        kinematics.samples(detail, &window).for_each(|sample| assert!(sample.0.is_finite()));
        black_box(kinematics.sample_at(detail, clip.span.end()));
    }
}

fn check_gaze(clip: &Clip, node: NodeId) {
    let samples = analysis::sample_gaze(clip, node, &clip.sample_times());
    for fixations in [
        fixations_by_dispersion(&samples, &DispersionOptions::default()),
        fixations_by_velocity(&samples, &VelocityOptions::default()),
    ] {
        for fixation in &fixations {
            assert!(fixation.start <= fixation.end, "{fixation:?}");
        }
        assert!(fixations.windows(2).all(|pair| pair[0].samples.end <= pair[1].samples.start));
    }
}

fn check_episodes(clip: &Clip, episodes: &[Episode]) {
    let (start, end) = (clip.span.start, clip.span.end());
    for episode in episodes {
        let is_within = start <= episode.start && episode.end <= end;
        assert!(is_within && episode.start <= episode.end, "{episode:?}");
    }
    assert!(episodes.windows(2).all(|pair| pair[0].end <= pair[1].start), "{episodes:?}");
}
