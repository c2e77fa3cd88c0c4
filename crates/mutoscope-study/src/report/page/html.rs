//! Formats text and numbers as HTML.

use std::{borrow::Cow, fmt};

use crate::Number;

pub(super) fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped.into()
}

/// The smallest number that is displayed. Smaller numbers are rounding errors of 0, because no
/// measure is accurate to 1e-12 of its unit.
const ROUNDING_ERROR: f64 = 1e-12;

/// A number that displays with three significant digits. Rounding errors of 0 display as 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShortNumber(pub f64);

impl fmt::Display for ShortNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number) = *self;
        if !number.is_finite() {
            return f.write_str("–");
        }
        if number.abs() < ROUNDING_ERROR {
            return f.write_str("0");
        }
        if number < 0.0 {
            f.write_str("−")?;
        }
        let scientific = format!("{:.2e}", number.abs());
        let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        match exponent {
            -3..=2 => write!(f, "{:.*}", usize::try_from(2 - exponent).unwrap_or(0), number.abs()),
            3..=6 => {
                let step = 10_f64.powi(exponent - 2);
                write!(f, "{:.0}", (number.abs() / step).round() * step)
            }
            _ => {
                let raised = exponent.to_string().chars().map(superscript).collect::<String>();
                write!(f, "{digits}×10{raised}")
            }
        }
    }
}

fn superscript(character: char) -> char {
    match character {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        _ => '⁹',
    }
}

/// Formats a table cell with a number. `attributes` begin with a space, such as `
/// data-recording="0"`. `reason` becomes the tooltip of an unknown number.
pub(super) fn number_cell(attributes: &str, number: Number, reason: &str) -> String {
    match number {
        Number::Count(count) => format!("<td{attributes} data-value=\"{count}\">{count}</td>"),
        Number::Real(value) => {
            format!(
                "<td{attributes} data-value=\"{}\">{}</td>",
                json_number(value),
                ShortNumber(value)
            )
        }
        Number::Unknown => format!(
            "<td{attributes} data-value=\"\" class=\"none\" title=\"{}\">–</td>",
            escape(reason)
        ),
    }
}

pub(super) fn json_number(value: f64) -> String {
    serde_json::Number::from_f64(value).map_or_else(String::new, |number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_significant_digits() {
        for (number, expected) in [
            (0.0, "0"),
            (1.8871, "1.89"),
            (-4.2230, "−4.22"),
            (15.5, "15.5"),
            (0.999_96, "1.00"),
            (9.996, "10.0"),
            (0.012_345, "0.0123"),
            (0.001_234_5, "0.00123"),
            (123.456, "123"),
            (1419.78, "1420"),
            (6.8168e-11, "6.82×10⁻¹¹"),
            (2.5e9, "2.50×10⁹"),
            (5e-16, "0"),
            (-5e-16, "0"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(ShortNumber(number).to_string(), expected);
        }
        assert_eq!(
            escape("<a href='x'>&\"</a>"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;"
        );
    }
}
