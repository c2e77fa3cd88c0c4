//! Shows chat messages of players over their heads for a while.

use std::sync::Arc;

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{SceneAssets, figure::node_follower};
use crate::{
    Recording,
    stage::{
        Tag,
        subject::{Subjects, visibility_if},
    },
};
use mutoscope_core::clip::{Clip, Owner, Value};
use mutoscope_minecraft::Take;

const MESSAGE_DURATION_S: f64 = 5.0;

/// The height of a message above the feet, in metres. It is above the name.
const MESSAGE_HEIGHT: f32 = 2.55;

const MAX_MESSAGE_CHARS: usize = 60;

#[derive(Component, Clone, Debug)]
pub(super) struct ChatMessages {
    recording: Entity,
    /// The times in seconds, ascending, and the texts.
    messages: Arc<[(f64, Arc<str>)]>,
}

pub(super) fn spawn(root: &mut ChildSpawnerCommands, take: &Take, assets: &mut SceneAssets<'_>) {
    let messages = chat_messages(assets.parts.clip, take);
    if messages.is_empty() {
        return;
    }
    let chat = ChatMessages { recording: assets.parts.recording, messages: messages.into() };
    let above = Transform::from_xyz(0.0, MESSAGE_HEIGHT, 0.0);
    let player =
        node_follower(assets.parts.node_ref(take.player_node()), take.actor_scale as f32, "chat");
    root.spawn(player).with_children(|root| {
        root.spawn((chat, Tag::new(""), above, Visibility::Hidden));
    });
}

fn chat_messages(clip: &Clip, take: &Take) -> Vec<(f64, Arc<str>)> {
    let owner = Some(Owner::Node(take.player_node()));
    let chat_events =
        clip.events.iter().filter(|event| event.name == "chat" && event.owner == owner);
    let mut messages: Vec<_> = chat_events
        .filter_map(|event| match event.value.as_deref() {
            Some(Value::Text(text)) => Some((event.time, quote_message(text))),
            _ => None,
        })
        .collect();
    messages.sort_by(|a, b| a.0.total_cmp(&b.0));
    messages
}

fn quote_message(text: &str) -> Arc<str> {
    let mut letters = text.char_indices();
    match letters.nth(MAX_MESSAGE_CHARS) {
        None => format!("“{text}”").into(),
        Some((end, _)) => format!("“{}…”", &text[..end]).into(),
    }
}

pub(super) fn update_messages(
    mut chats: Query<(&ChatMessages, &mut Visibility, &mut Tag), Without<Recording>>,
    subjects: Subjects,
) {
    for (chat, mut visibility, mut tag) in &mut chats {
        let Some(subject) = subjects.get(chat.recording) else { continue };
        let now = subject.pose().time;
        let begun_count = chat.messages.partition_point(|(time, _)| *time <= now);
        let message =
            chat.messages[..begun_count].last().filter(|(time, _)| now < time + MESSAGE_DURATION_S);
        visibility.set_if_neq(visibility_if(message.is_some()));
        if let Some((_, text)) = message
            && tag.text() != text
        {
            *tag = Tag::new(text);
        }
    }
}
