//! Edits of a scene.

use std::sync::Arc;

use glam::DVec3;

use super::{SceneDocument, json_text::Json};
use crate::scene::{
    Element, EntityFilter, SceneElement, Timing, Transformation, file::is_valid_name,
    timing::is_valid_delay,
};

/// An edit of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneEdit {
    /// Changes the element with this index.
    Change(usize, ElementEdit),
    /// Adds an element with this name. The name of a scene begins with a dot.
    Add(String),
    /// Removes the element with this index.
    Remove(usize),
}

/// A new value for a setting of an element.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementEdit {
    /// The time for which the element is absent at the start, in seconds.
    StartDelay(f64),
    /// The time after the delay in which the element waits at its start, in seconds.
    WaitOnStart(f64),
    /// The time in which the element waits at its end, in seconds.
    WaitOnEnd(f64),
    /// `true` to stay at the end until the scene ends.
    WaitsForParentEnd(bool),
    /// `true` to loop.
    Loops(bool),
    /// The offset in blocks, in the axes of the game.
    Offset(DVec3),
    /// The rotation about the centre in degrees, clockwise seen from above.
    Rotation(f64),
    /// The filter of played entities. `None` plays all of them.
    EntityFilter(Option<String>),
    /// The player's name. `None` is the recorded name.
    PlayerName(Option<String>),
}

/// The reason why an edit is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidEdit(String);

impl SceneEdit {
    /// Returns the name of the edit for the user, such as `delay of walk`.
    pub fn name(&self, document: &SceneDocument) -> String {
        let element =
            |index: usize| document.element(index).map_or_else(String::new, |element| element.name);
        match self {
            Self::Change(index, edit) => format!("{} of {}", edit.name(), element(*index)),
            Self::Add(name) => format!("adding {name}"),
            Self::Remove(index) => format!("removing {}", element(*index)),
        }
    }

    /// Applies the edit to `document`.
    ///
    /// # Errors
    /// If the element does not exist or cannot be read, or if the mod would reject the value. The
    /// document stays the same.
    pub fn apply_to(&self, document: &mut SceneDocument) -> Result<(), InvalidEdit> {
        let missing = |index: usize| InvalidEdit(format!("the scene has no element {}", index + 1));
        match self {
            Self::Add(name) => {
                if !is_valid_name(name.strip_prefix('.').unwrap_or(name)) {
                    let message = format!(
                        "the mod does not accept the name {name:?}: expected letters, digits, _, - \
                         and ."
                    );
                    return Err(InvalidEdit(message));
                }
                let member = ("name".to_owned(), Json::String(name.clone()));
                document.elements.push(Arc::new(Json::Object(vec![member])));
            }
            Self::Remove(index) if *index < document.len() => {
                document.elements.remove(*index);
            }
            Self::Remove(index) => return Err(missing(*index)),
            Self::Change(index, edit) => {
                let SceneElement { name, content } =
                    document.element(*index).ok_or_else(|| missing(*index))?;
                if let Err(reason) = content {
                    return Err(InvalidEdit(reason.message));
                }
                edit.validate().map_err(|error| InvalidEdit(format!("{name:?}: {error}")))?;
                edit.write_to(Arc::make_mut(&mut document.elements[*index]));
            }
        }
        Ok(())
    }
}

impl ElementEdit {
    /// Returns the edit that moves the start of an element by `seconds`. If the element has a wait
    /// but no delay, the edit changes the wait. Otherwise the edit changes the delay. The delay or
    /// the wait is never negative.
    pub fn shift_start(timing: &Timing, seconds: f64) -> Self {
        if timing.start_delay == 0.0 && timing.wait_on_start > 0.0 {
            Self::WaitOnStart((timing.wait_on_start + seconds).max(0.0))
        } else {
            Self::StartDelay((timing.start_delay + seconds).max(0.0))
        }
    }

    /// Returns the number of seconds by which this edit moves the start of an element. `timing` is
    /// the timing of the element before the edit.
    pub fn start_shift(&self, timing: &Timing) -> f64 {
        match self {
            Self::StartDelay(seconds) => seconds - timing.start_delay,
            Self::WaitOnStart(seconds) => seconds - timing.wait_on_start,
            _ => 0.0,
        }
    }

    /// Returns `true` if `element` already has the value.
    pub fn is_applied_to(&self, element: &Element) -> bool {
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

    fn json_path(&self) -> &'static [&'static str] {
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

    fn validate(&self) -> Result<(), InvalidEdit> {
        /// The maximum offset in blocks, and the maximum rotation in degrees. No useful offset is
        /// larger, because the game's world is smaller.
        const MAX_MAGNITUDE: f64 = 1e9;
        /// The maximum length of a name in UTF-16 code units, because Java counts these units.
        const MAX_NAME_UNITS: usize = 16;
        let message = match self {
            Self::StartDelay(seconds) | Self::WaitOnStart(seconds) | Self::WaitOnEnd(seconds)
                if !is_valid_delay(*seconds) =>
            {
                format!("expected 0 s to a year, found {seconds} s")
            }
            Self::Offset(blocks)
                if blocks.abs().max_element() > MAX_MAGNITUDE || blocks.is_nan() =>
            {
                format!("expected an offset of at most {MAX_MAGNITUDE:e} blocks, found {blocks}")
            }
            Self::Rotation(degrees) if degrees.is_nan() || degrees.abs() > MAX_MAGNITUDE => {
                format!("expected a rotation in degrees, found {degrees}")
            }
            Self::EntityFilter(Some(filter)) if EntityFilter::parse(filter).is_none() => {
                format!("expected an entity filter such as @mobs;-minecraft:cow, found {filter:?}")
            }
            Self::PlayerName(Some(name))
                if name.is_empty() || name.encode_utf16().count() > MAX_NAME_UNITS =>
            {
                format!("expected a name of 1 to {MAX_NAME_UNITS} letters, found {name:?}")
            }
            _ => return Ok(()),
        };
        Err(InvalidEdit(message))
    }

    fn write_to(&self, element: &mut Json) {
        let number =
            |number: f64| Some(number).filter(|number| *number != 0.0).and_then(Json::number);
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
        element.set(self.json_path(), value);
    }
}
