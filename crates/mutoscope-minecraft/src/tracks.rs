//! The tracks of a clip. Each one exposes a property of the replayed recording.

use std::sync::{Arc, LazyLock};

use super::{
    Actor, ActorTransform, Entity, Item, PoseName, Recording, SampleTime, Slot, StepTrack, Take,
};
use mutoscope_core::clip::{ComputedCurve, KeyTimes, Unit, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum Property {
    Position,
    Yaw,
    Pitch,
    HeadYaw,
    OnGround,
    Pose,
    EntityFlags,
    LivingFlags,
    MainHandRight,
    Item(Slot),
    Arrows,
    Stingers,
    Dead,
    Vehicle,
    BodyYaw,
    WalkPosition,
    WalkSpeed,
    Attack,
    SwimAmount,
    HurtTime,
    DeathTime,
}

impl Property {
    pub(super) const RECORDED: [Self; 12] = [
        Self::Position,
        Self::Yaw,
        Self::Pitch,
        Self::HeadYaw,
        Self::OnGround,
        Self::Pose,
        Self::EntityFlags,
        Self::LivingFlags,
        Self::MainHandRight,
        Self::Arrows,
        Self::Stingers,
        Self::Dead,
    ];

    pub(super) const DERIVED: [Self; 7] = [
        Self::BodyYaw,
        Self::WalkPosition,
        Self::WalkSpeed,
        Self::Attack,
        Self::SwimAmount,
        Self::HurtTime,
        Self::DeathTime,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Item(slot) => slot.property_name(),
            other => other.into(),
        }
    }

    pub(super) fn is_movement(self) -> bool {
        matches!(self, Self::Position | Self::Yaw | Self::Pitch | Self::HeadYaw)
    }

    pub(super) fn unit(self) -> Unit {
        match self {
            Self::Position => Unit::Metres,
            Self::Yaw | Self::Pitch | Self::HeadYaw | Self::BodyYaw => Unit::Degrees,
            _ => Unit::None,
        }
    }

    fn type_name(self) -> &'static str {
        match self {
            Self::Position => "double3",
            Self::Yaw | Self::Pitch | Self::HeadYaw => "float",
            Self::OnGround | Self::MainHandRight | Self::Dead => "bool",
            Self::Pose | Self::Item(_) => "string",
            Self::EntityFlags | Self::LivingFlags | Self::Arrows | Self::Stingers => "int",
            Self::Vehicle | Self::HurtTime | Self::DeathTime => "int",
            Self::BodyYaw | Self::WalkPosition | Self::WalkSpeed => "double",
            Self::Attack | Self::SwimAmount => "double",
        }
    }
}

#[derive(Debug)]
pub(super) struct PropertyCurve {
    take: Arc<Take>,
    entity: Option<usize>,
    property: Property,
    times: KeyTimes,
}

#[derive(Clone)]
pub(super) struct Keys {
    pub(super) times: KeyTimes,
    pub(super) offsets: Arc<[u32]>,
}

impl Keys {
    pub(super) fn new(take: &Take, frames: &[u32], offsets: &[u32]) -> Self {
        let mut times = Vec::with_capacity(frames.len());
        let mut repeated_offsets = Vec::with_capacity(frames.len());
        for round in &take.rounds {
            for (&frame, &offset) in frames.iter().zip(offsets) {
                if let Some(time) = round.frame_time(frame) {
                    times.push(time);
                    repeated_offsets.push(offset);
                }
            }
        }
        let times = KeyTimes::new(times).expect("frames and rounds are ascending");
        Self { times, offsets: repeated_offsets.into() }
    }
}

impl PropertyCurve {
    pub(super) fn new(
        take: Arc<Take>,
        entity: Option<usize>,
        property: Property,
        times: KeyTimes,
    ) -> Self {
        Self { take, entity, property, times }
    }

    /// Returns the keys of a property. Returns no keys for a property of the movement, because
    /// these properties share the keys of the path.
    pub(super) fn property_keys(take: &Take, entity: Option<usize>, property: Property) -> Keys {
        let Take { recording, .. } = take;
        let actor = entity.map_or(&recording.player, |index| &recording.entities[index].actor);
        match property {
            Property::OnGround => actor.on_ground.to_keys(take),
            Property::Pose => actor.pose.to_keys(take),
            Property::EntityFlags => actor.entity_flags.to_keys(take),
            Property::LivingFlags => actor.living_flags.to_keys(take),
            Property::MainHandRight => actor.main_hand_right.to_keys(take),
            Property::Item(slot) => actor.items[slot as usize].to_keys(take),
            Property::Arrows => actor.arrows.to_keys(take),
            Property::Stingers => actor.stingers.to_keys(take),
            Property::Dead => actor.dead.to_keys(take),
            Property::Vehicle => recording.vehicle.to_keys(take),
            _ => Keys::new(take, &[], &[]),
        }
    }

    fn actor(&self) -> &Actor {
        self.entity().map_or(&self.recording().player, |entity| &entity.actor)
    }

    fn entity(&self) -> Option<&Entity> {
        self.entity.map(|index| &self.recording().entities[index])
    }

    fn recording(&self) -> &Recording {
        &self.take.recording
    }

    fn sample(&self, moment: SampleTime) -> Value {
        let (actor, frame) = (self.actor(), moment.frame);
        let client = || self.recording().client(moment);
        match self.property {
            Property::Position | Property::Yaw | Property::Pitch | Property::HeadYaw => {
                self.movement_value(&actor.path.sample(moment))
            }
            Property::OnGround => Value::Bool(*actor.on_ground.at_frame(frame)),
            Property::Pose => pose_value(*actor.pose.at_frame(frame)),
            Property::EntityFlags => integer(*actor.entity_flags.at_frame(frame)),
            Property::LivingFlags => integer(*actor.living_flags.at_frame(frame)),
            Property::MainHandRight => Value::Bool(*actor.main_hand_right.at_frame(frame)),
            Property::Item(slot) => item_value(actor.item(slot, frame)),
            Property::Arrows => integer(*actor.arrows.at_frame(frame)),
            Property::Stingers => integer(*actor.stingers.at_frame(frame)),
            Property::Dead => Value::Bool(*actor.dead.at_frame(frame)),
            Property::Vehicle => {
                self.recording().vehicle.at_frame(frame).map_or(Value::Null, integer)
            }
            Property::BodyYaw => Value::Number(client().body_yaw),
            Property::WalkPosition => Value::Number(client().walk_position),
            Property::WalkSpeed => Value::Number(client().walk_speed),
            Property::Attack => Value::Number(client().attack),
            Property::SwimAmount => Value::Number(client().swim_amount),
            Property::HurtTime => integer(actor.hurt_time(frame)),
            Property::DeathTime => integer(actor.death_time(frame)),
        }
    }

    fn movement_value(&self, transform: &ActorTransform) -> Value {
        match self.property {
            Property::Position => Value::from_numbers(transform.position.to_array().into_iter()),
            Property::Yaw => Value::Number(transform.yaw),
            Property::Pitch => Value::Number(transform.pitch),
            _ => Value::Number(transform.head_yaw),
        }
    }
}

impl ComputedCurve for PropertyCurve {
    fn type_name(&self) -> &'static str {
        self.property.type_name()
    }

    fn times(&self) -> &KeyTimes {
        &self.times
    }

    fn key_value(&self, index: usize) -> Value {
        let moment = self.take.sample_time(self.times.as_slice()[index]);
        moment.map_or(Value::Null, |moment| self.sample(moment))
    }

    fn value(&self, time: f64) -> Value {
        let Some(moment) = self.take.sample_time(time) else { return Value::Null };
        let is_there = |entity: &Entity| entity.is_there(moment.frame) && self.take.has_begun(time);
        if self.entity().is_none_or(is_there) { self.sample(moment) } else { Value::Null }
    }
}

impl<T> StepTrack<T> {
    fn to_keys(&self, take: &Take) -> Keys {
        Keys::new(take, self.frames(), self.offsets())
    }
}

fn integer(value: impl Into<i128>) -> Value {
    Value::Integer(value.into())
}

/// Returns the name of a pose. The names are allocated only once, because this function is called
/// for every frame.
fn pose_value(pose: PoseName) -> Value {
    static NAMES: LazyLock<Vec<Arc<str>>> =
        LazyLock::new(|| PoseName::ALL.iter().map(|pose| pose.name().into()).collect());
    Value::Text(NAMES[pose as usize - 1].clone())
}

fn item_value(item: Option<&Item>) -> Value {
    item.map_or(Value::Null, |item| Value::Text(item.id.clone()))
}
