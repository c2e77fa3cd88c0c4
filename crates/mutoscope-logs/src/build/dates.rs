//! Parses dates and times of day.

/// Returns the nanoseconds since 1970, or since midnight if there is no date. Ambiguous dates are
/// read as month/day/year.
pub fn parse_nanoseconds(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) if date.contains(['-', '/', '.']) && !date.contains(':') => {
            (Some(date), Some(time))
        }
        _ if text.contains(':') => (None, Some(text)),
        _ if text.contains(['-', '/']) => (Some(text), None),
        _ => return None,
    };
    let days = date.map_or(Some(0), parse_days)?;
    let of_day = time.map_or(Some(0), parse_time_of_day)?;
    days.checked_mul(86_400_000_000_000)?.checked_add(of_day)
}

fn parse_days(date: &str) -> Option<i64> {
    let numbers: Option<Vec<i64>> =
        date.split(['-', '/', '.']).map(|part| part.parse().ok()).collect();
    let (year, month, day) = match numbers?[..] {
        [year, month, day] if year > 31 => (year, month, day),
        [month, day, year] if month <= 12 => (year, month, day),
        [day, month, year] => (year, month, day),
        _ => return None,
    };
    let is_date =
        (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !is_date {
        return None;
    }
    // Let the year begin in March, so that the leap day is its last day (Howard Hinnant's
    // `days_from_civil`).
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

fn parse_time_of_day(time: &str) -> Option<i64> {
    let time = time.trim();
    let (time, is_afternoon) = match time.to_ascii_uppercase() {
        upper if upper.ends_with("PM") => (&time[..time.len() - 2], Some(true)),
        upper if upper.ends_with("AM") => (&time[..time.len() - 2], Some(false)),
        _ => (time, None),
    };
    let time = time.trim().trim_end_matches(['Z', 'z']);
    let zone = time.rfind(['+', '-']);
    let (time, zone) = zone.map_or((time, None), |at| (&time[..at], Some(&time[at..])));
    let mut parts = time.split(':');
    let hour: i64 = parts.next()?.trim().parse().ok()?;
    let minute: i64 = parts.next()?.parse().ok()?;
    let seconds = parts.next().unwrap_or("0");
    if parts.next().is_some() || !(0..24).contains(&hour) || !(0..60).contains(&minute) {
        return None;
    }
    let hour = match is_afternoon {
        Some(true) => hour % 12 + 12,
        Some(false) => hour % 12,
        None => hour,
    };
    let (whole, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, ""));
    let second: i64 = whole.parse().ok().filter(|second| (0..=60).contains(second))?;
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: String = fraction.chars().chain(std::iter::repeat('0')).take(9).collect();
    let nanoseconds: i64 = digits.parse().ok()?;
    let offset = match zone {
        None => 0,
        Some(zone) => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let zone = zone[1..].replace(':', "");
            let (hours, minutes) = zone.split_at_checked(2)?;
            let hours: i64 = hours.parse().ok()?;
            let minutes: i64 = if minutes.is_empty() { 0 } else { minutes.parse().ok()? };
            sign * (hours * 60 + minutes)
        }
    };
    Some(((hour * 60 + minute - offset) * 60 + second) * 1_000_000_000 + nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_dates_and_times_of_day() {
        let cases = [
            ("1970-01-01 00:00:01.5", Some(1_500_000_000)),
            ("2025-06-03 14:01:02.000", Some(1_748_959_262_000_000_000)),
            ("2025-06-03T14:01:02Z", Some(1_748_959_262_000_000_000)),
            ("2025-06-03T16:01:02+02:00", Some(1_748_959_262_000_000_000)),
            ("6/3/2025 2:01:02 PM", Some(1_748_959_262_000_000_000)),
            ("2000-02-29 00:00:00", Some(951_782_400_000_000_000)),
            ("10:28:41.45", Some(37_721_450_000_000)),
            ("soon", None),
            ("1.5", None),
            ("25:00:00", None),
            ("2025-13-01 00:00:00", None),
            ("99999999999-1-1", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_nanoseconds(text), expected, "{text}");
        }
    }
}
