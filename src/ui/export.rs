//! The export dialog: target, range and path.

use std::path::{Path, PathBuf};

use bevy_egui::egui::{
    ComboBox, DragValue, Id, Key, Label, ProgressBar, Rect, RichText, TextEdit, Ui, WidgetInfo,
    WidgetType, Window,
    text::{CCursor, CCursorRange},
    vec2,
};

use super::{
    Model, display_text,
    style::{Palette, small_font},
    widgets::{dim_text, table},
};
use crate::session::{
    BurnIn, Command, ExportCommand, ExportRequest, Exported, Panel, PanelCommand, Source,
};
use mutoscope_core::export::{ExportTarget, VideoFormat};

const VIDEO_SIZES: [[u32; 2]; 4] = [[640, 360], [960, 540], [1280, 720], [1920, 1080]];

#[derive(Clone, Debug)]
pub(super) struct ExportState {
    target: &'static ExportTarget,
    /// The path that the user typed. `None` means a path in the recording's folder.
    typed_path: Option<String>,
    wants_path_focus: bool,
    uses_range: bool,
    /// The rate in Hz. `None` means the default of the target.
    rate: Option<f64>,
    size: [u32; 2],
    has_title: bool,
    title: Option<String>,
    has_timecode: bool,
    has_captions: bool,
    has_sound: bool,
}

impl Default for ExportState {
    fn default() -> Self {
        Self {
            target: first_target(),
            typed_path: None,
            wants_path_focus: false,
            uses_range: true,
            rate: None,
            size: VIDEO_SIZES[2],
            has_title: false,
            title: None,
            has_timecode: false,
            has_captions: false,
            has_sound: true,
        }
    }
}

impl ExportState {
    pub(super) fn focus_path(&mut self) {
        self.wants_path_focus = true;
    }

    pub(super) fn set_path(&mut self, text: String) {
        let target = crate::targets().target_for_path(Path::new(&text)).unwrap_or(self.target);
        if target != self.target {
            (self.target, self.rate) = (target, None);
        }
        self.typed_path = Some(text);
    }
}

pub(super) fn export_ui(ui: &mut Ui, model: &Model<'_>, state: &mut ExportState, picture: Rect) {
    if model.clip().is_none() {
        return;
    }
    let mut open = true;
    Window::new("Export")
        .open(&mut open)
        .default_pos(picture.left_top() + vec2(24.0, 24.0))
        .default_width(380.0)
        .resizable(false)
        .collapsible(false)
        .show(ui.ctx(), |ui| match model.exports.running() {
            Some((path, part)) => running_ui(ui, model, path, part),
            None => {
                choices_ui(ui, model, state);
                if let Some(last) = &model.exports.last {
                    result_ui(ui, last);
                }
            }
        });
    if !open {
        model.send(Command::Panel(PanelCommand::Toggle(Panel::EXPORT)));
    }
}

fn running_ui(ui: &mut Ui, model: &Model<'_>, path: &Path, part: f32) {
    ui.ctx().request_repaint_after_secs(0.1);
    ui.add(Label::new(format!("Writing {}", path.display())).truncate());
    let accent = Palette::for_visuals(ui.visuals()).accent;
    ui.add(ProgressBar::new(part).desired_height(6.0).corner_radius(3).fill(accent));
    ui.horizontal(|ui| {
        if ui.button("Cancel").on_hover_text("Deletes the partial file").clicked() {
            model.send(Command::Export(ExportCommand::Cancel));
        }
        let text = dim_text(ui, progress_text(model, part));
        ui.label(text);
    });
}

/// Returns how much of the running export is done, such as `43 %, 12 s left`.
pub(super) fn progress_text(model: &Model<'_>, part: f32) -> String {
    let percent = format!("{:.0} %", 100.0 * part);
    match model.exports.time_left() {
        None => percent,
        Some(left) => format!("{percent}, {:.0} s left", left.as_secs_f64().ceil()),
    }
}

fn choices_ui(ui: &mut Ui, model: &Model<'_>, state: &mut ExportState) {
    let range = model.clock.range();
    let mut is_entered = false;
    table("export", 2).show(ui, |ui| {
        row(ui, "As", |ui| target_ui(ui, state));
        row(ui, "Range", |ui| {
            ui.selectable_value(&mut state.uses_range, false, "whole recording");
            ui.add_enabled_ui(range.is_some(), |ui| {
                let is_range_used = state.uses_range && range.is_some();
                if ui.selectable_label(is_range_used, "range").clicked() {
                    state.uses_range = true;
                }
            });
        });
        row(ui, "Rate", |ui| rate_ui(ui, state));
        if state.target.video_format().is_some() {
            row(ui, "Size", |ui| size_ui(ui, state));
            row(ui, "Text", |ui| text_ui(ui, model, state));
        }
        if let Some(name) = sound_name(model, state) {
            row(ui, "Sound", |ui| drop(ui.checkbox(&mut state.has_sound, name)));
        }
        row(ui, "To", |ui| is_entered = path_ui(ui, model, state));
    });
    let joints = model.clip().map_or(0, |clip| clip.skeleton.placeholder_offsets().len());
    if joints > 0 && state.target.video_format().is_none() {
        let joints = display_text::format_counted(joints, "joint", "joints");
        let text = format!("The offsets of {joints} are placeholders; they are exported as shown");
        let color = Palette::for_visuals(ui.visuals()).warning;
        ui.add(Label::new(RichText::new(text).font(small_font()).color(color)).wrap());
    }
    ui.add_space(4.0);
    if ui.button("Export").clicked() || is_entered {
        let exported_range = range.filter(|_| state.uses_range);
        model.send(Command::Export(ExportCommand::Start(ExportRequest {
            target: state.target,
            path: output_path(model, state),
            range: exported_range.map(|range| (range.start(), range.end())),
            rate: state.rate,
            size: state.size,
            burn_in: BurnIn {
                title: state.has_title.then(|| video_title(model, state)),
                timecode: state.has_timecode,
                captions: state.has_captions,
            },
            sound: state.has_sound,
            replaces: false,
        })));
    }
}

fn row(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui)) {
    let name = dim_text(ui, name);
    ui.label(name);
    ui.horizontal(contents);
    ui.end_row();
}

fn target_ui(ui: &mut Ui, state: &mut ExportState) {
    let text = target_name(state.target);
    let menu = ComboBox::from_id_salt("export as").selected_text(&text).width(240.0);
    let menu = menu.show_ui(ui, |ui| {
        for target in crate::targets().iter() {
            if ui.selectable_label(target == state.target, target_name(target)).clicked() {
                // The default rate and the extension depend on the target, so reset both.
                (state.target, state.rate, state.typed_path) = (target, None, None);
            }
        }
    });
    let label = format!("As: {text}");
    menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
}

fn first_target() -> &'static ExportTarget {
    crate::targets().iter().next().expect("the core has targets")
}

fn target_name(target: &ExportTarget) -> String {
    format!("{} (.{})", target.name, target.extension)
}

fn rate_ui(ui: &mut Ui, state: &mut ExportState) {
    let (default_rate, max_rate, name) = match state.target.video_format() {
        None => (60.0, 1000.0, "original keys"),
        Some(format) => (format.default_rate(), format.max_rate(), "default"),
    };
    let is_default = state.rate.is_none();
    if ui.selectable_label(is_default, name).clicked() {
        state.rate = None;
    }
    if ui.selectable_label(!is_default, "custom").clicked() {
        state.rate = Some(default_rate);
    }
    if let Some(rate) = &mut state.rate {
        let field = ui.add(DragValue::new(rate).range(0.01..=max_rate).speed(0.25).suffix(" fps"));
        field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Frame rate"));
    }
}

fn size_ui(ui: &mut Ui, state: &mut ExportState) {
    for size in VIDEO_SIZES {
        let [width, height] = size;
        ui.selectable_value(&mut state.size, size, format!("{width}×{height}"));
    }
}

fn text_ui(ui: &mut Ui, model: &Model<'_>, state: &mut ExportState) {
    ui.checkbox(&mut state.has_timecode, "time");
    ui.checkbox(&mut state.has_captions, "captions").on_hover_text("Shows subtitles and events");
    ui.checkbox(&mut state.has_title, "title");
    if state.has_title {
        let mut text = video_title(model, state);
        let field = ui.add(TextEdit::singleline(&mut text).desired_width(110.0));
        field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Title"));
        if field.changed() {
            state.title = Some(text);
        }
    }
}

fn video_title(model: &Model<'_>, state: &ExportState) -> String {
    let name = || model.reference_source().map(Source::name).unwrap_or_default();
    state.title.clone().unwrap_or_else(name)
}

fn sound_name(model: &Model<'_>, state: &ExportState) -> Option<String> {
    let has_sound = model.footage.media().is_some_and(|media| media.sound.is_some());
    let can_have_sound = state.target.video_format() == Some(VideoFormat::Mp4);
    model.footage.name().filter(|_| has_sound && can_have_sound)
}

fn path_ui(ui: &mut Ui, model: &Model<'_>, state: &mut ExportState) -> bool {
    let mut text = output_path(model, state).display().to_string();
    let end = text.chars().count();
    // Give the field a fixed id, because rows above it appear and disappear while the user types.
    let field = TextEdit::singleline(&mut text).id(Id::new("export to"));
    let mut shown = field.desired_width(280.0).show(ui);
    let field = &shown.response;
    field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "To"));
    if std::mem::take(&mut state.wants_path_focus) {
        field.request_focus();
        let all = CCursorRange::two(CCursor::new(0), CCursor::new(end));
        shown.state.cursor.set_char_range(Some(all));
        shown.state.store(ui.ctx(), field.id);
    }
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if field.changed() {
        state.set_path(text);
    }
    is_entered
}

fn output_path(model: &Model<'_>, state: &ExportState) -> PathBuf {
    if let Some(typed_path) = &state.typed_path {
        return typed_path.into();
    }
    let current = model.reference_source();
    let base = current.map_or_else(|| "recording".into(), Source::output_base_path);
    let path = base.with_extension(state.target.extension);
    if path != base {
        return path;
    }
    // Add a suffix if the path would be that of the recording, so that the export does not
    // overwrite it.
    let mut name = base.file_stem().unwrap_or_default().to_owned();
    name.push("-export.");
    name.push(state.target.extension);
    base.with_file_name(name)
}

fn result_ui(ui: &mut Ui, last: &Exported) {
    let palette = Palette::for_visuals(ui.visuals());
    ui.separator();
    let name = last.path.display();
    match &last.result {
        Ok(report) => {
            ui.add(Label::new(format!("Wrote {name}")).wrap());
            for remark in report.remarks() {
                let color = palette.severity_color(remark.severity);
                let text = format!("{}: {}", remark.severity.as_str(), remark.message);
                ui.add(Label::new(RichText::new(text).font(small_font()).color(color)).wrap());
            }
        }
        Err(why) => {
            let text = format!("Nothing was written to {name}: {why}");
            ui.add(Label::new(RichText::new(text).color(palette.error)).wrap());
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::{Event, accesskit::Role};
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::ui::testing::{PanelFixture, show};
    use mutoscope_core::playback::{TimeCommand, TimeRange};

    fn dialog(range: Option<TimeRange>) -> Harness<'static, PanelFixture<ExportState>> {
        let mut fixture = PanelFixture::<ExportState>::with_two_hands();
        fixture.apply(TimeCommand::SetRange(range));
        show(fixture, [700.0, 500.0], |ui, model, state| {
            let picture = ui.max_rect();
            export_ui(ui, model, state, picture);
        })
    }

    #[test]
    fn default_export_path_is_next_to_the_recording() {
        let mut dialog = dialog(None);
        dialog.run();
        dialog.get_by_role_and_label(Role::Button, "Export").click();
        dialog.run();
        let expected = ExportRequest {
            target: crate::targets().target("glb").unwrap(),
            path: "takes/first.glb".into(),
            range: None,
            rate: None,
            size: [1280, 720],
            burn_in: BurnIn::default(),
            sound: true,
            replaces: false,
        };
        assert_eq!(
            dialog.state_mut().take_commands(),
            [Command::Export(ExportCommand::Start(expected))]
        );
    }

    #[test]
    fn default_export_path_is_not_the_recording() {
        let mut dialog = dialog(None);
        dialog.state_mut().reference().source = Source::File("takes/first.animj".into());
        dialog.state_mut().state.target = crate::targets().target("animj").unwrap();
        dialog.run();
        dialog.get_by_role_and_label(Role::Button, "Export").click();
        dialog.run();
        let commands = dialog.state_mut().take_commands();
        let [Command::Export(ExportCommand::Start(request))] = &commands[..] else {
            panic!("{commands:?}")
        };
        assert_eq!(request.path, PathBuf::from("takes/first-export.animj"));
    }

    #[test]
    fn typed_extension_selects_the_target_and_enter_exports() {
        let mut dialog = dialog(None);
        dialog.state_mut().state.focus_path();
        dialog.run();
        dialog.event(Event::Text("videos/one.GIF".to_owned()));
        dialog.run();
        dialog.key_press(Key::Enter);
        dialog.run();
        let commands = dialog.state_mut().take_commands();
        let [Command::Export(ExportCommand::Start(request))] = &commands[..] else {
            panic!("{commands:?}")
        };
        assert_eq!(
            request.path,
            PathBuf::from("videos/one.GIF"),
            "the typed path replaces the proposed one"
        );
        assert_eq!(request.target.id, "gif");
    }

    #[test]
    fn video_export_has_range_rate_and_size() {
        let mut dialog = dialog(Some(TimeRange::new(0.5, 1.5)));
        dialog.state_mut().state.target = crate::targets().target("gif").unwrap();
        dialog.run();
        dialog.get_by_label("640×360").click();
        dialog.get_by_label("custom").click();
        dialog.run();
        dialog.get_by_role_and_label(Role::Button, "Export").click();
        dialog.run();
        let commands = dialog.state_mut().take_commands();
        let [Command::Export(ExportCommand::Start(request))] = &commands[..] else {
            panic!("{commands:?}")
        };
        assert_eq!(request.path, PathBuf::from("takes/first.gif"));
        assert_eq!(request.range, Some((0.5, 1.5)));
        assert_eq!((request.rate, request.size), (Some(25.0), [640, 360]));
    }
}
