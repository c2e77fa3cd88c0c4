//! Chat messages of players, over their heads for a while.

use std::sync::Arc;

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{Props, figure::following};
use crate::{
    recording::Recording,
    stage::{
        Tag,
        subject::{Subjects, visible},
    },
};
use mutoscope_core::clip::{Clip, Owner, Value};
use mutoscope_minecraft::Take;

/// For how long something is read, in seconds.
const SHOWN: f64 = 5.0;

/// How high above the feet it is, in metres: over the name.
const HEIGHT: f32 = 2.55;

/// More letters than this do not fit over a head.
const LONGEST: usize = 60;

/// The chat messages of a player.
#[derive(Component, Clone, Debug)]
pub(super) struct Says {
    recording: Entity,
    /// When, in seconds, and what; ascending.
    lines: Arc<[(f64, Arc<str>)]>,
}

/// Spawns the chat messages of a recording's player.
pub(super) fn spawn(root: &mut ChildSpawnerCommands, take: &Take, props: &mut Props<'_>) {
    let lines = lines(props.parts.clip, take);
    if lines.is_empty() {
        return;
    }
    let says = Says { recording: props.parts.recording, lines: lines.into() };
    let above = Transform::from_xyz(0.0, HEIGHT, 0.0);
    let player = following(props.parts.of(take.player()), take.size as f32, "chat");
    root.spawn(player).with_children(|root| {
        root.spawn((says, Tag::new(""), above, Visibility::Hidden));
    });
}

fn lines(clip: &Clip, take: &Take) -> Vec<(f64, Arc<str>)> {
    let own = Some(Owner::Node(take.player()));
    let said = clip.events.iter().filter(|event| event.name == "chat" && event.owner == own);
    let mut lines: Vec<_> = said
        .filter_map(|event| match event.value.as_deref() {
            Some(Value::Text(text)) => Some((event.time, shortened(text))),
            _ => None,
        })
        .collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    lines
}

fn shortened(text: &str) -> Arc<str> {
    let mut letters = text.char_indices();
    match letters.nth(LONGEST) {
        None => format!("“{text}”").into(),
        Some((end, _)) => format!("“{}…”", &text[..end]).into(),
    }
}

/// Shows the current chat messages.
pub(super) fn say(
    mut sayings: Query<(&Says, &mut Visibility, &mut Tag), Without<Recording>>,
    subjects: Subjects,
) {
    for (says, mut visibility, mut tag) in &mut sayings {
        let Some(subject) = subjects.get(says.recording) else { continue };
        let now = subject.pose().time;
        let begun = says.lines.partition_point(|(time, _)| *time <= now);
        let line = says.lines[..begun].last().filter(|(time, _)| now < time + SHOWN);
        visibility.set_if_neq(visible(line.is_some()));
        if let Some((_, text)) = line
            && tag.text() != text
        {
            *tag = Tag::new(text);
        }
    }
}
