//! Axes and units of logs, which have no columns: the part of a mapping that is about space.

use std::fmt::Write as _;

use mutoscope_core::{
    clip::{AssumedFact, ChoiceOrigin, Convention, MappingChoice, ReadMapping, SourceAxes, Stated},
    diagnostics::{Error, Notices},
    formats::DecodeContext,
};

use super::write::quoted;
use crate::build::Space;

/// The axes and the unit of a log.
#[derive(Clone, Debug)]
pub struct LogSpace {
    /// The same as the convention of a clip.
    pub convention: Convention,
    /// The facts that neither the log nor a mapping states.
    pub assumed: Vec<AssumedFact>,
    /// The same as a mapping file.
    pub mapping: String,
    /// The facts that a mapping file may say otherwise.
    pub choices: Vec<MappingChoice>,
    /// The mapping file that was read, if there was one.
    pub read_by: Option<ReadMapping>,
}

/// The axes and the unit of a log: those of the mapping that was given or is kept beside it, else
/// `axes` and metres. `why` says why these are assumed; nothing if they are stated.
///
/// # Errors
/// If the mapping is invalid.
pub fn log_space(
    context: &DecodeContext<'_>,
    axes: SourceAxes,
    why: Option<&str>,
    notices: &mut Notices,
) -> Result<LogSpace, Error> {
    let mapping = crate::mapping_of(context, notices)?;
    let mut assumed = Vec::new();
    let chosen = mutoscope_core::clip::Origin::Chosen;
    let axes = match (mapping.space.axes, why) {
        (Some(value), _) => Stated { value, origin: chosen },
        (None, None) => Stated::declared(axes),
        (None, Some(why)) => {
            let (value, why) = (crate::build::words_of(axes), why.to_owned());
            assumed.push(AssumedFact { fact: "axes", value, why });
            Stated::assumed(axes)
        }
    };
    let metres = match mapping.space.unit {
        Some(value) => Stated { value, origin: chosen },
        None => Stated::declared(1.0),
    };
    let convention = Space::of_log(axes, metres).convention();
    let mut text = super::TITLES[1].to_owned();
    let words = axes.value.directions().map(|it| quoted(it.word())).join(", ");
    let comment = if assumed.is_empty() { "" } else { "    # assumed" };
    // Writing to a text has no errors.
    let _ = writeln!(text, "\n[space]\naxes = [{words}]{comment}\nunit = {:?}", metres.value);
    let of_axes = match (axes.origin == chosen, why) {
        (true, _) => (ChoiceOrigin::Chosen, String::new()),
        (false, Some(why)) => (ChoiceOrigin::Assumed, why.to_owned()),
        (false, None) => (ChoiceOrigin::Stated, String::new()),
    };
    let of_unit = match mapping.space.unit {
        Some(_) => (ChoiceOrigin::Chosen, String::new()),
        None => (ChoiceOrigin::Stated, String::new()),
    };
    let choices = vec![
        crate::build::choice_of_axes(axes.value, of_axes),
        crate::build::choice_of_unit(metres.value, of_unit),
    ];
    Ok(LogSpace { convention, assumed, mapping: text, choices, read_by: mapping.read_by })
}
