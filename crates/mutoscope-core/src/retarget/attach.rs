//! Joins a motion and a character to one clip.

use std::{collections::BTreeMap, sync::Arc};

use glam::DQuat;

use super::{
    BoneMap, MappedBone, RetargetError, Retargeting,
    body::{Body, REQUIRED_BONES},
    codes, fit,
    map::Overrides,
    retargeting::{DrivenBone, DrivenNode, Driver, bones_with_odd_scales},
};
use crate::{
    clip::{
        AttachedSkeleton, Clip, Convention, GroupId, HumanBone, HumanBones, MatchedNode, Motion,
        Node, NodeId, Nodes, Owner, Skeleton, Transform,
    },
    diagnostics::{Diagnostics, Error, SourceLocation, format_number},
    skeleton_file::LoadedSkeleton,
};

/// Retargets `motion` to the character in `skeleton`, bone by bone. `map` overrides the bones that
/// are found by name.
///
/// The clip has the nodes of the character, in the same order and with the same names. The tracks,
/// signals and events are those of the motion. If a track belongs to a node that is not mapped, a
/// group with the name of the node owns it.
///
/// # Errors
/// Fails if either side lacks hips or legs, if there are several bodies, if scales mirror or
/// flatten bones, or if `map` names a missing node.
pub fn retarget(
    motion: Clip,
    skeleton: &LoadedSkeleton,
    map: Option<&BoneMap>,
) -> Result<Clip, Error> {
    let mut diagnostics = Diagnostics::new();
    let mut clip = join_clips(motion, skeleton, map, &mut diagnostics)
        .map_err(|error| Error::unsupported(SourceLocation::File, error.to_string()))?;
    clip.diagnostics.extend(diagnostics);
    Ok(clip)
}

/// Returns `true` if `motion` and the skeleton both have all bones that VRM requires, so that the
/// motion can be retargeted.
pub fn are_bodies(motion: &Clip, skeleton: &LoadedSkeleton) -> bool {
    let (empty_map, character) =
        (BTreeMap::new(), character_clip(skeleton, &mut Diagnostics::new()));
    [motion, &character].into_iter().all(|clip| {
        let overrides = Overrides { member: "", bones: &empty_map };
        Body::from_clip(clip, &overrides, &mut Diagnostics::new())
            .is_ok_and(|body| body.bones.missing_required().is_empty())
    })
}

/// Returns the bones of a body that the names of its nodes or the file reveal. No bones are found if
/// the clip has several bodies or none.
pub fn human_bones(clip: &Clip) -> HumanBones {
    let overrides = Overrides { member: "", bones: &BTreeMap::new() };
    let body = Body::from_clip(clip, &overrides, &mut Diagnostics::new());
    body.map(|body| body.bones).unwrap_or_default()
}

/// Returns the bones of a retargeted clip as a bone map that the user can edit. The map also
/// contains all entries of the bone map that was used for retargeting.
pub fn bone_map(retargeting: &Retargeting, character: &Nodes) -> BoneMap {
    let names = |nodes: &Nodes, node: fn(&MappedBone) -> NodeId| -> BTreeMap<_, _> {
        let pair =
            |one: &MappedBone| (one.bone.name().to_owned(), Some(nodes[node(one)].name.clone()));
        retargeting.mapped.iter().map(pair).collect()
    };
    let mut map = BoneMap {
        motion: names(&retargeting.motion.nodes, |one| one.motion),
        character: names(character, |one| one.character),
        hip_scale: Some(retargeting.hip_scale),
    };
    if let Some(given) = &retargeting.map {
        map.motion.extend(given.motion.clone());
        map.character.extend(given.character.clone());
    }
    map
}

pub(super) fn join_clips(
    motion: Clip,
    skeleton: &LoadedSkeleton,
    map: Option<&BoneMap>,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, RetargetError> {
    let empty_map = BoneMap::default();
    let map_or_empty = map.unwrap_or(&empty_map);
    let character = character_clip(skeleton, diagnostics);
    let mut bodies = Bodies::find(&motion, &character, &skeleton.name, map_or_empty, diagnostics)?;
    let turn = fit::facing_rotation(&bodies.motion, &bodies.character);
    bodies.character.rotate_about_y(turn);
    let hip_scale = match map_or_empty.hip_scale {
        Some(scale) => scale,
        None if bodies.motion.is_hands => 1.0,
        None => fit::hip_scale(&bodies.motion, &bodies.character)
            .unwrap_or_else(|| bodies.replacement_hip_scale(&skeleton.name, diagnostics)),
    };
    let alignments = fit::alignments(&bodies.motion, &bodies.character);
    let mapped = bodies.mapped_bones();
    let fitted =
        FittedBodies { bodies: &bodies, mapped: &mapped, alignments: &alignments, turn, hip_scale };
    fitted.report(&skeleton.name, diagnostics);
    let retargeting = Retargeting {
        driver: fitted.build_driver(&character.nodes),
        only_in_motion: bodies.missing_in_other(&bodies.motion),
        only_in_character: bodies.missing_in_other(&bodies.character),
        hip_scale,
        turn: turn.to_degrees(),
        reference: bodies.motion.reference_time,
        map: map.cloned(),
        motion_bones: bodies.motion.bones.clone(),
        character_bones: bodies.character.bones.clone(),
        mapped,
        motion,
    };
    Ok(build_clip(retargeting, character, skeleton))
}

fn character_clip(skeleton: &LoadedSkeleton, diagnostics: &mut Diagnostics) -> Clip {
    let nodes = skeleton.nodes.iter().map(|node| node.to_node(Motion::default())).collect();
    Clip {
        nodes: Nodes::new(nodes, diagnostics),
        humanoid: skeleton.humanoid.clone(),
        ..Clip::new(crate::clip::FormatId::new("character"), Convention::gltf())
    }
}

struct Bodies {
    motion: Body,
    character: Body,
}

impl Bodies {
    fn find(
        motion: &Clip,
        character: &Clip,
        name: &str,
        map: &BoneMap,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, RetargetError> {
        let mut body = |clip: &Clip, member, bones| {
            let body = Body::from_clip(clip, &Overrides { member, bones }, diagnostics)?;
            check_scales(clip, &body, member, diagnostics)?;
            Ok::<_, RetargetError>(body)
        };
        let mut found = Self {
            motion: body(motion, "motion", &map.motion)?,
            character: body(character, "character", &map.character)?,
        };
        let Self { motion: of_motion, character: of_character } = &mut found;
        of_motion.match_trunk(of_character);
        of_character.match_trunk(of_motion);
        found.check_required_bones(name)?;
        found.motion.choose_reference(motion, diagnostics);
        Ok(found)
    }

    fn check_required_bones(&self, name: &str) -> Result<(), RetargetError> {
        if self.motion.is_hands {
            return match self.mapped_bones().is_empty() {
                true => Err(RetargetError::NoHandBones(name.to_owned())),
                false => Ok(()),
            };
        }
        let [motion, character] = [&self.motion, &self.character].map(Body::missing_bones);
        if motion.is_empty() && character.is_empty() {
            return Ok(());
        }
        let list = |bones: &[HumanBone]| {
            bones.iter().map(|bone| bone.name()).collect::<Vec<_>>().join(", ")
        };
        let missing_message = |what: &str, bones: &[HumanBone]| match bones.is_empty() {
            true => None,
            false if bones.len() == REQUIRED_BONES.len() => {
                Some(format!("{what} has none of them"))
            }
            false => Some(format!("{what} lacks {}", list(bones))),
        };
        let missing = [missing_message("the motion", &motion), missing_message(name, &character)];
        let missing: Vec<_> = missing.into_iter().flatten().collect();
        let (required, missing) = (list(&REQUIRED_BONES), missing.join(", "));
        Err(RetargetError::MissingBones { required, missing })
    }

    /// Returns the hip scale if the hips of a body are not above its feet, so that the heights of
    /// the hips cannot be compared.
    fn replacement_hip_scale(&self, name: &str, diagnostics: &mut Diagnostics) -> f64 {
        let names = [("the motion", &self.motion), (name, &self.character)];
        let low: Vec<_> =
            names.iter().filter(|(_, body)| !fit::has_raised_hips(body)).map(|one| one.0).collect();
        let (scale, outcome) = match fit::leg_scale(&self.motion, &self.character) {
            Some(scale) => (scale, "the lengths of the legs give"),
            None => (1.0, "the legs have no length either; using"),
        };
        let whose = if low.is_empty() { "a body".to_owned() } else { low.join(" and of ") };
        let message = format!(
            "the hips of {whose} are not above the feet; {outcome} a hip_scale of {}. To change \
             it, set hip_scale in a bone map: --retarget MAP.json",
            format_number(scale)
        );
        diagnostics
            .warning(codes::HIPS_NOT_RAISED, SourceLocation::File, message)
            .with("hip_scale", scale);
        scale
    }

    fn mapped_bones(&self) -> Vec<MappedBone> {
        let both = |(bone, motion)| {
            Some(MappedBone { bone, motion, character: self.character.bone_node(bone)? })
        };
        self.motion.bones.iter().filter_map(both).collect()
    }

    fn missing_in_other(&self, body: &Body) -> Vec<HumanBone> {
        let is_in_both =
            |bone| self.motion.bones.contains(bone) && self.character.bones.contains(bone);
        body.bones.iter().map(|(bone, _)| bone).filter(|&bone| !is_in_both(bone)).collect()
    }
}

/// Returns an error if scales mirror or flatten a bone, because the rotation of such a bone cannot
/// be derived from its matrix.
fn check_scales(
    clip: &Clip,
    body: &Body,
    member: &'static str,
    diagnostics: &mut Diagnostics,
) -> Result<(), RetargetError> {
    let [broken, uneven] =
        bones_with_odd_scales(&clip.nodes, body.bones.iter().map(|(_, node)| node));
    let names = |ids: &[NodeId]| {
        let names = ids.iter().map(|&id| format!("{:?}", clip.nodes[id].name));
        names.collect::<Vec<_>>().join(", ")
    };
    if !broken.is_empty() {
        return Err(RetargetError::NonPositiveScales { member, nodes: names(&broken) });
    }
    if !uneven.is_empty() {
        let names = names(&uneven);
        let message = format!(
            "{member}: bones whose scale differs between axes shear what they move: {names}"
        );
        diagnostics
            .warning(codes::UNEVEN_SCALE, SourceLocation::File, message)
            .with("count", uneven.len());
    }
    Ok(())
}

struct FittedBodies<'a> {
    bodies: &'a Bodies,
    mapped: &'a [MappedBone],
    alignments: &'a [DQuat; HumanBone::COUNT],
    /// The rotation of the character about Y, in radians.
    turn: f64,
    hip_scale: f64,
}

impl FittedBodies<'_> {
    fn report(&self, name: &str, diagnostics: &mut Diagnostics) {
        let is_mapped = |bone: HumanBone| self.mapped.iter().any(|one| one.bone == bone);
        let missing: Vec<_> =
            HumanBone::required().filter(|&bone| !is_mapped(bone)).map(HumanBone::name).collect();
        let message = format!("{name}: {} bones mapped", self.mapped.len());
        // Hands and figures of boxes lack most bones, so missing bones are no reason for a warning.
        let Bodies { motion, character } = self.bodies;
        let is_partial = motion.is_hands || motion.is_box_figure() || character.is_box_figure();
        let diagnostic = if missing.is_empty() || is_partial {
            diagnostics.info(codes::BONES_MAPPED, SourceLocation::File, message)
        } else {
            let message = format!("{message}; required bones not mapped: {}", missing.join(", "));
            diagnostics.warning(codes::BONES_MISSING, SourceLocation::File, message)
        };
        diagnostic.with("count", self.mapped.len()).with("missing", missing);
        let turned = self.mapped.iter().filter_map(|one| {
            const MIN_REPORTED_ANGLE_DEG: f64 = 5.0;
            let angle = rotation_angle(self.alignments[one.bone as usize]).to_degrees();
            (angle > MIN_REPORTED_ANGLE_DEG && !one.bone.is_finger())
                .then(|| format!("{} {angle:.0}°", one.bone))
        });
        let turned: Vec<_> = turned.collect();
        if !turned.is_empty() {
            let message = format!("the rest poses differ; aligned: {}", turned.join(", "));
            diagnostics.info(codes::REST_POSES_ALIGNED, SourceLocation::File, message);
        }
        if !(0.2..=5.0).contains(&self.hip_scale) {
            let message = format!(
                "the character is {:.3} times as tall as the motion; using that to scale the hips. To \
                 change it, set hip_scale in a bone map: --retarget MAP.json",
                self.hip_scale
            );
            diagnostics
                .warning(codes::UNUSUAL_HIP_SCALE, SourceLocation::File, message)
                .with("hip_scale", self.hip_scale);
        }
    }

    fn build_driver(&self, nodes: &Nodes) -> Driver {
        let Bodies { motion, character } = self.bodies;
        let turn = Transform { rotation: DQuat::from_rotation_y(self.turn), ..Transform::IDENTITY };
        // If the character has no hips, no body moves the hand. The hand then also follows the
        // recorded position.
        let is_free = motion.is_hands && !character.bones.contains(HumanBone::Hips);
        let is_hand = |bone| matches!(bone, HumanBone::LeftHand | HumanBone::RightHand);
        let mut driven: Vec<Option<DrivenBone>> = nodes.iter().map(|_| None).collect();
        for one in self.mapped {
            let motion_rest = motion.worlds[one.motion.index()].rotation;
            let character_rest = character.worlds[one.character.index()].rotation;
            let alignment = self.alignments[one.bone as usize];
            driven[one.character.index()] = Some(DrivenBone {
                source: one.motion,
                offset: motion_rest.conjugate() * alignment * character_rest,
                joint: motion.joint_in_node(one.bone),
                pivot: character.joint_in_node(one.bone),
                is_moved: one.bone == HumanBone::Hips || is_free && is_hand(one.bone),
                rests_while_hidden: motion.is_hands,
            });
        }
        let node = |&id: &NodeId| {
            let Node { parent, rest, .. } = nodes[id];
            let rest = if parent.is_none() { turn.compose(&rest) } else { rest };
            DrivenNode { id, parent, rest, driven: driven[id.index()].take() }
        };
        let nodes = nodes.parents_first().iter().map(node).collect();
        let hips = motion.bone_node(HumanBone::Hips).filter(|_| motion.is_box_figure());
        Driver { nodes, hip_scale: self.hip_scale, figure: hips }
    }
}

fn rotation_angle(rotation: DQuat) -> f64 {
    2.0 * rotation.w.abs().min(1.0).acos()
}

fn build_clip(retargeting: Retargeting, character: Clip, skeleton: &LoadedSkeleton) -> Clip {
    let motion = &retargeting.motion;
    let mut owners = OwnerMap::new(&retargeting);
    let mut tracks = motion.tracks.clone();
    tracks.iter_mut().for_each(|track| track.owner = owners.map_owner(track.owner));
    let mut events = motion.events.clone();
    events
        .iter_mut()
        .filter_map(|event| event.owner.as_mut())
        .for_each(|owner| *owner = owners.map_owner(*owner));
    let groups = owners.groups;
    let rule = motion.convention.rotation;
    Clip {
        name: motion.name.clone(),
        format: motion.format,
        version: motion.version.clone(),
        variants: motion.variants.clone(),
        composition: motion.composition.clone(),
        subject: motion.subject.clone(),
        span: motion.span,
        is_looping: motion.is_looping,
        rate_hz: motion.rate_hz,
        convention: Convention { rotation: rule, ..character.convention },
        groups,
        skeleton: Skeleton::Attached(Box::new(build_attached(
            &retargeting,
            &character.nodes,
            skeleton,
        ))),
        nodes: character.nodes,
        humanoid: character.humanoid,
        tracks,
        signals: motion.signals.clone(),
        events,
        annotations: None,
        source_details: None,
        diagnostics: motion.diagnostics.clone(),
        procedural: Some(Arc::new(retargeting)),
    }
}

fn build_attached(
    retargeting: &Retargeting,
    nodes: &Nodes,
    skeleton: &LoadedSkeleton,
) -> AttachedSkeleton {
    let is_mapped = |id: NodeId| retargeting.mapped.iter().any(|one| one.character == id);
    let matched = |one: &MappedBone| MatchedNode {
        node: one.character,
        name_in_skeleton: nodes[one.character].name.clone(),
    };
    AttachedSkeleton {
        name: skeleton.name.clone(),
        model: skeleton.model.clone(),
        matched: retargeting.mapped.iter().map(matched).collect(),
        missing: Box::default(),
        resting: nodes.with_ids().map(|(id, _)| id).filter(|&id| !is_mapped(id)).collect(),
    }
}

struct OwnerMap<'a> {
    nodes: &'a Nodes,
    owners: Vec<Option<Owner>>,
    groups: Vec<String>,
}

impl<'a> OwnerMap<'a> {
    fn new(retargeting: &'a Retargeting) -> Self {
        let Clip { nodes, groups, .. } = &retargeting.motion;
        let mut owners = vec![None; nodes.len()];
        for one in &retargeting.mapped {
            owners[one.motion.index()] = Some(Owner::Node(one.character));
        }
        Self { nodes, owners, groups: groups.clone() }
    }

    fn map_owner(&mut self, owner: Owner) -> Owner {
        let Owner::Node(node) = owner else { return owner };
        let groups = &mut self.groups;
        *self.owners[node.index()].get_or_insert_with(|| {
            groups.push(self.nodes[node].name.clone());
            Owner::Group(GroupId::new(groups.len() - 1))
        })
    }
}
