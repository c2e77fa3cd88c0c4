//! The lanes of a recording: labels, tracking, pinches, movements, fixations, dwells.

use std::io::{self, Write};

use super::{
    axis::{Scale, tick_text},
    html::{Short, escaped, full},
    lanes::{Bar, Lane},
    recording::Section,
};
use crate::subjects::HANDS;

/// The width of the drawing, and where its time begins and ends.
const WIDTH: f64 = 1000.0;
pub(super) const PLACES: [f64; 2] = [118.0, 992.0];
/// The height of a row, of its bars, and of the axis.
const ROW: f64 = 16.0;
const BAR: f64 = 12.0;
const AXIS: f64 = 22.0;

pub(super) fn write(section: &Section<'_>, out: &mut dyn Write) -> io::Result<()> {
    let recording = section.recording;
    let start = recording.start_s.unwrap_or_default();
    let end = start + recording.duration_s.unwrap_or_default();
    let scale = Scale::new([start, end], PLACES);
    let lanes = lanes(section, (end - start) / (PLACES[1] - PLACES[0]));
    let rows: usize = lanes.iter().map(|lane| lane.rows.len().max(1)).sum();
    let height = rows as f64 * ROW + 4.0 * lanes.len() as f64 + AXIS;
    writeln!(
        out,
        "<svg class=\"timeline\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Timeline\" \
         data-scale=\"{} {} {} {}\">",
        full(start),
        full(end),
        PLACES[0],
        PLACES[1]
    )?;
    let bottom = height - AXIS;
    for tick in scale.ticks(10) {
        let x = scale.at(tick);
        writeln!(out, "<path class=\"grid\" d=\"M{x:.1} 0V{bottom}\"/>")?;
        writeln!(
            out,
            "<text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\">{} s</text>",
            height - 6.0,
            tick_text(tick)
        )?;
    }
    let mut top = 2.0;
    for lane in &lanes {
        write_lane(section, lane, &scale, top, out)?;
        top += lane.rows.len().max(1) as f64 * ROW + 4.0;
    }
    writeln!(out, "</svg>")
}

fn write_lane(
    section: &Section<'_>,
    lane: &Lane,
    scale: &Scale,
    top: f64,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "<text class=\"lane\" x=\"0\" y=\"{:.1}\">{}</text>",
        top + 10.0,
        escaped(&short_text(&lane.name, 18))
    )?;
    let [first, last] = PLACES;
    writeln!(out, "<path class=\"base\" d=\"M{first} {:.1}H{last}\"/>", top + 6.0)?;
    for (row, bars) in lane.rows.iter().enumerate() {
        let y = top + row as f64 * ROW;
        for bar in bars {
            let from = scale.at(bar.start).clamp(first, last);
            let width = (scale.at(bar.end).clamp(first, last) - from).max(1.0);
            let moment = section.moment(
                bar.start,
                Some([bar.start, bar.end]).filter(|_| bar.end > bar.start),
                lane.node,
            );
            write!(
                out,
                "<a href=\"{}\" data-command=\"{}\"><title>{}</title><rect class=\"{}\" x=\"{from:.1}\" y=\"{y:.1}\" \
                 width=\"{width:.1}\" height=\"{BAR}\" rx=\"2\"/>",
                escaped(&moment.address(section.link)),
                escaped(&moment.command()),
                escaped(&bar.title),
                lane.class
            )?;
            let room = (width / 6.2) as usize;
            if !bar.text.is_empty() && room >= 3 {
                let text = short_text(&bar.text, room);
                write!(
                    out,
                    "<text class=\"bar\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    from + 3.0,
                    y + 9.5,
                    escaped(&text)
                )?;
            }
            writeln!(out, "</a>")?;
        }
    }
    Ok(())
}

/// At most this many characters of a text.
pub(super) fn short_text(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

fn lanes(section: &Section<'_>, pixel: f64) -> Vec<Lane> {
    let recording = section.recording;
    let events = &recording.events;
    let bar = |start: f64, end: f64, what: String| Bar {
        start,
        end,
        text: String::new(),
        title: format!("{what}, {} s to {} s", Short(start), Short(end)),
    };
    let mut lanes = Vec::new();
    let mut tiers: Vec<Option<&str>> = Vec::new();
    for range in recording.ranges.iter().skip(1) {
        if !tiers.contains(&range.tier.as_deref()) && tiers.len() < 12 {
            tiers.push(range.tier.as_deref());
        }
    }
    for tier in tiers {
        let of_tier = recording.ranges.iter().skip(1).filter(|range| range.tier.as_deref() == tier);
        let bars = of_tier.map(|range| Bar {
            text: range.label.clone(),
            ..bar(range.start_s, range.end_s, range.label.clone())
        });
        let name = tier.map_or_else(|| "labels".to_owned(), |tier| format!("labels: {tier}"));
        lanes.push(Lane::of(name, "label", None, bars.collect(), pixel));
    }
    for (name, stretches) in &recording.plots.tracked {
        let bars =
            stretches.iter().map(|[start, end]| bar(*start, *end, format!("{name} tracked")));
        lanes.push(Lane::of(format!("{name} tracked"), class(name), None, bars.collect(), pixel));
    }
    for (_, name) in HANDS {
        let of_hand = events.pinches.iter().filter(|pinch| pinch.hand == name);
        let bars: Vec<Bar> =
            of_hand.map(|pinch| bar(pinch.start_s, pinch.end_s, format!("{name} pinch"))).collect();
        if !bars.is_empty() {
            lanes.push(Lane::of(
                format!("{name} pinches"),
                class(name),
                Some(wrist(name)),
                bars,
                pixel,
            ));
        }
    }
    for (_, name) in HANDS {
        let of_hand = events.movements.iter().filter(|movement| movement.hand == name);
        let bars: Vec<Bar> = of_hand
            .map(|movement| {
                let speed = Short(movement.peak_speed_mps);
                bar(movement.start_s, movement.end_s, format!("{name} movement, peak {speed} m/s"))
            })
            .collect();
        if !bars.is_empty() {
            lanes.push(Lane::of(
                format!("{name} movements"),
                class(name),
                Some(wrist(name)),
                bars,
                pixel,
            ));
        }
    }
    if !events.fixations.is_empty() {
        let bars =
            events.fixations.iter().map(|one| bar(one.start_s, one.end_s, "fixation".to_owned()));
        lanes.push(Lane::of("fixations", "gaze", Some("gaze"), bars.collect(), pixel));
    }
    if !events.dwells.is_empty() {
        let bars = events.dwells.iter().map(|one| Bar {
            text: one.area.clone(),
            ..bar(one.start_s, one.end_s, format!("dwell on {}", one.area))
        });
        lanes.push(Lane::of("dwells", "dwell", Some("gaze"), bars.collect(), pixel));
    }
    lanes
}

/// The class of a hand or of the gaze.
pub(super) fn class(name: &str) -> &'static str {
    match name {
        "right" => "right",
        "left" => "left",
        _ => "gaze",
    }
}

pub(super) fn wrist(hand: &str) -> &'static str {
    if hand == "right" { "right/Wrist" } else { "left/Wrist" }
}
