//! Areas of interest: their shapes, and how long the person looked at each.

use bevy_egui::egui::{
    Button, ComboBox, DragValue, Response, TextEdit, Ui, WidgetInfo, WidgetType,
};
use glam::{DQuat, DVec2, DVec3};

use crate::{
    session::{AreaCommand, Command},
    ui::{
        Model, display_text,
        icons::Icon,
        style::ICON_BUTTON,
        timeline::DwellTotal,
        widgets::{dim_text, heading, icon_button, table, with_action_tooltip},
    },
};
use mutoscope_core::measure::analysis::{NamedArea, Shape};

const MIN_SIZE_M: f64 = 0.001;

pub(super) fn areas_ui(ui: &mut Ui, model: &Model<'_>) {
    let Some(clip) = model.clip() else { return };
    let areas = &model.view.areas;
    let has_gaze = clip.ray_nodes().next().is_some();
    if areas.is_empty() && !has_gaze {
        return;
    }
    heading(ui, "Areas of interest");
    let mut edited = areas.clone();
    let mut removed = None;
    for (index, area) in edited.iter_mut().enumerate() {
        ui.push_id(("area", index), |ui| {
            if area_ui(ui, area) {
                removed = Some(index);
            }
            let total = model.timeline().and_then(|timeline| timeline.dwells.total(index));
            let text = match total {
                _ if !has_gaze => "no gaze in this recording".to_owned(),
                _ if area.resolve(clip).is_none() => {
                    "its joint is not in this recording".to_owned()
                }
                None => "…".to_owned(),
                Some(total) => format_total(total),
            };
            let text = dim_text(ui, text).small();
            ui.label(text);
            ui.add_space(4.0);
        });
    }
    if let Some(index) = removed {
        edited.remove(index);
    }
    if edited != *areas {
        model.send(Command::Area(AreaCommand::Set(edited)));
    }
    let add = ui.add(Button::new("Add area of interest").small());
    if with_action_tooltip(add, &Command::Area(AreaCommand::Add)).clicked() {
        model.send(Command::Area(AreaCommand::Add));
    }
}

fn format_total(total: DwellTotal) -> String {
    match total.count {
        0 => "not looked at".to_owned(),
        count => format!(
            "{} in {}",
            display_text::format_duration(total.duration),
            display_text::format_counted(count, "dwell", "dwells")
        ),
    }
}

fn area_ui(ui: &mut Ui, area: &mut NamedArea) -> bool {
    let mut is_removed = false;
    ui.horizontal(|ui| {
        let room = ui.available_width() - ICON_BUTTON.x - 8.0;
        // Ignore an empty name, because the text form `NAME=SHAPE:…` could not be parsed without
        // it.
        let mut name = area.name.clone();
        let field = ui.add(TextEdit::singleline(&mut name).desired_width(room.max(0.0)));
        field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Name of the area"));
        if field.changed() && !name.is_empty() {
            area.name = name;
        }
        let label = format!("Remove area {}", area.name);
        let remove = icon_button(ui, Icon::Close, &label, ICON_BUTTON).on_hover_text(&label);
        is_removed = remove.clicked();
    });
    table("area", 2).show(ui, |ui| {
        let label = dim_text(ui, "Shape");
        ui.label(label);
        shape_ui(ui, &mut area.shape);
        ui.end_row();
        let label = dim_text(ui, "Size");
        ui.label(label);
        ui.horizontal(|ui| size_ui(ui, &mut area.shape));
        ui.end_row();
        let label = dim_text(ui, "Centre");
        ui.label(label);
        let centre = area.shape.centre_mut();
        ui.horizontal(|ui| {
            for (name, value) in ["X", "Y", "Z"].into_iter().zip(centre.as_mut()) {
                metres_ui(ui, &format!("Centre {name}"), value, f64::NEG_INFINITY);
            }
        });
        ui.end_row();
        rotation_ui(ui, &mut area.shape);
        if let Some(joint) = &area.joint {
            let label = dim_text(ui, "Joint");
            ui.label(label).on_hover_text("The area moves and rotates with it");
            ui.label(joint);
            ui.end_row();
        }
    });
    is_removed
}

fn shape_ui(ui: &mut Ui, shape: &mut Shape) {
    let (centre, half) = (shape.centre(), half_extents(shape));
    let rotation = shape.rotation();
    let plane = DVec2::new(half.x, half.y);
    let shapes = [
        ("sphere", Shape::Sphere { centre, radius: half.x }),
        ("box", Shape::Box { centre, rotation, half }),
        ("plane", Shape::Plane { centre, rotation, half: plane }),
    ];
    let is_same_kind =
        |other: &Shape| std::mem::discriminant(other) == std::mem::discriminant(shape);
    let name = shapes.iter().find(|(_, other)| is_same_kind(other)).map_or("", |(name, _)| *name);
    let menu = ComboBox::from_id_salt("shape").selected_text(name).width(84.0);
    let mut chosen = None;
    let menu = menu.show_ui(ui, |ui| {
        for (name, other) in shapes {
            if ui.selectable_label(is_same_kind(&other), name).clicked() && !is_same_kind(&other) {
                chosen = Some(other);
            }
        }
    });
    let label = format!("Shape: {name}");
    menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
    if let Some(chosen) = chosen {
        *shape = chosen;
    }
}

fn half_extents(shape: &Shape) -> DVec3 {
    match *shape {
        Shape::Sphere { radius, .. } => DVec3::splat(radius),
        Shape::Box { half, .. } => half,
        Shape::Plane { half, .. } => half.extend(half.min_element()),
    }
}

fn size_ui(ui: &mut Ui, shape: &mut Shape) {
    let mut edges = |halves: &mut [f64], names: &[&str]| {
        for (name, half) in names.iter().zip(halves) {
            let mut edge = 2.0 * *half;
            if metres_ui(ui, name, &mut edge, MIN_SIZE_M).changed() {
                *half = 0.5 * edge;
            }
        }
    };
    match shape {
        Shape::Sphere { radius, .. } => {
            metres_ui(ui, "Radius", radius, MIN_SIZE_M);
        }
        Shape::Box { half, .. } => edges(half.as_mut(), &["Width", "Height", "Depth"]),
        Shape::Plane { half, .. } => edges(half.as_mut(), &["Width", "Height"]),
    }
}

fn rotation_ui(ui: &mut Ui, shape: &mut Shape) {
    let (Shape::Box { rotation, .. } | Shape::Plane { rotation, .. }) = shape else { return };
    let label = dim_text(ui, "Rotation");
    ui.label(label);
    let (yaw, pitch, roll) = rotation.to_euler(glam::EulerRot::YXZ);
    let mut degrees = [yaw, pitch].map(f64::to_degrees);
    ui.horizontal(|ui| {
        let mut has_changed = false;
        for ((name, max), value) in
            [("Yaw", f64::INFINITY), ("Pitch", 90.0)].into_iter().zip(&mut degrees)
        {
            let field = DragValue::new(value).range(-max..=max).speed(0.5);
            let field = field.max_decimals(1).suffix("°");
            let field = ui.add(field).on_hover_text(name);
            field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, name));
            has_changed |= field.changed();
        }
        if has_changed {
            let [yaw, pitch] = degrees.map(f64::to_radians);
            *rotation = DQuat::from_euler(glam::EulerRot::YXZ, yaw, pitch, roll);
        }
    });
    ui.end_row();
}

fn metres_ui(ui: &mut Ui, name: &str, value: &mut f64, min: f64) -> Response {
    let field = DragValue::new(value).range(min..=f64::INFINITY).speed(0.005).max_decimals(3);
    let field = ui.add(field.suffix(" m")).on_hover_text(name);
    field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, name));
    field
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{PanelFixture, show};

    fn areas(texts: &[&str]) -> Vec<NamedArea> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn area_is_changed_and_removed() {
        let mut fixture = PanelFixture::<()>::with_two_hands();
        fixture.view.areas = areas(&["cup=sphere:0,1,-1,0.5", "door=box:1,1,-2,1,2,0.1"]);
        let mut panel = show(fixture, [320.0, 420.0], |ui, model, ()| {
            areas_ui(ui, model);
        });
        assert_eq!(panel.state_mut().take_commands(), [], "showing the panel sends no commands");
        panel.get_by_label("Remove area door").click();
        panel.run();
        let expected = areas(&["cup=sphere:0,1,-1,0.5"]);
        assert_eq!(panel.state_mut().take_commands(), [Command::Area(AreaCommand::Set(expected))]);
        panel.get_by_label("Shape: sphere").click();
        panel.run();
        panel.get_by_label("plane").click();
        panel.run();
        let expected = areas(&["cup=plane:0,1,-1,1,1", "door=box:1,1,-2,1,2,0.1"]);
        assert_eq!(panel.state_mut().take_commands(), [Command::Area(AreaCommand::Set(expected))]);
        panel.get_by_label("Add area of interest").click();
        panel.run();
        assert_eq!(panel.state_mut().take_commands(), [Command::Area(AreaCommand::Add)]);
    }

    #[test]
    fn areas_without_gaze_show_a_hint() {
        let fixture = PanelFixture::<()>::with_clip(crate::ui::testing::a_day());
        let has_gaze = fixture.clip().ray_nodes().next().is_some();
        assert!(!has_gaze);
        let mut panel = show(fixture, [320.0, 420.0], |ui, model, ()| {
            areas_ui(ui, model);
        });
        assert!(panel.query_by_label("Areas of interest").is_none());
        panel.state_mut().view.areas = areas(&["cup=sphere:0,1,-1,0.5"]);
        panel.run();
        assert!(panel.query_by_label("no gaze in this recording").is_some());
    }
}
