//! Markers on the timeline: a click goes to their time.

use bevy_egui::egui::{Align2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2};

use crate::{
    session::Command,
    ui::{
        Model,
        style::{Palette, small},
        words,
    },
};
use mutoscope_core::{clip::Clip, measure::timeline::TimeAxis, playback::TimeCommand};

/// How far apart two flags must be to be distinguished, in points.
const DISTANCE: f32 = 7.0;

/// Events that share a row.
#[derive(Clone, Debug)]
pub(super) struct EventRow {
    /// Their common name.
    pub(super) name: String,
    /// The name that they share, if it is not that of the row.
    kind: String,
    /// In the order of time.
    moments: Vec<Moment>,
}

/// Something that happens.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// When, in seconds.
    pub(super) time: f64,
    /// How long it lasts, in seconds.
    pub(super) duration: f64,
    /// Whether the game plays it; what it passes over is dim.
    pub(super) fires: bool,
    /// Its text besides the name of the row.
    pub(super) text: String,
    /// Its full text.
    pub(super) help: String,
}

impl EventRow {
    /// A row of `moments`, which are in the order of time.
    pub(super) fn of_moments(name: String, moments: Vec<Moment>) -> Self {
        Self { kind: name.clone(), name, moments }
    }

    /// In the order of time.
    #[cfg(test)]
    pub(super) fn moments(&self) -> &[Moment] {
        &self.moments
    }

    /// All events of `clip`: those of games by kind, markers in one row, others by name.
    pub(super) fn all(clip: &Clip) -> Vec<Self> {
        let mut rows: Vec<Self> = Vec::new();
        for event in &clip.events {
            let details = event.details.as_deref();
            let (kind, has_own_name) = match (details, event.owner) {
                (Some(details), _) => (details.kind, false),
                (None, Some(_)) => (&*event.name, true),
                (None, None) => ("markers", false),
            };
            let row = match rows.iter_mut().position(|row| row.kind == kind) {
                Some(row) => row,
                None => {
                    let name =
                        if has_own_name { words::event_name(clip, event) } else { kind.into() };
                    rows.push(Self { name, kind: kind.to_owned(), moments: Vec::new() });
                    rows.len() - 1
                }
            };
            let (text, help) = (words::event_detail(clip, event), clip.event_text(event));
            rows[row].moments.push(Moment {
                time: event.time,
                duration: details.map_or(0.0, |details| details.duration),
                fires: details.is_none_or(|details| details.fires),
                text,
                help,
            });
        }
        for row in &mut rows {
            row.moments.sort_by(|a, b| a.time.total_cmp(&b.time));
        }
        rows
    }
}

/// Flags at events, with their texts as far as there is room.
pub(super) fn events_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    row: &EventRow,
    track: Rect,
    axis: &TimeAxis,
) {
    let palette = Palette::of(ui.visuals());
    let first =
        row.moments.partition_point(|moment| !axis.shows(moment.time) && moment.time < axis.start);
    let shown = row.moments[first..].iter().take_while(|moment| axis.shows(moment.time));
    let flags: Vec<_> = apart(shown, axis).collect();
    for (index, flag) in flags.iter().enumerate() {
        let x = axis.x_at(flag.time);
        let end = flags.get(index + 1).map_or(track.right(), |next| axis.x_at(next.time) - 3.0);
        let rect = Rect::from_x_y_ranges(x - 2.0..=end.max(x + 4.0), track.y_range());
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let color = if flag.fires { palette.text } else { palette.dim };
        if flag.duration > 0.0 {
            let lasts = axis.x_at(flag.time)..=axis.x_at(flag.time + flag.duration);
            let bar = Rect::from_x_y_ranges(lasts, rect.bottom() - 3.0..=rect.bottom() - 1.0);
            painter.rect_filled(bar, 0.0, color);
        }
        let pole = Stroke::new(1.0, color);
        painter.vline(x, rect.y_range(), pole);
        let cloth = [(0.0, 2.0), (8.0, 5.5), (0.0, 9.0)];
        let cloth = cloth.map(|(dx, dy)| pos2(x + dx, rect.top() + dy)).to_vec();
        painter.add(Shape::convex_polygon(cloth, color, Stroke::NONE));
        let place = pos2(x + 11.0, rect.center().y);
        let text = painter.text(place, Align2::LEFT_CENTER, &flag.text, small(), color);
        let button = rect.with_max_x(text.right().min(rect.right()));
        if click_ui(ui, button, &row.name, flag) {
            let time = model.on_clock(flag.time);
            model.send(Command::Time(TimeCommand::Seek(time)));
        }
    }
}

/// Of moments in the order of time, those whose flags do not cover the one before.
fn apart<'a>(
    flags: impl Iterator<Item = &'a Moment>,
    axis: &TimeAxis,
) -> impl Iterator<Item = &'a Moment> {
    let mut last = f32::NEG_INFINITY;
    flags.filter(move |flag| {
        let x = axis.x_at(flag.time);
        let is_apart = x - last >= DISTANCE;
        if is_apart {
            last = x;
        }
        is_apart
    })
}

/// The button of a flag; returns whether it was clicked.
fn click_ui(ui: &Ui, rect: Rect, what: &str, flag: &Moment) -> bool {
    let id = ui.id().with((what, flag.time.to_bits()));
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::Button, true, format!("{what}: {}", flag.help))
    });
    let text = format!("{}\n{}", words::clock_time(flag.time), flag.help);
    response.on_hover_text(text).clicked()
}
