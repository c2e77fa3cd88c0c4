//! Curves over time, main sequence, scan path.

use std::io::{self, Write};

use glam::DVec3;

use super::{
    axis::{Scale, tick_text},
    html::{Short, escaped},
    recording::Section,
    timeline::{class, short_text},
};
use crate::{
    gaze::{Saccade, measure::main_sequence},
    study::plots::{Curve, yaw_and_pitch},
};

/// The size of a plot, and where its values are drawn.
const SIZE: [f64; 2] = [480.0, 220.0];
const ACROSS: [f64; 2] = [48.0, 472.0];
const UPWARDS: [f64; 2] = [186.0, 12.0];
/// The most fixations and saccades that are drawn.
const MOST_MARKS: usize = 500;

pub(super) fn write(section: &Section<'_>, out: &mut dyn Write) -> io::Result<()> {
    let plots = &section.recording.plots;
    writeln!(out, "<div class=\"plots\">")?;
    let pinches = section.recording.events.pinches.iter();
    let pinches: Vec<Mark> =
        pinches.map(|one| (class(one.hand), [one.start_s, one.end_s])).collect();
    let contacts = plots
        .contacts
        .iter()
        .flat_map(|(name, times)| times.iter().map(|time| (class(name), *time)));
    let contacts: Vec<Mark> = contacts.collect();
    for (title, unit, curves, marks, key) in [
        ("Speed of the wrists", "m/s", &plots.speeds, &[][..], ""),
        ("Aperture: thumb tip to index tip", "m", &plots.apertures, &pinches[..], "bars: pinches"),
        ("Height of the feet", "m", &plots.feet, &contacts[..], "bars: contact"),
    ] {
        if curves.iter().any(|curve| !curve.parts.is_empty()) {
            over_time(section, &TimePlot { title, unit, curves, marks, key }, out)?;
        }
    }
    main_sequence_plot(&section.recording.events.saccades, out)?;
    scan_path(section, out)?;
    writeln!(out, "</div>")
}

/// A class and a range of time, in seconds.
type Mark = (&'static str, [f64; 2]);

struct TimePlot<'a> {
    title: &'a str,
    unit: &'a str,
    curves: &'a [Curve],
    marks: &'a [Mark],
    /// The meaning of marks.
    key: &'a str,
}

fn begin(title: &str, key: &str, out: &mut dyn Write) -> io::Result<()> {
    let [width, height] = SIZE;
    writeln!(
        out,
        "<figure><figcaption>{}<span class=\"key\">{key}</span></figcaption>",
        escaped(title)
    )?;
    writeln!(
        out,
        "<svg class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
        escaped(title)
    )
}

fn end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "</svg></figure>")
}

fn axes([x, y]: [&Scale; 2], [across, upwards]: [&str; 2], out: &mut dyn Write) -> io::Result<()> {
    let ([left, right], [bottom, top]) = (ACROSS, UPWARDS);
    for tick in y.ticks(4) {
        let at = y.at(tick);
        writeln!(out, "<path class=\"grid\" d=\"M{left} {at:.1}H{right}\"/>")?;
        // The unit is above the axis.
        if at > top + 8.0 {
            let (x, y, text) = (left - 5.0, at + 3.5, tick_text(tick));
            writeln!(out, "<text class=\"tick side\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>")?;
        }
    }
    for tick in x.ticks(6) {
        let at = x.at(tick);
        writeln!(out, "<path class=\"grid\" d=\"M{at:.1} {bottom}V{top}\"/>")?;
        writeln!(
            out,
            "<text class=\"tick\" x=\"{at:.1}\" y=\"{:.1}\">{}</text>",
            bottom + 14.0,
            tick_text(tick)
        )?;
    }
    writeln!(out, "<text class=\"axis\" x=\"{right}\" y=\"{:.1}\">{across}</text>", bottom + 28.0)?;
    writeln!(out, "<text class=\"axis up\" x=\"2\" y=\"{:.1}\">{upwards}</text>", top - 1.0)
}

fn over_time(section: &Section<'_>, plot: &TimePlot<'_>, out: &mut dyn Write) -> io::Result<()> {
    let start = section.recording.start_s.unwrap_or_default();
    let duration = section.recording.duration_s.unwrap_or_default();
    let values =
        || plot.curves.iter().flat_map(|curve| curve.parts.iter().flatten().map(|point| point[1]));
    let highest = values().fold(0.0, f64::max);
    let lowest = values().fold(0.0, f64::min);
    let x = Scale::new([start, start + duration], ACROSS);
    let room = 0.05 * (highest - lowest);
    let y = Scale::new([lowest, if room > 0.0 { highest + room } else { lowest + 1.0 }], UPWARDS);
    let mut names: Vec<String> = plot
        .curves
        .iter()
        .map(|curve| format!("<i class=\"{}\"></i>{}", class(curve.name), curve.name))
        .collect();
    if !plot.marks.is_empty() {
        names.push(format!("<span class=\"marks\">{}</span>", plot.key));
    }
    begin(plot.title, &names.join(" "), out)?;
    axes([&x, &y], ["time in s", plot.unit], out)?;
    for (class, [from, to]) in plot.marks.iter().take(4 * MOST_MARKS) {
        let width = (x.at(*to) - x.at(*from)).max(0.7);
        // Those of the two sides do not cover each other.
        let top = UPWARDS[0] - if *class == "left" { 5.0 } else { 9.0 };
        writeln!(
            out,
            "<rect class=\"mark {class}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"3\"/>",
            x.at(*from)
        )?;
    }
    for curve in plot.curves {
        for part in &curve.parts {
            let points =
                part.iter().map(|[time, value]| format!("{:.1},{:.1}", x.at(*time), y.at(*value)));
            let points = points.collect::<Vec<_>>().join(" ");
            writeln!(out, "<polyline class=\"curve {}\" points=\"{points}\"/>", class(curve.name))?;
        }
    }
    end(out)
}

/// The peak velocity of saccades over their amplitude, both logarithmic.
fn main_sequence_plot(saccades: &[Saccade], out: &mut dyn Write) -> io::Result<()> {
    if saccades.is_empty() {
        return Ok(());
    }
    let bounds = |number: fn(&Saccade) -> f64| {
        let values = saccades.iter().map(number);
        let (low, high) =
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
        [low / 1.3, high * 1.3]
    };
    let x = Scale::logarithmic(bounds(|one| one.amplitude_deg), ACROSS);
    let y = Scale::logarithmic(bounds(|one| one.peak_velocity_degps), UPWARDS);
    let fit = main_sequence(&saccades.iter().collect::<Vec<_>>());
    let key = fit.map_or_else(String::new, |(exponent, at_one)| {
        format!("{} °/s · amplitude<sup>{}</sup>", Short(at_one), Short(exponent))
    });
    begin("Main sequence", &key, out)?;
    axes([&x, &y], ["amplitude in °", "peak velocity in °/s"], out)?;
    if let Some((exponent, at_one)) = fit {
        let [from, to] = x.values.map(|amplitude| {
            let velocity = at_one * amplitude.powf(exponent);
            let at = y.at(velocity).clamp(UPWARDS[1], UPWARDS[0]);
            format!("{:.1} {at:.1}", x.at(amplitude))
        });
        writeln!(out, "<path class=\"fit\" d=\"M{from}L{to}\"/>")?;
    }
    for one in saccades.iter().take(MOST_MARKS) {
        let (across, up) = (x.at(one.amplitude_deg), y.at(one.peak_velocity_degps));
        writeln!(out, "<circle class=\"dot\" cx=\"{across:.1}\" cy=\"{up:.1}\" r=\"3\"/>")?;
    }
    end(out)
}

/// Fixations in yaw and pitch, in their order, with the areas.
fn scan_path(section: &Section<'_>, out: &mut dyn Write) -> io::Result<()> {
    let fixations = &section.recording.events.fixations;
    let areas = &section.recording.plots.areas;
    if fixations.is_empty() {
        return Ok(());
    }
    let views: Vec<[f64; 2]> = fixations
        .iter()
        .take(MOST_MARKS)
        .map(|one| yaw_and_pitch(DVec3::from_array(one.direction)))
        .collect();
    let edges = areas.iter().flat_map(|area| {
        [-1.0, 1.0].map(|side| [area.yaw + side * area.radius, area.pitch + side * area.radius])
    });
    let all: Vec<[f64; 2]> = views.iter().copied().chain(edges).collect();
    let [x, y] = equal_scales(&all);
    let key = match fixations.len() > MOST_MARKS {
        true => format!("the first {MOST_MARKS} of {} fixations", fixations.len()),
        false => "size: duration".to_owned(),
    };
    begin("Scan path of the gaze", &key, out)?;
    axes([&x, &y], ["yaw in °", "pitch in °"], out)?;
    for area in areas {
        let (across, up) = (x.at(area.yaw), y.at(area.pitch));
        let radius = (x.at(area.yaw + area.radius) - across).abs();
        writeln!(
            out,
            "<circle class=\"area\" cx=\"{across:.1}\" cy=\"{up:.1}\" r=\"{radius:.1}\"/>"
        )?;
        let text = short_text(&area.name, 24);
        writeln!(
            out,
            "<text class=\"area\" x=\"{across:.1}\" y=\"{:.1}\">{}</text>",
            up - radius - 3.0,
            escaped(&text)
        )?;
    }
    let points = views.iter().map(|[yaw, pitch]| format!("{:.1},{:.1}", x.at(*yaw), y.at(*pitch)));
    writeln!(
        out,
        "<polyline class=\"path\" points=\"{}\"/>",
        points.collect::<Vec<_>>().join(" ")
    )?;
    for ([yaw, pitch], one) in views.iter().zip(fixations) {
        let radius = (4.0 * one.duration_s.sqrt()).clamp(1.5, 12.0);
        writeln!(
            out,
            "<circle class=\"fixation\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\"><title>{} s, for {} s</title></circle>",
            x.at(*yaw),
            y.at(*pitch),
            Short(one.start_s),
            Short(one.duration_s)
        )?;
    }
    end(out)
}

/// Scales around these points on which a degree is as long in both directions.
fn equal_scales(points: &[[f64; 2]]) -> [Scale; 2] {
    let bounds = [0, 1].map(|axis| {
        let values = points.iter().map(|point| point[axis]);
        [values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max)]
    });
    let rooms = [ACROSS[1] - ACROSS[0], UPWARDS[0] - UPWARDS[1]];
    let per_degree =
        (0..2).map(|axis| rooms[axis] / ((bounds[axis][1] - bounds[axis][0]) * 1.1).max(2.0));
    let per_degree = per_degree.fold(f64::INFINITY, f64::min);
    let scale = |axis: usize, places: [f64; 2]| {
        let (middle, half) =
            (f64::midpoint(bounds[axis][0], bounds[axis][1]), rooms[axis] / per_degree / 2.0);
        Scale::new([middle - half, middle + half], places)
    };
    [scale(0, ACROSS), scale(1, UPWARDS)]
}
