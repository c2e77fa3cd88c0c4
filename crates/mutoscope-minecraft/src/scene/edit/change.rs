//! Edits of a scene, and the changes of its elements that they are.

use std::sync::Arc;

use glam::DVec3;

use super::{SceneDocument, json_text::Json};
use crate::scene::{
    Element, EntityFilter, SceneElement, Timing, Transformation, file::is_name, timing::is_sound,
};

/// An edit of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneEdit {
    /// Changes the element with this index.
    Change(usize, ElementEdit),
    /// Adds an element with this name, which for a scene begins with a dot.
    Add(String),
    /// Removes the element with this index.
    Remove(usize),
}

/// A change of an element.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementEdit {
    /// How long it is not there, in seconds.
    StartDelay(f64),
    /// How long it then waits at its start, in seconds.
    WaitOnStart(f64),
    /// How long it stays at its end, in seconds.
    WaitOnEnd(f64),
    /// Whether it then stays until the scene ends.
    WaitsForParentEnd(bool),
    /// Whether it loops.
    Loops(bool),
    /// Where it is moved, in blocks, in the axes of the game.
    Offset(DVec3),
    /// How far it is turned about its centre, in degrees, clockwise seen from above.
    Rotation(f64),
    /// The filter of played entities; `None` for all.
    EntityFilter(Option<String>),
    /// The player's name; `None` for the recorded one.
    PlayerName(Option<String>),
}

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidEdit(String);

/// A change of one element: what it was, and what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneChange {
    pub(super) at: usize,
    /// Nothing if it is added.
    pub(super) before: Option<Arc<Json>>,
    /// Nothing if it is removed.
    pub(super) after: Option<Arc<Json>>,
}

impl SceneChange {
    /// The change that undoes it.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self { at: self.at, before: self.after.clone(), after: self.before.clone() }
    }

    /// Whether nothing is different afterwards.
    pub fn is_nothing(&self) -> bool {
        self.before == self.after
    }
}

impl SceneEdit {
    /// The name of what it changes, for the user: `delay of walk`.
    pub fn name(&self, document: &SceneDocument) -> String {
        let element =
            |index: usize| document.element(index).map_or_else(String::new, |element| element.name);
        match self {
            Self::Change(index, edit) => format!("{} of {}", edit.name(), element(*index)),
            Self::Add(name) => format!("adding {name}"),
            Self::Remove(index) => format!("removing {}", element(*index)),
        }
    }

    /// Whether it is another value for what `other` changes, so that both may be one step.
    pub(super) fn continues(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Change(index, edit), Self::Change(other, before)) => {
                index == other && std::mem::discriminant(edit) == std::mem::discriminant(before)
            }
            _ => false,
        }
    }

    /// The change that it is of `document`.
    ///
    /// # Errors
    /// If there is no such element, if it cannot be read, or if the mod would not take the value.
    pub fn plan(&self, document: &SceneDocument) -> Result<SceneChange, InvalidEdit> {
        let missing = |index: usize| InvalidEdit(format!("the scene has no element {}", index + 1));
        match self {
            Self::Add(name) => {
                if !is_name(name.strip_prefix('.').unwrap_or(name)) {
                    let message = format!(
                        "{name:?} is not a name that the mod takes: expected letters, digits, _, - \
                         and ."
                    );
                    return Err(InvalidEdit(message));
                }
                let member = ("name".to_owned(), Json::String(name.clone()));
                let added = Arc::new(Json::Object(vec![member]));
                Ok(SceneChange { at: document.len(), before: None, after: Some(added) })
            }
            Self::Remove(index) => {
                let before = document.elements.get(*index).ok_or_else(|| missing(*index))?;
                Ok(SceneChange { at: *index, before: Some(before.clone()), after: None })
            }
            Self::Change(index, edit) => {
                let before = document.elements.get(*index).ok_or_else(|| missing(*index))?;
                let SceneElement { name, content } =
                    document.element(*index).ok_or_else(|| missing(*index))?;
                if let Err(why) = content {
                    return Err(InvalidEdit(why));
                }
                edit.check().map_err(|why| InvalidEdit(format!("{name:?}: {why}")))?;
                let mut after = Json::clone(before);
                edit.set(&mut after);
                let (before, after) = (Some(before.clone()), Some(Arc::new(after)));
                Ok(SceneChange { at: *index, before, after })
            }
        }
    }
}

impl ElementEdit {
    /// The edit that moves an element by this many seconds in time: by its delay, or by its wait where
    /// it has nothing but that. It is nowhere before the scene's start.
    pub fn delayed(timing: &Timing, seconds: f64) -> Self {
        if timing.start_delay == 0.0 && timing.wait_on_start > 0.0 {
            Self::WaitOnStart((timing.wait_on_start + seconds).max(0.0))
        } else {
            Self::StartDelay((timing.start_delay + seconds).max(0.0))
        }
    }

    /// How much later an element begins to play by this edit than by `timing`, in seconds.
    pub fn delay_by(&self, timing: &Timing) -> f64 {
        match self {
            Self::StartDelay(seconds) => seconds - timing.start_delay,
            Self::WaitOnStart(seconds) => seconds - timing.wait_on_start,
            _ => 0.0,
        }
    }

    /// Whether it leaves an element as it is.
    pub fn is_in(&self, element: &Element) -> bool {
        let Element { timing, transformation, .. } = element;
        match self {
            Self::StartDelay(seconds) => timing.start_delay == *seconds,
            Self::WaitOnStart(seconds) => timing.wait_on_start == *seconds,
            Self::WaitOnEnd(seconds) => timing.wait_on_end == *seconds,
            Self::WaitsForParentEnd(waits) => timing.waits_for_parent_end == *waits,
            Self::Loops(loops) => timing.loops == *loops,
            Self::Offset(blocks) => transformation.offset == *blocks,
            Self::Rotation(degrees) => transformation.rotation == *degrees,
            Self::EntityFilter(filter) => element.entity_filter == *filter,
            Self::PlayerName(name) => element.player_name == *name,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::StartDelay(_) => "delay",
            Self::WaitOnStart(_) => "wait at the start",
            Self::WaitOnEnd(_) => "wait at the end",
            Self::WaitsForParentEnd(_) => "end",
            Self::Loops(_) => "loop",
            Self::Offset(_) => "offset",
            Self::Rotation(_) => "rotation",
            Self::EntityFilter(_) => "entity filter",
            Self::PlayerName(_) => "player name",
        }
    }

    /// Where version 4 has it.
    fn path(&self) -> &'static [&'static str] {
        match self {
            Self::StartDelay(_) => &["time", "start_delay"],
            Self::WaitOnStart(_) => &["time", "wait_on_start"],
            Self::WaitOnEnd(_) => &["time", "wait_on_end"],
            Self::WaitsForParentEnd(_) => &["time", "wait_for_parent_end"],
            Self::Loops(_) => &["time", "loop"],
            Self::Offset(_) => &["transformations", "offset"],
            Self::Rotation(_) => &["transformations", "rotation"],
            Self::EntityFilter(_) => &["entity_filter"],
            Self::PlayerName(_) => &["player_name"],
        }
    }

    /// Whether the mod takes it, else why not.
    fn check(&self) -> Result<(), String> {
        /// As far as anything is in a world, and further.
        const FARTHEST: f64 = 1e9;
        /// In UTF-16 units, as Java counts.
        const LONGEST_NAME: usize = 16;
        match self {
            Self::StartDelay(seconds) | Self::WaitOnStart(seconds) | Self::WaitOnEnd(seconds)
                if !is_sound(*seconds) =>
            {
                Err(format!("expected 0 s to a year, found {seconds} s"))
            }
            Self::Offset(blocks) if blocks.abs().max_element() > FARTHEST || blocks.is_nan() => {
                Err(format!("an offset of {blocks} blocks is out of any world"))
            }
            Self::Rotation(degrees) if degrees.is_nan() || degrees.abs() > FARTHEST => {
                Err(format!("expected a rotation in degrees, found {degrees}"))
            }
            Self::EntityFilter(Some(filter)) if EntityFilter::parse(filter).is_none() => {
                Err(format!("{filter:?} is not a filter of entities, such as @mobs;-minecraft:cow"))
            }
            Self::PlayerName(Some(name))
                if name.is_empty() || name.encode_utf16().count() > LONGEST_NAME =>
            {
                Err(format!("expected a name of 1 to {LONGEST_NAME} letters, found {name:?}"))
            }
            _ => Ok(()),
        }
    }

    /// Writes it into an element; what is the default is left out.
    fn set(&self, element: &mut Json) {
        let number = |number: f64| Some(number).filter(|one| *one != 0.0).and_then(Json::number);
        let text = |text: &Option<String>| text.clone().map(Json::String);
        let value = match self {
            Self::StartDelay(value)
            | Self::WaitOnStart(value)
            | Self::WaitOnEnd(value)
            | Self::Rotation(value) => number(*value),
            Self::WaitsForParentEnd(waits) => (!waits).then_some(Json::Bool(false)),
            Self::Loops(loops) => loops.then_some(Json::Bool(true)),
            Self::Offset(blocks) => (*blocks != Transformation::default().offset).then(|| {
                Json::Array(blocks.to_array().into_iter().filter_map(Json::number).collect())
            }),
            Self::EntityFilter(filter) => text(filter),
            Self::PlayerName(name) => text(name),
        };
        element.set(self.path(), value);
    }
}
