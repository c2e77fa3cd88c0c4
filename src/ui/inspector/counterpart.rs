//! What is held against the recording: where it lies, where it is shown, and how far joints are
//! apart.

use bevy_egui::egui::{
    Align, Align2, Button, ComboBox, DragValue, FontSelection, Label, Rect, Response, RichText,
    ScrollArea, Sense, TextWrapMode, Ui, WidgetInfo, WidgetText, WidgetType,
    scroll_area::ScrollBarVisibility, vec2,
};

use crate::{
    clip::{Clip, NodeId},
    compare::{Alignment, Comparison, Deviation, Timing, Unaligned},
    counterpart::Placement,
    playback::TimeCommand,
    session::{Command, Compare, Source},
    ui::{
        Model,
        icons::Icon,
        style::{ICON_BUTTON, Palette, small_mono},
        widgets::{copyable, dim, heading, icon_button, table, with_action_tooltip},
        words,
    },
};

/// How high the list of joints is at most, in points.
const LIST: f32 = 180.0;

/// The height of a row of it, and the room of a figure in it.
const ROW: f32 = 18.0;
const FIGURE: f32 = 54.0;

/// The second recording, if there is one.
pub(super) fn counterpart_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    commands: &mut Vec<Command>,
) {
    let Some(second) = model.counterpart.clip() else { return };
    ui.scope(|ui| parts_ui(ui, model, [clip, second], commands));
    ui.add_space(4.0);
    ui.separator();
}

fn parts_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    [clip, second]: [&Clip; 2],
    commands: &mut Vec<Command>,
) {
    name_ui(ui, model, commands);
    table("counterpart", 2).show(ui, |ui| {
        let label = dim(ui, "Lies at");
        ui.label(label);
        timing_ui(ui, model.counterpart.timing(), commands);
        ui.end_row();
        let label = dim(ui, "Shown");
        ui.label(label);
        placement_ui(ui, model.counterpart.placement, commands);
        ui.end_row();
    });
    alignment_ui(ui, model, commands);
    if let Some(selected) = model.selected().filter(|node| node.index() < clip.nodes.len()) {
        pair_ui(ui, model, [clip, second], selected, commands);
    }
    let Some(measured) = model.comparing.measured(model.player, model.counterpart) else { return };
    match &measured.comparison {
        Ok(_) if model.counterpart.pairs().is_empty() => {
            let none = "No joint is called as one of the first. Select one, and choose its like.";
            note_ui(ui, none);
        }
        Ok(comparison) => {
            let order = &measured.worst_first;
            joints_ui(ui, model, [clip, second], comparison, order, commands);
        }
        Err(never) => note_ui(ui, &words::capitalised(&never.to_string())),
    }
}

fn note_ui(ui: &mut Ui, text: &str) {
    let text = dim(ui, text);
    ui.add(Label::new(text).wrap());
}

fn name_ui(ui: &mut Ui, model: &Model<'_>, commands: &mut Vec<Command>) {
    heading(ui, "Compared with");
    ui.horizontal(|ui| {
        let name = model.files.against.as_ref().map(Source::name).unwrap_or_default();
        let color = Palette::of(ui.visuals()).counterpart;
        let room = ui.available_width() - ICON_BUTTON.x - 8.0;
        ui.scope(|ui| {
            ui.set_max_width(room);
            ui.add(Label::new(RichText::new(name).color(color)).truncate());
        });
        let stop = Command::Compare(Compare::Stop);
        let button = icon_button(ui, Icon::Close, "Compare no more", ICON_BUTTON);
        if with_action_tooltip(button, &stop).clicked() {
            commands.push(stop);
        }
    });
}

fn timing_ui(ui: &mut Ui, timing: Timing, commands: &mut Vec<Command>) {
    let mut wanted = timing;
    ui.horizontal(|ui| {
        let offset = DragValue::new(&mut wanted.offset).speed(0.005).max_decimals(4).suffix(" s");
        let offset = ui.add(offset).on_hover_text(
            "The time of the first at which the second is at its own time 0. On the timeline, its \
             bar can be dragged.",
        );
        offset.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Offset"));
        let rate = DragValue::new(&mut wanted.rate).speed(0.002).max_decimals(4).suffix("×");
        let rate = ui.add(rate.range(1e-3..=1e3));
        let rate = rate.on_hover_text("How many seconds of the second pass in one of the first");
        rate.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Rate"));
    });
    if wanted != timing {
        commands.push(Command::Compare(Compare::Lay(wanted)));
    }
}

fn placement_ui(ui: &mut Ui, placement: Placement, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for one in Placement::ALL {
            let (name, help) = match one {
                Placement::AsRecorded => ("recorded", "Where it was recorded"),
                Placement::OnTheSpot => {
                    ("on the spot", "Moved by what the joints are apart on average")
                }
                Placement::SideBySide => ("beside", "To the right of the first"),
            };
            let button = ui.add(Button::selectable(placement == one, name)).on_hover_text(help);
            if button.clicked() && placement != one {
                commands.push(Command::Compare(Compare::Place(one)));
            }
        }
    });
}

/// The button that lays the second where both move alike, and what came of it.
fn alignment_ui(ui: &mut Ui, model: &Model<'_>, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        let command = Command::Compare(Compare::Align);
        let can = !model.counterpart.pairs().is_empty() && !model.comparing.is_aligning();
        let button = ui.add_enabled(can, Button::new("Align by motion").small());
        if with_action_tooltip(button, &command).clicked() {
            commands.push(command);
        }
        let text = match model.comparing.aligned() {
            _ if model.comparing.is_aligning() => "looking…".to_owned(),
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
            let alike = format!("alike to {:.3}", found.correlation);
            match found.runner_up {
                Some((offset, next)) if !found.is_certain() => {
                    format!("{alike}; uncertain: {next:.3} at {} s", words::trimmed(offset, 3))
                }
                _ => alike,
            }
        }
    }
}

/// The like of the selected joint, which can be chosen, and how far it is now.
fn pair_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    [clip, second]: [&Clip; 2],
    selected: NodeId,
    commands: &mut Vec<Command>,
) {
    let like = model.counterpart.like(selected);
    let name = like.map_or("none", |like| second.nodes[like].name.as_str());
    table("like", 2).show(ui, |ui| {
        let label = dim(ui, "Its like");
        ui.label(label)
            .on_hover_text(format!("What {} is held against", clip.nodes[selected].name));
        let menu = ComboBox::from_id_salt("like").selected_text(name).width(150.0);
        let menu = menu.show_ui(ui, |ui| {
            let pair = |second| Command::Compare(Compare::Pair { first: selected, second });
            let is_by_name = !model.counterpart.is_chosen(selected);
            if ui.selectable_label(is_by_name, "as names suggest").clicked() && !is_by_name {
                commands.push(pair(None));
            }
            for (id, node) in second.nodes.with_ids() {
                let is_like = like == Some(id);
                if ui.selectable_label(is_like && !is_by_name, &node.name).clicked() {
                    commands.push(pair(Some(id)));
                }
            }
        });
        let label = format!("Its like: {name}");
        menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
        ui.end_row();
        let nodes = [model.player.pose(), model.counterpart.pose()].map(|pose| &pose.nodes);
        let stands = like.map(|like| [nodes[0].get(selected.index()), nodes[1].get(like.index())]);
        if let Some([Some(one), Some(other)]) = stands
            && one.shown
            && other.shown
        {
            let label = dim(ui, "apart now");
            ui.label(label);
            let apart = one.world.translation.distance(other.world.translation);
            copyable(ui, &words::distance(apart), || apart.to_string());
            ui.end_row();
        }
    });
}

/// All joints together, and a list of them in this order.
fn joints_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    [clip, second]: [&Clip; 2],
    comparison: &Comparison,
    order: &[usize],
    commands: &mut Vec<Command>,
) {
    let (Some(rms), Some(farthest)) = (comparison.rms(), comparison.farthest()) else {
        return note_ui(ui, "No joint is ever to be seen in both at once.");
    };
    let seconds = words::duration(comparison.range.1 - comparison.range.0);
    let together = format!(
        "{} over {seconds}: {} apart (root mean square)",
        words::counted(comparison.deviations.len(), "joint", "joints"),
        words::distance(rms)
    );
    note_ui(ui, &together);
    let most = format!(
        "{} most: {} at {}",
        words::distance(farthest.max),
        clip.nodes[farthest.joints.first].name,
        words::clock_time(farthest.max_at)
    );
    let most = Label::new(RichText::new(most)).truncate().sense(Sense::click());
    if ui.add(most).on_hover_text("Click to go there").clicked() {
        go_to(farthest, commands);
    }
    let columns = ["rms", "most", "in place"];
    ui.add_space(2.0);
    ui.scope(|ui| {
        // Above the rows, which have the bar of the list beside them.
        ui.set_max_width(ui.available_width() - ui.spacing().scroll.allocated_width());
        row_ui(ui, dim(ui, "joint").small(), columns.map(|name| dim(ui, name).small()));
    });
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt("joints").max_height(LIST);
    let area = area.scroll_bar_visibility(ScrollBarVisibility::AlwaysVisible);
    area.auto_shrink([false, true]).show_rows(ui, ROW, order.len(), |ui, rows| {
        for &index in &order[rows] {
            joint_ui(ui, model, [clip, second], &comparison.deviations[index], commands);
        }
    });
}

/// Selects the joint, and goes to when it is farthest from its like.
fn go_to(deviation: &Deviation, commands: &mut Vec<Command>) {
    commands.push(Command::Select(Some(deviation.joints.first)));
    commands.push(Command::Time(TimeCommand::Seek(deviation.max_at)));
}

fn joint_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    [clip, second]: [&Clip; 2],
    deviation: &Deviation,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui.visuals());
    let names =
        [&clip.nodes[deviation.joints.first].name, &second.nodes[deviation.joints.second].name];
    let is_selected = model.selected() == Some(deviation.joints.first);
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
    let turned = deviation.max_angle.to_degrees();
    let help = format!(
        "Held against {}\nFarthest at {}, turned by at most {turned:.1}°\nA click goes there; “in \
         place” is what is left when the second stands where the first does on average",
        names[1],
        words::clock_time(deviation.max_at),
    );
    let response = response.on_hover_text(help);
    if response.clicked() && deviation.seen > 0 {
        go_to(deviation, commands);
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
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::{
        asset::ClipAsset,
        session::Comparing,
        ui::testing::{Desk, show, two_hands},
    };

    fn desk() -> Desk<()> {
        let mut desk = Desk::<()>::with_two_hands();
        desk.counterpart.open(ClipAsset::new(two_hands()));
        desk.counterpart.set_timing(Timing { offset: 0.25, rate: 1.0 });
        desk.counterpart.go_along(&desk.player);
        desk.comparing = Comparing::of(&desk.player, &desk.counterpart);
        desk.files.against = Some(Source::File("takes/other.bin".into()));
        desk
    }

    #[test]
    fn a_click_on_a_joint_goes_to_when_it_is_farthest_from_its_like() {
        let desk = desk();
        let comparison = desk
            .comparing
            .measured(&desk.player, &desk.counterpart)
            .unwrap()
            .comparison
            .clone()
            .unwrap();
        let mut sorted: Vec<_> = comparison.deviations.iter().collect();
        sorted.sort_by(|one, other| other.rms.total_cmp(&one.rms));
        let worst = sorted[0].clone();
        let name = desk.clip().nodes[worst.joints.first].name.clone();
        let mut panel = show(desk, [300.0, 420.0], |ui, model, (), commands| {
            counterpart_ui(ui, model, model.clip().unwrap(), commands);
        });
        assert!(panel.query_by_label("other.bin").is_some());
        panel.get_by_label(&name).click();
        panel.run();
        let expected = [
            Command::Select(Some(worst.joints.first)),
            Command::Time(TimeCommand::Seek(worst.max_at)),
        ];
        assert_eq!(panel.state_mut().take_commands(), expected);
        assert!((panel.state().clock.time() - worst.max_at).abs() < 1e-9);
    }

    #[test]
    fn buttons_ask_for_places_alignment_and_the_end() {
        let mut panel = show(desk(), [300.0, 420.0], |ui, model, (), commands| {
            counterpart_ui(ui, model, model.clip().unwrap(), commands);
        });
        for (label, expected) in [
            ("beside", Compare::Place(Placement::SideBySide)),
            ("Align by motion", Compare::Align),
            ("Compare no more", Compare::Stop),
        ] {
            panel.get_by_label(label).click();
            panel.run();
            assert_eq!(panel.state_mut().take_commands(), [Command::Compare(expected)], "{label}");
        }
    }
}
