//! The node mapping: shows which nodes of the recording and of the attached skeleton match.

use std::collections::HashMap;

use bevy_egui::egui::{
    Align2, FontId, Label, Rect, Response, RichText, Sense, Ui, WidgetInfo, WidgetType, Window,
    pos2, vec2,
};

use super::{
    CommandSender, Model,
    bone_form::{self, BoneForm},
    display_text,
    search::Search,
    style::{Palette, ROW_HEIGHT, TEXT_SIZE, small_font},
    widgets::{dim_text, limit_width, row_list, search_field, with_action_tooltip},
};
use crate::session::{Command, Panel, PanelCommand, SkeletonCommand, ViewCommand};
use mutoscope_core::{
    clip::{AttachedSkeleton, Clip, FieldBinding, NodeId, Owner},
    retarget::Retargeting,
};

const MAX_DIAGNOSTICS: usize = 5;

#[derive(Clone, Debug, Default)]
pub(super) struct SkeletonState {
    search: String,
    bones: BoneForm,
}

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
    let [width, height] =
        if retargeting.is_some() { bone_form::WINDOW_SIZE } else { [340.0, 320.0] };
    let mut open = true;
    Window::new("Node mapping")
        .open(&mut open)
        .default_pos(viewport.left_top() + vec2(12.0, 12.0))
        .default_width(limit_width(width, viewport.width() - 24.0))
        .default_height(height)
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            ui.label(RichText::new(&attached.name).strong());
            let sum = dim_text(ui, summarize_mapping(clip, attached));
            ui.label(sum);
            diagnostics_ui(ui, model, attached);
            buttons_ui(ui, model.commands);
            if let Some(retargeting) = retargeting {
                bones.ui(ui, model, retargeting, search);
                return;
            }
            search_field(ui, search, "Search nodes");
            let rows = build_rows(clip, attached, search);
            row_list(ui, ROW_HEIGHT, rows.len(), |ui, index| row_ui(ui, model, &rows[index]));
        });
    if !open {
        model.send(Command::Panel(PanelCommand::Toggle(Panel::NODE_MAPPING)));
    }
}

pub(super) fn summarize_mapping(clip: &Clip, attached: &AttachedSkeleton) -> String {
    if let Some(retargeting) = clip.procedural_as::<Retargeting>() {
        return summarize_bones(retargeting);
    }
    let is_animated = |id: NodeId| clip.nodes[id].motion.is_animated();
    let mapped = attached.matched.iter().filter(|matched| is_animated(matched.node)).count();
    let animated = mapped + attached.missing.iter().filter(|&&id| is_animated(id)).count();
    format!(
        "{} of {} mapped",
        display_text::format_count(mapped),
        display_text::format_counted(animated, "animated node", "animated nodes")
    )
}

fn summarize_bones(retargeting: &Retargeting) -> String {
    let mapped = display_text::format_count(retargeting.mapped.len());
    let turn = match retargeting.turn.round() {
        0.0 => String::new(),
        degrees => format!(", turned by {degrees}°"),
    };
    format!("{mapped} bones mapped, hips × {:.3}{turn}", retargeting.hip_scale)
}

fn diagnostics_ui(ui: &mut Ui, model: &Model<'_>, attached: &AttachedSkeleton) {
    let file = model.files.skeleton.as_ref().filter(|file| file.skeleton.name == attached.name);
    let Some(file) = file else { return };
    let palette = Palette::for_visuals(ui.visuals());
    for diagnostic in file.skeleton.diagnostics.iter().take(MAX_DIAGNOSTICS) {
        let text = format!(
            "{}: {}: {}",
            diagnostic.severity.as_str(),
            diagnostic.location,
            diagnostic.message
        );
        let text = RichText::new(text)
            .font(small_font())
            .color(palette.severity_color(diagnostic.severity));
        ui.add(Label::new(text).wrap());
    }
    if file.skeleton.diagnostics.len() > MAX_DIAGNOSTICS {
        let more = display_text::format_count(file.skeleton.diagnostics.len() - MAX_DIAGNOSTICS);
        let more = dim_text(ui, format!("and {more} more"));
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

#[derive(Debug, PartialEq)]
enum Row<'a> {
    Heading(String),
    Node {
        node: NodeId,
        name: &'a str,
        /// The name in the skeleton, if it differs.
        in_skeleton: Option<&'a str>,
        repeats: bool,
    },
    /// A track of a Resonite animation.
    Field {
        node: NodeId,
        name: String,
        text: String,
        is_wrong: bool,
    },
}

fn build_rows<'a>(clip: &'a Clip, attached: &'a AttachedSkeleton, searched: &str) -> Vec<Row<'a>> {
    let counts = NameCounts::new(clip, attached);
    let name = |id: NodeId| clip.nodes[id].name.as_str();
    let unmapped = |id: &NodeId| {
        let (node, name) = (*id, name(*id));
        Row::Node { node, name, in_skeleton: None, repeats: counts.repeats(name) }
    };
    let mapped = attached.matched.iter().map(|matched| {
        let (recorded, other) = (name(matched.node), matched.name_in_skeleton.as_str());
        Row::Node {
            node: matched.node,
            name: recorded,
            in_skeleton: (other != recorded).then_some(other),
            repeats: counts.repeats(recorded) || counts.repeats(other),
        }
    });
    let parts: [(&str, Vec<Row<'_>>); 3] = [
        ("Only in the recording", attached.missing.iter().map(unmapped).collect()),
        ("Mapped", mapped.collect()),
        ("Only in the skeleton", attached.resting.iter().map(unmapped).collect()),
    ];
    let search = Search::new(searched);
    let mut rows = filter_sections(parts, &search);
    let bindings = clip.bindings();
    let (tool, mut fields) = bindings
        .as_ref()
        .map_or(("", Vec::new()), |bindings| (bindings.tool, field_rows(clip, &bindings.fields)));
    fields.retain(|row| row.matches(&search));
    if !fields.is_empty() {
        let count = display_text::format_count(fields.len());
        rows.push(Row::Heading(format!("Fields that {tool} would drive, by track ({count})")));
        rows.append(&mut fields);
    }
    rows
}

fn filter_sections<'a>(parts: [(&str, Vec<Row<'a>>); 3], search: &Search) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for (heading, mut part) in parts {
        part.retain(|row| row.matches(search));
        if !part.is_empty() {
            rows.push(Row::Heading(format!(
                "{heading} ({})",
                display_text::format_count(part.len())
            )));
            rows.append(&mut part);
        }
    }
    rows
}

fn field_rows<'a>(clip: &'a Clip, bindings: &[FieldBinding]) -> Vec<Row<'a>> {
    let field = |binding: &FieldBinding| {
        let track = clip.track(binding.track);
        let Owner::Node(node) = track.owner else { return None };
        let name = format!("{}.{}", clip.owner_name(track.owner), track.property);
        let is_wrong = !binding.is_found || binding.is_driven_by_other_track;
        Some(Row::Field { node, name, text: binding.text.clone(), is_wrong })
    };
    bindings.iter().filter_map(field).collect()
}

impl Row<'_> {
    fn matches(&self, search: &Search) -> bool {
        match self {
            Self::Heading(_) => true,
            Self::Node { name, in_skeleton, .. } => {
                search.matches(name) || in_skeleton.is_some_and(|name| search.matches(name))
            }
            Self::Field { name, .. } => search.matches(name),
        }
    }
}

/// The number of occurrences of each name, in the recording and in the skeleton.
struct NameCounts<'a>([HashMap<&'a str, usize>; 2]);

impl<'a> NameCounts<'a> {
    fn new(clip: &'a Clip, attached: &'a AttachedSkeleton) -> Self {
        let name = |id: &NodeId| clip.nodes[*id].name.as_str();
        let count = |names: &mut dyn Iterator<Item = &'a str>| {
            let mut counts = HashMap::new();
            names.for_each(|name| *counts.entry(name).or_insert(0) += 1);
            counts
        };
        let matched = || attached.matched.iter();
        let recorded = matched().map(|matched| &matched.node).chain(&attached.missing).map(name);
        let bones = matched().map(|matched| matched.name_in_skeleton.as_str());
        let mut bones = bones.chain(attached.resting.iter().map(name));
        Self([count(&mut { recorded }), count(&mut bones)])
    }

    fn repeats(&self, name: &str) -> bool {
        self.0.iter().any(|counts| counts.get(name).is_some_and(|&count| count > 1))
    }
}

fn row_ui(ui: &mut Ui, model: &Model<'_>, row: &Row<'_>) {
    let palette = Palette::for_visuals(ui.visuals());
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let position = pos2(rect.left(), rect.center().y);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    match row {
        Row::Heading(text) => {
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text));
            painter.text(position, Align2::LEFT_CENTER, text, small_font(), palette.dim);
        }
        &Row::Node { node, name, in_skeleton, repeats } => {
            let notes = [in_skeleton.map(|other| format!("= {other}")), duplicate_note(repeats)];
            node_ui(ui, model, rect, &response, node, name, notes.into_iter().flatten());
        }
        Row::Field { node, name, text, is_wrong } => {
            let label = format!("{name}: {text}");
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
            if response.hovered() {
                painter.rect_filled(rect, 3.0, palette.raised);
            }
            let position = position + vec2(10.0, 0.0);
            let font = FontId::proportional(TEXT_SIZE);
            let end = painter.text(position, Align2::LEFT_CENTER, name, font, palette.text).right();
            let color = if *is_wrong { palette.warning } else { palette.dim };
            let position = pos2(end + 8.0, rect.center().y);
            painter.text(position, Align2::LEFT_CENTER, text, small_font(), color);
            if response.on_hover_text(label).clicked() {
                model.send(Command::View(ViewCommand::Select(Some(model.node(*node)))));
            }
        }
    }
}

fn node_ui(
    ui: &Ui,
    model: &Model<'_>,
    rect: Rect,
    response: &Response,
    node: NodeId,
    name: &str,
    notes: impl IntoIterator<Item = String>,
) {
    let palette = Palette::for_visuals(ui.visuals());
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
    let position = pos2(rect.left() + 10.0, rect.center().y);
    let mut end = painter.text(position, Align2::LEFT_CENTER, name, font, color).right();
    for note in notes {
        let position = pos2(end + 8.0, rect.center().y);
        end = painter.text(position, Align2::LEFT_CENTER, note, small_font(), palette.dim).right();
    }
    if response.clicked() {
        let chosen = (!selected).then(|| model.node(node));
        model.send(Command::View(ViewCommand::Select(chosen)));
    }
}

fn duplicate_note(repeats: bool) -> Option<String> {
    repeats.then(|| "duplicate name".to_owned())
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::{
        session::Command,
        ui::testing::{PanelFixture, show, two_hands},
    };
    use mutoscope_core::clip::MatchedNode;

    fn hands_on_skeleton() -> PanelFixture<SkeletonState> {
        let mut clip = two_hands();
        let id =
            |name: &str| NodeId::new(clip.nodes.iter().position(|node| node.name == name).unwrap());
        let matched = |name: &str, other: &str| MatchedNode {
            node: id(name),
            name_in_skeleton: other.to_owned(),
        };
        let attached = AttachedSkeleton {
            name: "hands.glb".to_owned(),
            matched: [matched("camera", "camera"), matched("left/Wrist", "Wrist")].into(),
            missing: [id("right/Wrist"), id("gaze")].into(),
            resting: [id("left/Palm")].into(),
            ..AttachedSkeleton::default()
        };
        clip.skeleton = mutoscope_core::clip::Skeleton::Attached(Box::new(attached));
        PanelFixture::with_clip(clip)
    }

    fn panel(ui: &mut Ui, model: &Model<'_>, state: &mut SkeletonState) {
        let viewport = ui.max_rect();
        skeleton_ui(ui, model, state, viewport);
    }

    #[test]
    fn node_mapping_lists_and_selects_nodes() {
        let mut list = show(hands_on_skeleton(), [600.0, 500.0], panel);
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
        let fixture = hands_on_skeleton();
        let clip = fixture.clip();
        let found = |searched: &str| -> Vec<NodeId> {
            let rows = build_rows(clip, clip.skeleton.attached().unwrap(), searched);
            let node = |row: Row<'_>| match row {
                Row::Node { node, .. } => Some(node),
                Row::Heading(_) | Row::Field { .. } => None,
            };
            rows.into_iter().filter_map(node).collect()
        };
        assert_eq!(found("").len(), 5);
        assert_eq!(
            found("wrist"),
            [fixture.node("right/Wrist").node, fixture.node("left/Wrist").node]
        );
        assert_eq!(found("palm"), [fixture.node("left/Palm").node]);
        assert_eq!(found("nobody"), []);
    }

    #[test]
    fn duplicate_names_on_either_side_are_marked() {
        let mut fixture = hands_on_skeleton();
        let mut clip = fixture.clip().clone();
        let mut attached = clip.skeleton.attached().unwrap().clone();
        attached.matched[0].name_in_skeleton = "Wrist".to_owned();
        clip.skeleton = mutoscope_core::clip::Skeleton::Attached(Box::new(attached));
        fixture.open(clip);
        let clip = fixture.clip();
        let repeating: Vec<_> = build_rows(clip, clip.skeleton.attached().unwrap(), "")
            .into_iter()
            .filter_map(|row| match row {
                Row::Node { node, repeats: true, .. } => Some(node),
                _ => None,
            })
            .collect();
        assert_eq!(repeating, [fixture.node("camera").node, fixture.node("left/Wrist").node]);
    }
}
