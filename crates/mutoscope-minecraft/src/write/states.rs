//! States that hold until they are set again. A recording that is cut in its middle has to start
//! with them.

use super::{actions, byte_writer::ByteWriter};
use crate::{Action, EntityData, PoseName};

/// The latest action of each kind whose effect lasts until the next action of that kind. The order
/// is that in which the mod writes these actions.
#[derive(Clone, Debug, Default)]
pub(super) struct LastingStates<'a>([Option<Action<'a>>; STATE_COUNT]);

const STATE_COUNT: usize = 10;

fn state_index(action: &Action<'_>) -> Option<usize> {
    Some(match action {
        Action::Pose(_) => 0,
        Action::Items(_) => 1,
        Action::EntityFlags(_) => 2,
        Action::LivingFlags(_) => 3,
        Action::MainHand(_) => 4,
        Action::Arrows { .. } => 5,
        Action::Sleep(_) => 6,
        Action::Spectator(_) => 7,
        Action::EffectColour { .. } | Action::EffectParticles { .. } => 8,
        Action::Data(Some(_)) => 9,
        _ => return None,
    })
}

fn is_default(action: &Action<'_>) -> bool {
    match action {
        Action::Pose(number) => PoseName::from_id(*number) == Some(PoseName::Standing),
        Action::Items(items) => items.is_empty(),
        Action::EntityFlags(flags) | Action::LivingFlags(flags) => *flags == 0,
        Action::MainHand(is_right) => *is_right,
        Action::Arrows { arrows, stingers } => [arrows, stingers] == [&0, &0],
        Action::Sleep(bed) => bed.is_none(),
        Action::Spectator(is_spectator) => !is_spectator,
        Action::EffectColour { colour, .. } => *colour == 0,
        Action::EffectParticles { particles, .. } => particles.is_empty(),
        Action::Data(data) => data.is_none_or(|data| data == EntityData::default()),
        _ => true,
    }
}

impl<'a> LastingStates<'a> {
    pub(super) fn record(&mut self, action: &Action<'a>) {
        if let Some(position) = state_index(action) {
            self.0[position] = Some(action.clone());
        }
    }

    pub(super) fn record_pose(&mut self, pose: PoseName) {
        self.record(&Action::Pose(pose as i32));
    }

    pub(super) fn write_states(&self, out: &mut ByteWriter, entity: Option<i32>) {
        for action in self.0.iter().flatten().filter(|action| !is_default(action)) {
            actions::write_actor_prefix(out, entity);
            actions::write_action(out, action);
        }
    }
}
