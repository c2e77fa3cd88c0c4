//! Draws the timeline of a recording: labels, tracking, pinches, movements, fixations, dwells.

use std::io::{self, Write};

use super::{
    axis::{Scale, format_tick},
    html::{ShortNumber, escape, json_number},
    lanes::{Bar, Lane},
    recording::Section,
};
use crate::subjects::HANDS;

const WIDTH: f64 = 1000.0;
pub(super) const AXIS_X: [f64; 2] = [118.0, 992.0];
const ROW_HEIGHT: f64 = 16.0;
const BAR_HEIGHT: f64 = 12.0;
const AXIS_HEIGHT: f64 = 22.0;

pub(super) fn write(section: &Section<'_>, out: &mut dyn Write) -> io::Result<()> {
    let recording = section.recording;
    let start = recording.start_s.unwrap_or_default();
    let end = start + recording.duration_s.unwrap_or_default();
    let scale = Scale::new([start, end], AXIS_X);
    let lanes = build_lanes(section, (end - start) / (AXIS_X[1] - AXIS_X[0]));
    let rows: usize = lanes.iter().map(|lane| lane.rows.len().max(1)).sum();
    let height = rows as f64 * ROW_HEIGHT + 4.0 * lanes.len() as f64 + AXIS_HEIGHT;
    writeln!(
        out,
        "<svg class=\"timeline\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Timeline\" \
         data-scale=\"{} {} {} {}\">",
        json_number(start),
        json_number(end),
        AXIS_X[0],
        AXIS_X[1]
    )?;
    let bottom = height - AXIS_HEIGHT;
    for tick in scale.ticks(10) {
        let x = scale.map(tick);
        writeln!(out, "<path class=\"grid\" d=\"M{x:.1} 0V{bottom}\"/>")?;
        writeln!(
            out,
            "<text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\">{} s</text>",
            height - 6.0,
            format_tick(tick)
        )?;
    }
    let mut top = 2.0;
    for lane in &lanes {
        write_lane(section, lane, &scale, top, out)?;
        top += lane.rows.len().max(1) as f64 * ROW_HEIGHT + 4.0;
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
        escape(&truncate(&lane.name, 18))
    )?;
    let [first, last] = AXIS_X;
    writeln!(out, "<path class=\"base\" d=\"M{first} {:.1}H{last}\"/>", top + 6.0)?;
    for (row, bars) in lane.rows.iter().enumerate() {
        let y = top + row as f64 * ROW_HEIGHT;
        for bar in bars {
            let from = scale.map(bar.start).clamp(first, last);
            let width = (scale.map(bar.end).clamp(first, last) - from).max(1.0);
            let moment = section.moment(
                bar.start,
                Some([bar.start, bar.end]).filter(|_| bar.end > bar.start),
                lane.node,
            );
            write!(
                out,
                "<a href=\"{}\" data-command=\"{}\"><title>{}</title><rect class=\"{}\" x=\"{from:.1}\" y=\"{y:.1}\" \
                 width=\"{width:.1}\" height=\"{BAR_HEIGHT}\" rx=\"2\"/>",
                escape(&moment.address(section.link)),
                escape(&moment.command()),
                escape(&bar.title),
                lane.class
            )?;
            let room = (width / 6.2) as usize;
            if !bar.text.is_empty() && room >= 3 {
                let text = truncate(&bar.text, room);
                write!(
                    out,
                    "<text class=\"bar\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    from + 3.0,
                    y + 9.5,
                    escape(&text)
                )?;
            }
            writeln!(out, "</a>")?;
        }
    }
    Ok(())
}

pub(super) fn truncate(text: &str, max_chars: usize) -> String {
    match text.chars().count() > max_chars {
        true => text.chars().take(max_chars.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

fn build_lanes(section: &Section<'_>, pixel: f64) -> Vec<Lane> {
    let recording = section.recording;
    let events = &recording.events;
    let bar = |start: f64, end: f64, what: String| Bar {
        start,
        end,
        text: String::new(),
        title: format!("{what}, {} s to {} s", ShortNumber(start), ShortNumber(end)),
    };
    let mut lanes = Vec::new();
    let mut tiers: Vec<Option<&str>> = Vec::new();
    for range in recording.ranges.iter().skip(1) {
        if !tiers.contains(&range.tier.as_deref()) && tiers.len() < 12 {
            tiers.push(range.tier.as_deref());
        }
    }
    for tier in tiers {
        let tier_ranges =
            recording.ranges.iter().skip(1).filter(|range| range.tier.as_deref() == tier);
        let bars = tier_ranges.map(|range| Bar {
            text: range.label.clone(),
            ..bar(range.start_s, range.end_s, range.label.clone())
        });
        let name = tier.map_or_else(|| "labels".to_owned(), |tier| format!("labels: {tier}"));
        lanes.push(Lane::new(name, "label", None, bars.collect(), pixel));
    }
    for (name, stretches) in &recording.plots.tracked {
        let bars =
            stretches.iter().map(|[start, end]| bar(*start, *end, format!("{name} tracked")));
        lanes.push(Lane::new(
            format!("{name} tracked"),
            css_class(name),
            None,
            bars.collect(),
            pixel,
        ));
    }
    for (_, name) in HANDS {
        let pinches = events.pinches.iter().filter(|pinch| pinch.hand == name);
        let bars: Vec<Bar> =
            pinches.map(|pinch| bar(pinch.start_s, pinch.end_s, format!("{name} pinch"))).collect();
        if !bars.is_empty() {
            lanes.push(Lane::new(
                format!("{name} pinches"),
                css_class(name),
                Some(wrist_node(name)),
                bars,
                pixel,
            ));
        }
    }
    for (_, name) in HANDS {
        let movements = events.movements.iter().filter(|movement| movement.hand == name);
        let bars: Vec<Bar> = movements
            .map(|movement| {
                let speed = ShortNumber(movement.peak_speed_mps);
                bar(movement.start_s, movement.end_s, format!("{name} movement, peak {speed} m/s"))
            })
            .collect();
        if !bars.is_empty() {
            lanes.push(Lane::new(
                format!("{name} movements"),
                css_class(name),
                Some(wrist_node(name)),
                bars,
                pixel,
            ));
        }
    }
    if !events.fixations.is_empty() {
        let bars = events
            .fixations
            .iter()
            .map(|fixation| bar(fixation.start_s, fixation.end_s, "fixation".to_owned()));
        lanes.push(Lane::new("fixations", "gaze", Some("gaze"), bars.collect(), pixel));
    }
    if !events.dwells.is_empty() {
        let bars = events.dwells.iter().map(|dwell| Bar {
            text: dwell.area.clone(),
            ..bar(dwell.start_s, dwell.end_s, format!("dwell on {}", dwell.area))
        });
        lanes.push(Lane::new("dwells", "dwell", Some("gaze"), bars.collect(), pixel));
    }
    lanes
}

pub(super) fn css_class(name: &str) -> &'static str {
    match name {
        "right" => "right",
        "left" => "left",
        _ => "gaze",
    }
}

pub(super) fn wrist_node(hand: &str) -> &'static str {
    if hand == "right" { "right/Wrist" } else { "left/Wrist" }
}
