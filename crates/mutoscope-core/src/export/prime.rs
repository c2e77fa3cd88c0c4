//! Animations of Metroid Prime 1 and 2, for a skeleton of the game.
//!
//! Every frame has keys. The motion of a bone is relative to its parent in the skeleton, whatever
//! the hierarchy of the recording is.

use std::io::Write;

use glam::{DQuat, DVec3};

use strum::VariantNames as _;

use super::{
    ExportError, ExportTarget, Job, OptionKind, Progress, Report, TargetOption, codes, key_times,
    list_names,
};
use crate::{
    clip::{
        Content, Convention, Handedness, NodeId, NodeVisibility, Pose, Transform, Translation,
        UpAxis,
    },
    diagnostics::Diagnostics,
    formats::{
        FormatId,
        prime::{
            Bone, CinfSkeleton, Game, INTERVAL_RANGE_S, PrimeFormat, SourceDetails, Tree,
            bone_name, decode_skeleton,
            encode::{BoneKeys, EncodableAnimation},
        },
    },
};

pub(super) const TARGET: ExportTarget =
    ExportTarget::for_motion("prime", "Metroid Prime animation", "anim", write)
        .keeping(&[Content::Motion, Content::Scales])
        .keeping_unchanged(&[FormatId::PRIME], &[Content::Events])
        .requiring("a skeleton: --rig FILE.CINF")
        .with_options(&[RIG, FORMAT]);

const RIG: TargetOption = TargetOption {
    name: "rig",
    label: "Skeleton",
    help: "The skeleton whose bones the animation moves. It decides the game",
    kind: OptionKind::Skeleton { extension: "cinf" },
};

const FORMAT: TargetOption = TargetOption {
    name: "prime-format",
    label: "Format",
    help: "Write keys in this format: 0 has floats, 2 has packed integers [default: 2]",
    kind: OptionKind::Choice { values: PrimeFormat::VARIANTS, default: Some("2") },
};

/// The frame rate if neither the recording nor the user gives one.
const DEFAULT_RATE_HZ: f64 = 30.0;

/// The largest number of bones that the games animate at once.
const MAX_BONES: usize = 100;

/// The finest division of a quarter turn that the integers of version 2 can hold.
const ROTATION_DIVISOR: u32 = i16::MAX as u32;

/// A translation that stays this close to that of the skeleton needs no keys, in metres.
const REST_TOLERANCE_M: f64 = 1e-6;

/// A scale this close to 1 needs no keys.
const SCALE_TOLERANCE: f64 = 1e-5;

/// The largest error of a translation in version 2, in metres.
const MAX_TRANSLATION_ERROR_M: f64 = 0.005;

fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    job.report_start(&mut report);
    let format: PrimeFormat = job.settings.choice(&FORMAT).unwrap_or_default();
    let rig = &read_rig(job)?;
    progress.begin_phase(1.0);
    let details = job.clip.source_details_as::<SourceDetails>();
    if let Some(details) = details
        && let Some(bytes) = &details.bytes
        && job.is_unchanged()
        && details.duration == job.clip.span.duration
        && (details.game, details.format) == (rig.game, format)
    {
        out.write_all(bytes)?;
        report.info("unchanged: the file is equal to the recording");
        progress.report_progress(1, 1)?;
        return Ok(report);
    }
    let mut writer = AnimationSampler::new(job, rig, format, &mut report)?;
    writer.sample(progress)?;
    let events = details.and_then(|details| details.events);
    let animation = writer.into_animation(events, &mut report)?;
    let bytes = match format {
        PrimeFormat::V0 => animation.encode_arrays(),
        PrimeFormat::V2 => {
            let multipliers = choose_multipliers(&animation, rig)?;
            report.info(format!(
                "rotations in steps of {:.4}°, translations in steps of {:.1e} m",
                90.0 / f64::from(ROTATION_DIVISOR),
                multipliers[0]
            ));
            animation.encode_bitstream(ROTATION_DIVISOR, multipliers)
        }
    };
    out.write_all(&bytes)?;
    if events.is_some() && rig.game != Game::Prime {
        let message = "the events skipped, because Echoes stores them with the character";
        report.warning_with_code(codes::PARTS_SKIPPED, message);
    }
    job.report_events(&mut report);
    job.report_signals(&mut report);
    progress.report_progress(1, 1)?;
    Ok(report)
}

fn read_rig(job: &Job<'_>) -> Result<CinfSkeleton, ExportError> {
    let refused = |message| Err(ExportError::refused(codes::SKELETON_REQUIRED, message));
    let Some(bytes) = job.settings.file(&RIG) else {
        let message = "the bones of an ANIM are those of a skeleton. Pass it with --rig FILE.CINF";
        return refused(message.to_owned());
    };
    decode_skeleton(bytes, &mut Diagnostics::new()).or_else(|error| {
        refused(format!("--rig: expected a skeleton of Metroid Prime (CINF): {error}"))
    })
}

struct AnimationSampler<'a> {
    job: &'a Job<'a>,
    rig: &'a CinfSkeleton,
    tree: Tree,
    /// The indices of the bones of the rig, parents before their children.
    parents_first: Vec<usize>,
    /// The node of each bone of the rig.
    nodes: Vec<Option<NodeId>>,
    interval: f64,
    frame_count: usize,
    /// `true` if the nodes have no hierarchy, but move relative to the bones of their own skeleton.
    is_detached: bool,
    keys: Vec<Vec<Transform>>,
}

impl<'a> AnimationSampler<'a> {
    fn new(
        job: &'a Job<'a>,
        rig: &'a CinfSkeleton,
        format: PrimeFormat,
        report: &mut Report,
    ) -> Result<Self, ExportError> {
        let clip = job.clip;
        if rig.bones.len() > MAX_BONES {
            return Err(ExportError::refused(
                codes::TOO_MANY_BONES,
                format!(
                    "the skeleton has {} bones, more than the {MAX_BONES} that the games animate; \
                     nothing written",
                    rig.bones.len()
                ),
            ));
        }
        let find = |bone: &Bone| {
            let (name, numbered) = (bone.name.as_deref(), bone_name(bone.id));
            let has_name = |known: &str| {
                name.is_some_and(|name| name.eq_ignore_ascii_case(known)) || known == numbered
            };
            clip.nodes.with_ids().find(|(_, node)| has_name(&node.name)).map(|(id, _)| id)
        };
        let nodes: Vec<Option<NodeId>> = rig.bones.iter().map(find).collect();
        if nodes.iter().all(Option::is_none) {
            return Err(ExportError::refused(
                codes::NOTHING_TO_WRITE,
                "no node has the name of a bone of the skeleton; nothing written. Pass the skeleton \
                 of this character, or map the bones with --retarget auto",
            ));
        }
        check_other_nodes(job, &nodes)?;
        let tree = Tree::new(rig, &mut Diagnostics::new());
        let (interval, frame_count) = choose_frames(job, format, report)?;
        let is_detached = clip.format == FormatId::PRIME
            && clip.nodes.iter().all(|node| node.motion.visibility == NodeVisibility::Never);
        Ok(Self {
            job,
            rig,
            parents_first: order_parents_first(&tree),
            tree,
            keys: nodes.iter().map(|_| Vec::with_capacity(frame_count)).collect(),
            nodes,
            interval,
            frame_count,
            is_detached,
        })
    }

    fn sample(&mut self, progress: &mut Progress<'_>) -> Result<(), ExportError> {
        const FRAMES_PER_REPORT: usize = 64;
        let prime_from_viewer =
            Convention::assumed(Handedness::Right, UpAxis::Z).viewer_from_source().inverse();
        let has_scales = self.rig.game == Game::Echoes;
        let mut pose = Pose::default();
        let mut worlds = vec![Transform::IDENTITY; self.rig.bones.len()];
        for frame in 0..self.frame_count {
            if frame % FRAMES_PER_REPORT == 0 {
                progress.report_progress(frame, self.frame_count)?;
            }
            let time = self.job.from + frame as f64 * self.interval;
            self.job.clip.sample_motion(time, &mut pose);
            for &bone in &self.parents_first {
                let parent = self.tree.parents[bone];
                let above = parent.map_or(Transform::IDENTITY, |parent| worlds[parent]);
                let rest =
                    Transform { translation: self.tree.offsets[bone], ..Transform::IDENTITY };
                let local = match self.nodes[bone].map(|node| pose[node]) {
                    None => rest,
                    Some(node) if self.is_detached => Transform {
                        // Without translation keys, a bone stays where the skeleton has it.
                        translation: match self.has_own_translation(bone) {
                            true => prime_from_viewer.convert_point(node.local.translation),
                            false => rest.translation,
                        },
                        ..prime_from_viewer.convert_transform(&node.local)
                    },
                    Some(node) => {
                        let world = prime_from_viewer.convert_transform(&node.world);
                        let own = prime_from_viewer.convert_transform(&node.local);
                        let to_parent = above.rotation.conjugate();
                        Transform {
                            translation: to_parent * (world.translation - above.translation)
                                / above.scale,
                            rotation: (to_parent * world.rotation).normalize(),
                            scale: if has_scales { own.scale } else { DVec3::ONE },
                        }
                    }
                };
                if !local.is_finite() {
                    return Err(self.refuse_value(bone, time));
                }
                // A child moves with the scaled offset, but it is not scaled itself.
                worlds[bone] = Transform {
                    translation: above.translation
                        + above.rotation * (above.scale * local.translation),
                    rotation: above.rotation * local.rotation,
                    scale: local.scale,
                };
                self.keys[bone].push(local);
            }
        }
        Ok(())
    }

    fn has_own_translation(&self, bone: usize) -> bool {
        let node = self.nodes[bone].map(|node| &self.job.clip.nodes[node]);
        node.is_some_and(|node| !matches!(node.motion.translation, Translation::Rest))
    }

    fn refuse_value(&self, bone: usize, time: f64) -> ExportError {
        let bone = &self.rig.bones[bone];
        let name = bone.name.clone().unwrap_or_else(|| bone_name(bone.id));
        let message = format!(
            "bone {name:?} has no finite transform at {time} s; nothing written. Choose another \
             --range, or check the recording with `mutoscope check`"
        );
        ExportError::refused(codes::VALUE_OUT_OF_RANGE, message)
    }

    fn into_animation(
        self,
        events: Option<u32>,
        report: &mut Report,
    ) -> Result<EncodableAnimation, ExportError> {
        let root = self.tree.parents.iter().position(Option::is_none).unwrap_or(0);
        let is_echoes = self.rig.game == Game::Echoes;
        let mut bones = Vec::new();
        let mut resting = Vec::new();
        for (index, bone) in self.rig.bones.iter().enumerate() {
            let keys = &self.keys[index];
            let rest = self.tree.offsets[index];
            let is_animated = self.nodes[index].is_some() || index == root;
            if !is_animated {
                resting.push(bone.name.clone().unwrap_or_else(|| bone_name(bone.id)));
            }
            let moves = keys.iter().any(|key| key.translation.distance(rest) > REST_TOLERANCE_M);
            let is_scaled = is_echoes
                && keys.iter().any(|key| (key.scale - DVec3::ONE).length() > SCALE_TOLERANCE);
            let column = |pick: fn(&Transform) -> DVec3| keys.iter().map(pick).collect::<Vec<_>>();
            // Echoes has a descriptor for every bone, even for those without keys.
            if is_animated || is_echoes {
                bones.push(BoneKeys {
                    id: bone.id,
                    rotation: is_animated.then(|| continuous_rotations(keys)),
                    translation: moves.then(|| column(|key| key.translation)),
                    scale: is_scaled.then(|| column(|key| key.scale)),
                });
            }
        }
        bones.sort_by_key(|bone| bone.id);
        if !resting.is_empty() {
            let names = list_names(&resting);
            report.info(format!("bones that the recording does not animate: {names}"));
        }
        report.info(format!(
            "{}, {} frames at {} Hz, {} bones",
            self.rig.game,
            self.frame_count,
            (1e4 / self.interval).round() / 1e4,
            bones.iter().filter(|bone| bone.rotation.is_some()).count(),
        ));
        Ok(EncodableAnimation {
            game: self.rig.game,
            duration: (self.interval * (self.frame_count - 1) as f64) as f32,
            interval: self.interval as f32,
            frame_count: self.frame_count,
            root_bone: self.rig.bones[root].id,
            events: events.filter(|_| self.rig.game == Game::Prime),
            is_looping: self.job.clip.is_looping.unwrap_or(false),
            bones,
        })
    }
}

/// Returns the time between frames in seconds, and the number of frames. There are at least two
/// frames, and the last frame is at the end of the range.
fn choose_frames(
    job: &Job<'_>,
    format: PrimeFormat,
    report: &mut Report,
) -> Result<(f64, usize), ExportError> {
    const MAX_V2_FRAMES: usize = u16::MAX as usize + 1;
    let duration = job.to - job.from;
    let rate = job.rate.or(job.clip.rate_hz).unwrap_or(DEFAULT_RATE_HZ);
    let (min_interval_s, max_interval_s) = INTERVAL_RANGE_S.into_inner();
    let [min_interval_s, max_interval_s] = [min_interval_s, max_interval_s].map(f64::from);
    let most = (duration / min_interval_s).floor();
    let gaps = (duration * rate).round().min(most).max(1.0).max((duration / max_interval_s).ceil());
    if gaps >= key_times::MAX_TIMES as f64 || !gaps.is_finite() {
        let message =
            format!("{rate} Hz for {duration} s are too many frames. Choose fewer with --fps");
        return Err(ExportError::LimitExceeded(message));
    }
    let frames = gaps as usize + 1;
    job.check_value_count(frames)?;
    if format == PrimeFormat::V2 && frames > MAX_V2_FRAMES {
        return Err(ExportError::refused(
            codes::TOO_MANY_FRAMES,
            format!(
                "{frames} frames, more than the {MAX_V2_FRAMES} of format 2; nothing written. Choose a \
                 shorter --range, a lower --fps, or --prime-format 0"
            ),
        ));
    }
    if duration <= 0.0 {
        let message = "the range has a duration of 0: written as two equal frames";
        report.warning_with_code(codes::NO_DURATION, message);
        return Ok((rate.recip().clamp(min_interval_s, max_interval_s), 2));
    }
    if duration < min_interval_s {
        let message = format!(
            "the range of {duration} s is shorter than a frame can be: written as two frames \
             {min_interval_s:.4} s apart"
        );
        report.warning_with_code(codes::NO_DURATION, message);
        return Ok((min_interval_s, 2));
    }
    if job.rate.is_none() && job.clip.rate_hz.is_none() {
        report.info(format!(
            "sampled at {DEFAULT_RATE_HZ} Hz, the rate of the games. Pass another --fps"
        ));
    }
    let interval = duration / gaps;
    if (interval * rate - 1.0).abs() > 1e-3 {
        report
            .info(format!("frames are {interval:.6} s apart, so that the last one is at the end"));
    }
    Ok((interval, frames))
}

/// Refuses a moving node that no bone of the skeleton has the name of, except above the bones.
fn check_other_nodes(job: &Job<'_>, bones: &[Option<NodeId>]) -> Result<(), ExportError> {
    let nodes = &job.clip.nodes;
    let mut is_known = vec![false; nodes.len()];
    for bone in bones.iter().flatten() {
        let mut next = Some(*bone);
        while let Some(node) = next.filter(|node| !is_known[node.index()]) {
            is_known[node.index()] = true;
            next = nodes[node].parent;
        }
    }
    let moves = |id: NodeId| nodes[id].motion.tracks().into_iter().next().is_some();
    let lost = nodes.with_ids().filter(|(id, _)| !is_known[id.index()] && moves(*id));
    let names: Vec<String> = lost.map(|(_, node)| format!("{:?}", node.name)).collect();
    match names.is_empty() {
        true => Ok(()),
        false => Err(ExportError::refused(
            codes::BONE_NOT_IN_SKELETON,
            format!(
                "the skeleton has no bone for these moving nodes: {}; nothing written. Rename or remove \
                 them, or pass the skeleton of this character",
                list_names(&names)
            ),
        )),
    }
}

fn order_parents_first(tree: &Tree) -> Vec<usize> {
    let depth =
        |bone: usize| std::iter::successors(tree.parents[bone], |&up| tree.parents[up]).count();
    let mut order: Vec<usize> = (0..tree.parents.len()).collect();
    order.sort_by_key(|&bone| depth(bone));
    order
}

/// Chooses the signs of rotations so that the games take the short way, and so that the first w is
/// not negative, because version 2 has no sign for the first key.
fn continuous_rotations(keys: &[Transform]) -> Vec<DQuat> {
    let mut before = DQuat::IDENTITY;
    let continuous = keys.iter().enumerate().map(|(index, key)| {
        let is_opposite =
            if index == 0 { key.rotation.w < 0.0 } else { before.dot(key.rotation) < 0.0 };
        before = if is_opposite { -key.rotation } else { key.rotation };
        before
    });
    continuous.collect()
}

/// Returns the lengths of one step of translations and of scales: the smallest with which the
/// integers hold the largest value.
fn choose_multipliers(
    animation: &EncodableAnimation,
    rig: &CinfSkeleton,
) -> Result<[f32; 2], ExportError> {
    let largest = |keys: &Option<Vec<DVec3>>| {
        let keys = keys.iter().flatten();
        keys.map(|vector| vector.abs().max_element()).fold(0.0, f64::max)
    };
    let multiplier = |largest: f64| {
        let mut multiplier = (largest / f64::from(i16::MAX)) as f32;
        if f64::from(multiplier) * f64::from(i16::MAX) < largest {
            multiplier = multiplier.next_up();
        }
        // If all values are 0, the multiplier must not be 0, because the encoder divides by it.
        multiplier.max(f32::MIN_POSITIVE)
    };
    for bone in &animation.bones {
        let length = largest(&bone.translation);
        if 0.5 * length / f64::from(i16::MAX) > MAX_TRANSLATION_ERROR_M {
            let known = rig.index_of(bone.id).and_then(|index| rig.bones[index].name.clone());
            return Err(ExportError::refused(
                codes::VALUE_OUT_OF_RANGE,
                format!(
                    "bone {:?} moves {length:.1} m from its parent: format 2 would round it by up to {:.3} \
                     m; nothing written. Pass --prime-format 0",
                    known.unwrap_or_else(|| bone_name(bone.id)),
                    0.5 * length / f64::from(i16::MAX)
                ),
            ));
        }
    }
    let over = |pick: fn(&BoneKeys) -> &Option<Vec<DVec3>>| {
        multiplier(animation.bones.iter().map(|bone| largest(pick(bone))).fold(0.0, f64::max))
    };
    Ok([over(|bone| &bone.translation), over(|bone| &bone.scale)])
}
