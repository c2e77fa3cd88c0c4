//! Shows events as flags on the timeline. A click on a flag seeks to its time.

use bevy_egui::egui::{Align2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2};

use crate::{
    session::Command,
    ui::{
        Model, display_text,
        style::{Palette, small_font},
    },
};
use mutoscope_core::{clip::Clip, playback::TimeCommand};
use mutoscope_view::timeline::TimeAxis;

const MIN_FLAG_DISTANCE: f32 = 7.0;

#[derive(Clone, Debug)]
pub(super) struct EventRow {
    pub(super) name: String,
    /// The key by which events are grouped. Equals the name, unless the name includes an owner.
    kind: String,
    /// Sorted by time.
    pub(super) events: Vec<TimelineEvent>,
}

#[derive(Clone, Debug)]
pub(super) struct TimelineEvent {
    /// In seconds.
    pub(super) time: f64,
    /// In seconds.
    pub(super) duration: f64,
    /// `false` if the game skips the event. Such flags are dim.
    pub(super) is_fired: bool,
    pub(super) text: String,
    pub(super) help: String,
}

impl EventRow {
    /// `events` must be sorted by time.
    pub(super) fn new(name: String, events: Vec<TimelineEvent>) -> Self {
        Self { kind: name.clone(), name, events }
    }

    pub(super) fn from_clip(clip: &Clip) -> Vec<Self> {
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
                    let name = if has_own_name {
                        display_text::event_name(clip, event)
                    } else {
                        kind.into()
                    };
                    rows.push(Self { name, kind: kind.to_owned(), events: Vec::new() });
                    rows.len() - 1
                }
            };
            let (text, help) = (display_text::event_detail(clip, event), clip.event_text(event));
            rows[row].events.push(TimelineEvent {
                time: event.time,
                duration: details.map_or(0.0, |details| details.duration),
                is_fired: details.is_none_or(|details| details.is_fired),
                text,
                help,
            });
        }
        for row in &mut rows {
            row.events.sort_by(|a, b| a.time.total_cmp(&b.time));
        }
        rows
    }
}

pub(super) fn events_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    row: &EventRow,
    track: Rect,
    axis: &TimeAxis,
) {
    let palette = Palette::for_visuals(ui.visuals());
    let first =
        row.events.partition_point(|event| !axis.contains(event.time) && event.time < axis.start);
    let shown = row.events[first..].iter().take_while(|event| axis.contains(event.time));
    let flags: Vec<_> = spaced_events(shown, axis).collect();
    for (index, flag) in flags.iter().enumerate() {
        let x = axis.x_at(flag.time);
        let end = flags.get(index + 1).map_or(track.right(), |next| axis.x_at(next.time) - 3.0);
        let rect = Rect::from_x_y_ranges(x - 2.0..=end.max(x + 4.0), track.y_range());
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let color = if flag.is_fired { palette.text } else { palette.dim };
        if flag.duration > 0.0 {
            let extent = axis.x_at(flag.time)..=axis.x_at(flag.time + flag.duration);
            let bar = Rect::from_x_y_ranges(extent, rect.bottom() - 3.0..=rect.bottom() - 1.0);
            painter.rect_filled(bar, 0.0, color);
        }
        let pole = Stroke::new(1.0, color);
        painter.vline(x, rect.y_range(), pole);
        let cloth = [(0.0, 2.0), (8.0, 5.5), (0.0, 9.0)];
        let cloth = cloth.map(|(dx, dy)| pos2(x + dx, rect.top() + dy)).to_vec();
        painter.add(Shape::convex_polygon(cloth, color, Stroke::NONE));
        let text_position = pos2(x + 11.0, rect.center().y);
        let text =
            painter.text(text_position, Align2::LEFT_CENTER, &flag.text, small_font(), color);
        let button = rect.with_max_x(text.right().min(rect.right()));
        if flag_button_ui(ui, button, &row.name, flag) {
            let time = model.to_clock_time(flag.time);
            model.send(Command::Time(TimeCommand::Seek(time)));
        }
    }
}

fn spaced_events<'a>(
    flags: impl Iterator<Item = &'a TimelineEvent>,
    axis: &TimeAxis,
) -> impl Iterator<Item = &'a TimelineEvent> {
    let mut last = f32::NEG_INFINITY;
    flags.filter(move |flag| {
        let x = axis.x_at(flag.time);
        let has_room = x - last >= MIN_FLAG_DISTANCE;
        if has_room {
            last = x;
        }
        has_room
    })
}

fn flag_button_ui(ui: &Ui, rect: Rect, row_name: &str, flag: &TimelineEvent) -> bool {
    let id = ui.id().with((row_name, flag.time.to_bits()));
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::Button, true, format!("{row_name}: {}", flag.help))
    });
    let text = format!("{}\n{}", display_text::format_clock_time(flag.time), flag.help);
    response.on_hover_text(text).clicked()
}
