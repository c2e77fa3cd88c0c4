//! Draws curves over time, the main sequence and the scan path.

use std::io::{self, Write};

use glam::DVec3;

use super::{
    axis::{Scale, format_tick},
    html::{ShortNumber, escape},
    recording::Section,
    timeline::{css_class, truncate},
};
use crate::{
    gaze::{Saccade, measure::fit_main_sequence},
    study::plots::{Curve, yaw_and_pitch},
};

/// The width and height of a plot, and the horizontal and vertical ranges in which values are
/// drawn. The vertical range begins at the bottom, because SVG's y points down.
const PLOT_SIZE: [f64; 2] = [480.0, 220.0];
const PLOT_X: [f64; 2] = [48.0, 472.0];
const PLOT_Y: [f64; 2] = [186.0, 12.0];
const MAX_MARKS: usize = 500;

pub(super) fn write(section: &Section<'_>, out: &mut dyn Write) -> io::Result<()> {
    let plots = &section.recording.plots;
    writeln!(out, "<div class=\"plots\">")?;
    let pinches = section.recording.events.pinches.iter();
    let pinches: Vec<Mark> =
        pinches.map(|pinch| (css_class(pinch.hand), [pinch.start_s, pinch.end_s])).collect();
    let contacts = plots
        .contacts
        .iter()
        .flat_map(|(name, times)| times.iter().map(|time| (css_class(name), *time)));
    let contacts: Vec<Mark> = contacts.collect();
    for (title, unit, curves, marks, key) in [
        ("Speed of the wrists", "m/s", &plots.speeds, &[][..], ""),
        ("Aperture: thumb tip to index tip", "m", &plots.apertures, &pinches[..], "bars: pinches"),
        ("Height of the feet", "m", &plots.feet, &contacts[..], "bars: contact"),
    ] {
        if curves.iter().any(|curve| !curve.parts.is_empty()) {
            write_time_plot(section, &TimePlot { title, unit, curves, marks, key }, out)?;
        }
    }
    write_main_sequence(&section.recording.events.saccades, out)?;
    write_scan_path(section, out)?;
    writeln!(out, "</div>")
}

/// A CSS class and a time range in seconds.
type Mark = (&'static str, [f64; 2]);

struct TimePlot<'a> {
    title: &'a str,
    unit: &'a str,
    curves: &'a [Curve],
    marks: &'a [Mark],
    key: &'a str,
}

fn begin_plot(title: &str, key: &str, out: &mut dyn Write) -> io::Result<()> {
    let [width, height] = PLOT_SIZE;
    writeln!(
        out,
        "<figure><figcaption>{}<span class=\"key\">{key}</span></figcaption>",
        escape(title)
    )?;
    writeln!(
        out,
        "<svg class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
        escape(title)
    )
}

fn end_plot(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "</svg></figure>")
}

fn write_axes(
    [x, y]: [&Scale; 2],
    [across, upwards]: [&str; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    let ([left, right], [bottom, top]) = (PLOT_X, PLOT_Y);
    for tick in y.ticks(4) {
        let at = y.map(tick);
        writeln!(out, "<path class=\"grid\" d=\"M{left} {at:.1}H{right}\"/>")?;
        // Leave out the topmost tick if its label would overlap the unit above the axis.
        if at > top + 8.0 {
            let (x, y, text) = (left - 5.0, at + 3.5, format_tick(tick));
            writeln!(out, "<text class=\"tick side\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>")?;
        }
    }
    for tick in x.ticks(6) {
        let at = x.map(tick);
        writeln!(out, "<path class=\"grid\" d=\"M{at:.1} {bottom}V{top}\"/>")?;
        writeln!(
            out,
            "<text class=\"tick\" x=\"{at:.1}\" y=\"{:.1}\">{}</text>",
            bottom + 14.0,
            format_tick(tick)
        )?;
    }
    writeln!(out, "<text class=\"axis\" x=\"{right}\" y=\"{:.1}\">{across}</text>", bottom + 28.0)?;
    writeln!(out, "<text class=\"axis up\" x=\"2\" y=\"{:.1}\">{upwards}</text>", top - 1.0)
}

fn write_time_plot(
    section: &Section<'_>,
    plot: &TimePlot<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let start = section.recording.start_s.unwrap_or_default();
    let duration = section.recording.duration_s.unwrap_or_default();
    let values =
        || plot.curves.iter().flat_map(|curve| curve.parts.iter().flatten().map(|point| point[1]));
    let highest = values().fold(0.0, f64::max);
    let lowest = values().fold(0.0, f64::min);
    let x = Scale::new([start, start + duration], PLOT_X);
    let room = 0.05 * (highest - lowest);
    let y = Scale::new([lowest, if room > 0.0 { highest + room } else { lowest + 1.0 }], PLOT_Y);
    let mut names: Vec<String> = plot
        .curves
        .iter()
        .map(|curve| format!("<i class=\"{}\"></i>{}", css_class(curve.name), curve.name))
        .collect();
    if !plot.marks.is_empty() {
        names.push(format!("<span class=\"marks\">{}</span>", plot.key));
    }
    begin_plot(plot.title, &names.join(" "), out)?;
    write_axes([&x, &y], ["time in s", plot.unit], out)?;
    for (class, [from, to]) in plot.marks.iter().take(4 * MAX_MARKS) {
        let width = (x.map(*to) - x.map(*from)).max(0.7);
        // Offset the marks of the left side so that they do not cover those of the right.
        let top = PLOT_Y[0] - if *class == "left" { 5.0 } else { 9.0 };
        writeln!(
            out,
            "<rect class=\"mark {class}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"3\"/>",
            x.map(*from)
        )?;
    }
    for curve in plot.curves {
        for part in &curve.parts {
            let points = part
                .iter()
                .map(|[time, value]| format!("{:.1},{:.1}", x.map(*time), y.map(*value)));
            let points = points.collect::<Vec<_>>().join(" ");
            writeln!(
                out,
                "<polyline class=\"curve {}\" points=\"{points}\"/>",
                css_class(curve.name)
            )?;
        }
    }
    end_plot(out)
}

fn write_main_sequence(saccades: &[Saccade], out: &mut dyn Write) -> io::Result<()> {
    if saccades.is_empty() {
        return Ok(());
    }
    let bounds = |number: fn(&Saccade) -> f64| {
        let values = saccades.iter().map(number);
        let (low, high) =
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
        [low / 1.3, high * 1.3]
    };
    let x = Scale::logarithmic(bounds(|saccade| saccade.amplitude_deg), PLOT_X);
    let y = Scale::logarithmic(bounds(|saccade| saccade.peak_velocity_degps), PLOT_Y);
    let fit = fit_main_sequence(&saccades.iter().collect::<Vec<_>>());
    let key = fit.map_or_else(String::new, |(exponent, at_one)| {
        format!("{} °/s · amplitude<sup>{}</sup>", ShortNumber(at_one), ShortNumber(exponent))
    });
    begin_plot("Main sequence", &key, out)?;
    write_axes([&x, &y], ["amplitude in °", "peak velocity in °/s"], out)?;
    if let Some((exponent, at_one)) = fit {
        let [from, to] = x.values.map(|amplitude| {
            let velocity = at_one * amplitude.powf(exponent);
            let at = y.map(velocity).clamp(PLOT_Y[1], PLOT_Y[0]);
            format!("{:.1} {at:.1}", x.map(amplitude))
        });
        writeln!(out, "<path class=\"fit\" d=\"M{from}L{to}\"/>")?;
    }
    for saccade in saccades.iter().take(MAX_MARKS) {
        let (across, up) = (x.map(saccade.amplitude_deg), y.map(saccade.peak_velocity_degps));
        writeln!(out, "<circle class=\"dot\" cx=\"{across:.1}\" cy=\"{up:.1}\" r=\"3\"/>")?;
    }
    end_plot(out)
}

fn write_scan_path(section: &Section<'_>, out: &mut dyn Write) -> io::Result<()> {
    let fixations = &section.recording.events.fixations;
    let areas = &section.recording.plots.areas;
    if fixations.is_empty() {
        return Ok(());
    }
    let views: Vec<[f64; 2]> = fixations
        .iter()
        .take(MAX_MARKS)
        .map(|fixation| yaw_and_pitch(DVec3::from_array(fixation.direction)))
        .collect();
    let edges = areas.iter().flat_map(|area| {
        [-1.0, 1.0].map(|side| [area.yaw + side * area.radius, area.pitch + side * area.radius])
    });
    let all: Vec<[f64; 2]> = views.iter().copied().chain(edges).collect();
    let [x, y] = equal_scales(&all);
    let key = match fixations.len() > MAX_MARKS {
        true => format!("the first {MAX_MARKS} of {} fixations", fixations.len()),
        false => "size: duration".to_owned(),
    };
    begin_plot("Scan path of the gaze", &key, out)?;
    write_axes([&x, &y], ["yaw in °", "pitch in °"], out)?;
    for area in areas {
        let (across, up) = (x.map(area.yaw), y.map(area.pitch));
        let radius = (x.map(area.yaw + area.radius) - across).abs();
        writeln!(
            out,
            "<circle class=\"area\" cx=\"{across:.1}\" cy=\"{up:.1}\" r=\"{radius:.1}\"/>"
        )?;
        let text = truncate(&area.name, 24);
        writeln!(
            out,
            "<text class=\"area\" x=\"{across:.1}\" y=\"{:.1}\">{}</text>",
            up - radius - 3.0,
            escape(&text)
        )?;
    }
    let points =
        views.iter().map(|[yaw, pitch]| format!("{:.1},{:.1}", x.map(*yaw), y.map(*pitch)));
    writeln!(
        out,
        "<polyline class=\"path\" points=\"{}\"/>",
        points.collect::<Vec<_>>().join(" ")
    )?;
    for ([yaw, pitch], fixation) in views.iter().zip(fixations) {
        let radius = (4.0 * fixation.duration_s.sqrt()).clamp(1.5, 12.0);
        writeln!(
            out,
            "<circle class=\"fixation\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\"><title>{} s, for {} s</title></circle>",
            x.map(*yaw),
            y.map(*pitch),
            ShortNumber(fixation.start_s),
            ShortNumber(fixation.duration_s)
        )?;
    }
    end_plot(out)
}

fn equal_scales(points: &[[f64; 2]]) -> [Scale; 2] {
    let bounds = [0, 1].map(|axis| {
        let values = points.iter().map(|point| point[axis]);
        [values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max)]
    });
    let rooms = [PLOT_X[1] - PLOT_X[0], PLOT_Y[0] - PLOT_Y[1]];
    let per_degree =
        (0..2).map(|axis| rooms[axis] / ((bounds[axis][1] - bounds[axis][0]) * 1.1).max(2.0));
    let per_degree = per_degree.fold(f64::INFINITY, f64::min);
    let scale = |axis: usize, coordinates: [f64; 2]| {
        let (middle, half) =
            (f64::midpoint(bounds[axis][0], bounds[axis][1]), rooms[axis] / per_degree / 2.0);
        Scale::new([middle - half, middle + half], coordinates)
    };
    [scale(0, PLOT_X), scale(1, PLOT_Y)]
}
