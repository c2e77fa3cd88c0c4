//! Formatting of numbers for people.

/// Formats `number` for people: rounded to three decimals, without trailing zeros.
///
/// A number that would round to 0 keeps three digits, so that it does not look like 0.
pub fn format_number(number: f64) -> String {
    let rounded = (number * 1000.0).round() / 1000.0;
    if rounded != 0.0 && rounded.is_finite() {
        return rounded.to_string();
    }
    let three_digits = format!("{number:.2e}").parse().unwrap_or(number);
    three_digits.to_string()
}

/// Formats a count with its noun: `1 key`, `2 keys`, `2 meshes`.
pub fn format_count(count: usize, what: &str) -> String {
    let ending = match count {
        1 => "",
        _ if what.ends_with("sh") => "es",
        _ => "s",
    };
    format!("{count} {what}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_to_the_thousandth() {
        let cases = [
            (29.999_998_435_378_156, "30"),
            (23.976_023_976, "23.976"),
            (0.0254, "0.025"),
            (1e-5, "0.00001"),
            (-8.547_660_076e-7, "-0.000000855"),
            (f64::INFINITY, "inf"),
            (0.0, "0"),
            (f64::NAN, "NaN"),
        ];
        for (number, text) in cases {
            assert_eq!(format_number(number), text);
        }
    }
}
