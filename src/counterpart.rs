//! The recording that is held against the one that plays: a Bevy resource beside the
//! [`Player`].
//!
//! It has no clock of its own: it lies on the clock of what plays, with an offset and a rate, and is
//! sampled right after that, in [`PlayerSystems::Sample`](crate::player::PlayerSystems::Sample).

use std::sync::Arc;

use bevy::{math::DVec3, prelude::*};

use crate::{
    asset::ClipAsset,
    clip::{Clip, NodeId, Pose},
    compare::{Comparison, JointPair, Timing, Unaligned, align, pair_joints},
    player::Player,
};

/// Where a second recording is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Where it was recorded.
    #[default]
    AsRecorded,
    /// On the spot of the first: moved by the mean of how far the joints are from their likes.
    OnTheSpot,
    /// The same, and moved to the right of it.
    SideBySide,
}

impl Placement {
    /// All of them, in the order in which they take turns.
    pub const ALL: [Self; 3] = [Self::AsRecorded, Self::OnTheSpot, Self::SideBySide];

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::AsRecorded => "recorded",
            Self::OnTheSpot => "spot",
            Self::SideBySide => "beside",
        }
    }

    /// The one whose turn is next.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::AsRecorded => Self::OnTheSpot,
            Self::OnTheSpot => Self::SideBySide,
            Self::SideBySide => Self::AsRecorded,
        }
    }
}

/// How a second recording is to be held against the first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wish {
    /// Where it is to lie on the clock of the first; nothing leaves it where it is.
    pub timing: Option<Timing>,
    /// Where it is to be shown, too.
    pub placement: Option<Placement>,
    /// Whether the offset at which both move alike is to be found.
    pub align: bool,
}

/// A pair that somebody chose, and what its joints were called then: in another recording, others may
/// have their numbers.
#[derive(Clone, Debug, PartialEq)]
struct Chosen {
    pair: JointPair,
    names: [String; 2],
}

impl Chosen {
    fn is_of(&self, first: &Clip, second: &Clip) -> bool {
        let is_called = |clip: &Clip, id: NodeId, name: &str| {
            clip.nodes.get(id.index()).is_some_and(|node| node.name == name)
        };
        let [one, other] = &self.names;
        is_called(first, self.pair.first, one) && is_called(second, self.pair.second, other)
    }
}

/// A recording beside the one that plays, and how it lies on the clock of that.
#[derive(Resource, Clone, Debug, Default)]
pub struct Counterpart {
    recording: Option<ClipAsset>,
    timing: Timing,
    /// Where it is shown.
    pub placement: Placement,
    /// From where the joints of the first are on average to where their likes are, in metres, as far
    /// as that is known.
    pub mean: Option<DVec3>,
    pairs: Arc<[JointPair]>,
    /// Pairs that somebody chose: they take the place of those that names suggest.
    chosen: Vec<Chosen>,
    /// The generation of the player that the pairs are for.
    paired_with: Option<u32>,
    pose: Pose,
    generation: u32,
}

impl Counterpart {
    /// Takes `recording` for the one that is held against what plays, from the start of both on.
    pub fn open(&mut self, recording: ClipAsset) {
        let generation = self.generation + 1;
        *self = Self { recording: Some(recording), generation, ..Self::default() };
    }

    /// Takes `recording` for the one that is there, as read anew: it lies and stands where that does.
    pub fn replace(&mut self, recording: ClipAsset) {
        self.recording = Some(recording);
        self.generation += 1;
        self.paired_with = None;
    }

    /// Takes it away.
    pub fn close(&mut self) {
        *self = Self { generation: self.generation + 1, ..Self::default() };
    }

    /// Its clip, if there is one.
    pub fn clip(&self) -> Option<&Arc<Clip>> {
        self.recording.as_ref().map(|recording| &recording.clip)
    }

    /// How it lies on the clock of what plays.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Lays it there. A rate that is no number above 0 is left as it is.
    pub fn set_timing(&mut self, timing: Timing) {
        if timing.offset.is_finite() {
            self.timing.offset = timing.offset;
        }
        if timing.rate.is_finite() && timing.rate > 0.0 {
            self.timing.rate = timing.rate;
        }
    }

    /// How it stands now, in the viewer's space.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Whether it plays when the first is at `time`, rather than being over or not begun.
    pub fn plays_at(&self, time: f64) -> bool {
        let time = self.timing.second(time);
        // What is laid end to end may be off by what rounding leaves.
        const ROUNDING: f64 = 1e-9;
        self.clip().is_some_and(|clip| {
            (clip.span.start - ROUNDING..=clip.span.end() + ROUNDING).contains(&time)
        })
    }

    /// The joints that both have, in the order of the first.
    pub fn pairs(&self) -> &Arc<[JointPair]> {
        &self.pairs
    }

    /// Holds `recording` against `first` at once: laid and placed as is wished.
    ///
    /// # Errors
    /// If it is to be laid where both move alike, and that is nowhere.
    pub fn held(first: &Clip, recording: ClipAsset, wish: Wish) -> Result<Self, Unaligned> {
        let mut counterpart = Self::default();
        counterpart.open(recording);
        counterpart.obey(wish);
        counterpart.pair(first, 0);
        let (pairs, timing) = (counterpart.pairs.clone(), counterpart.timing);
        let Some(second) = counterpart.clip().cloned() else { return Ok(counterpart) };
        let clips = [first, &*second];
        if wish.align {
            let offset = align(clips, &pairs, timing.rate)?.offset;
            counterpart.set_timing(Timing { offset, ..timing });
        }
        let compared = Comparison::new(clips, &pairs, counterpart.timing).ok();
        counterpart.mean = compared.filter(|_| !pairs.is_empty()).map(|compared| compared.mean());
        // Whoever plays the first may count its generations otherwise.
        counterpart.paired_with = None;
        Ok(counterpart)
    }

    /// Lies and is shown as is wished.
    pub fn obey(&mut self, wish: Wish) {
        if let Some(timing) = wish.timing {
            self.set_timing(timing);
        }
        if let Some(placement) = wish.placement {
            self.placement = placement;
        }
    }

    /// Whether joints were looked for that are meant by the same.
    pub fn is_paired(&self) -> bool {
        self.paired_with.is_some()
    }

    /// The joint that is meant by the same as `first`.
    pub fn like(&self, first: NodeId) -> Option<NodeId> {
        self.pairs.iter().find(|pair| pair.first == first).map(|pair| pair.second)
    }

    /// Takes `second` for what is meant by the same as the joint `first` of `clip`, or what its name
    /// suggests.
    pub fn choose(&mut self, clip: &Clip, first: NodeId, second: Option<NodeId>) {
        self.chosen.retain(|chosen| chosen.pair.first != first);
        self.paired_with = None;
        let Some((second, other)) = second.zip(self.clip().cloned()) else { return };
        let name = |clip: &Clip, id: NodeId| Some(clip.nodes.get(id.index())?.name.clone());
        if let (Some(one), Some(other)) = (name(clip, first), name(&other, second)) {
            let pair = JointPair { first, second };
            self.chosen.push(Chosen { pair, names: [one, other] });
        }
    }

    /// Whether somebody chose what is meant by the same as `first`.
    pub fn is_chosen(&self, first: NodeId) -> bool {
        self.chosen.iter().any(|chosen| chosen.pair.first == first)
    }

    /// Grows by one whenever another recording is taken, or none.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Stands as it does when what plays stands as it does now.
    pub(crate) fn go_along(&mut self, player: &Player) {
        if let Some(first) = player.clip() {
            self.pair(first, player.generation());
        }
        if let Some(recording) = &self.recording {
            recording.clip.sample(self.timing.second(player.pose().time), &mut self.pose);
        }
    }

    /// Looks for joints that are meant by the same in `first`, unless that is done.
    fn pair(&mut self, first: &Clip, generation: u32) {
        let Some(second) = self.clip() else { return };
        if self.paired_with == Some(generation) {
            return;
        }
        let pairs = paired(first, second, &self.chosen);
        if *self.pairs != *pairs {
            self.pairs = pairs.into();
            self.mean = None;
        }
        self.paired_with = Some(generation);
    }
}

/// What names suggest, and in place of that what was `chosen`: each joint is in one pair.
fn paired(first: &Clip, second: &Clip, chosen: &[Chosen]) -> Vec<JointPair> {
    let chosen = chosen.iter().filter(|chosen| chosen.is_of(first, second));
    let chosen: Vec<JointPair> = chosen.map(|chosen| chosen.pair).collect();
    let is_free = |pair: &JointPair| {
        chosen.iter().all(|one| one.first != pair.first && one.second != pair.second)
    };
    let mut pairs = pair_joints(first, second);
    pairs.retain(is_free);
    pairs.extend(chosen);
    pairs.sort_by_key(|pair| pair.first.index());
    pairs
}

/// Lets the counterpart stand as it does at the time of what plays.
pub(crate) fn go_along(player: Res<Player>, mut counterpart: ResMut<Counterpart>) {
    if counterpart.clip().is_none() || !(player.is_changed() || counterpart.is_changed()) {
        return;
    }
    counterpart.go_along(&player);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::{self, DecodeRequest},
        playback::TimeCommand,
    };

    fn take() -> ClipAsset {
        let bytes = include_bytes!("../assets/mrtk/two-hands.bin");
        ClipAsset::new(formats::decode(bytes, &DecodeRequest::default()).unwrap())
    }

    fn app() -> App {
        let mut app = App::new();
        app.init_resource::<Player>().init_resource::<Counterpart>().add_systems(Update, go_along);
        app.world_mut().resource_mut::<Player>().open(take());
        app.world_mut().resource_mut::<Counterpart>().open(take());
        app
    }

    #[test]
    fn it_stands_as_it_did_when_it_was_so_much_younger_and_went_so_much_slower() {
        let mut app = app();
        let timing = Timing { offset: 0.5, rate: 0.5 };
        app.world_mut().resource_mut::<Counterpart>().set_timing(timing);
        app.world_mut().resource_mut::<Player>().apply(TimeCommand::Seek(2.5));
        app.update();
        let mut expected = Pose::default();
        take().clip.sample(1.0, &mut expected);
        let counterpart = app.world().resource::<Counterpart>();
        assert_eq!(counterpart.pose().nodes, expected.nodes);
        assert!(counterpart.plays_at(2.5) && !counterpart.plays_at(0.4));
    }

    #[test]
    fn every_joint_has_its_like_until_another_is_chosen() {
        let mut app = app();
        app.update();
        let clip = take().clip;
        let node = |name: &str| {
            let found = clip.nodes.with_ids().find(|(_, node)| node.name == name);
            found.unwrap().0
        };
        let [left, right] = ["left/Wrist", "right/Wrist"].map(node);
        let count = {
            let counterpart = app.world().resource::<Counterpart>();
            assert_eq!(counterpart.like(left), Some(left));
            counterpart.pairs().len()
        };
        app.world_mut().resource_mut::<Counterpart>().choose(&clip, left, Some(right));
        app.update();
        let counterpart = app.world().resource::<Counterpart>();
        assert_eq!(counterpart.like(left), Some(right));
        assert_eq!(counterpart.like(right), None, "its like is somebody else's now");
        assert_eq!(counterpart.pairs().len(), count - 1);
        app.world_mut().resource_mut::<Counterpart>().choose(&clip, left, None);
        app.update();
        assert_eq!(app.world().resource::<Counterpart>().pairs().len(), count);
    }

    #[test]
    fn what_is_held_is_laid_where_both_move_alike_and_moved_onto_the_spot() {
        let first = take().clip;
        let late = Timing { offset: 3.0, rate: 1.0 };
        let wish = Wish { timing: Some(late), placement: Some(Placement::OnTheSpot), align: true };
        let held = Counterpart::held(&first, take(), wish).unwrap();
        assert!(held.timing().offset.abs() < 1.0 / 120.0, "{:?}", held.timing());
        assert_eq!(held.placement, Placement::OnTheSpot);
        assert!(held.mean.unwrap().length() < 1e-3, "{:?}", held.mean);
    }

    #[test]
    fn no_rate_stops_or_turns_back_time() {
        let mut counterpart = Counterpart::default();
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            counterpart.set_timing(Timing { offset: 1.0, rate });
            assert_eq!(counterpart.timing(), Timing { offset: 1.0, rate: 1.0 });
        }
    }
}
