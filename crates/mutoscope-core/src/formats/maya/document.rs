//! The content of an `.anim` file, in its own order, words and units.

use std::borrow::Cow;

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document<'a> {
    /// The statements before the first `anim` line.
    pub header: Header<'a>,
    /// The `anim` lines in file order, each with its curves.
    pub items: Vec<Item<'a>>,
}

/// The header. Any of it may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header<'a> {
    /// The version of the format, `1.0` or `1.1`.
    pub anim_version: Option<Text<'a>>,
    /// The version of Maya, blanks included: `2012 x64`.
    pub maya_version: Option<Text<'a>>,
    /// The word for the unit of times.
    pub time_unit: Option<Text<'a>>,
    /// The word for the unit of lengths.
    pub linear_unit: Option<Text<'a>>,
    /// The word for the unit of angles.
    pub angular_unit: Option<Text<'a>>,
    /// The start of the clipboard, in the unit of times.
    pub start_time: Option<Stated>,
    /// The end of the clipboard, in the unit of times.
    pub end_time: Option<Stated>,
    /// The start of the clipboard for curves over something else than time.
    pub start_unitless: Option<Stated>,
    /// The end of the clipboard for curves over something else than time.
    pub end_unitless: Option<Stated>,
    /// The line in which the header has ended.
    pub end_line: u32,
}

impl Header<'_> {
    /// Whether keys carry a flag that says whether they are breakdowns: from version 1.1 on.
    pub fn has_breakdowns(&self) -> bool {
        let version = self.anim_version.as_ref().and_then(|version| version.text.parse().ok());
        version.is_none_or(|version: f64| version >= 1.1)
    }
}

/// A word or more of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Text<'a> {
    /// As written.
    pub text: Cow<'a, str>,
    /// Its line.
    pub line: u32,
}

/// A number of the header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stated {
    /// The number.
    pub value: f64,
    /// Its line.
    pub line: u32,
}

/// An `anim` line and the curves that follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item<'a> {
    /// Its line.
    pub line: u32,
    /// Its target.
    pub target: Target<'a>,
    /// The depth of its node in the hierarchy.
    pub row: u32,
    /// How many children its node has, shapes included: a hint.
    pub child: u32,
    /// The index of the attribute among those of its node that are animated.
    pub attr: u32,
    /// Its curves: one, or none for a placeholder.
    pub curves: Vec<Curve<'a>>,
}

/// The target of an `anim` line.
#[derive(Clone, Debug, PartialEq)]
pub enum Target<'a> {
    /// An attribute of a node that has a curve.
    Attribute {
        /// The full name: `translate.translateX`.
        full: Cow<'a, str>,
        /// Its last part: `translateX`.
        leaf: Cow<'a, str>,
        /// The node; nothing if the file was written without node names.
        node: Option<Cow<'a, str>>,
    },
    /// A node without curves, which keeps its place in the hierarchy.
    Placeholder {
        /// The node.
        node: Cow<'a, str>,
    },
    /// Nothing: a curve that drives no attribute.
    Unconnected,
}

impl Target<'_> {
    /// The name of the node, if there is one.
    pub fn node(&self) -> Option<&str> {
        match self {
            Self::Attribute { node, .. } => node.as_deref(),
            Self::Placeholder { node } => Some(node),
            Self::Unconnected => None,
        }
    }

    /// The leaf attribute; empty for what is none.
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
    /// The line of the word `animData`.
    pub line: u32,
    /// Its input.
    pub input: Input,
    /// Its output.
    pub output: Output,
    /// Whether the lengths of its tangents count.
    pub weighted: bool,
    /// The unit of its input, where that is not the header's.
    pub input_unit: Option<Text<'a>>,
    /// The unit of its output, where that is not the header's.
    pub output_unit: Option<Text<'a>>,
    /// The unit of the angles of its fixed tangents, where that is not the header's.
    pub tangent_angle_unit: Option<Text<'a>>,
    /// Its pre-infinity.
    pub pre_infinity: Infinity,
    /// Its post-infinity.
    pub post_infinity: Infinity,
    /// Its keys in file order.
    pub keys: Vec<Key>,
}

/// The input of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// Time.
    #[default]
    Time,
    /// Another attribute, which the file does not name: a driven key.
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

/// The infinity of a curve, outside of its keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Infinity {
    /// Keeps its value.
    #[default]
    Constant,
    /// Continues along the tangent: linear.
    Linear,
    /// Repeats: cycle.
    Cycle,
    /// Repeats from where it ended: cycle with offset.
    CycleRelative,
    /// Plays back and forth: oscillate.
    Oscillate,
}

/// One key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Its line.
    pub line: u32,
    /// When, in the unit of the curve's input.
    pub input: f64,
    /// In the unit of the curve's output.
    pub value: f64,
    /// The in tangent.
    pub in_tangent: Tangent,
    /// The out tangent.
    pub out_tangent: Tangent,
    /// Whether the tangents turn together.
    pub tangent_lock: bool,
    /// Whether the tangents' lengths are locked.
    pub weight_lock: bool,
    /// Whether it is a breakdown.
    pub breakdown: bool,
}

/// A tangent of a key: the rule that makes it, or the tangent itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tangent {
    /// By the user's preferences.
    Global,
    /// As stated.
    Fixed {
        /// In the curve's unit for these angles.
        angle: f64,
        /// The length of the handle.
        weight: f64,
    },
    /// Towards the neighbour.
    Linear,
    /// Level.
    Flat,
    /// Along the neighbours.
    Spline,
    /// The key's value holds.
    Step,
    /// The following key's value holds.
    StepNext,
    /// An old rule.
    Slow,
    /// An old rule.
    Fast,
    /// Along the neighbours, level where one is close.
    Clamped,
    /// Along the neighbours, level where that would overshoot.
    Plateau,
    /// Along the neighbours, never overshooting.
    Auto,
    /// Auto, eased.
    AutoEase,
    /// Auto, with the neighbours weighed by their distance.
    AutoMix,
    /// Auto, by a curve among the user's preferences.
    AutoCustom,
}
