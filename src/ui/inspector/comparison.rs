//! A recording that is compared with another: its timing, its placement, and the distances between
//! their joints.

use bevy_egui::egui::{
    Align, Align2, Button, ComboBox, DragValue, FontSelection, Label, Rect, Response, RichText,
    ScrollArea, Sense, TextWrapMode, Ui, WidgetInfo, WidgetText, WidgetType,
    scroll_area::ScrollBarVisibility, vec2,
};

use crate::{
    session::{Command, CompareCommand, Comparing, OpenRecording, ViewCommand},
    ui::{
        CommandSender, Model, display_text,
        style::{Palette, small_mono_font},
        widgets::{copyable_value, dim_text, table, with_action_tooltip},
    },
};
use bevy_mutoscope::{RecordingNode, stage::Overlay};
use mutoscope_core::{
    clip::{Clip, NodeId},
    measure::compare::{AlignError, Alignment, Comparison, Deviation, Placement},
    playback::TimeCommand,
};

const MAX_LIST_HEIGHT: f32 = 180.0;

const ROW_HEIGHT: f32 = 18.0;
const NUMBER_WIDTH: f32 = 54.0;

#[derive(Clone, Copy)]
struct Pair<'a> {
    own: &'a OpenRecording<'a>,
    base: &'a OpenRecording<'a>,
    overlay: &'a Overlay,
    comparing: &'a Comparing,
}

impl<'a> Pair<'a> {
    fn for_model(model: &Model<'a>) -> Option<Self> {
        let own = model.open()?;
        let (overlay, comparing) = (own.overlay?, own.comparing()?);
        let base = model.recordings.iter().find(|open| open.entity == overlay.base)?;
        Some(Self { own, base, overlay, comparing })
    }

    fn clips(&self) -> [&'a Clip; 2] {
        [self.base.clip(), self.own.clip()]
    }

    fn selected(&self, model: &Model<'_>) -> Option<NodeId> {
        let selected = model.view.selected?;
        let in_base = selected.node_in(self.base.entity);
        in_base.or_else(|| {
            let own = selected.node_in(self.own.entity)?;
            let mut pairs = self.comparing.matching().pairs().iter();
            pairs.find(|pair| pair.second == own).map(|pair| pair.first)
        })
    }
}

pub(super) fn comparison_ui(ui: &mut Ui, model: &Model<'_>) {
    let Some(pair) = Pair::for_model(model) else { return };
    table(&format!("comparison {}", pair.own.letter()), 2).show(ui, |ui| {
        let label = dim_text(ui, "Compared with");
        ui.label(label);
        base_ui(ui, model, &pair);
        ui.end_row();
        let label = dim_text(ui, "Offset, rate");
        ui.label(label);
        timing_ui(ui, &pair, model.commands);
        ui.end_row();
        let label = dim_text(ui, "Overlay");
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
        Err(error) => note_ui(ui, &display_text::capitalised(&error.to_string())),
    }
}

fn note_ui(ui: &mut Ui, text: &str) {
    let text = dim_text(ui, text);
    ui.add(Label::new(text).wrap());
}

fn base_ui(ui: &mut Ui, model: &Model<'_>, pair: &Pair<'_>) {
    let label_recording =
        |one: &OpenRecording<'_>| format!("{}  {}", one.letter(), one.source.name());
    if model.recordings.len() == 2 {
        ui.add(Label::new(label_recording(pair.base)).truncate());
        return;
    }
    let menu =
        ComboBox::from_id_salt(("base", pair.own.index)).selected_text(label_recording(pair.base));
    let menu = menu.width(150.0).show_ui(ui, |ui| {
        for one in model.recordings.iter().filter(|one| one.entity != pair.own.entity) {
            let is_base = one.entity == pair.base.entity;
            if ui.selectable_label(is_base, label_recording(one)).clicked() && !is_base {
                let (recording, base) = (pair.own.entity, one.entity);
                model.send(Command::Compare(CompareCommand::Rebase { recording, base }));
            }
        }
    });
    let label = format!("Compare {} with", pair.own.letter());
    menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
}

fn timing_ui(ui: &mut Ui, pair: &Pair<'_>, commands: &CommandSender) {
    let timing = pair.own.recording.timing();
    let mut edited = timing;
    ui.horizontal(|ui| {
        let offset = DragValue::new(&mut edited.offset).speed(0.005).max_decimals(4).suffix(" s");
        let offset = ui.add(offset).on_hover_text(
            "The clock time at which this recording is at 0. You can also drag its bar on the \
             timeline.",
        );
        offset.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Offset"));
        let rate = DragValue::new(&mut edited.rate).speed(0.002).max_decimals(4).suffix("×");
        let rate = ui.add(rate.range(1e-3..=1e3));
        let rate = rate
            .on_hover_text("Plays this many seconds of the recording in one second of the clock");
        rate.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Rate"));
    });
    if edited != timing {
        commands.send(Command::Compare(CompareCommand::SetTiming(pair.own.entity, edited)));
    }
}

fn placement_ui(ui: &mut Ui, pair: &Pair<'_>, commands: &CommandSender) {
    let placement = pair.overlay.placement;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for one in Placement::ALL {
            let (name, help) = match one {
                Placement::AsRecorded => ("as recorded", "Shows it at its recorded position"),
                Placement::Aligned => {
                    ("aligned", "Moves it by the mean distance of matched joints")
                }
                Placement::SideBySide => ("side by side", "Aligns it, then moves it to the right"),
            };
            let button = ui.add(Button::selectable(placement == one, name)).on_hover_text(help);
            if button.clicked() && placement != one {
                let command = CompareCommand::SetPlacement(Some(pair.own.entity), one);
                commands.send(Command::Compare(command));
            }
        }
    });
}

fn alignment_ui(ui: &mut Ui, pair: &Pair<'_>, commands: &CommandSender) {
    let comparing = pair.comparing;
    ui.horizontal_wrapped(|ui| {
        let is_enabled = !comparing.matching().pairs().is_empty() && !comparing.is_aligning();
        let button = ui.add_enabled(is_enabled, Button::new("Align by motion").small());
        if with_action_tooltip(button, &Command::Compare(CompareCommand::Align(None))).clicked() {
            commands.send(Command::Compare(CompareCommand::Align(Some(pair.own.entity))));
        }
        let text = match comparing.alignment_result() {
            _ if comparing.is_aligning() => "aligning…".to_owned(),
            None => return,
            Some(found) => describe_alignment(found),
        };
        let text = dim_text(ui, text).small();
        ui.add(Label::new(text).wrap());
    });
}

fn describe_alignment(found: &Result<Alignment, AlignError>) -> String {
    match found {
        Err(why) => why.to_string(),
        Ok(found) => {
            let correlation = format!("correlation {:.3}", found.correlation);
            match found.runner_up {
                _ if !found.is_significant() => {
                    format!("{correlation}, uncertain: unrelated motion may correlate as much")
                }
                Some((offset, next)) if !found.is_unambiguous() => {
                    let offset = display_text::format_decimal(offset, 3);
                    format!("{correlation}, ambiguous: {next:.3} at {offset} s")
                }
                _ => correlation,
            }
        }
    }
}

fn match_ui(ui: &mut Ui, pair: &Pair<'_>, selected: NodeId, commands: &CommandSender) {
    let [base, own] = pair.clips();
    let Some(node) = base.nodes.get(selected.index()) else { return };
    let matching = pair.comparing.matching();
    let matched = matching.matched(selected);
    let name = matched.map_or("none", |matched| own.nodes[matched].name.as_str());
    table(&format!("match {}", pair.own.letter()), 2).show(ui, |ui| {
        let label = dim_text(ui, "Matched joint");
        ui.label(label)
            .on_hover_text(format!("Choose the joint that {} is compared with", node.name));
        let menu = ComboBox::from_id_salt(("match", pair.own.index));
        let menu = menu.selected_text(name).width(150.0).show_ui(ui, |ui| {
            let choose = |second| {
                let recording = pair.own.entity;
                Command::Compare(CompareCommand::Match { recording, first: selected, second })
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
            && one.is_visible
            && other.is_visible
        {
            let label = dim_text(ui, "Distance");
            ui.label(label);
            let metres = one.world.translation.distance(other.world.translation);
            copyable_value(ui, &display_text::format_distance(metres), || metres.to_string());
            ui.end_row();
        }
    });
}

fn joints_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    pair: &Pair<'_>,
    comparison: &Comparison,
    order: &[usize],
) {
    let (Some(rms), Some(farthest)) = (comparison.rms(), comparison.farthest_joint()) else {
        return note_ui(ui, "No joint is visible in both at the same time.");
    };
    let [base, _] = pair.clips();
    let seconds = display_text::format_duration(comparison.range.1 - comparison.range.0);
    let joints = display_text::format_counted(comparison.deviations.len(), "joint", "joints");
    note_ui(ui, &format!("RMS {} of {joints} over {seconds}", display_text::format_distance(rms)));
    let max = format!(
        "max {}: {} at {}",
        display_text::format_distance(farthest.max),
        base.nodes[farthest.joints.first].name,
        display_text::format_clock_time(
            pair.base.recording.timing().to_clock_time(farthest.max_at)
        )
    );
    let max = Label::new(RichText::new(max)).truncate().sense(Sense::click());
    if ui.add(max).on_hover_text("Click to go there").clicked() {
        seek_to_maximum(pair, farthest, model.commands);
    }
    let columns = ["RMS", "max", "in place"];
    ui.add_space(2.0);
    ui.scope(|ui| {
        // Leave room for the scroll bar of the list, so that the headings are above their columns.
        let room = ui.available_width() - ui.spacing().scroll.allocated_width();
        ui.set_max_width(room.max(0.0));
        row_ui(ui, dim_text(ui, "joint").small(), columns.map(|name| dim_text(ui, name).small()));
    });
    ui.spacing_mut().item_spacing.y = 0.0;
    let area =
        ScrollArea::vertical().id_salt(("joints", pair.own.index)).max_height(MAX_LIST_HEIGHT);
    let area = area.scroll_bar_visibility(ScrollBarVisibility::AlwaysVisible);
    area.auto_shrink([false, true]).show_rows(ui, ROW_HEIGHT, order.len(), |ui, rows| {
        for &index in &order[rows] {
            joint_ui(ui, model, pair, &comparison.deviations[index]);
        }
    });
}

fn seek_to_maximum(pair: &Pair<'_>, deviation: &Deviation, commands: &CommandSender) {
    let node = RecordingNode::new(pair.base.entity, deviation.joints.first);
    let time = pair.base.recording.timing().to_clock_time(deviation.max_at);
    commands.send(Command::View(ViewCommand::Select(Some(node))));
    commands.send(Command::Time(TimeCommand::Seek(time)));
}

fn joint_ui(ui: &mut Ui, model: &Model<'_>, pair: &Pair<'_>, deviation: &Deviation) {
    let palette = Palette::for_visuals(ui.visuals());
    let [base, own] = pair.clips();
    let names =
        [&base.nodes[deviation.joints.first].name, &own.nodes[deviation.joints.second].name];
    let is_selected = pair.selected(model) == Some(deviation.joints.first);
    let color = if is_selected { palette.accent } else { palette.text };
    let numbers = [deviation.rms, deviation.max, deviation.rms_in_place].map(|metres| {
        let text = if deviation.visible_count > 0 {
            display_text::format_distance(metres)
        } else {
            "–".to_owned()
        };
        RichText::new(text).font(small_mono_font()).color(color)
    });
    let name = RichText::new(names[0]).small().color(color);
    let response = row_ui(ui, name, numbers);
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, true, is_selected, names[0].as_str())
    });
    let angle = deviation.max_angle.to_degrees();
    let at = pair.base.recording.timing().to_clock_time(deviation.max_at);
    let help = format!(
        "Compared with {}\nMax at {}, max angle {angle:.1}°\nClick to go there. “In place” is the \
         RMS without the mean distance",
        names[1],
        display_text::format_clock_time(at),
    );
    let response = response.on_hover_text(help);
    if response.clicked() && deviation.visible_count > 0 {
        seek_to_maximum(pair, deviation, model.commands);
    }
}

fn row_ui(ui: &mut Ui, name: RichText, numbers: [RichText; 3]) -> Response {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let palette = Palette::for_visuals(ui.visuals());
    if response.hovered() {
        ui.painter().rect_filled(rect, 2.0, palette.raised);
    }
    let galley = |text: RichText, room: f32| {
        let wrap = Some(TextWrapMode::Truncate);
        WidgetText::from(text).into_galley(ui, wrap, room, FontSelection::Default)
    };
    let names = rect.with_max_x(rect.right() - 3.0 * NUMBER_WIDTH - 4.0);
    let name = galley(name, names.width());
    let name_rect = Align2([Align::Min, Align::Center]).align_size_within_rect(name.size(), names);
    ui.painter().galley(name_rect.min, name, palette.text);
    for (column, number) in numbers.into_iter().enumerate() {
        let right = rect.right() - (2 - column) as f32 * NUMBER_WIDTH;
        let room = Rect::from_x_y_ranges(right - NUMBER_WIDTH..=right, rect.y_range());
        let number = galley(number, NUMBER_WIDTH);
        let number_rect =
            Align2([Align::Max, Align::Center]).align_size_within_rect(number.size(), room);
        ui.painter().galley(number_rect.min, number, palette.text);
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
        testing::{PanelFixture, show, two_hands},
    };
    use mutoscope_core::measure::compare::Timing;

    fn panel() -> Harness<'static, PanelFixture<()>> {
        let mut fixture = PanelFixture::<()>::with_two_hands();
        fixture.compare_with(two_hands(), Timing { offset: 0.25, rate: 1.0 });
        show(fixture, [300.0, 460.0], |ui, model, ()| recordings_ui(ui, model))
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
        let node = panel.state().recording_node(worst.joints.first);
        let expected = [
            Command::View(ViewCommand::Select(Some(node))),
            Command::Time(TimeCommand::Seek(worst.max_at)),
        ];
        assert_eq!(panel.state_mut().take_commands(), expected);
        assert!((panel.state().clock.time() - worst.max_at).abs() < 1e-9);
    }

    #[test]
    fn comparison_buttons_send_their_commands() {
        let mut panel = panel();
        let own = panel.state().recordings[1].entity;
        for (label, expected) in [
            (
                "side by side",
                Command::Compare(CompareCommand::SetPlacement(Some(own), Placement::SideBySide)),
            ),
            ("Align by motion", Command::Compare(CompareCommand::Align(Some(own)))),
            ("Hide recording B", Command::View(ViewCommand::ToggleRecording(own))),
            ("Close recording B", Command::File(FileCommand::Close(own))),
        ] {
            panel.get_by_label(label).click();
            panel.run();
            assert_eq!(panel.state_mut().take_commands(), [expected], "{label}");
        }
    }
}
