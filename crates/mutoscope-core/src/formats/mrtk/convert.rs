//! From document to clip.

use super::{
    Curve, Document, Hand, JOINTS, KeyLayout, Marker, PoseCurves, RayCurves, Version,
    curves::CurveMaker, joints::POSES_PER_HAND, rebuild,
};
use crate::{
    clip::{
        AnyCurve, Clip, ComponentRotation, ComponentVector, Convention, Event, FormatId, GroupId,
        Handedness, Motion, Node, NodeId, NodeKind, Nodes, Owner, Rotation, Shown, Side, Signal,
        SignalKind, Span, Track, TrackId, Transform, Translation, Unit, Up,
    },
    diagnostics::{Error, Notices, SourceLocation},
    io::cooperative::yield_now,
};

/// The names of the groups, by hand.
const HANDS: [(&str, Side); 2] = [("left", Side::Left), ("right", Side::Right)];

/// Makes the clip, curve by curve, so that only one curve's bytes are in memory at a time; yields between
/// curves. Issues in the file go to `notices`.
///
/// # Errors
/// If keys cannot be read.
pub(super) async fn convert(document: &Document<'_>, notices: &mut Notices) -> Result<Clip, Error> {
    report_layout(document, notices);
    let mut builder = Builder::new(notices);
    builder.document(document).await?;
    let events = builder.events(document);
    let Builder { nodes, tracks, signals, rebuilt, curves, .. } = builder;
    report_rebuilt(&rebuilt, &tracks, notices);
    let nodes = Nodes::new(nodes, notices);
    let duration = duration(document, curves.latest())?;
    Ok(Clip {
        version: document.version_text().to_owned(),
        subject: subject(&nodes, &tracks),
        span: Span { start: 0.0, duration },
        groups: HANDS.map(|(name, _)| name.to_owned()).into(),
        nodes,
        tracks,
        signals,
        events,
        ..Clip::new(FormatId::MRTK, convention())
    })
}

/// Unity world space: left-handed, Y up, metres. The file says nothing of it.
fn convention() -> Convention {
    Convention::assumed(Handedness::Left, Up::Y)
}

/// The last time of any key, in seconds: MRTK plays from 0 to there. `latest` is that of the keys
/// of all tracks; those of `None`, which has none, count too.
fn duration(document: &Document, mut latest: f64) -> Result<f64, Error> {
    let nones = document.hands.iter().flatten().map(|hand| &hand.poses[0]);
    for curve in nones.flat_map(PoseCurves::curves) {
        let keys = curve.read_keys()?;
        let times = keys.times().map(f64::from).filter(|time| time.is_finite());
        latest = times.fold(latest, f64::max);
    }
    Ok(latest)
}

fn report_layout(document: &Document, notices: &mut Notices) {
    if let Version::V1_1 { parts } = document.version {
        if parts.iter().any(|&part| part > 1) {
            let message = format!("the bytes for camera, hands and gaze are {parts:?}, not 0 or 1");
            notices.warning(SourceLocation::span(16, 3), message);
        }
        if document.layout == KeyLayout::Full {
            let message = "keys of 28 bytes in a version 1.1 file, as the published specification \
                           has them: not written by MRTK itself, which uses 8";
            notices.warning(SourceLocation::byte(19), message);
        }
    }
    if document.markers.is_none() {
        let message = "the file ends before its list of markers, which MRTK always writes";
        notices.info(SourceLocation::byte(document.end_of_curves()), message);
    }
}

/// A rotation whose w was lost in saving and is rebuilt.
struct Rebuilt {
    track: TrackId,
    owner: String,
}

fn report_rebuilt(rebuilt: &[Rebuilt], tracks: &[Track], notices: &mut Notices) {
    let Some(first) = rebuilt.first() else { return };
    let mut owners: Vec<_> = rebuilt.iter().take(3).map(|one| one.owner.as_str()).collect();
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
    notices.warning(tracks[first.track.index()].source.place.clone(), message);
}

struct Builder<'a> {
    nodes: Vec<Node>,
    tracks: Vec<Track>,
    signals: Vec<Signal>,
    rebuilt: Vec<Rebuilt>,
    curves: CurveMaker,
    notices: &'a mut Notices,
}

impl<'a> Builder<'a> {
    fn new(notices: &'a mut Notices) -> Self {
        Self {
            nodes: Vec::new(),
            tracks: Vec::new(),
            signals: Vec::new(),
            rebuilt: Vec::new(),
            curves: CurveMaker::default(),
            notices,
        }
    }

    async fn document(&mut self, document: &Document<'_>) -> Result<(), Error> {
        if let Some(camera) = &document.camera {
            self.camera(camera).await?;
        }
        if let Some(hands) = &document.hands {
            self.hands(hands).await?;
        }
        if let Some(gaze) = &document.gaze {
            self.gaze(gaze).await?;
        }
        Ok(())
    }

    async fn camera(&mut self, camera: &PoseCurves<'_>) -> Result<(), Error> {
        let owner = Owner::Node(NodeId::new(self.nodes.len()));
        let [position, rotation] = self.pose_tracks(camera, owner, "camera").await?;
        let motion = Motion {
            translation: self.translation(&position),
            rotation: self.rotation(&rotation, "camera"),
            shown: shown_if(camera.curves().any(|curve| !curve.is_empty())),
            ..Motion::default()
        };
        self.add_node("camera", NodeKind::Head, None, motion);
        Ok(())
    }

    async fn hands(&mut self, hands: &[Hand<'_>; 2]) -> Result<(), Error> {
        let tracked = HANDS.map(|(name, _)| (name, "tracked", SignalKind::Tracked));
        let pinch = HANDS.map(|(name, _)| (name, "pinch", SignalKind::Pinch));
        let [left, right] = hands;
        let tracked = [
            self.signal(&left.tracked, 0, tracked[0])?,
            self.signal(&right.tracked, 1, tracked[1])?,
        ];
        let pinch =
            [self.signal(&left.pinch, 0, pinch[0])?, self.signal(&right.pinch, 1, pinch[1])?];
        for hand in 0..2 {
            self.signals.push(tracked[hand].clone());
            self.signals.push(pinch[hand].clone());
        }
        for hand in 0..2 {
            self.joints(&hands[hand], hand, tracked[hand].track).await?;
        }
        Ok(())
    }

    fn signal(
        &mut self,
        curve: &Curve,
        hand: usize,
        (group, property, kind): (&str, &str, SignalKind),
    ) -> Result<Signal, Error> {
        let name = format!("{group}/{property}");
        let (scalar, source) = self.curves.make(curve, || name.clone(), true, self.notices)?;
        let owner = Owner::Group(GroupId::new(hand));
        let curve = AnyCurve::Switch(scalar);
        let (property, unit) = (property.to_owned(), Unit::None);
        let track = self.add_track(Track { owner, property, curve, unit, source });
        Ok(Signal { name, track, kind })
    }

    async fn joints(
        &mut self,
        hand: &Hand<'_>,
        index: usize,
        tracked: TrackId,
    ) -> Result<(), Error> {
        let (group, side) = HANDS[index];
        self.report_none(&hand.poses[0], group);
        let first_node = self.nodes.len();
        let names: Vec<_> = JOINTS.iter().map(|joint| format!("{group}/{}", joint.name)).collect();

        // All positions come before the first rebuilt rotation, which looks at its neighbours.
        let mut positions = Vec::with_capacity(POSES_PER_HAND);
        let mut rotations = Vec::with_capacity(POSES_PER_HAND);
        for (joint, (pose, name)) in hand.poses[1..].iter().zip(&names).enumerate() {
            let owner = Owner::Node(NodeId::new(first_node + joint));
            let [position, rotation] = self.pose_tracks(pose, owner, name).await?;
            positions.push(self.vector(&position));
            rotations.push(self.whole_rotation(&rotation).ok_or(rotation));
        }

        let poses = hand.poses[1..].iter().zip(&names);
        for (joint, ((pose, name), rotation)) in poses.zip(rotations).enumerate() {
            let (from, to) = JOINTS[joint].forward;
            let bone = (positions[from].clone(), positions[to].clone());
            let motion = Motion {
                translation: Translation::Components(positions[joint].clone()),
                rotation: rotation
                    .unwrap_or_else(|tracks| self.rebuilt_rotation(&tracks, name, Some(bone))),
                shown: if pose.curves().all(Curve::is_empty) {
                    Shown::Never
                } else {
                    Shown::While(tracked)
                },
                ..Motion::default()
            };
            let kind = if JOINTS[joint].is_tip() { NodeKind::Tip } else { NodeKind::Joint };
            let node = self.add_node(name, kind, Some((index, side)), motion);
            node.bone_from = JOINTS[joint].bone_from.map(|from| NodeId::new(first_node + from));
        }
        Ok(())
    }

    async fn gaze(&mut self, gaze: &RayCurves<'_>) -> Result<(), Error> {
        let owner = Owner::Node(NodeId::new(self.nodes.len()));
        let origin = self.tracks(&gaze.origin, owner, "gaze", "origin", Unit::Metres).await?;
        let direction =
            self.tracks(&gaze.direction, owner, "gaze", "direction", Unit::None).await?;
        let motion = Motion {
            translation: self.translation(&origin),
            rotation: Rotation::Direction(self.vector(&direction)),
            shown: shown_if(gaze.curves().any(|curve| !curve.is_empty())),
            ..Motion::default()
        };
        self.add_node("gaze", NodeKind::Ray, None, motion);
        Ok(())
    }

    fn events(&mut self, document: &Document) -> Vec<Event> {
        let markers = document.markers.as_deref().unwrap_or_default();
        let odd = |is_odd: fn(&Marker) -> bool| {
            let mut places = markers.iter().filter(|marker| is_odd(marker)).map(Marker::place);
            let first = places.next();
            first.map(|first| (first, 1 + places.count()))
        };
        if let Some((first, count)) = odd(|marker| str::from_utf8(&marker.name).is_err()) {
            let message = format!(
                "names of markers that are not valid UTF-8: {count}; invalid bytes replaced"
            );
            self.notices.warning(first, message);
        }
        if let Some((first, count)) = odd(|marker| !marker.time.is_finite()) {
            let message = format!("markers with a non-finite time: {count}; skipped");
            self.notices.error(first, message);
        }
        let sound = markers.iter().filter(|marker| marker.time.is_finite());
        sound
            .map(|marker| Event {
                time: f64::from(marker.time),
                name: String::from_utf8_lossy(&marker.name).into_owned(),
                place: marker.place(),
                ..Event::default()
            })
            .collect()
    }

    fn report_none(&mut self, none: &PoseCurves, group: &str) {
        let keys: usize = none.curves().map(Curve::len).sum();
        if keys > 0 {
            let message = format!(
                "{group}: {keys} keys for the joint None, which is not part of a hand; skipped"
            );
            self.notices.info(none.position[0].place(), message);
        }
    }

    /// The tracks of a pose: those of its position, and those of its rotation.
    async fn pose_tracks(
        &mut self,
        pose: &PoseCurves<'_>,
        owner: Owner,
        name: &str,
    ) -> Result<[Vec<TrackId>; 2], Error> {
        let position = self.tracks(&pose.position, owner, name, "position", Unit::Metres).await?;
        let rotation = self.tracks(&pose.rotation, owner, name, "rotation", Unit::None).await?;
        Ok([position, rotation])
    }

    async fn tracks(
        &mut self,
        curves: &[Curve<'_>],
        owner: Owner,
        name: &str,
        property: &str,
        unit: Unit,
    ) -> Result<Vec<TrackId>, Error> {
        let mut ids = Vec::with_capacity(curves.len());
        for (curve, component) in curves.iter().zip(["x", "y", "z", "w"]) {
            let property = format!("{property}.{component}");
            let full_name = || format!("{name}.{property}");
            let (scalar, source) = self.curves.make(curve, full_name, false, self.notices)?;
            let curve = AnyCurve::Number(scalar);
            ids.push(self.add_track(Track { owner, property, curve, unit, source }));
            yield_now().await;
        }
        Ok(ids)
    }

    fn vector(&mut self, tracks: &[TrackId]) -> ComponentVector {
        let components = tracks.try_into().expect("three curves make a vector");
        ComponentVector::new(components, &mut self.tracks)
    }

    fn translation(&mut self, tracks: &[TrackId]) -> Translation {
        Translation::Components(self.vector(tracks))
    }

    /// The rotation with these components, its w rebuilt if it was lost.
    fn rotation(&mut self, tracks: &[TrackId], name: &str) -> Rotation {
        self.whole_rotation(tracks).unwrap_or_else(|| self.rebuilt_rotation(tracks, name, None))
    }

    /// The rotation with these components, unless its w was lost.
    fn whole_rotation(&mut self, tracks: &[TrackId]) -> Option<Rotation> {
        let components = quaternion(tracks);
        let curves = components.map(|id| self.tracks[id.index()].curve.scalar());
        let is_whole = !rebuild::is_w_lost(curves);
        is_whole.then(|| Rotation::Components(ComponentRotation::new(components, &mut self.tracks)))
    }

    /// The rotation with these components, its w rebuilt. `bone` is the two joints whose direction its
    /// +Z has.
    fn rebuilt_rotation(
        &mut self,
        tracks: &[TrackId],
        name: &str,
        bone: Option<(ComponentVector, ComponentVector)>,
    ) -> Rotation {
        let components = quaternion(tracks);
        let curves = components.map(|id| self.tracks[id.index()].curve.scalar());
        let forward = |time| {
            let (from, to) = bone.as_ref()?;
            let at = |joint: &ComponentVector| joint.at(&self.tracks, time);
            (at(to) - at(from)).try_normalize()
        };
        let w = rebuild::rebuild_w(curves, forward);
        self.rebuilt.push(Rebuilt { track: components[3], owner: name.to_owned() });
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
        self.nodes.last_mut().expect("one was pushed")
    }
}

fn quaternion(tracks: &[TrackId]) -> [TrackId; 4] {
    tracks.try_into().expect("four curves make a quaternion")
}

fn shown_if(there_is_motion: bool) -> Shown {
    if there_is_motion { Shown::Always } else { Shown::Never }
}

/// The subject in a few words: `both hands, head, gaze`.
fn subject(nodes: &Nodes, tracks: &[Track]) -> String {
    let moves = |node: &Node| match node.motion.shown {
        Shown::Always => true,
        Shown::Never => false,
        Shown::While(track) => {
            tracks[track.index()].curve.scalar().values().iter().any(|value| value > 0.5)
        }
    };
    let any = |wanted: &dyn Fn(&Node) -> bool| nodes.iter().any(|node| wanted(node) && moves(node));
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
