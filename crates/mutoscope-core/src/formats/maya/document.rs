//! The parsed content of an `.anim` file, with the file's own order, keywords and units.

use std::borrow::Cow;

/// A whole `.anim` file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document<'a> {
    /// The statements before the first `anim` line.
    pub header: Header<'a>,
    /// The `anim` lines in file order, each with its curves.
    pub items: Vec<Item<'a>>,
}

/// The header of a file. Every statement may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header<'a> {
    /// The version of the format, `1.0` or `1.1`.
    pub anim_version: Option<Text<'a>>,
    /// The version of Maya, including spaces: `2012 x64`.
    pub maya_version: Option<Text<'a>>,
    /// The keyword of the time unit.
    pub time_unit: Option<Text<'a>>,
    /// The keyword of the length unit.
    pub linear_unit: Option<Text<'a>>,
    /// The keyword of the angle unit.
    pub angular_unit: Option<Text<'a>>,
    /// The start time of the clipboard, in the file's time unit.
    pub start_time: Option<HeaderNumber>,
    /// The end time of the clipboard, in the file's time unit.
    pub end_time: Option<HeaderNumber>,
    /// The start of the clipboard for curves with an input other than time.
    pub start_unitless: Option<HeaderNumber>,
    /// The end of the clipboard for curves with an input other than time.
    pub end_unitless: Option<HeaderNumber>,
    /// The line on which the header ends, counted from 1.
    pub end_line: u32,
}

impl Header<'_> {
    /// Returns `true` if keys have a breakdown flag, which version 1.1 introduced. A file without a
    /// valid version is treated as 1.1.
    pub fn has_breakdowns(&self) -> bool {
        let version = self.anim_version.as_ref().and_then(|version| version.text.parse().ok());
        version.is_none_or(|version: f64| version >= 1.1)
    }
}

/// One or more words of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Text<'a> {
    /// The text as written.
    pub text: Cow<'a, str>,
    /// The line, counted from 1.
    pub line: u32,
}

/// A number in the header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeaderNumber {
    /// The value.
    pub value: f64,
    /// The line, counted from 1.
    pub line: u32,
}

/// An `anim` line and the curves that follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item<'a> {
    /// The line, counted from 1.
    pub line: u32,
    /// The target of the curves.
    pub target: Target<'a>,
    /// The depth of the node in the hierarchy.
    pub row: u32,
    /// The number of children of the node, including shapes. Some writers store other numbers here.
    pub child: u32,
    /// The index of the attribute among the animated attributes of its node.
    pub attr: u32,
    /// The curves: usually one, or none for a placeholder.
    pub curves: Vec<Curve<'a>>,
}

/// The target of an `anim` line.
#[derive(Clone, Debug, PartialEq)]
pub enum Target<'a> {
    /// An attribute of a node, with a curve.
    Attribute {
        /// The full name: `translate.translateX`.
        full: Cow<'a, str>,
        /// The last part of the name: `translateX`.
        leaf: Cow<'a, str>,
        /// The name of the node; `None` if the file was written without node names.
        node: Option<Cow<'a, str>>,
    },
    /// A node without curves, listed to keep the hierarchy complete.
    Placeholder {
        /// The name of the node.
        node: Cow<'a, str>,
    },
    /// A curve that drives no attribute.
    Unconnected,
}

impl Target<'_> {
    /// Returns the name of the node, or `None` if the target has none.
    pub fn node(&self) -> Option<&str> {
        match self {
            Self::Attribute { node, .. } => node.as_deref(),
            Self::Placeholder { node } => Some(node),
            Self::Unconnected => None,
        }
    }

    /// Returns the last part of the attribute's name; empty if the target is not an attribute.
    pub fn leaf(&self) -> &str {
        match self {
            Self::Attribute { leaf, .. } => leaf,
            Self::Placeholder { .. } | Self::Unconnected => "",
        }
    }
}

/// An `animData` block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve<'a> {
    /// The line of the keyword `animData`, counted from 1.
    pub line: u32,
    /// The input.
    pub input: Input,
    /// The output.
    pub output: Output,
    /// `true` if the lengths of tangents affect the curve.
    pub weighted: bool,
    /// The unit of the input, if it differs from the header's.
    pub input_unit: Option<Text<'a>>,
    /// The unit of the output, if it differs from the header's.
    pub output_unit: Option<Text<'a>>,
    /// The unit of the angles of fixed tangents, if it differs from the header's.
    pub tangent_angle_unit: Option<Text<'a>>,
    /// The extrapolation before the first key.
    pub pre_infinity: Infinity,
    /// The extrapolation after the last key.
    pub post_infinity: Infinity,
    /// The keys in file order.
    pub keys: Vec<Key>,
}

/// The input of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// Time.
    #[default]
    Time,
    /// The value of another attribute, which the file does not name. Maya calls the keys of such a
    /// curve driven keys.
    Unitless,
}

/// The output of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// Lengths.
    #[default]
    Linear,
    /// Angles.
    Angular,
    /// Times.
    Time,
    /// Plain numbers.
    Unitless,
}

/// The extrapolation outside the range of the keys. Maya calls it infinity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Infinity {
    /// Keeps the value of the first or last key.
    #[default]
    Constant,
    /// Continues along the tangent. Maya's keyword is `linear`.
    Linear,
    /// Repeats the curve. Maya's keyword is `cycle`.
    Cycle,
    /// Repeats the curve, starting at the value where it ended. Maya's keyword is `cycleRelative`.
    CycleRelative,
    /// Plays the curve back and forth. Maya's keyword is `oscillate`.
    Oscillate,
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// The line, counted from 1.
    pub line: u32,
    /// The time or other input value, in the unit of the curve's input.
    pub input: f64,
    /// The value, in the unit of the curve's output.
    pub value: f64,
    /// The in tangent.
    pub in_tangent: Tangent,
    /// The out tangent.
    pub out_tangent: Tangent,
    /// `true` if both tangents rotate together.
    pub tangent_lock: bool,
    /// `true` if the lengths of the tangents are locked.
    pub weight_lock: bool,
    /// `true` if the key is a breakdown.
    pub breakdown: bool,
}

/// A tangent of a key: the rule that computes it, or its explicit direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tangent {
    /// The default rule of the user's preferences.
    Global,
    /// An explicit direction.
    Fixed {
        /// The angle, in the unit of the curve's tangent angles.
        angle: f64,
        /// The length of the handle.
        weight: f64,
    },
    /// Points to the neighbouring key.
    Linear,
    /// Horizontal.
    Flat,
    /// Parallel to the line between the neighbouring keys.
    Spline,
    /// Holds the value of the key.
    Step,
    /// Holds the value of the following key.
    StepNext,
    /// An obsolete rule.
    Slow,
    /// An obsolete rule.
    Fast,
    /// Like `Spline`, but horizontal if the value of a neighbouring key is close.
    Clamped,
    /// Like `Auto`, but horizontal if the curve would overshoot.
    Plateau,
    /// Like `Spline`, but limited so that the curve never overshoots.
    Auto,
    /// Like `Auto`, with an eased mix of the slopes to the neighbouring keys.
    AutoEase,
    /// Like `Auto`, with the slopes to the neighbouring keys mixed by their distance in time.
    AutoMix,
    /// Like `Auto`, with a curve from the user's preferences.
    AutoCustom,
}
