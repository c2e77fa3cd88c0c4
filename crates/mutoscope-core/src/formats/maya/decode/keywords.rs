//! The keywords of the format, and their meanings.

use crate::formats::maya::{Infinity, Input, Output, Tangent};

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

pub(super) fn parse_input(word: &[u8]) -> Option<Input> {
    match word {
        b"time" => Some(Input::Time),
        b"unitless" => Some(Input::Unitless),
        _ => None,
    }
}

pub(super) fn parse_output(word: &[u8]) -> Option<Output> {
    match word {
        b"linear" => Some(Output::Linear),
        b"angular" => Some(Output::Angular),
        b"time" => Some(Output::Time),
        b"unitless" => Some(Output::Unitless),
        _ => None,
    }
}

pub(super) fn parse_infinity(word: &[u8]) -> Option<Infinity> {
    Some(match word {
        b"constant" => Infinity::Constant,
        b"linear" => Infinity::Linear,
        b"cycle" => Infinity::Cycle,
        b"cycleRelative" => Infinity::CycleRelative,
        b"oscillate" => Infinity::Oscillate,
        _ => return None,
    })
}

/// Parses the type of a tangent. A fixed tangent gets the placeholder values 0 for the angle and 1
/// for the weight, because its numbers follow later in the key.
pub(super) fn parse_tangent(word: &[u8]) -> Option<Tangent> {
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

pub(super) fn begins_statement(word: &[u8]) -> bool {
    // Test the first byte, because most words are numbers.
    word.first().is_some_and(u8::is_ascii_alphabetic)
        && (matches!(word, b"anim" | b"animData")
            || HEADER.contains(&word)
            || CURVE.contains(&word))
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::maya::annotations::TANGENT_KEYWORDS;

    #[test]
    fn tangent_types_have_their_keywords() {
        for (index, keyword) in (0..).zip(TANGENT_KEYWORDS) {
            let parsed = parse_tangent(keyword.as_bytes());
            assert_eq!(parsed.map(Tangent::keyword_index), Some(index), "{keyword}");
        }
    }
}
