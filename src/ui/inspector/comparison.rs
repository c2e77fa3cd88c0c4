//! A recording that is compared with another: its timing, where it is placed, and how far joints are
//! apart.

use bevy_egui::egui::{
    Align, Align2, Button, ComboBox, DragValue, FontSelection, Label, Rect, Response, RichText,
    ScrollArea, Sense, TextWrapMode, Ui, WidgetInfo, WidgetText, WidgetType,
    scroll_area::ScrollBarVisibility, vec2,
};

use crate::{
    recording::{Overlay, RecordingNode},
    session::{Command, Compare, Comparing, OpenRecording, ViewCommand},
    ui::{
        CommandSender, Model,
        style::{Palette, small_mono},
        widgets::{copyable, dim, table, with_action_tooltip},
        words,
    },
};
use mutoscope_core::{
    clip::{Clip, NodeId},
    measure::compare::{Alignment, Comparison, Deviation, Placement, Unaligned},
    playback::TimeCommand,
};

/// How high the list of joints is at most, in points.
const LIST: f32 = 180.0;

/// The height of a row of it, and the room of a figure in it.
const ROW: f32 = 18.0;
const FIGURE: f32 = 54.0;

/// A recording and the one that it is compared with.
#[derive(Clone, Copy)]
struct Pair<'a> {
    own: &'a OpenRecording<'a>,
    base: &'a OpenRecording<'a>,
    overlay: &'a Overlay,
    comparing: &'a Comparing,
}

impl<'a> Pair<'a> {
    fn of(model: &Model<'a>) -> Option<Self> {
        let own = model.open()?;
        let (overlay, comparing) = (own.overlay?, own.comparing?);
        let base = model.recordings.iter().find(|one| one.entity == overlay.base)?;
        Some(Self { own, base, overlay, comparing })
    }

    fn clips(&self) -> [&'a Clip; 2] {
        [self.base.clip(), self.own.clip()]
    }

    /// The selected joint of the base, or the one that the selected joint is matched with.
    fn selected(&self, model: &Model<'_>) -> Option<NodeId> {
        let selected = model.view.selected?;
        let of_base = selected.of(self.base.entity);
        of_base.or_else(|| {
            let own = selected.of(self.own.entity)?;
            let mut pairs = self.comparing.matching().pairs().iter();
            pairs.find(|pair| pair.second == own).map(|pair| pair.first)
        })
    }
}

/// How the recording that `model` looks at is compared, if it is.
pub(super) fn comparison_ui(ui: &mut Ui, model: &Model<'_>) {
    let Some(pair) = Pair::of(model) else { return };
    table(&format!("comparison {}", pair.own.letter()), 2).show(ui, |ui| {
        let label = dim(ui, "Compared with");
        ui.label(label);
        base_ui(ui, model, &pair);
        ui.end_row();
        let label = dim(ui, "Offset, rate");
        ui.label(label);
        timing_ui(ui, &pair, model.commands);
        ui.end_row();
        let label = dim(ui, "Overlay");
        ui.label(label);
        placement_ui(ui, &pair, model.commands);
        ui.end_row();
    });
    alignment_ui(ui, &pair, model.commands);
    if let Some(selected) = pair.selected(model) {
        match_ui(ui, &pair, selected, model.commands);
    }
    let Some(measured) = pair.comparing.measured() else { return };
    match &measured.comparison {
        Ok(_) if pair.comparing.matching().pairs().is_empty() => {
            note_ui(ui, "No joints match by name. Select one and choose its match.");
        }
        Ok(comparison) => {
            joints_ui(ui, model, &pair, comparison, &measured.worst_first);
        }
        Err(never) => note_ui(ui, &words::capitalised(&never.to_string())),
    }
}

fn note_ui(ui: &mut Ui, text: &str) {
    let text = dim(ui, text);
    ui.add(Label::new(text).wrap());
}

/// The choice of the recording that this one is compared with.
fn base_ui(ui: &mut Ui, model: &Model<'_>, pair: &Pair<'_>) {
    let named = |one: &OpenRecording<'_>| format!("{}  {}", one.letter(), one.source.name());
    if model.recordings.len() == 2 {
        ui.add(Label::new(named(pair.base)).truncate());
        return;
    }
    let menu = ComboBox::from_id_salt(("base", pair.own.index)).selected_text(named(pair.base));
    let menu = menu.width(150.0).show_ui(ui, |ui| {
        for one in model.recordings.iter().filter(|one| one.entity != pair.own.entity) {
            let is_base = one.entity == pair.base.entity;
            if ui.selectable_label(is_base, named(one)).clicked() && !is_base {
                let (recording, base) = (pair.own.entity, one.entity);
                model.send(Command::Compare(Compare::Rebase { recording, base }));
            }
        }
    });
    let label = format!("Compare {} with", pair.own.letter());
    menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
}

fn timing_ui(ui: &mut Ui, pair: &Pair<'_>, commands: &CommandSender) {
    let timing = pair.own.recording.timing();
    let mut wanted = timing;
    ui.horizontal(|ui| {
        let offset = DragValue::new(&mut wanted.offset).speed(0.005).max_decimals(4).suffix(" s");
        let offset = ui.add(offset).on_hover_text(
            "Time of the clock at which this recording is at 0. Its bar on the timeline can be \
             dragged too.",
        );
        offset.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Offset"));
        let rate = DragValue::new(&mut wanted.rate).speed(0.002).max_decimals(4).suffix("×");
        let rate = ui.add(rate.range(1e-3..=1e3));
        let rate = rate.on_hover_text("Seconds of this recording in one second of the clock");
        rate.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Rate"));
    });
    if wanted != timing {
        commands.send(Command::Compare(Compare::SetTiming(pair.own.entity, wanted)));
    }
}

fn placement_ui(ui: &mut Ui, pair: &Pair<'_>, commands: &CommandSender) {
    let placement = pair.overlay.placement;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for one in Placement::ALL {
            let (name, help) = match one {
                Placement::AsRecorded => ("as recorded", "At its recorded position"),
                Placement::Aligned => ("aligned", "Moved by the mean distance of matched joints"),
                Placement::SideBySide => ("side by side", "Aligned and moved to the right"),
            };
            let button = ui.add(Button::selectable(placement == one, name)).on_hover_text(help);
            if button.clicked() && placement != one {
                let command = Compare::SetPlacement(Some(pair.own.entity), one);
                commands.send(Command::Compare(command));
            }
        }
    });
}

/// The button that finds the offset at which both move alike, and what came of it.
fn alignment_ui(ui: &mut Ui, pair: &Pair<'_>, commands: &CommandSender) {
    let comparing = pair.comparing;
    ui.horizontal_wrapped(|ui| {
        let can = !comparing.matching().pairs().is_empty() && !comparing.is_aligning();
        let button = ui.add_enabled(can, Button::new("Align by motion").small());
        if with_action_tooltip(button, &Command::Compare(Compare::Align(None))).clicked() {
            commands.send(Command::Compare(Compare::Align(Some(pair.own.entity))));
        }
        let text = match comparing.aligned() {
            _ if comparing.is_aligning() => "aligning…".to_owned(),
            None => return,
            Some(found) => alignment_text(found),
        };
        let text = dim(ui, text).small();
        ui.add(Label::new(text).wrap());
    });
}

fn alignment_text(found: &Result<Alignment, Unaligned>) -> String {
    match found {
        Err(why) => why.to_string(),
        Ok(found) => {
            let correlation = format!("correlation {:.3}", found.correlation);
            match found.runner_up {
                _ if !found.is_beyond_chance() => {
                    format!("{correlation}, uncertain: unrelated motion may correlate as much")
                }
                Some((offset, next)) if !found.is_unambiguous() => {
                    let offset = words::trimmed(offset, 3);
                    format!("{correlation}, ambiguous: {next:.3} at {offset} s")
                }
                _ => correlation,
            }
        }
    }
}

/// The choice of the joint that the selected one is matched with, and their current distance.
fn match_ui(ui: &mut Ui, pair: &Pair<'_>, selected: NodeId, commands: &CommandSender) {
    let [base, own] = pair.clips();
    let Some(node) = base.nodes.get(selected.index()) else { return };
    let matching = pair.comparing.matching();
    let matched = matching.matched(selected);
    let name = matched.map_or("none", |matched| own.nodes[matched].name.as_str());
    table(&format!("match {}", pair.own.letter()), 2).show(ui, |ui| {
        let label = dim(ui, "Matched joint");
        ui.label(label).on_hover_text(format!("Joint that {} is compared with", node.name));
        let menu = ComboBox::from_id_salt(("match", pair.own.index));
        let menu = menu.selected_text(name).width(150.0).show_ui(ui, |ui| {
            let choose = |second| {
                let recording = pair.own.entity;
                Command::Compare(Compare::Match { recording, first: selected, second })
            };
            let is_by_name = !matching.is_chosen(selected);
            if ui.selectable_label(is_by_name, "match by name").clicked() && !is_by_name {
                commands.send(choose(None));
            }
            for (id, node) in own.nodes.with_ids() {
                let is_match = matched == Some(id);
                if ui.selectable_label(is_match && !is_by_name, &node.name).clicked() {
                    commands.send(choose(Some(id)));
                }
            }
        });
        let label = format!("Matched joint: {name}");
        menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
        ui.end_row();
        let poses = [pair.base, pair.own].map(|one| &one.recording.pose().nodes);
        let nodes = matched.map(|own| [poses[0].get(selected.index()), poses[1].get(own.index())]);
        if let Some([Some(one), Some(other)]) = nodes
            && one.shown
            && other.shown
        {
            let label = dim(ui, "Distance");
            ui.label(label);
            let metres = one.world.translation.distance(other.world.translation);
            copyable(ui, &words::distance(metres), || metres.to_string());
            ui.end_row();
        }
    });
}

/// All joints together, and a list of them in this order.
fn joints_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    pair: &Pair<'_>,
    comparison: &Comparison,
    order: &[usize],
) {
    let (Some(rms), Some(farthest)) = (comparison.rms(), comparison.farthest()) else {
        return note_ui(ui, "No joint is visible in both at the same time.");
    };
    let [base, _] = pair.clips();
    let seconds = words::duration(comparison.range.1 - comparison.range.0);
    let joints = words::counted(comparison.deviations.len(), "joint", "joints");
    note_ui(ui, &format!("RMS {} of {joints} over {seconds}", words::distance(rms)));
    let max = format!(
        "max {}: {} at {}",
        words::distance(farthest.max),
        base.nodes[farthest.joints.first].name,
        words::clock_time(pair.base.recording.timing().first(farthest.max_at))
    );
    let max = Label::new(RichText::new(max)).truncate().sense(Sense::click());
    if ui.add(max).on_hover_text("Click to go there").clicked() {
        go_to(pair, farthest, model.commands);
    }
    let columns = ["RMS", "max", "in place"];
    ui.add_space(2.0);
    ui.scope(|ui| {
        // Above the rows, which have the scroll bar of the list at their right.
        let room = ui.available_width() - ui.spacing().scroll.allocated_width();
        ui.set_max_width(room.max(0.0));
        row_ui(ui, dim(ui, "joint").small(), columns.map(|name| dim(ui, name).small()));
    });
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt(("joints", pair.own.index)).max_height(LIST);
    let area = area.scroll_bar_visibility(ScrollBarVisibility::AlwaysVisible);
    area.auto_shrink([false, true]).show_rows(ui, ROW, order.len(), |ui, rows| {
        for &index in &order[rows] {
            joint_ui(ui, model, pair, &comparison.deviations[index]);
        }
    });
}

/// Selects the joint, and goes to when it is farthest from its match.
fn go_to(pair: &Pair<'_>, deviation: &Deviation, commands: &CommandSender) {
    let node = RecordingNode::new(pair.base.entity, deviation.joints.first);
    let time = pair.base.recording.timing().first(deviation.max_at);
    commands.send(Command::View(ViewCommand::Select(Some(node))));
    commands.send(Command::Time(TimeCommand::Seek(time)));
}

fn joint_ui(ui: &mut Ui, model: &Model<'_>, pair: &Pair<'_>, deviation: &Deviation) {
    let palette = Palette::of(ui.visuals());
    let [base, own] = pair.clips();
    let names =
        [&base.nodes[deviation.joints.first].name, &own.nodes[deviation.joints.second].name];
    let is_selected = pair.selected(model) == Some(deviation.joints.first);
    let color = if is_selected { palette.accent } else { palette.text };
    let figures = [deviation.rms, deviation.max, deviation.rms_in_place].map(|metres| {
        let text = if deviation.seen > 0 { words::distance(metres) } else { "–".to_owned() };
        RichText::new(text).font(small_mono()).color(color)
    });
    let name = RichText::new(names[0]).small().color(color);
    let response = row_ui(ui, name, figures);
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, true, is_selected, names[0].as_str())
    });
    let angle = deviation.max_angle.to_degrees();
    let at = pair.base.recording.timing().first(deviation.max_at);
    let help = format!(
        "Compared with {}\nMax at {}, max angle {angle:.1}°\nClick to go there. “In place” is the \
         RMS without the mean distance",
        names[1],
        words::clock_time(at),
    );
    let response = response.on_hover_text(help);
    if response.clicked() && deviation.seen > 0 {
        go_to(pair, deviation, model.commands);
    }
}

/// A name and three figures, which can be clicked together.
fn row_ui(ui: &mut Ui, name: RichText, figures: [RichText; 3]) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let palette = Palette::of(ui.visuals());
    if response.hovered() {
        ui.painter().rect_filled(rect, 2.0, palette.raised);
    }
    let galley = |text: RichText, room: f32| {
        let wrap = Some(TextWrapMode::Truncate);
        WidgetText::from(text).into_galley(ui, wrap, room, FontSelection::Default)
    };
    let names = rect.with_max_x(rect.right() - 3.0 * FIGURE - 4.0);
    let name = galley(name, names.width());
    let place = Align2([Align::Min, Align::Center]).align_size_within_rect(name.size(), names);
    ui.painter().galley(place.min, name, palette.text);
    for (column, figure) in figures.into_iter().enumerate() {
        let right = rect.right() - (2 - column) as f32 * FIGURE;
        let room = Rect::from_x_y_ranges(right - FIGURE..=right, rect.y_range());
        let figure = galley(figure, FIGURE);
        let place = Align2([Align::Max, Align::Center]).align_size_within_rect(figure.size(), room);
        ui.painter().galley(place.min, figure, palette.text);
    }
    response
}

#[cfg(test)]
mod tests {
    use crate::session::FileCommand;
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::ui::{
        inspector::recordings::recordings_ui,
        testing::{Desk, show, two_hands},
    };
    use mutoscope_core::measure::compare::Timing;

    fn panel() -> Harness<'static, Desk<()>> {
        let mut desk = Desk::<()>::with_two_hands();
        desk.compare_with(two_hands(), Timing { offset: 0.25, rate: 1.0 });
        show(desk, [300.0, 460.0], |ui, model, ()| recordings_ui(ui, model))
    }

    #[test]
    fn click_on_a_joint_seeks_its_largest_distance() {
        let mut panel = panel();
        let comparing = panel.state().recordings[1].comparing.as_ref().unwrap();
        let comparison = comparing.measured().unwrap().comparison.clone().unwrap();
        let mut sorted: Vec<_> = comparison.deviations.iter().collect();
        sorted.sort_by(|one, other| other.rms.total_cmp(&one.rms));
        let worst = sorted[0].clone();
        let name = panel.state().clip().nodes[worst.joints.first].name.clone();
        assert!(panel.query_by_label("other.bin").is_some());
        panel.get_by_label(&name).click();
        panel.run();
        let node = panel.state().of(worst.joints.first);
        let expected = [
            Command::View(ViewCommand::Select(Some(node))),
            Command::Time(TimeCommand::Seek(worst.max_at)),
        ];
        assert_eq!(panel.state_mut().take_commands(), expected);
        assert!((panel.state().clock.time() - worst.max_at).abs() < 1e-9);
    }

    #[test]
    fn comparison_buttons_give_their_commands() {
        let mut panel = panel();
        let own = panel.state().recordings[1].entity;
        for (label, expected) in [
            (
                "side by side",
                Command::Compare(Compare::SetPlacement(Some(own), Placement::SideBySide)),
            ),
            ("Align by motion", Command::Compare(Compare::Align(Some(own)))),
            ("Hide recording B", Command::View(ViewCommand::ToggleRecording(own))),
            ("Close recording B", Command::File(FileCommand::Close(own))),
        ] {
            panel.get_by_label(label).click();
            panel.run();
            assert_eq!(panel.state_mut().take_commands(), [expected], "{label}");
        }
    }
}
