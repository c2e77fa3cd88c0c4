//! The bone map as a form: for each bone, the node of the recording and the node of the character.

use std::collections::{BTreeMap, BTreeSet};

use bevy_egui::egui::{
    Align, ComboBox, DragValue, Label, Layout, RichText, Sense, Ui, UiBuilder, WidgetInfo,
    WidgetType, vec2,
};

use super::{
    Model,
    search::Search,
    style::Palette,
    widgets::{dim_text, row_list, search_field, with_action_tooltip},
};
use crate::session::{Command, SkeletonCommand, ViewCommand};
use mutoscope_core::{
    clip::{HumanBone, HumanBones, NodeId, Nodes},
    formats::Fit,
    retarget::{BoneMap, Retargeting},
};

pub(super) const WINDOW_SIZE: [f32; 2] = [520.0, 430.0];

const NAME_WIDTH: f32 = 150.0;

const ROW_HEIGHT: f32 = 25.0;

const HIP_SCALE_RANGE: std::ops::RangeInclusive<f64> = 0.001..=1000.0;

#[derive(Clone, Debug, Default)]
pub(super) struct BoneForm {
    /// The hip scale while the user changes it. Send the hip scale only at the end of the change,
    /// because each new scale retargets the recording.
    hip_scale: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MapSide {
    Recording,
    Character,
}

#[derive(Clone, Debug, PartialEq)]
enum Choice {
    /// The node that the retargeting chooses.
    Automatic,
    /// No node.
    Unmapped,
    /// The node with this name.
    Node(String),
}

impl Choice {
    fn from_entry(entry: Option<&Option<String>>) -> Self {
        match entry {
            None => Self::Automatic,
            Some(None) => Self::Unmapped,
            Some(Some(name)) => Self::Node(name.clone()),
        }
    }
}

struct Form<'a> {
    model: &'a Model<'a>,
    retargeting: &'a Retargeting,
    map: BoneMap,
    /// The nodes of the recording, and the nodes of the character, indexed by [`MapSide`].
    nodes: [&'a Nodes; 2],
}

impl BoneForm {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        model: &Model<'_>,
        retargeting: &Retargeting,
        search: &mut String,
    ) {
        let Some(clip) = model.clip() else { return };
        let map = retargeting.map.clone().unwrap_or_default();
        let nodes = [&retargeting.motion.nodes, &clip.nodes];
        let form = Form { model, retargeting, map, nodes };
        self.hip_scale_ui(ui, &form);
        form.buttons_ui(ui);
        search_field(ui, search, "Search bones");
        form.headings_ui(ui);
        let bones = form.matching_bones(&Search::new(search));
        row_list(ui, ROW_HEIGHT, bones.len(), |ui, index| form.row_ui(ui, bones[index]));
    }

    fn hip_scale_ui(&mut self, ui: &mut Ui, form: &Form<'_>) {
        ui.horizontal(|ui| {
            let name = dim_text(ui, "Hip scale");
            ui.label(name);
            let mut scale = self.hip_scale.unwrap_or(form.retargeting.hip_scale);
            let field =
                DragValue::new(&mut scale).range(HIP_SCALE_RANGE).speed(0.005).max_decimals(3);
            let field = ui.add(field.update_while_editing(false));
            field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Hip scale"));
            let field = field.on_hover_text(
                "Scales hip movement. Default: character hip height ÷ recorded hip height",
            );
            if field.changed() {
                self.hip_scale = Some(scale);
            }
            if !field.dragged()
                && !field.has_focus()
                && let Some(scale) = self.hip_scale.take()
            {
                form.set_hip_scale(Some(scale));
            }
            if form.map.hip_scale.is_some() && ui.button("Automatic").clicked() {
                form.set_hip_scale(None);
            }
        });
    }
}

impl Form<'_> {
    fn buttons_ui(&self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            for (name, command) in
                [("Save map", SkeletonCommand::SaveMap), ("Open map…", SkeletonCommand::ChooseMap)]
            {
                let command = Command::Skeleton(command);
                if with_action_tooltip(ui.button(name), &command).clicked() {
                    self.model.send(command);
                }
            }
            if self.map != BoneMap::default() && ui.button("All automatic").clicked() {
                self.send(BoneMap::default());
            }
        });
    }

    fn headings_ui(&self, ui: &mut Ui) {
        columns_ui(ui, |ui, column| {
            let text = ["Bone", "Recording", "Character"][column];
            let text = dim_text(ui, text).small();
            ui.label(text);
        });
    }

    fn matching_bones(&self, search: &Search) -> Vec<HumanBone> {
        let matches = |&bone: &HumanBone| {
            let names = [MapSide::Recording, MapSide::Character].map(|side| self.name(side, bone));
            search.matches(bone.name()) || names.iter().flatten().any(|name| search.matches(name))
        };
        HumanBone::ALL.iter().copied().filter(matches).collect()
    }

    fn row_ui(&self, ui: &mut Ui, bone: HumanBone) {
        columns_ui(ui, |ui, column| match column {
            0 => self.bone_ui(ui, bone),
            1 => self.choice_ui(ui, MapSide::Recording, bone),
            _ => self.choice_ui(ui, MapSide::Character, bone),
        });
    }

    fn bone_ui(&self, ui: &mut Ui, bone: HumanBone) {
        let mapped = self.retargeting.mapped.iter().find(|mapped| mapped.bone == bone);
        let palette = Palette::for_visuals(ui.visuals());
        let (color, help) = match mapped {
            Some(_) => (palette.text, ""),
            None if bone.is_required() => {
                (palette.warning, "This bone is required, but not mapped")
            }
            None => (palette.dim, "Not mapped"),
        };
        let marked = match mapped {
            None if bone.is_required() => format!("! {bone}"),
            _ => bone.name().to_owned(),
        };
        let label = Label::new(RichText::new(&marked).color(color)).truncate();
        let mut response = ui.add(label.sense(Sense::click()));
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &marked));
        if !help.is_empty() {
            response = response.on_hover_text(help);
        }
        if response.clicked()
            && let Some(mapped) = mapped
        {
            let node = self.model.node(mapped.character);
            self.model.send(Command::View(ViewCommand::Select(Some(node))));
        }
    }

    fn choice_ui(&self, ui: &mut Ui, side: MapSide, bone: HumanBone) {
        let chosen = Choice::from_entry(self.entries(side).get(bone.name()));
        let palette = Palette::for_visuals(ui.visuals());
        let name = self.name(side, bone);
        let (text, color) = match (&chosen, name) {
            (Choice::Automatic, Some(name)) => (name.to_owned(), palette.text),
            (Choice::Automatic, None) => ("not found".to_owned(), palette.dim),
            (Choice::Unmapped, _) => ("none".to_owned(), palette.accent),
            (Choice::Node(name), _) => (name.clone(), palette.accent),
        };
        let menu = ComboBox::from_id_salt((side as usize, bone as usize))
            .selected_text(RichText::new(&text).color(color))
            .width(ui.available_width())
            .height(320.0)
            .truncate();
        let menu = menu.show_ui(ui, |ui| {
            if let Some(chosen) = self.options_ui(ui, side, &chosen) {
                self.set(side, bone, chosen);
            }
        });
        let side_name = if side == MapSide::Recording { "recording" } else { "character" };
        let label = format!("{bone} of the {side_name}: {text}");
        menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
    }

    fn options_ui(&self, ui: &mut Ui, side: MapSide, chosen: &Choice) -> Option<Choice> {
        let mut clicked = None;
        let mut option = |ui: &mut Ui, text: &str, choice: Choice| {
            if ui.selectable_label(choice == *chosen, text).clicked() && choice != *chosen {
                clicked = Some(choice);
            }
        };
        option(ui, "automatic", Choice::Automatic);
        option(ui, "none", Choice::Unmapped);
        ui.separator();
        // A bone map refers to nodes by name, and a name stands for the first node that has it. So
        // list each name once.
        let mut listed = BTreeSet::new();
        for node in self.nodes[side as usize].iter().filter(|node| listed.insert(&node.name)) {
            option(ui, &node.name, Choice::Node(node.name.clone()));
        }
        clicked
    }

    fn entries(&self, side: MapSide) -> &BTreeMap<String, Option<String>> {
        match side {
            MapSide::Recording => &self.map.motion,
            MapSide::Character => &self.map.character,
        }
    }

    fn name(&self, side: MapSide, bone: HumanBone) -> Option<&str> {
        let bones: &HumanBones = match side {
            MapSide::Recording => &self.retargeting.motion_bones,
            MapSide::Character => &self.retargeting.character_bones,
        };
        let name = |id: NodeId| self.nodes[side as usize][id].name.as_str();
        bones.get(bone).map(name)
    }

    fn set(&self, side: MapSide, bone: HumanBone, choice: Choice) {
        let mut map = self.map.clone();
        let entries = match side {
            MapSide::Recording => &mut map.motion,
            MapSide::Character => &mut map.character,
        };
        let bone = bone.name().to_owned();
        match choice {
            Choice::Automatic => drop(entries.remove(&bone)),
            Choice::Unmapped => drop(entries.insert(bone, None)),
            Choice::Node(name) => drop(entries.insert(bone, Some(name))),
        }
        self.send(map);
    }

    fn set_hip_scale(&self, hip_scale: Option<f64>) {
        self.send(BoneMap { hip_scale, ..self.map.clone() });
    }

    fn send(&self, map: BoneMap) {
        let fit = if map == BoneMap::default() { Fit::ByBones } else { Fit::Map(map) };
        self.model.send(Command::Skeleton(SkeletonCommand::Retarget(fit)));
    }
}

fn columns_ui(ui: &mut Ui, mut add: impl FnMut(&mut Ui, usize)) {
    const GAP: f32 = 8.0;
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let side = ((rect.width() - NAME_WIDTH - 2.0 * GAP) / 2.0).max(0.0);
    let mut left = rect.left();
    for (column, width) in [NAME_WIDTH, side, side].into_iter().enumerate() {
        let mut cell = rect;
        (cell.min.x, cell.max.x) = (left, left + width);
        let builder = UiBuilder::new()
            .id_salt(column)
            .max_rect(cell)
            .layout(Layout::left_to_right(Align::Center));
        ui.scope_builder(builder, |ui| add(ui, column));
        left += width + GAP;
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::ui::testing::{PanelFixture, show};
    use mutoscope_core::{
        formats::{ReadOptions, SourceFile, decode},
        io::bytes::NoSidecars,
    };

    fn form(map: Option<&BoneMap>) -> Harness<'static, PanelFixture<(BoneForm, String)>> {
        let walk = include_bytes!("../../tests/data/characters/cmu_names.bvh");
        let avatar = include_bytes!("../../tests/data/characters/boxes.vrm");
        let registry = crate::registry();
        let rig = registry.decode_skeleton(avatar, "boxes.vrm", &NoSidecars).unwrap();
        let fit = map.cloned().map_or(Fit::ByBones, Fit::Map);
        let options = ReadOptions { fit, ..ReadOptions::from(registry) }.with_skeleton(rig);
        let clip = decode(SourceFile::new("walk.bvh", walk), &options).unwrap();
        let fixture = PanelFixture::with_clip(clip);
        let mut shown =
            show(fixture, [WINDOW_SIZE[0], 900.0], |ui, model, state: &mut (BoneForm, String)| {
                let (form, search) = state;
                let clip = model.clip().unwrap();
                form.ui(ui, model, clip.procedural_as().unwrap(), search);
            });
        shown.run();
        shown
    }

    fn choose(shown: &mut Harness<'_, PanelFixture<(BoneForm, String)>>, menu: &str, option: &str) {
        shown.get_by_label(menu).click();
        shown.run();
        shown.get_by_label(option).click();
        shown.run();
    }

    fn retarget(map: &str) -> [Command; 1] {
        let map = BoneMap::parse(map).unwrap();
        [Command::Skeleton(SkeletonCommand::Retarget(Fit::Map(map)))]
    }

    #[test]
    fn each_bone_has_a_menu_of_nodes_on_both_sides() {
        let mut shown = form(None);
        assert!(shown.query_by_label("hips of the recording: Hips").is_some());
        assert!(shown.query_by_label("hips of the character: J_Bip_C_Hips").is_some());
        assert!(shown.query_by_label("jaw of the recording: not found").is_some());
        choose(&mut shown, "leftHand of the recording: LeftHand", "none");
        assert_eq!(
            shown.state_mut().take_commands(),
            retarget(r#"{"motion": {"leftHand": null}}"#)
        );
        choose(&mut shown, "head of the character: J_Bip_C_Head", "J_Bip_C_Spine");
        assert_eq!(
            shown.state_mut().take_commands(),
            retarget(r#"{"character": {"head": "J_Bip_C_Spine"}}"#)
        );
        shown.get_by_label("Save map").click();
        shown.run();
        assert_eq!(
            shown.state_mut().take_commands(),
            [Command::Skeleton(SkeletonCommand::SaveMap)]
        );
        shown.get_by_label("hips").click();
        shown.run();
        let hips = shown.state().node("J_Bip_C_Hips");
        assert_eq!(
            shown.state_mut().take_commands(),
            [Command::View(ViewCommand::Select(Some(hips)))]
        );
    }

    #[test]
    fn choices_can_be_reset_to_automatic() {
        let map = BoneMap::parse(r#"{"motion": {"leftHand": null}, "hip_scale": 0.5}"#).unwrap();
        let mut shown = form(Some(&map));
        // A required bone that is not mapped has a mark.
        assert!(shown.query_by_label("! leftHand").is_some());
        assert!(shown.query_by_label("! rightHand").is_none());
        choose(&mut shown, "leftHand of the recording: none", "automatic");
        assert_eq!(shown.state_mut().take_commands(), retarget(r#"{"hip_scale": 0.5}"#));
        shown.get_by_label("Automatic").click();
        shown.run();
        assert_eq!(
            shown.state_mut().take_commands(),
            retarget(r#"{"motion": {"leftHand": null}}"#)
        );
        shown.get_by_label("All automatic").click();
        shown.run();
        assert_eq!(
            shown.state_mut().take_commands(),
            [Command::Skeleton(SkeletonCommand::Retarget(Fit::ByBones))]
        );
    }

    #[test]
    fn search_matches_bone_names_and_node_names() {
        let mut shown = form(None);
        for (text, expected) in [
            ("C_Hips", &["hips"][..]),
            ("leftThumbDistal", &["leftThumbDistal"]),
            ("LHipJoint", &[]),
        ] {
            shown.state_mut().state.1 = text.to_owned();
            shown.run();
            for bone in ["hips", "leftThumbDistal", "head"] {
                let is_listed = shown.query_by_label(bone).is_some();
                assert_eq!(is_listed, expected.contains(&bone), "{bone} by {text:?}");
            }
        }
    }
}
