//! The words that a file may use, and their meanings.

use crate::formats::maya::{Infinity, Input, Output, Tangent};

/// The words with which a statement of the header begins.
pub(super) const HEADER: [&[u8]; 9] = [
    b"animVersion",
    b"mayaVersion",
    b"timeUnit",
    b"linearUnit",
    b"angularUnit",
    b"startTime",
    b"endTime",
    b"startUnitless",
    b"endUnitless",
];

/// The words with which a statement of an `animData` block begins.
pub(super) const CURVE: [&[u8]; 9] = [
    b"input",
    b"output",
    b"weighted",
    b"inputUnit",
    b"outputUnit",
    b"tangentAngleUnit",
    b"preInfinity",
    b"postInfinity",
    b"keys",
];

/// The input of a curve, if the word is known.
pub(super) fn input(word: &[u8]) -> Option<Input> {
    match word {
        b"time" => Some(Input::Time),
        b"unitless" => Some(Input::Unitless),
        _ => None,
    }
}

/// The output of a curve, if the word is known.
pub(super) fn output(word: &[u8]) -> Option<Output> {
    match word {
        b"linear" => Some(Output::Linear),
        b"angular" => Some(Output::Angular),
        b"time" => Some(Output::Time),
        b"unitless" => Some(Output::Unitless),
        _ => None,
    }
}

/// The infinity of a curve, if the word is known.
pub(super) fn infinity(word: &[u8]) -> Option<Infinity> {
    Some(match word {
        b"constant" => Infinity::Constant,
        b"linear" => Infinity::Linear,
        b"cycle" => Infinity::Cycle,
        b"cycleRelative" => Infinity::CycleRelative,
        b"oscillate" => Infinity::Oscillate,
        _ => return None,
    })
}

/// The tangent with this word, if it is known. A fixed one is level and of length 1 until its
/// numbers are read.
pub(super) fn tangent(word: &[u8]) -> Option<Tangent> {
    Some(match word {
        b"auto" => Tangent::Auto,
        b"fixed" => Tangent::Fixed { angle: 0.0, weight: 1.0 },
        b"linear" => Tangent::Linear,
        b"flat" => Tangent::Flat,
        b"spline" => Tangent::Spline,
        b"step" => Tangent::Step,
        b"stepnext" => Tangent::StepNext,
        b"clamped" => Tangent::Clamped,
        b"plateau" => Tangent::Plateau,
        b"slow" => Tangent::Slow,
        b"fast" => Tangent::Fast,
        b"autoease" => Tangent::AutoEase,
        b"automix" => Tangent::AutoMix,
        b"autocustom" => Tangent::AutoCustom,
        b"global" => Tangent::Global,
        _ => return None,
    })
}

/// Whether a statement of the body begins with this word: it ends whatever lacks its own end.
pub(super) fn begins_statement(word: &[u8]) -> bool {
    // Most words asked about are numbers.
    word.first().is_some_and(u8::is_ascii_alphabetic)
        && (matches!(word, b"anim" | b"animData")
            || HEADER.contains(&word)
            || CURVE.contains(&word))
}
