//! One clip of a motion and a character.

use std::{collections::BTreeMap, sync::Arc};

use glam::DQuat;

use super::{
    BoneMap, MappedBone, Retargeting,
    body::{Body, NEEDED},
    fit,
    map::Overrides,
    retargeting::{DrivenBone, DrivenNode, Driver, odd_scales},
};
use crate::{
    clip::{
        Attached, Clip, Convention, GroupId, HumanBone, Matched, Motion, Node, NodeId, Nodes,
        Owner, Skeleton, Transform,
    },
    diagnostics::{Error, Notices, SourceLocation},
    rig::Rig,
};

/// Makes the character in `rig` do what the body in `motion` does, bone by bone. `map` says what names do not.
///
/// The nodes of the clip are those of the character, in its order and by its names. Its tracks, signals and events are
/// those of the motion: what a bone that is not mapped owns, a group of its name owns.
///
/// # Errors
/// If either has no hips or legs, there are several bodies, bones are mirrored, or the map names what is not there.
pub fn retarget(motion: Clip, rig: &Rig, map: Option<&BoneMap>) -> Result<Clip, Error> {
    let mut notices = Notices::new();
    let retargeted = joined_clip(motion, rig, map, &mut notices);
    retargeted.map_err(|message| Error::unsupported(SourceLocation::File, message)).map(
        |mut clip| {
            clip.notices.extend(notices.iter().cloned());
            clip
        },
    )
}

/// Whether both have all bones that VRM requires, so that one can do what the other does.
pub fn are_bodies(motion: &Clip, rig: &Rig) -> bool {
    let (nothing, character) = (BTreeMap::new(), character(rig, &mut Notices::new()));
    [motion, &character].into_iter().all(|clip| {
        let overrides = Overrides { member: "", bones: &nothing };
        Body::of(clip, &overrides, &mut Vec::new())
            .is_ok_and(|body| body.bones.missing().is_empty())
    })
}

/// The bones that a retargeted clip has, as a map to edit; with all that the map says by which it was retargeted.
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

fn joined_clip(
    motion: Clip,
    rig: &Rig,
    map: Option<&BoneMap>,
    notices: &mut Notices,
) -> Result<Clip, String> {
    let nothing = BoneMap::default();
    let map_or_none = map.unwrap_or(&nothing);
    let character = character(rig, notices);
    let mut bodies = Bodies::find(&motion, &character, &rig.name, map_or_none, notices)?;
    let turn = fit::turn(&bodies.motion, &bodies.character);
    bodies.character.turn(turn);
    let hip_scale = match map_or_none.hip_scale {
        Some(scale) => scale,
        None if bodies.motion.is_hands => 1.0,
        None => fit::hip_scale(&bodies.motion, &bodies.character)
            .ok_or("the hips of one of the two are not above its feet, so heights cannot be compared; not retargeted. A \
                    map of bones can have a hip_scale")?,
    };
    let alignments = fit::alignments(&bodies.motion, &bodies.character);
    let mapped = bodies.mapped();
    let fitted =
        Fitted { bodies: &bodies, mapped: &mapped, alignments: &alignments, turn, hip_scale };
    fitted.report(&rig.name, notices);
    let retargeting = Retargeting {
        driver: fitted.driver(&character.nodes),
        only_in_motion: bodies.only_in(&bodies.motion),
        only_in_character: bodies.only_in(&bodies.character),
        hip_scale,
        turn: turn.to_degrees(),
        reference: bodies.motion.time,
        map: map.cloned(),
        motion_bones: bodies.motion.bones.clone(),
        character_bones: bodies.character.bones.clone(),
        mapped,
        motion,
    };
    Ok(clip_of(retargeting, character, rig))
}

/// The character as a clip in which nothing moves.
fn character(rig: &Rig, notices: &mut Notices) -> Clip {
    let nodes = rig.nodes.iter().map(|node| node.node(Motion::default())).collect();
    Clip {
        nodes: Nodes::new(nodes, notices),
        humanoid: rig.humanoid.clone(),
        ..Clip::new(crate::clip::FormatId::new("character"), Convention::gltf())
    }
}

/// The body of the motion and that of the character.
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
        notices: &mut Notices,
    ) -> Result<Self, String> {
        let mut remarks = Vec::new();
        let mut body = |clip: &Clip, member, bones| {
            let body = Body::of(clip, &Overrides { member, bones }, &mut remarks)?;
            check_scales(clip, &body, member, &mut remarks)?;
            Ok::<_, String>(body)
        };
        let mut found = Self {
            motion: body(motion, "motion", &map.motion)?,
            character: body(character, "character", &map.character)?,
        };
        let Self { motion: of_motion, character: of_character } = &mut found;
        of_motion.fit_trunk(of_character);
        of_character.fit_trunk(of_motion);
        found.check(name)?;
        remarks.into_iter().for_each(|remark| notices.warning(SourceLocation::File, remark));
        if !found.motion.is_hands && !found.motion.stands() {
            found.motion.refer_to_start(motion);
            let message = match found.motion.stands() {
                true => {
                    "the rest pose of the motion does not stand; using the pose at its start as the reference"
                }
                false => {
                    "neither the rest pose of the motion nor the pose at its start stands; using the latter as the \
                     reference"
                }
            };
            notices.warning(SourceLocation::File, message);
        }
        Ok(found)
    }

    /// Whether both have the bones that no body is without.
    fn check(&self, name: &str) -> Result<(), String> {
        if self.motion.is_hands {
            return match self.mapped().is_empty() {
                true => {
                    Err(format!("expected bones of hands, found none in {name}; not retargeted"))
                }
                false => Ok(()),
            };
        }
        let [motion, character] = [&self.motion, &self.character].map(Body::lacks);
        if motion.is_empty() && character.is_empty() {
            return Ok(());
        }
        let list = |bones: &[HumanBone]| {
            bones.iter().map(|bone| bone.name()).collect::<Vec<_>>().join(", ")
        };
        let lacks = |what: &str, bones: &[HumanBone]| match bones.is_empty() {
            true => None,
            false if bones.len() == NEEDED.len() => Some(format!("{what} has none of them")),
            false => Some(format!("{what} lacks {}", list(bones))),
        };
        let lacking = [lacks("the motion", &motion), lacks(name, &character)];
        let lacking: Vec<_> = lacking.into_iter().flatten().collect();
        Err(format!(
            "expected a body on both sides, by the names of nodes: {}. {}; not retargeted. A map of bones \
             (--retarget MAP.json) can name them",
            list(&NEEDED),
            lacking.join(", ")
        ))
    }

    fn mapped(&self) -> Vec<MappedBone> {
        let both = |(bone, motion)| {
            Some(MappedBone { bone, motion, character: self.character.node(bone)? })
        };
        self.motion.bones.iter().filter_map(both).collect()
    }

    /// The bones that only one of both has.
    fn only_in(&self, body: &Body) -> Vec<HumanBone> {
        let is_in_both = |bone| self.motion.bones.has(bone) && self.character.bones.has(bone);
        body.bones.iter().map(|(bone, _)| bone).filter(|&bone| !is_in_both(bone)).collect()
    }
}

/// Whether all bones have rotations: a mirrored one has none.
fn check_scales(
    clip: &Clip,
    body: &Body,
    member: &str,
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    let [broken, uneven] = odd_scales(&clip.nodes, body.bones.iter().map(|(_, node)| node));
    let names = |ids: &[NodeId]| {
        let names = ids.iter().map(|&id| format!("{:?}", clip.nodes[id].name));
        names.collect::<Vec<_>>().join(", ")
    };
    if !broken.is_empty() {
        return Err(format!(
            "{member}: bones are mirrored or flattened by scales that are not positive: {}; not retargeted",
            names(&broken)
        ));
    }
    if !uneven.is_empty() {
        let names = names(&uneven);
        remarks.push(format!("{member}: bones have other scales along each axis, which shears what they move: {names}"));
    }
    Ok(())
}

/// All that is known of how the character follows.
struct Fitted<'a> {
    bodies: &'a Bodies,
    mapped: &'a [MappedBone],
    alignments: &'a [DQuat; HumanBone::COUNT],
    /// In radians.
    turn: f64,
    hip_scale: f64,
}

impl Fitted<'_> {
    fn report(&self, name: &str, notices: &mut Notices) {
        let is_mapped = |bone: HumanBone| self.mapped.iter().any(|one| one.bone == bone);
        let missing: Vec<_> =
            HumanBone::required().filter(|&bone| !is_mapped(bone)).map(HumanBone::name).collect();
        let message = format!("{name}: {} bones mapped", self.mapped.len());
        // Hands and figures of boxes lack most bones.
        let Bodies { motion, character } = self.bodies;
        let is_partial = motion.is_hands || motion.is_of_boxes() || character.is_of_boxes();
        if missing.is_empty() || is_partial {
            notices.info(SourceLocation::File, message);
        } else {
            let message = format!("{message}; required bones that are not: {}", missing.join(", "));
            notices.warning(SourceLocation::File, message);
        }
        let turned = self.mapped.iter().filter_map(|one| {
            /// The least angle that is reported, in degrees.
            const WORTH: f64 = 5.0;
            let angle = angle(self.alignments[one.bone as usize]).to_degrees();
            (angle > WORTH && !one.bone.is_finger()).then(|| format!("{} {angle:.0}°", one.bone))
        });
        let turned: Vec<_> = turned.collect();
        if !turned.is_empty() {
            let message = format!("the rest poses differ; aligned: {}", turned.join(", "));
            notices.info(SourceLocation::File, message);
        }
        if !(0.2..=5.0).contains(&self.hip_scale) {
            let message = format!(
                "the character is {:.3} times as tall as the motion; using that. A map of bones can have a hip_scale",
                self.hip_scale
            );
            notices.warning(SourceLocation::File, message);
        }
    }

    fn driver(&self, nodes: &Nodes) -> Driver {
        let Bodies { motion, character } = self.bodies;
        let turn = Transform { rotation: DQuat::from_rotation_y(self.turn), ..Transform::IDENTITY };
        // A hand that hangs from no body goes where the recorded one goes.
        let is_free = motion.is_hands && !character.bones.has(HumanBone::Hips);
        let is_hand = |bone| matches!(bone, HumanBone::LeftHand | HumanBone::RightHand);
        let mut driven: Vec<Option<DrivenBone>> = nodes.iter().map(|_| None).collect();
        for one in self.mapped {
            let motion_rest = motion.worlds[one.motion.index()].rotation;
            let character_rest = character.worlds[one.character.index()].rotation;
            let alignment = self.alignments[one.bone as usize];
            driven[one.character.index()] = Some(DrivenBone {
                source: one.motion,
                offset: motion_rest.conjugate() * alignment * character_rest,
                joint: motion.joint(one.bone),
                pivot: character.joint(one.bone),
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
        let hips = motion.node(HumanBone::Hips).filter(|_| motion.is_of_boxes());
        Driver { nodes, hip_scale: self.hip_scale, figure: hips }
    }
}

fn angle(rotation: DQuat) -> f64 {
    2.0 * rotation.w.abs().min(1.0).acos()
}

/// The clip in which the character moves.
fn clip_of(retargeting: Retargeting, character: Clip, rig: &Rig) -> Clip {
    let motion = &retargeting.motion;
    let mut owners = Owners::new(&retargeting);
    let mut tracks = motion.tracks.clone();
    tracks.iter_mut().for_each(|track| track.owner = owners.owner(track.owner));
    let mut events = motion.events.clone();
    events
        .iter_mut()
        .filter_map(|event| event.owner.as_mut())
        .for_each(|owner| *owner = owners.owner(*owner));
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
        skeleton: Skeleton::Attached(Box::new(attached(&retargeting, &character.nodes, rig))),
        nodes: character.nodes,
        humanoid: character.humanoid,
        tracks,
        signals: motion.signals.clone(),
        events,
        annotations: None,
        notices: motion.notices.clone(),
        procedural: Some(Arc::new(retargeting)),
    }
}

fn attached(retargeting: &Retargeting, nodes: &Nodes, rig: &Rig) -> Attached {
    let is_mapped = |id: NodeId| retargeting.mapped.iter().any(|one| one.character == id);
    let matched = |one: &MappedBone| Matched {
        node: one.character,
        name_in_skeleton: nodes[one.character].name.clone(),
    };
    Attached {
        name: rig.name.clone(),
        model: rig.model.clone(),
        matched: retargeting.mapped.iter().map(matched).collect(),
        missing: Box::default(),
        resting: nodes.with_ids().map(|(id, _)| id).filter(|&id| !is_mapped(id)).collect(),
    }
}

/// The owners of tracks, from nodes of the motion to nodes of the character.
struct Owners<'a> {
    nodes: &'a Nodes,
    /// For each node of the motion its new owner, once there is one.
    known: Vec<Option<Owner>>,
    groups: Vec<String>,
}

impl<'a> Owners<'a> {
    fn new(retargeting: &'a Retargeting) -> Self {
        let Clip { nodes, groups, .. } = &retargeting.motion;
        let mut known = vec![None; nodes.len()];
        for one in &retargeting.mapped {
            known[one.motion.index()] = Some(Owner::Node(one.character));
        }
        Self { nodes, known, groups: groups.clone() }
    }

    fn owner(&mut self, owner: Owner) -> Owner {
        let Owner::Node(node) = owner else { return owner };
        let groups = &mut self.groups;
        *self.known[node.index()].get_or_insert_with(|| {
            groups.push(self.nodes[node].name.clone());
            Owner::Group(GroupId::new(groups.len() - 1))
        })
    }
}
