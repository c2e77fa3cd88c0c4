//! Converts an MRTK document into a clip.

use std::{array, sync::Arc};

use arrayvec::ArrayVec;

use super::{
    Curve, Document, Hand, JOINTS, KeyLayout, Marker, PoseCurves, RayCurves, Version, codes,
    curves::CurveBuilder, rebuild,
};
use crate::{
    clip::{
        AnyCurve, Clip, ComponentRotation, ComponentVector, Convention, Event, FormatId, GroupId,
        Handedness, Motion, Node, NodeId, NodeKind, NodeVisibility, Nodes, Owner, Rotation,
        ScalarCurve, Side, Signal, SignalKind, Span, Track, TrackId, TrackLocation, Transform,
        Translation, Unit, UpAxis,
    },
    diagnostics::{Diagnostics, Error, SourceLocation, format_count},
    io::{
        cooperative::yield_now,
        parallel::{map_all_in_order, thread_count},
    },
};

pub(crate) const HANDS: [(&str, Side); 2] = [("left", Side::Left), ("right", Side::Right)];

/// Reads and converts the poses on all threads. Each thread has the bytes of only one curve in memory
/// at a time. Yields between batches of poses.
pub(super) async fn to_clip(
    document: &Document<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    report_layout(document, diagnostics);
    let mut builder = ClipBuilder::new(diagnostics);
    builder.add_document(document).await?;
    let events = builder.build_events(document);
    let ClipBuilder { nodes, tracks, signals, rebuilt, curves, .. } = builder;
    report_rebuilt(&rebuilt, &tracks, diagnostics);
    let nodes = Nodes::new(nodes, diagnostics);
    let duration = clip_duration(document, curves.last_key_time())?;
    let details = SourceDetails::new(document, duration, &rebuilt)?;
    Ok(Clip {
        version: document.version_text().to_owned(),
        subject: describe_subject(&nodes, &tracks),
        span: Span { start: 0.0, duration },
        groups: HANDS.map(|(name, _)| name.to_owned()).into(),
        nodes,
        tracks,
        signals,
        events,
        source_details: Some(Arc::new(details)),
        ..Clip::new(FormatId::MRTK, unity_convention())
    })
}

/// What a file has besides the tracks of its clip.
#[derive(Debug)]
pub(crate) struct SourceDetails {
    /// `true` if the file has the camera, the hands and the gaze.
    pub(crate) has_parts: [bool; 3],
    pub(crate) layout: KeyLayout,
    /// The duration when the file was decoded, in seconds.
    pub(crate) duration: f64,
    /// The wrap modes of all curves in file order.
    pub(crate) wrap_modes: Box<[[i32; 2]]>,
    /// The bytes of the keys of the joint `None` of each hand, curve by curve. `None` if they have
    /// no keys.
    pub(crate) none_joints: Option<[Vec<Box<[u8]>>; 2]>,
    /// The number of rotations with a rebuilt w.
    pub(crate) rebuilt_rotations: usize,
    /// The number of keys of a rebuilt w, and the number of those whose sign follows the bone.
    pub(crate) rebuilt_keys: [usize; 2],
}

impl SourceDetails {
    fn new(
        document: &Document<'_>,
        duration: f64,
        rebuilt: &[RebuiltRotation],
    ) -> Result<Self, Error> {
        let Document { camera, hands, gaze, layout, .. } = document;
        let none_keys = |hand: &Hand<'_>| -> Result<Vec<Box<[u8]>>, Error> {
            let read = |curve: &Curve<'_>| Ok(curve.keys.read()?.into_owned().into_boxed_slice());
            hand.poses[0].curves().map(read).collect()
        };
        let none_joints = match hands {
            Some([left, right]) => Some([none_keys(left)?, none_keys(right)?]),
            None => None,
        };
        let has_keys =
            |hands: &[Vec<Box<[u8]>>; 2]| hands.iter().flatten().any(|keys| !keys.is_empty());
        Ok(Self {
            has_parts: [camera.is_some(), hands.is_some(), gaze.is_some()],
            layout: *layout,
            duration,
            wrap_modes: document.curves().map(|curve| [curve.pre_wrap, curve.post_wrap]).collect(),
            none_joints: none_joints.filter(has_keys),
            rebuilt_rotations: rebuilt.len(),
            rebuilt_keys: [
                rebuilt.iter().map(|rotation| rotation.keys).sum(),
                rebuilt.iter().map(|rotation| rotation.guided_keys).sum(),
            ],
        })
    }
}

/// Unity's world space: left-handed, Y up, metres. A file does not state it.
pub(crate) fn unity_convention() -> Convention {
    Convention::assumed(Handedness::Left, UpAxis::Y)
}

/// Returns the time of the last key in the file, in seconds. This is the duration of the clip,
/// because MRTK plays from 0 to that time.
///
/// `last_key_time` is the time of the last key of all tracks. The placeholder joint `None` has no
/// tracks, but its keys extend the duration too.
fn clip_duration(document: &Document, mut last_key_time: f64) -> Result<f64, Error> {
    let placeholders = document.hands.iter().flatten().map(|hand| &hand.poses[0]);
    for curve in placeholders.flat_map(PoseCurves::curves) {
        let times = curve.read_keys()?.times();
        let finite = times.iter().copied().filter(|time| time.is_finite());
        last_key_time = finite.fold(last_key_time, f64::max);
    }
    Ok(last_key_time)
}

fn report_layout(document: &Document, diagnostics: &mut Diagnostics) {
    if let Version::V1_1 { parts } = document.version {
        if parts.iter().any(|&part| part > 1) {
            let message = format!("the bytes for camera, hands and gaze are {parts:?}, not 0 or 1");
            diagnostics.warning(codes::INVALID_PART_FLAG, SourceLocation::span(16, 3), message);
        }
        if document.layout == KeyLayout::Full {
            let message = "a version 1.1 file with 28-byte keys, as in the published specification; \
                           MRTK itself writes 8-byte keys";
            diagnostics.warning(codes::LONG_KEYS, SourceLocation::byte(19), message);
        }
    }
    if document.markers.is_none() {
        let message = "the file ends before its list of markers, which MRTK always writes";
        let location = SourceLocation::byte(document.end_of_curves());
        diagnostics.info(codes::NO_MARKER_LIST, location, message);
    }
}

struct RebuiltRotation {
    track: TrackId,
    owner: String,
    keys: usize,
    guided_keys: usize,
}

fn report_rebuilt(rebuilt: &[RebuiltRotation], tracks: &[Track], diagnostics: &mut Diagnostics) {
    let Some(first) = rebuilt.first() else { return };
    let mut owners: Vec<_> =
        rebuilt.iter().take(3).map(|rotation| rotation.owner.as_str()).collect();
    let others = rebuilt.len() - owners.len();
    let more = format!("{others} more");
    if others > 0 {
        owners.push(&more);
    }
    let message = format!(
        "W of the rotation was lost when MRTK saved the file (a defect since 2.6); rebuilt from \
         unit length and bone direction, approximate: {}",
        owners.join(", ")
    );
    let location = tracks[first.track.index()].source.location.clone();
    diagnostics.warning(codes::ROTATION_W_LOST, location, message).with("count", rebuilt.len());
}

struct ClipBuilder<'a> {
    nodes: Vec<Node>,
    tracks: Vec<Track>,
    signals: Vec<Signal>,
    rebuilt: Vec<RebuiltRotation>,
    curves: CurveBuilder,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> ClipBuilder<'a> {
    fn new(diagnostics: &'a mut Diagnostics) -> Self {
        Self {
            nodes: Vec::new(),
            tracks: Vec::new(),
            signals: Vec::new(),
            rebuilt: Vec::new(),
            curves: CurveBuilder::default(),
            diagnostics,
        }
    }

    async fn add_document(&mut self, document: &Document<'_>) -> Result<(), Error> {
        if let Some(camera) = &document.camera {
            self.add_camera(camera).await?;
        }
        if let Some(hands) = &document.hands {
            self.add_hands(hands).await?;
        }
        if let Some(gaze) = &document.gaze {
            self.add_gaze(gaze).await?;
        }
        Ok(())
    }

    async fn add_camera(&mut self, camera: &PoseCurves<'_>) -> Result<(), Error> {
        let owner = Owner::Node(NodeId::new(self.nodes.len()));
        let pose = self.add_pose(&PoseSource { curves: camera, owner, name: "camera" })?;
        yield_now().await;
        let motion = Motion {
            translation: Translation::Components(pose.position),
            rotation: self.rotation_or_rebuilt(pose.rotation, "camera", None),
            visibility: visible_if(camera.curves().any(|curve| !curve.is_empty())),
            ..Motion::default()
        };
        self.add_node("camera", NodeKind::Head, None, motion);
        Ok(())
    }

    async fn add_hands(&mut self, hands: &[Hand<'_>; 2]) -> Result<(), Error> {
        let [left, right] = hands;
        let tracked = [
            self.add_signal(&left.tracked, 0, "tracked", SignalKind::Tracked)?,
            self.add_signal(&right.tracked, 1, "tracked", SignalKind::Tracked)?,
        ];
        let pinch = [
            self.add_signal(&left.pinch, 0, "pinch", SignalKind::Pinch)?,
            self.add_signal(&right.pinch, 1, "pinch", SignalKind::Pinch)?,
        ];
        for hand in 0..2 {
            self.signals.push(tracked[hand].clone());
            self.signals.push(pinch[hand].clone());
        }
        for hand in 0..2 {
            self.add_joints(&hands[hand], hand, tracked[hand].track).await?;
        }
        Ok(())
    }

    fn add_signal(
        &mut self,
        curve: &Curve,
        hand: usize,
        property: &str,
        kind: SignalKind,
    ) -> Result<Signal, Error> {
        let name = format!("{}/{property}", HANDS[hand].0);
        let (scalar, source) = self.curves.build(curve, || name.clone(), true, self.diagnostics)?;
        let owner = Owner::Group(GroupId::new(hand));
        let curve = AnyCurve::Switch(scalar);
        let (property, unit) = (property.to_owned(), Unit::None);
        let track = self.add_track(Track { owner, property, curve, unit, source });
        Ok(Signal { name, track, kind })
    }

    async fn add_joints(
        &mut self,
        hand: &Hand<'_>,
        index: usize,
        tracked: TrackId,
    ) -> Result<(), Error> {
        let (group, side) = HANDS[index];
        self.report_none_joint(&hand.poses[0], group);
        let first_node = self.nodes.len();
        let names: Vec<_> = JOINTS.iter().map(|joint| format!("{group}/{}", joint.name)).collect();

        // Add all positions first, because rebuilding a rotation needs the direction of a bone,
        // which depends on the positions of two joints.
        let sources: Vec<_> = (hand.poses[1..].iter().zip(&names).enumerate())
            .map(|(joint, (curves, name))| {
                let owner = Owner::Node(NodeId::new(first_node + joint));
                PoseSource { curves, owner, name }
            })
            .collect();
        let added = self.add_poses(&sources).await?;
        let positions: Vec<_> = added.iter().map(|pose| pose.position.clone()).collect();

        for (joint, (source, pose)) in sources.iter().zip(added).enumerate() {
            let PoseSource { curves, name, .. } = source;
            let (from, to) = JOINTS[joint].forward;
            let bone = (positions[from].clone(), positions[to].clone());
            let motion = Motion {
                translation: Translation::Components(pose.position),
                rotation: self.rotation_or_rebuilt(pose.rotation, name, Some(bone)),
                visibility: if curves.curves().all(Curve::is_empty) {
                    NodeVisibility::Never
                } else {
                    NodeVisibility::While(tracked)
                },
                ..Motion::default()
            };
            let kind = if JOINTS[joint].is_tip() { NodeKind::Tip } else { NodeKind::Joint };
            let node = self.add_node(name, kind, Some((index, side)), motion);
            node.bone_from = JOINTS[joint].bone_from.map(|from| NodeId::new(first_node + from));
        }
        Ok(())
    }

    async fn add_gaze(&mut self, gaze: &RayCurves<'_>) -> Result<(), Error> {
        let owner = Owner::Node(NodeId::new(self.nodes.len()));
        let origin = TrackTarget { owner, name: "gaze", property: "origin", unit: Unit::Metres };
        let direction = TrackTarget { property: "direction", unit: Unit::None, ..origin };
        let origin = self.add_vector(&gaze.origin, &origin)?;
        yield_now().await;
        let direction = self.add_vector(&gaze.direction, &direction)?;
        yield_now().await;
        let motion = Motion {
            translation: Translation::Components(origin),
            rotation: Rotation::Direction(direction),
            visibility: visible_if(gaze.curves().any(|curve| !curve.is_empty())),
            ..Motion::default()
        };
        self.add_node("gaze", NodeKind::Ray, None, motion);
        Ok(())
    }

    fn build_events(&mut self, document: &Document) -> Vec<Event> {
        let markers = document.markers.as_deref().unwrap_or_default();
        let find_invalid = |is_invalid: fn(&Marker) -> bool| {
            let mut locations =
                markers.iter().filter(|marker| is_invalid(marker)).map(Marker::location);
            let first = locations.next();
            first.map(|first| (first, 1 + locations.count()))
        };
        if let Some((first, count)) = find_invalid(|marker| str::from_utf8(&marker.name).is_err()) {
            let message = format!(
                "names of markers that are not valid UTF-8: {count}; invalid bytes replaced"
            );
            self.diagnostics
                .warning(codes::INVALID_MARKER_NAME, first, message)
                .with("count", count);
        }
        if let Some((first, count)) = find_invalid(|marker| !marker.time.is_finite()) {
            let message = format!("markers with a non-finite time: {count}; skipped");
            self.diagnostics.error(codes::NON_FINITE_TIME, first, message).with("count", count);
        }
        let valid_markers = markers.iter().filter(|marker| marker.time.is_finite());
        valid_markers
            .map(|marker| Event {
                time: f64::from(marker.time),
                name: String::from_utf8_lossy(&marker.name).into_owned(),
                location: marker.location(),
                ..Event::default()
            })
            .collect()
    }

    fn report_none_joint(&mut self, none: &PoseCurves, group: &str) {
        let keys: usize = none.curves().map(Curve::len).sum();
        if keys > 0 {
            let message = format!(
                "{group}: {} for the joint None, which is not part of a hand; skipped",
                format_count(keys, "key")
            );
            let location = none.position[0].location();
            self.diagnostics.info(codes::NONE_JOINT_KEYS, location, message).with("count", keys);
        }
    }

    fn add_vector(
        &mut self,
        curves: &[Curve<'_>; 3],
        target: &TrackTarget<'_>,
    ) -> Result<ComponentVector, Error> {
        let Self { tracks, curves: builder, diagnostics, .. } = self;
        target.build_vector(curves, tracks.len(), tracks, builder, diagnostics)
    }

    fn add_pose(&mut self, source: &PoseSource<'_>) -> Result<AddedPose, Error> {
        let Self { tracks, curves, diagnostics, .. } = self;
        source.build(tracks.len(), tracks, curves, diagnostics)
    }

    /// Adds the tracks of poses. Poses can share the key times of the first one, and of what was added
    /// before it, but not of each other, because they are built at the same time.
    async fn add_poses(&mut self, sources: &[PoseSource<'_>]) -> Result<Vec<AddedPose>, Error> {
        let Some((first, others)) = sources.split_first() else { return Ok(Vec::new()) };
        let mut added = vec![self.add_pose(first)?];
        yield_now().await;
        for batch in others.chunks(poses_per_batch()) {
            let (first_track, builder) = (self.tracks.len(), &self.curves);
            let build = |index: usize| {
                let first_track = first_track + index * TRACKS_PER_POSE;
                BuiltPose::new(&batch[index], first_track, builder.with_same_times())
            };
            let mut built = Vec::with_capacity(batch.len());
            map_all_in_order(batch.len(), build, |pose| built.push(pose));
            for pose in built {
                let BuiltPose { pose, tracks, curves, diagnostics } = pose?;
                self.tracks.extend(tracks);
                self.diagnostics.extend(diagnostics);
                self.curves.include_last_key_time(&curves);
                added.push(pose);
            }
            yield_now().await;
        }
        Ok(added)
    }

    /// Returns the rotation, with a rebuilt w component if the file has lost it. `bone` holds the
    /// positions of two joints. The direction from the first to the second is the +Z axis of the
    /// rotation.
    fn rotation_or_rebuilt(
        &mut self,
        rotation: Result<ComponentRotation, [TrackId; 4]>,
        name: &str,
        bone: Option<(ComponentVector, ComponentVector)>,
    ) -> Rotation {
        let components = match rotation {
            Ok(rotation) => return Rotation::Components(rotation),
            Err(components) => components,
        };
        let curves = components.map(|id| self.tracks[id.index()].curve.scalar());
        let forward = |time| {
            let (from, to) = bone.as_ref()?;
            let position = |joint: &ComponentVector| joint.evaluate_at(&self.tracks, time);
            (position(to) - position(from)).try_normalize()
        };
        let (w, guided_keys) = rebuild::rebuild_w(curves, forward);
        self.rebuilt.push(RebuiltRotation {
            track: components[3],
            owner: name.to_owned(),
            keys: w.len(),
            guided_keys,
        });
        Rotation::Components(ComponentRotation::with_rebuilt_w(components, w, &mut self.tracks))
    }

    fn add_track(&mut self, track: Track) -> TrackId {
        self.tracks.push(track);
        TrackId::new(self.tracks.len() - 1)
    }

    fn add_node(
        &mut self,
        name: &str,
        kind: NodeKind,
        hand: Option<(usize, Side)>,
        motion: Motion,
    ) -> &mut Node {
        self.nodes.push(Node {
            name: name.to_owned(),
            group: hand.map(|(index, _)| GroupId::new(index)),
            parent: None,
            bone_from: None,
            kind,
            side: hand.map(|(_, side)| side),
            rest: Transform::IDENTITY,
            motion,
        });
        self.nodes.last_mut().expect("a node was just pushed")
    }
}

const TRACKS_PER_POSE: usize = 7;

/// Returns how many poses are built before the work yields. A browser has one thread, so it yields
/// after each pose. Several poses for each thread keep all threads busy.
fn poses_per_batch() -> usize {
    match thread_count() {
        1 => 1,
        threads => 4 * threads,
    }
}

/// The curves of a pose, and the node that they move.
struct PoseSource<'a> {
    curves: &'a PoseCurves<'a>,
    owner: Owner,
    name: &'a str,
}

struct AddedPose {
    position: ComponentVector,
    /// The tracks of the four components, if w was lost.
    rotation: Result<ComponentRotation, [TrackId; 4]>,
}

/// A pose whose tracks are not yet in the clip, because another thread built it.
struct BuiltPose {
    pose: AddedPose,
    tracks: Vec<Track>,
    curves: CurveBuilder,
    diagnostics: Diagnostics,
}

impl BuiltPose {
    /// Builds a pose whose first track will have the index `first_track` in the clip.
    fn new(
        source: &PoseSource<'_>,
        first_track: usize,
        mut curves: CurveBuilder,
    ) -> Result<Self, Error> {
        let (mut tracks, mut diagnostics) = (Vec::new(), Diagnostics::new());
        let pose = source.build(first_track, &mut tracks, &mut curves, &mut diagnostics)?;
        Ok(Self { pose, tracks, curves, diagnostics })
    }
}

impl PoseSource<'_> {
    /// Reads and converts the curves, and adds their tracks to `tracks`.
    fn build(
        &self,
        first_track: usize,
        tracks: &mut Vec<Track>,
        builder: &mut CurveBuilder,
        diagnostics: &mut Diagnostics,
    ) -> Result<AddedPose, Error> {
        let Self { curves: PoseCurves { position, rotation }, owner, name } = *self;
        let target = TrackTarget { owner, name, property: "position", unit: Unit::Metres };
        let position = target.build_vector(position, first_track, tracks, builder, diagnostics)?;
        let target = TrackTarget { property: "rotation", unit: Unit::None, ..target };
        let (mut curves, sources) = target.build_curves(rotation, builder, diagnostics)?;
        let ids = track_ids(first_track + position.tracks().len());
        let rotation = match rebuild::is_w_lost(curves.each_ref()) {
            true => Err(ids),
            false => Ok(ComponentRotation::from_curves(ids, &mut curves)),
        };
        tracks.extend(target.tracks(curves, sources));
        Ok(AddedPose { position, rotation })
    }
}

/// What the components of a vector or quaternion belong to.
#[derive(Clone, Copy)]
struct TrackTarget<'a> {
    owner: Owner,
    name: &'a str,
    property: &'a str,
    unit: Unit,
}

impl TrackTarget<'_> {
    fn build_vector(
        &self,
        curves: &[Curve<'_>; 3],
        first_track: usize,
        tracks: &mut Vec<Track>,
        builder: &mut CurveBuilder,
        diagnostics: &mut Diagnostics,
    ) -> Result<ComponentVector, Error> {
        let (mut curves, sources) = self.build_curves(curves, builder, diagnostics)?;
        let vector = ComponentVector::from_curves(track_ids(first_track), &mut curves);
        tracks.extend(self.tracks(curves, sources));
        Ok(vector)
    }

    fn build_curves<const N: usize>(
        &self,
        curves: &[Curve<'_>; N],
        builder: &mut CurveBuilder,
        diagnostics: &mut Diagnostics,
    ) -> Result<([ScalarCurve; N], [TrackLocation; N]), Error> {
        let (mut scalars, mut sources) = (ArrayVec::new(), ArrayVec::new());
        for (curve, component) in curves.iter().zip(COMPONENTS) {
            let full_name = || format!("{}.{}.{component}", self.name, self.property);
            let (scalar, source) = builder.build(curve, full_name, false, diagnostics)?;
            scalars.push(scalar);
            sources.push(source);
        }
        let built = scalars.into_inner().ok().zip(sources.into_inner().ok());
        Ok(built.expect("every curve was built"))
    }

    fn tracks<const N: usize>(
        &self,
        curves: [ScalarCurve; N],
        sources: [TrackLocation; N],
    ) -> impl Iterator<Item = Track> {
        let Self { owner, property, unit, .. } = *self;
        let components = curves.into_iter().zip(sources).zip(COMPONENTS);
        components.map(move |((curve, source), component)| Track {
            owner,
            property: format!("{property}.{component}"),
            curve: AnyCurve::Number(curve),
            unit,
            source,
        })
    }
}

const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

fn track_ids<const N: usize>(first: usize) -> [TrackId; N] {
    array::from_fn(|component| TrackId::new(first + component))
}

fn visible_if(has_keys: bool) -> NodeVisibility {
    if has_keys { NodeVisibility::Always } else { NodeVisibility::Never }
}

fn describe_subject(nodes: &Nodes, tracks: &[Track]) -> String {
    let is_visible = |node: &Node| match node.motion.visibility {
        NodeVisibility::Always => true,
        NodeVisibility::Never => false,
        NodeVisibility::While(track) => {
            tracks[track.index()].curve.scalar().values().iter().any(|value| value > 0.5)
        }
    };
    let any = |is_wanted: &dyn Fn(&Node) -> bool| {
        nodes.iter().any(|node| is_wanted(node) && is_visible(node))
    };
    let left = any(&|node| node.side == Some(Side::Left));
    let right = any(&|node| node.side == Some(Side::Right));
    let hands = match (left, right) {
        (true, true) => Some("both hands"),
        (true, false) => Some("left hand"),
        (false, true) => Some("right hand"),
        (false, false) => None,
    };
    let head = any(&|node| node.kind == NodeKind::Head).then_some("head");
    let gaze = any(&|node| node.kind == NodeKind::Ray).then_some("gaze");
    let parts: Vec<_> = [hands, head, gaze].into_iter().flatten().collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}
