//! Reads the axes and the unit of a log from a mapping. Logs have no columns, so only the section
//! about space applies.

use std::fmt::Write as _;

use mutoscope_core::{
    SourceFile,
    clip::{AppliedMapping, AssumedFact, Convention, MappingChoice, SourceAxes, Stated},
    diagnostics::{Diagnostics, Error},
    formats::ReadOptions,
};

use super::write::quote;
use crate::build::{FactOrigin, Space, axes_choice, length_unit_choice};

/// The axes and the unit of a log.
#[derive(Clone, Debug)]
pub struct LogSpace {
    /// The axes and the length unit of the log, expressed as a clip convention.
    pub convention: Convention,
    /// The facts that neither the log nor a mapping states.
    pub assumed: Vec<AssumedFact>,
    /// The axes and the unit as the text of a mapping file.
    pub mapping: String,
    /// The facts that a mapping file can change.
    pub choices: Vec<MappingChoice>,
    /// The mapping file that was read, or `None` if there was none.
    pub read_by: Option<AppliedMapping>,
}

/// Returns the axes and the unit of a log. They come from the mapping that was passed or is stored
/// next to the log. Without a mapping, they are `axes` and metres. `why` is the reason why `axes`
/// are assumed. `None` means that the log states the axes.
///
/// # Errors
/// If the mapping is invalid.
pub fn log_space(
    file: &SourceFile<'_>,
    options: &ReadOptions,
    axes: SourceAxes,
    why: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> Result<LogSpace, Error> {
    let mapping = crate::find_mapping(file, options, diagnostics)?;
    let mut assumed = Vec::new();
    let chosen = mutoscope_core::clip::FactOrigin::Chosen;
    let axes = match (mapping.space.axes, why) {
        (Some(value), _) => Stated { value, origin: chosen },
        (None, None) => Stated::declared(axes),
        (None, Some(why)) => {
            let (value, why) = (crate::build::axes_label(axes), why.to_owned());
            assumed.push(AssumedFact { fact: "axes", value, why });
            Stated::assumed(axes)
        }
    };
    let metres = match mapping.space.metres_per_unit {
        Some(value) => Stated { value, origin: chosen },
        None => Stated::declared(1.0),
    };
    let convention = Space::for_log(axes, metres).convention();
    let mut text = super::TITLES[1].to_owned();
    let words = axes.value.directions().map(|it| quote(it.as_str())).join(", ");
    let comment = if assumed.is_empty() { "" } else { "    # assumed" };
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "\n[space]\naxes = [{words}]{comment}\nunit = {:?}", metres.value);
    let axes_origin = match (axes.origin == chosen, why) {
        (true, _) => FactOrigin::chosen(),
        (false, Some(why)) => FactOrigin::assumed(why),
        (false, None) => FactOrigin::stated(),
    };
    let unit_origin = match mapping.space.metres_per_unit {
        Some(_) => FactOrigin::chosen(),
        None => FactOrigin::stated(),
    };
    let choices =
        vec![axes_choice(axes.value, axes_origin), length_unit_choice(metres.value, unit_origin)];
    Ok(LogSpace { convention, assumed, mapping: text, choices, read_by: mapping.read_by })
}
