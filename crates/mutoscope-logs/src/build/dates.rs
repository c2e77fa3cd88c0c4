//! Parses dates and times of day.

use crate::{mapping::DateOrder, table::Table};

const NANOSECONDS: i64 = 1_000_000_000;
const DAY_NS: i64 = 86_400 * NANOSECONDS;

/// Returns the nanoseconds since 1970, or since midnight if there is no date. Ambiguous dates are
/// read as month/day/year.
pub fn parse_nanoseconds(text: &str) -> Option<i64> {
    let style = DateStyle::default();
    style.parse(text).or_else(|| DateStyle { order: DateOrder::DayFirst, ..style }.parse(text))
}

/// The facts that all dates of a column share.
#[derive(Clone, Copy, Debug)]
struct DateStyle {
    order: DateOrder,
    /// The number of digits of a fraction that follows the seconds and a colon.
    fraction_digits: u32,
}

impl Default for DateStyle {
    fn default() -> Self {
        Self { order: DateOrder::MonthFirst, fraction_digits: 3 }
    }
}

impl DateStyle {
    fn parse(self, text: &str) -> Option<i64> {
        let (date, time) = split_date(text)?;
        let days = date.map_or(Some(0), |date| parse_days(parse_date(date)?, self.order))?;
        let of_day = time.map_or(Some(0), |time| parse_time_of_day(time, self.fraction_digits))?;
        days.checked_mul(DAY_NS)?.checked_add(of_day)
    }
}

/// The times of a column of dates or times of day.
pub(super) struct ColumnDates {
    /// The nanoseconds since 1970 of each row, or since the first midnight if there are no dates.
    pub(super) nanoseconds: Vec<Option<i64>>,
    /// The order of day and month. `None` if all dates begin with the year, or are the same.
    pub(super) order: Option<DateOrder>,
    /// The reason for `order`, unless the dates or the mapping state it.
    pub(super) why_order: Option<String>,
    /// The first row that is on the day after the row before, although only its time of day says so.
    pub(super) midnight: Option<usize>,
}

/// Reads the strings of a column as dates, times of day, or both. `clock` is the column of the
/// times of day, if they are in another column. Returns `None` if no string is a date.
pub(super) fn read_dates(
    table: &Table,
    column: usize,
    clock: Option<usize>,
    stated: Option<DateOrder>,
) -> Option<ColumnDates> {
    let mut facts = DateFacts::default();
    table.texts(column).for_each(|(_, text)| facts.add(text));
    clock.iter().for_each(|clock| table.texts(*clock).for_each(|(_, text)| facts.add(text)));
    let (order, why_order) = facts.order(stated);
    let style = DateStyle {
        order: order.unwrap_or(DateOrder::MonthFirst),
        fraction_digits: facts.fraction_digits,
    };
    let mut nanoseconds = vec![None; table.rows];
    for (row, text) in table.texts(column) {
        if let Some(slot) = nanoseconds.get_mut(row) {
            *slot = style.parse(text);
        }
    }
    if let Some(clock) = clock {
        let mut of_day = vec![None; table.rows];
        for (row, text) in table.texts(clock) {
            if let Some(slot) = of_day.get_mut(row) {
                *slot = style.parse(text);
            }
        }
        for (date, of_day) in nanoseconds.iter_mut().zip(of_day) {
            *date = date.and_then(|date| of_day?.checked_add(date));
        }
    }
    let has_clock_only = !facts.has_dates || clock.is_some();
    let midnight = match has_clock_only && !facts.is_elapsed {
        true => add_days_after_midnight(&mut nanoseconds),
        false => None,
    };
    let any = nanoseconds.iter().any(Option::is_some);
    any.then_some(ColumnDates { nanoseconds, order, why_order, midnight })
}

/// Adds a day after each jump back of almost 24 hours. Returns the first row after such a jump.
fn add_days_after_midnight(nanoseconds: &mut [Option<i64>]) -> Option<usize> {
    const ALMOST_A_DAY_NS: i64 = 20 * 3_600 * NANOSECONDS;
    let (mut days, mut last, mut first) = (0, None, None);
    for (row, time) in nanoseconds.iter_mut().enumerate() {
        let Some(of_day) = *time else { continue };
        let jump = of_day.saturating_sub(last.unwrap_or(of_day));
        if jump < -ALMOST_A_DAY_NS {
            days += 1;
            first = first.or(Some(row));
        } else if jump > ALMOST_A_DAY_NS && days > 0 {
            // A row of the day before is late.
            days -= 1;
        }
        last = Some(of_day);
        *time = of_day.checked_add(days * DAY_NS);
    }
    first
}

/// What the strings of a column have in common.
#[derive(Default)]
struct DateFacts {
    has_dates: bool,
    /// `true` if an hour is 24 or more, so that the times are no times of day.
    is_elapsed: bool,
    fraction_digits: u32,
    is_first_a_day: bool,
    is_second_a_day: bool,
    has_points: bool,
    /// The days since 1970 of the last date, by the order of day and month.
    last_days: [Option<i64>; 2],
    /// The sum of the steps between dates, in days.
    steps: [u64; 2],
}

const ORDERS: [DateOrder; 2] = [DateOrder::DayFirst, DateOrder::MonthFirst];

impl DateFacts {
    fn add(&mut self, text: &str) {
        let Some((date, time)) = split_date(text) else { return };
        if let Some(time) = time {
            let mut parts = time.split(':');
            let hour: i64 = parts.next().and_then(|hour| hour.trim().parse().ok()).unwrap_or(0);
            self.is_elapsed |= hour >= 24 && parts.clone().count() > 1;
            let digits = parts.nth(2).map_or(0, digit_count);
            self.fraction_digits = self.fraction_digits.max(digits);
        }
        let Some(date) = date else { return };
        self.has_dates = true;
        let Some(numbers @ [first, second, _]) = parse_date(date).filter(|it| it[0] <= 31) else {
            return;
        };
        self.is_first_a_day |= first > 12;
        self.is_second_a_day |= second > 12;
        self.has_points |= date.contains('.');
        for (index, order) in ORDERS.into_iter().enumerate() {
            let days = parse_days(numbers, order);
            if let (Some(last), Some(days)) = (self.last_days[index], days) {
                self.steps[index] = self.steps[index].saturating_add(last.abs_diff(days));
            }
            self.last_days[index] = days.or(self.last_days[index]);
        }
    }

    /// Returns the order of day and month, and why, if it is assumed.
    fn order(&self, stated: Option<DateOrder>) -> (Option<DateOrder>, Option<String>) {
        let has_such_dates = self.last_days.iter().any(Option::is_some);
        match (self.is_first_a_day, self.is_second_a_day) {
            _ if !has_such_dates => (None, None),
            _ if stated.is_some() => (stated, None),
            (true, false) => (Some(DateOrder::DayFirst), None),
            (false, true) => (Some(DateOrder::MonthFirst), None),
            _ if self.steps == [0, 0] => (None, None),
            _ => {
                let [day_first, month_first] = self.steps;
                let is_day_first = match day_first.cmp(&month_first) {
                    std::cmp::Ordering::Equal => self.has_points,
                    order => order.is_lt(),
                };
                let order = ORDERS[usize::from(!is_day_first)];
                let why = match day_first == month_first {
                    true => "no date has a number above 12 that shows which is the day",
                    false => "the dates are closer together in this order",
                };
                (Some(order), Some(why.to_owned()))
            }
        }
    }
}

/// A string that is a date, a time of day, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateKind {
    Date,
    Clock,
    DateAndClock,
}

pub(crate) fn date_kind(text: &str) -> Option<DateKind> {
    let (date, time) = split_date(text)?;
    parse_nanoseconds(text)?;
    Some(match (date, time) {
        (Some(_), Some(_)) => DateKind::DateAndClock,
        (Some(_), None) => DateKind::Date,
        _ => DateKind::Clock,
    })
}

fn split_date(text: &str) -> Option<(Option<&str>, Option<&str>)> {
    let text = text.trim();
    match text.split_once(['T', ' ']) {
        Some((date, time)) if date.contains(['-', '/', '.']) && !date.contains(':') => {
            Some((Some(date.trim_end_matches(',')), Some(time)))
        }
        _ if text.contains(':') => Some((None, Some(text))),
        _ if text.contains(['-', '/']) || text.matches('.').count() == 2 => {
            Some((Some(text), None))
        }
        _ => None,
    }
}

fn digit_count(text: &str) -> u32 {
    text.bytes().take_while(u8::is_ascii_digit).count() as u32
}

fn parse_date(date: &str) -> Option<[i64; 3]> {
    let mut numbers = date.split(['-', '/', '.']).map(|part| part.parse().ok());
    let date = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some(date)
}

fn parse_days(numbers: [i64; 3], order: DateOrder) -> Option<i64> {
    let (year, month, day) = match (numbers, order) {
        ([year, month, day], _) if year > 31 => (year, month, day),
        ([month, day, year], DateOrder::MonthFirst) => (year, month, day),
        ([day, month, year], DateOrder::DayFirst) => (year, month, day),
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

/// Parses `hours:minutes:seconds`, with a fraction after a point, a comma or another colon. Hours
/// may exceed 23 in a time since the start. Also parses `minutes:seconds`, if the seconds have a
/// fraction.
fn parse_time_of_day(time: &str, fraction_digits: u32) -> Option<i64> {
    const MAX_HOURS: i64 = 100_000;
    let time = time.trim();
    let (time, is_afternoon) = match time.to_ascii_uppercase() {
        upper if upper.ends_with("PM") => (&time[..time.len() - 2], Some(true)),
        upper if upper.ends_with("AM") => (&time[..time.len() - 2], Some(false)),
        _ => (time, None),
    };
    let time = time.trim().trim_end_matches(['Z', 'z']);
    let zone = time.rfind(['+', '-']);
    let (time, zone) = zone.map_or((time, None), |at| (&time[..at], Some(&time[at..])));
    let parts: Vec<&str> = time.split(':').map(str::trim).collect();
    let has_fraction = |text: &str| text.contains(['.', ',']);
    let (hour, minute, seconds, colon_fraction) = match parts[..] {
        [minute, seconds] if has_fraction(seconds) => ("0", minute, seconds, None),
        [hour, minute] => (hour, minute, "0", None),
        [hour, minute, seconds] => (hour, minute, seconds, None),
        [hour, minute, seconds, fraction] if !has_fraction(seconds) => {
            (hour, minute, seconds, Some(fraction))
        }
        _ => return None,
    };
    let number = |text: &str| text.parse::<i64>().ok().filter(|it| (0..MAX_HOURS).contains(it));
    let (hour, minute) = (number(hour)?, number(minute)?);
    let is_minutes_only = parts.len() == 2 && has_fraction(seconds);
    if minute >= 60 && !is_minutes_only || is_afternoon.is_some() && hour > 12 {
        return None;
    }
    let hour = match is_afternoon {
        Some(true) => hour % 12 + 12,
        Some(false) => hour % 12,
        None => hour,
    };
    let (whole, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, ""));
    let second: i64 = whole.parse().ok().filter(|second| (0..=60).contains(second))?;
    let nanoseconds = match colon_fraction {
        // Two digits after a colon may be frames of a time code.
        Some(_) if !(3..=9).contains(&fraction_digits) => return None,
        Some(fraction) => {
            let units: i64 = fraction.parse().ok().filter(|it| (0..NANOSECONDS).contains(it))?;
            units * 10_i64.pow(9 - fraction_digits)
        }
        None if fraction.bytes().all(|byte| byte.is_ascii_digit()) => {
            let digits = fraction.chars().chain(std::iter::repeat('0')).take(9);
            digits.collect::<String>().parse().ok()?
        }
        None => return None,
    };
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
    Some(((hour * 60 + minute - offset) * 60 + second) * NANOSECONDS + nanoseconds)
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
            ("25:00:00", Some(90_000_000_000_000)),
            ("59:59.5", Some(3_599_500_000_000)),
            ("10:28:40:005", Some(37_720_005_000_000)),
            ("13/06/2025", Some(1_749_772_800_000_000_000)),
            ("10:28:61", None),
            ("2025-13-01 00:00:00", None),
            ("99999999999-1-1", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_nanoseconds(text), expected, "{text}");
        }
    }
}
