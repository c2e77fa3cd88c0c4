//! The node mapping: which nodes of the recording and of the attached skeleton match.

use std::collections::HashMap;

use bevy_egui::egui::{
    Align2, FontId, Label, Rect, Response, RichText, Sense, Ui, WidgetInfo, WidgetType, Window,
    pos2, vec2,
};

use super::{
    CommandSender, Model,
    bone_form::{self, BoneForm},
    search::Search,
    style::{Palette, ROW_HEIGHT, TEXT_SIZE, small},
    widgets::{dim, row_list, search_field, width_within, with_action_tooltip},
    words,
};
use crate::session::{Command, Panel, PanelCommand, SkeletonCommand, ViewCommand};
use mutoscope_core::{
    clip::{Attached, Clip, FieldBinding, NodeId, Owner},
    retarget::Retargeting,
};

/// How many notices of a skeleton are listed.
const MOST_NOTICES: usize = 5;

/// The state of the list.
#[derive(Clone, Debug, Default)]
pub(super) struct SkeletonState {
    /// The search text.
    search: String,
    /// The form of the bones of a retargeted recording.
    bones: BoneForm,
}

/// The list, in a window of its own within `viewport`.
pub(super) fn skeleton_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut SkeletonState,
    viewport: Rect,
) {
    let Some(clip) = model.clip() else { return };
    let Some(attached) = clip.skeleton.attached() else { return };
    let SkeletonState { search, bones } = state;
    let retargeting = clip.procedural_as::<Retargeting>();
    let [width, height] = if retargeting.is_some() { bone_form::SIZE } else { [340.0, 320.0] };
    let mut open = true;
    Window::new("Node mapping")
        .open(&mut open)
        .default_pos(viewport.left_top() + vec2(12.0, 12.0))
        .default_width(width_within(width, viewport.width() - 24.0))
        .default_height(height)
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            ui.label(RichText::new(&attached.name).strong());
            let sum = dim(ui, fit_text(clip, attached));
            ui.label(sum);
            notices_ui(ui, model, attached);
            buttons_ui(ui, model.commands);
            if let Some(retargeting) = retargeting {
                bones.ui(ui, model, retargeting, search);
                return;
            }
            search_field(ui, search, "Search nodes");
            let rows = rows(clip, attached, search);
            row_list(ui, ROW_HEIGHT, rows.len(), |ui, index| row_ui(ui, model, &rows[index]));
        });
    if !open {
        model.send(Command::Panel(PanelCommand::Toggle(Panel::NODE_MAPPING)));
    }
}

/// How many of the animated nodes are mapped: `2 of 3 animated nodes mapped`; or of the bones.
pub(super) fn fit_text(clip: &Clip, attached: &Attached) -> String {
    if let Some(retargeting) = clip.procedural_as::<Retargeting>() {
        return bones_text(retargeting);
    }
    let moves = |id: NodeId| clip.nodes[id].motion.moves();
    let fitting = attached.matched.iter().filter(|matched| moves(matched.node)).count();
    let moving = fitting + attached.missing.iter().filter(|&&id| moves(id)).count();
    let plural = if moving == 1 { "" } else { "s" };
    format!("{} of {} animated node{plural} mapped", words::count(fitting), words::count(moving))
}

/// How many bones are mapped, and by what the hips are scaled: `17 bones mapped, hips × 0.93`.
fn bones_text(retargeting: &Retargeting) -> String {
    let mapped = words::count(retargeting.mapped.len());
    let turn = match retargeting.turn.round() {
        0.0 => String::new(),
        degrees => format!(", turned by {degrees}°"),
    };
    format!("{mapped} bones mapped, hips × {:.3}{turn}", retargeting.hip_scale)
}

/// The issues in the skeleton's file.
fn notices_ui(ui: &mut Ui, model: &Model<'_>, attached: &Attached) {
    let file = model.files.rig.as_ref().filter(|file| file.rig.name == attached.name);
    let Some(file) = file else { return };
    let palette = Palette::of(ui.visuals());
    for notice in file.rig.notices.iter().take(MOST_NOTICES) {
        let text = format!("{}: {}: {}", notice.severity.word(), notice.place, notice.message);
        let text = RichText::new(text).font(small()).color(palette.severity(notice.severity));
        ui.add(Label::new(text).wrap());
    }
    if file.rig.notices.len() > MOST_NOTICES {
        let more = words::count(file.rig.notices.len() - MOST_NOTICES);
        let more = dim(ui, format!("and {more} more"));
        ui.label(more);
    }
}

fn buttons_ui(ui: &mut Ui, commands: &CommandSender) {
    ui.horizontal(|ui| {
        for (name, command) in [
            ("Attach another…", Command::Skeleton(SkeletonCommand::Choose)),
            ("Detach", Command::Skeleton(SkeletonCommand::Detach)),
        ] {
            if with_action_tooltip(ui.button(name), &command).clicked() {
                commands.send(command);
            }
        }
    });
}

/// A line of the list.
#[derive(Debug, PartialEq)]
enum Row<'a> {
    Heading(String),
    Node {
        node: NodeId,
        name: &'a str,
        /// Its name in the skeleton, if that differs.
        in_skeleton: Option<&'a str>,
        /// Whether its name is that of others too.
        repeats: bool,
    },
    /// A track of an animation of Resonite.
    Field {
        /// The node that it is of.
        node: NodeId,
        /// Its property: `Arm.Rotation`.
        name: String,
        /// The field that it would drive there.
        text: String,
        /// Whether it would not drive that.
        is_wrong: bool,
    },
}

/// Unmapped nodes of the recording, mapped nodes, and unmapped nodes of the skeleton, filtered by
/// the search.
fn rows<'a>(clip: &'a Clip, attached: &'a Attached, searched: &str) -> Vec<Row<'a>> {
    let counts = Counts::new(clip, attached);
    let name = |id: NodeId| clip.nodes[id].name.as_str();
    let alone = |id: &NodeId| {
        let (node, name) = (*id, name(*id));
        Row::Node { node, name, in_skeleton: None, repeats: counts.repeats(name) }
    };
    let both = attached.matched.iter().map(|matched| {
        let (recorded, other) = (name(matched.node), matched.name_in_skeleton.as_str());
        Row::Node {
            node: matched.node,
            name: recorded,
            in_skeleton: (other != recorded).then_some(other),
            repeats: counts.repeats(recorded) || counts.repeats(other),
        }
    });
    let parts: [(&str, Vec<Row<'_>>); 3] = [
        ("Only in the recording", attached.missing.iter().map(alone).collect()),
        ("Mapped", both.collect()),
        ("Only in the skeleton", attached.resting.iter().map(alone).collect()),
    ];
    let search = Search::new(searched);
    let mut rows = parts_found(parts, &search);
    let bindings = clip.bindings();
    let (tool, mut fields) = bindings
        .as_ref()
        .map_or(("", Vec::new()), |bindings| (bindings.tool, fields(clip, &bindings.fields)));
    fields.retain(|row| row.is_found(&search));
    if !fields.is_empty() {
        let count = words::count(fields.len());
        rows.push(Row::Heading(format!("Fields that {tool} would drive, by track ({count})")));
        rows.append(&mut fields);
    }
    rows
}

/// The rows that are searched for, each part below its heading.
fn parts_found<'a>(parts: [(&str, Vec<Row<'a>>); 3], search: &Search) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for (heading, mut part) in parts {
        part.retain(|row| row.is_found(search));
        if !part.is_empty() {
            rows.push(Row::Heading(format!("{heading} ({})", words::count(part.len()))));
            rows.append(&mut part);
        }
    }
    rows
}

/// The fields that a tool would bind the tracks to.
fn fields<'a>(clip: &'a Clip, bindings: &[FieldBinding]) -> Vec<Row<'a>> {
    let field = |binding: &FieldBinding| {
        let track = clip.track(binding.track);
        let Owner::Node(node) = track.owner else { return None };
        let name = format!("{}.{}", clip.owner_name(track.owner), track.property);
        let is_wrong = !binding.is_found || binding.is_shifted;
        Some(Row::Field { node, name, text: binding.text.clone(), is_wrong })
    };
    bindings.iter().filter_map(field).collect()
}

impl Row<'_> {
    fn is_found(&self, search: &Search) -> bool {
        match self {
            Self::Heading(_) => true,
            Self::Node { name, in_skeleton, .. } => {
                search.finds(name) || in_skeleton.is_some_and(|name| search.finds(name))
            }
            Self::Field { name, .. } => search.finds(name),
        }
    }
}

/// The number of occurrences of names in the recording, and in the skeleton.
struct Counts<'a>([HashMap<&'a str, usize>; 2]);

impl<'a> Counts<'a> {
    fn new(clip: &'a Clip, attached: &'a Attached) -> Self {
        let name = |id: &NodeId| clip.nodes[*id].name.as_str();
        let count = |names: &mut dyn Iterator<Item = &'a str>| {
            let mut counts = HashMap::new();
            names.for_each(|name| *counts.entry(name).or_insert(0) += 1);
            counts
        };
        let matched = || attached.matched.iter();
        let recorded = matched().map(|one| &one.node).chain(&attached.missing).map(name);
        let bones = matched().map(|one| one.name_in_skeleton.as_str());
        let mut bones = bones.chain(attached.resting.iter().map(name));
        Self([count(&mut { recorded }), count(&mut bones)])
    }

    fn repeats(&self, name: &str) -> bool {
        self.0.iter().any(|counts| counts.get(name).is_some_and(|&count| count > 1))
    }
}

fn row_ui(ui: &mut Ui, model: &Model<'_>, row: &Row<'_>) {
    let palette = Palette::of(ui.visuals());
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let place = pos2(rect.left(), rect.center().y);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    match row {
        Row::Heading(text) => {
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text));
            painter.text(place, Align2::LEFT_CENTER, text, small(), palette.dim);
        }
        &Row::Node { node, name, in_skeleton, repeats } => {
            let notes = [in_skeleton.map(|other| format!("= {other}")), repeated_text(repeats)];
            node_ui(ui, model, (rect, &response), (node, name), notes.into_iter().flatten());
        }
        Row::Field { node, name, text, is_wrong } => {
            let label = format!("{name}: {text}");
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
            if response.hovered() {
                painter.rect_filled(rect, 3.0, palette.raised);
            }
            let place = place + vec2(10.0, 0.0);
            let font = FontId::proportional(TEXT_SIZE);
            let end = painter.text(place, Align2::LEFT_CENTER, name, font, palette.text).right();
            let color = if *is_wrong { palette.warning } else { palette.dim };
            let place = pos2(end + 8.0, rect.center().y);
            painter.text(place, Align2::LEFT_CENTER, text, small(), color);
            if response.on_hover_text(label).clicked() {
                model.send(Command::View(ViewCommand::Select(Some(model.node(*node)))));
            }
        }
    }
}

/// A line with a name, which selects its node, and notes behind.
fn node_ui(
    ui: &Ui,
    model: &Model<'_>,
    (rect, response): (Rect, &Response),
    (node, name): (NodeId, &str),
    notes: impl IntoIterator<Item = String>,
) {
    let palette = Palette::of(ui.visuals());
    let selected = model.selected() == Some(node);
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, selected, name));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    if selected || response.hovered() {
        let fill = if selected { ui.visuals().selection.bg_fill } else { palette.raised };
        painter.rect_filled(rect, 3.0, fill);
    }
    let color = if selected { palette.accent } else { palette.text };
    let font = FontId::proportional(TEXT_SIZE);
    let place = pos2(rect.left() + 10.0, rect.center().y);
    let mut end = painter.text(place, Align2::LEFT_CENTER, name, font, color).right();
    for note in notes {
        let place = pos2(end + 8.0, rect.center().y);
        end = painter.text(place, Align2::LEFT_CENTER, note, small(), palette.dim).right();
    }
    if response.clicked() {
        let chosen = (!selected).then(|| model.node(node));
        model.send(Command::View(ViewCommand::Select(chosen)));
    }
}

fn repeated_text(repeats: bool) -> Option<String> {
    repeats.then(|| "duplicate name".to_owned())
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::{
        session::Command,
        ui::testing::{Desk, show, two_hands},
    };
    use mutoscope_core::clip::Matched;

    /// Both hands as if on a skeleton that has the left wrist, under another name, and the camera.
    fn on_a_skeleton() -> Desk<SkeletonState> {
        let mut clip = two_hands();
        let id =
            |name: &str| NodeId::new(clip.nodes.iter().position(|node| node.name == name).unwrap());
        let matched = |name: &str, other: &str| Matched {
            node: id(name),
            name_in_skeleton: other.to_owned(),
        };
        let attached = Attached {
            name: "hands.glb".to_owned(),
            matched: [matched("camera", "camera"), matched("left/Wrist", "Wrist")].into(),
            missing: [id("right/Wrist"), id("gaze")].into(),
            resting: [id("left/Palm")].into(),
            ..Attached::default()
        };
        clip.skeleton = mutoscope_core::clip::Skeleton::Attached(Box::new(attached));
        Desk::with(clip)
    }

    fn panel(ui: &mut Ui, model: &Model<'_>, state: &mut SkeletonState) {
        let viewport = ui.max_rect();
        skeleton_ui(ui, model, state, viewport);
    }

    #[test]
    fn node_mapping_lists_and_selects_nodes() {
        let mut list = show(on_a_skeleton(), [600.0, 500.0], panel);
        list.run();
        for text in [
            "hands.glb",
            "2 of 4 animated nodes mapped",
            "Only in the recording (2)",
            "Mapped (2)",
            "Only in the skeleton (1)",
        ] {
            assert!(list.query_all_by_label(text).next().is_some(), "{text}");
        }
        list.get_by_label("right/Wrist").click();
        list.run();
        let wrist = list.state().node("right/Wrist");
        assert_eq!(
            list.state_mut().take_commands(),
            [Command::View(ViewCommand::Select(Some(wrist)))]
        );
        list.get_by_label("Detach").click();
        list.run();
        assert_eq!(list.state_mut().take_commands(), [Command::Skeleton(SkeletonCommand::Detach)]);
    }

    #[test]
    fn search_matches_either_name() {
        let desk = on_a_skeleton();
        let clip = desk.clip();
        let found = |searched: &str| -> Vec<NodeId> {
            let rows = rows(clip, clip.skeleton.attached().unwrap(), searched);
            let node = |row: Row<'_>| match row {
                Row::Node { node, .. } => Some(node),
                Row::Heading(_) | Row::Field { .. } => None,
            };
            rows.into_iter().filter_map(node).collect()
        };
        assert_eq!(found("").len(), 5);
        assert_eq!(found("wrist"), [desk.node("right/Wrist").node, desk.node("left/Wrist").node]);
        assert_eq!(found("palm"), [desk.node("left/Palm").node]);
        assert_eq!(found("nobody"), []);
    }

    #[test]
    fn names_that_repeat_on_either_side_are_marked() {
        let mut desk = on_a_skeleton();
        let mut clip = desk.clip().clone();
        let mut attached = clip.skeleton.attached().unwrap().clone();
        attached.matched[0].name_in_skeleton = "Wrist".to_owned();
        clip.skeleton = mutoscope_core::clip::Skeleton::Attached(Box::new(attached));
        desk.open(clip);
        let clip = desk.clip();
        let repeating: Vec<_> = rows(clip, clip.skeleton.attached().unwrap(), "")
            .into_iter()
            .filter_map(|row| match row {
                Row::Node { node, repeats: true, .. } => Some(node),
                _ => None,
            })
            .collect();
        assert_eq!(repeating, [desk.node("camera").node, desk.node("left/Wrist").node]);
    }
}
