//! States that hold until they are set again: needed where a recording is to begin in its middle.

use super::{actions, out::Out};
use crate::{Action, EntityData, PoseName};

/// The latest of each kind of action that holds until it is set again, in the order in which the
/// mod writes them.
#[derive(Clone, Debug, Default)]
pub(super) struct States<'a>([Option<Action<'a>>; COUNT]);

const COUNT: usize = 10;

/// Where an action belongs in that order, if it holds.
fn position(action: &Action<'_>) -> Option<usize> {
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

/// Whether it says only what is so anyway.
fn is_default(action: &Action<'_>) -> bool {
    match action {
        Action::Pose(number) => PoseName::numbered(*number) == Some(PoseName::Standing),
        Action::Items(items) => items.is_empty(),
        Action::EntityFlags(flags) | Action::LivingFlags(flags) => *flags == 0,
        Action::MainHand(is_right) => *is_right,
        Action::Arrows { arrows, stingers } => [arrows, stingers] == [&0, &0],
        Action::Sleep(bed) => bed.is_none(),
        Action::Spectator(is_one) => !is_one,
        Action::EffectColour { colour, .. } => *colour == 0,
        Action::EffectParticles { particles, .. } => particles.is_empty(),
        Action::Data(data) => data.is_none_or(|data| data == EntityData::default()),
        _ => true,
    }
}

impl<'a> States<'a> {
    /// Takes over what holds from now on.
    pub(super) fn take(&mut self, action: &Action<'a>) {
        if let Some(position) = position(action) {
            self.0[position] = Some(action.clone());
        }
    }

    /// The player is back on its feet, or not.
    pub(super) fn take_pose(&mut self, pose: PoseName) {
        self.take(&Action::Pose(pose as i32));
    }

    /// Writes what is not so anyway, of the player or of an entity.
    pub(super) fn write(&self, out: &mut Out, entity: Option<i32>) {
        for action in self.0.iter().flatten().filter(|action| !is_default(action)) {
            actions::whose(out, entity);
            actions::write(out, action);
        }
    }
}
