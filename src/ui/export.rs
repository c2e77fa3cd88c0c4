//! The export dialog: target, range and path.

mod video;

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use bevy_egui::egui::{
    CollapsingHeader, ComboBox, DragValue, Id, Key, Label, ProgressBar, Rect, RichText, TextEdit,
    Ui, WidgetInfo, WidgetType, Window,
    text::{CCursor, CCursorRange},
    vec2,
};

use self::video::{
    VIDEO_SIZES, camera_ui, describe_video, paint_video_frame, size_ui, sound_name, text_ui,
    video_title,
};
use super::{
    Model,
    display_text::{self, parse_number},
    style::{Palette, small_font},
    widgets::{dim_text, table},
};
use crate::session::{
    BurnIn, Command, ExportCommand, ExportRequest, Exported, Panel, PanelCommand, Source,
    VideoCamera,
};
use mutoscope_core::{
    clip::Content,
    export::{
        ExportTarget, FileAxis, InPlace, MotionOptions, OptionKind, OptionValue, RestPose,
        TargetOption, TargetSettings,
    },
    measure::{Measurement, compare::Timing},
    playback::TimeRange,
};

#[derive(Clone, Debug)]
pub(super) struct ExportState {
    target: &'static ExportTarget,
    /// The path that the user typed. `None` means a path in the recording's folder.
    typed_path: Option<String>,
    wants_path_focus: bool,
    uses_range: bool,
    /// The rate in Hz. `None` means the default of the target.
    rate: Option<f64>,
    motion: MotionOptions,
    /// The seconds of the recording in one second of the file. `None` means as fast as the recording
    /// plays on the clock.
    speed: Option<f64>,
    settings: TargetSettings,
    has_measurements: bool,
    /// The path of the skeleton that the user typed. `None` means the chosen or attached skeleton.
    typed_skeleton: Option<String>,
    size: [u32; 2],
    camera: VideoCamera,
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
            motion: MotionOptions::default(),
            speed: None,
            settings: TargetSettings::default(),
            has_measurements: true,
            typed_skeleton: None,
            size: VIDEO_SIZES[2],
            camera: VideoCamera::default(),
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

    /// Selects a target, and resets the rate and the options that depend on it.
    fn set_target(&mut self, target: &'static ExportTarget) {
        (self.target, self.rate, self.settings) = (target, None, TargetSettings::default());
    }

    /// Returns the options that change the motion, without those that the target does not have.
    fn motion_options(&self, timing: Timing) -> MotionOptions {
        let mut motion = self.motion.clone();
        motion.speed = self.speed(timing);
        if !self.target.has_free_axes {
            (motion.up, motion.forward) = (None, None);
        }
        if !self.target.has_rest_pose {
            motion.rest = RestPose::File;
        }
        motion
    }

    fn writes_page(&self) -> bool {
        mutoscope_player::bounds_for_target(self.target).is_some()
    }

    /// Returns `true` if the target can write measured quantities. A page has all visible
    /// recordings, but the measured nodes are those of one.
    fn keeps_measurements(&self, model: &Model<'_>) -> bool {
        model.clip().is_some_and(|clip| self.target.keeps(Content::Signals, clip.format))
            && !self.writes_page()
    }

    /// Returns the speed that the user set, or the rate at which the recording plays on the clock. A
    /// page has a clock of its own, so its recordings are not retimed by default.
    fn speed(&self, timing: Timing) -> f64 {
        self.speed.unwrap_or(if self.writes_page() { 1.0 } else { timing.rate })
    }

    pub(super) fn set_path(&mut self, text: String) {
        // Several targets may share an extension, so keep the target if it fits.
        let extension = Path::new(&text).extension().and_then(OsStr::to_str).unwrap_or_default();
        if !self.target.extension.eq_ignore_ascii_case(extension)
            && let Some(target) = crate::targets().target_for_extension(extension)
        {
            self.set_target(target);
        }
        self.typed_path = Some(text);
    }
}

/// Shows the dialog. `measured` has the quantities that the curve view shows, which a target with
/// signals can write.
pub(super) fn export_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut ExportState,
    measured: &[Measurement],
    picture: Rect,
) {
    if model.clip().is_none() {
        return;
    }
    if model.exports.running().is_none() {
        paint_video_frame(ui, state, picture);
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
                choices_ui(ui, model, state, measured);
                if let Some(last) = &model.exports.last {
                    result_ui(ui, model, last);
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

fn choices_ui(ui: &mut Ui, model: &Model<'_>, state: &mut ExportState, measured: &[Measurement]) {
    let range = model.clock.range();
    let measured = if state.keeps_measurements(model) { measured } else { &[] };
    let mut is_entered = false;
    table("export", 2).show(ui, |ui| {
        row(ui, "As", |ui| target_ui(ui, state));
        row(ui, "Range", |ui| {
            let is_range_used = state.uses_range && range.is_some();
            if ui.selectable_label(!is_range_used, "whole recording").clicked() {
                state.uses_range = false;
            }
            ui.add_enabled_ui(range.is_some(), |ui| {
                if ui.selectable_label(is_range_used, "range").clicked() {
                    state.uses_range = true;
                }
            });
        });
        row(ui, "Rate", |ui| rate_ui(ui, state));
        if state.target.video_format().is_some() {
            row(ui, "Camera", |ui| camera_ui(ui, state));
            row(ui, "Size", |ui| size_ui(ui, state));
            row(ui, "Text", |ui| text_ui(ui, model, state));
        }
        if let Some(name) = sound_name(model, state) {
            row(ui, "Sound", |ui| drop(ui.checkbox(&mut state.has_sound, name)));
        }
        if let Some(name) = names_of_measurements(model, measured) {
            row(ui, "Measured", |ui| {
                let count = display_text::format_counted(measured.len(), "curve", "curves");
                ui.checkbox(&mut state.has_measurements, count).on_hover_text(name);
            });
        }
        let has_animations = model.clip().is_some_and(|clip| clip.animations().is_some());
        for option in state.target.options {
            if option.kind == OptionKind::Takes && !has_animations {
                continue;
            }
            row(ui, option.label, |ui| option_ui(ui, model, state, option));
        }
        row(ui, "To", |ui| is_entered = path_ui(ui, model, state));
    });
    if state.target.video_format().is_none() {
        CollapsingHeader::new("Options").show(ui, |ui| motion_ui(ui, model, state));
    }
    let joints = model.clip().map_or(0, |clip| clip.skeleton.placeholder_offsets().len());
    if joints > 0 && state.target.video_format().is_none() {
        let joints = display_text::format_counted(joints, "joint", "joints");
        let text = format!("The offsets of {joints} are placeholders; they are exported as shown");
        let color = Palette::for_visuals(ui.visuals()).warning;
        ui.add(Label::new(RichText::new(text).font(small_font()).color(color)).wrap());
    }
    ui.add_space(4.0);
    let exported_range = range.filter(|_| state.uses_range);
    let facts = dim_text(ui, describe_output(model, state, exported_range));
    ui.label(facts);
    ui.add_space(4.0);
    if ui.button("Export").clicked() || is_entered {
        let request = ExportRequest {
            target: state.target,
            path: output_path(model, state),
            range: exported_range.map(|range| (range.start(), range.end())),
            rate: state.rate,
            motion: state.motion_options(model.timing()),
            measurements: if state.has_measurements { measured.to_vec() } else { Vec::new() },
            settings: state.settings.clone(),
            skeleton: skeleton_path(model, state),
            size: state.size,
            camera: state.camera,
            burn_in: BurnIn {
                title: state.has_title.then(|| video_title(model, state)),
                timecode: state.has_timecode,
                captions: state.has_captions,
            },
            sound: state.has_sound,
            replaces: false,
        };
        model.send(Command::Export(ExportCommand::Start(Box::new(request))));
    }
}

/// Returns the names of `measured`, one in each line. `None` if there are none.
fn names_of_measurements(model: &Model<'_>, measured: &[Measurement]) -> Option<String> {
    let clip = model.clip().filter(|_| !measured.is_empty())?;
    let names: Vec<_> = measured.iter().map(|measurement| measurement.name(clip)).collect();
    Some(names.join("\n"))
}

/// Describes the amount of the output: the images of a video, or the keys of a motion.
fn describe_output(model: &Model<'_>, state: &ExportState, range: Option<TimeRange>) -> String {
    let span = model.clock.span();
    let (from, to) = range.map_or((span.start, span.end()), |range| (range.start(), range.end()));
    if let Some(format) = state.target.video_format() {
        return describe_video(state, format, to - from);
    }
    let written_s = (to - from) * model.timing().rate / state.speed(model.timing());
    let count = match state.rate {
        Some(rate) => (written_s * rate).floor() as usize + 1,
        None => {
            let times = model.sample_times();
            let end = model.timing().to_clip_time(to);
            let start = model.timing().to_clip_time(from);
            times.partition_point(|&time| time <= end) - times.partition_point(|&time| time < start)
        }
    };
    let duration = display_text::format_duration(written_s);
    format!("{duration}, {}", display_text::format_counted(count, "sample", "samples"))
}

/// Shows a button that opens the folder of a written file. A page has no folders.
pub(super) fn open_folder_ui(ui: &mut Ui, model: &Model<'_>, file: &Path) {
    if !cfg!(target_family = "wasm") && ui.small_button("Open folder").clicked() {
        model.send(Command::Export(ExportCommand::OpenFolder(file.to_owned())));
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
    // Show all targets without scrolling.
    let menu = menu.height(ui.ctx().content_rect().height());
    let menu = menu.show_ui(ui, |ui| {
        for target in crate::targets().iter() {
            if ui.selectable_label(target == state.target, target_name(target)).clicked() {
                state.set_target(target);
                state.typed_path = None;
            }
        }
    });
    let label = format!("As: {text}");
    menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &label));
}

fn option_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut ExportState,
    option: &'static TargetOption,
) {
    match &option.kind {
        OptionKind::Choice { values, default } => {
            let chosen = match state.settings.value(option) {
                Some(OptionValue::Choice(chosen)) => Some(chosen.clone()),
                _ => default.map(str::to_owned),
            };
            let mut choices = vec![("automatic", None)];
            choices.retain(|_| default.is_none());
            choices.extend(values.iter().map(|value| (*value, Some((*value).to_owned()))));
            let mut value = chosen.clone();
            choice_ui(ui, option.label, &mut value, &choices);
            if value != chosen {
                state.settings.set(option, value.map(OptionValue::Choice));
            }
        }
        OptionKind::Bounds => {
            let mut text = match state.settings.value(option) {
                Some(OptionValue::Choice(bounds)) => bounds.clone(),
                _ => String::new(),
            };
            let field = TextEdit::singleline(&mut text).id(Id::new(option.name));
            let field = ui.add(field.hint_text("mm,degrees").desired_width(100.0));
            field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, option.label));
            if field.on_hover_text(option.help).changed() {
                let value = (!text.is_empty()).then_some(OptionValue::Choice(text));
                state.settings.set(option, value);
            }
        }
        OptionKind::Flag | OptionKind::Takes => {
            let mut is_set = state.settings.has_flag(option);
            if ui.checkbox(&mut is_set, "").on_hover_text(option.help).changed() {
                state.settings.set(option, is_set.then_some(OptionValue::Flag));
            }
        }
        OptionKind::Skeleton { extension } => {
            let path = skeleton_path(model, state).unwrap_or_default();
            let mut text = path.display().to_string();
            let hint = format!("a .{extension} file");
            let field = TextEdit::singleline(&mut text).id(Id::new("export skeleton"));
            let field = ui.add(field.hint_text(hint).desired_width(200.0));
            field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, option.label));
            if field.on_hover_text(option.help).changed() {
                state.typed_skeleton = Some(text);
            }
            if ui.button("Choose…").clicked() {
                state.typed_skeleton = None;
                model.send(Command::Export(ExportCommand::ChooseSkeleton));
            }
        }
    }
}

/// Returns the skeleton for a target that needs one: the typed, the chosen or the attached one.
fn skeleton_path(model: &Model<'_>, state: &ExportState) -> Option<PathBuf> {
    let OptionKind::Skeleton { extension } = &state.target.skeleton_option()?.kind else {
        return None;
    };
    if let Some(typed) = &state.typed_skeleton {
        return Some(PathBuf::from(typed)).filter(|path| !path.as_os_str().is_empty());
    }
    let attached = || model.files.skeleton.as_ref()?.path.as_ref();
    let is_suitable = |path: &&PathBuf| {
        path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
    };
    model.exports.skeleton.as_ref().or_else(|| attached().filter(is_suitable)).cloned()
}

/// Shows the options that change the motion.
fn motion_ui(ui: &mut Ui, model: &Model<'_>, state: &mut ExportState) {
    let speed = state.speed(model.timing());
    let (target, motion) = (state.target, &mut state.motion);
    table("export options", 2).show(ui, |ui| {
        let choices = [
            ("keep", InPlace::Keep),
            ("in place", InPlace::Remove),
            ("on a root node", InPlace::Root),
        ];
        row(ui, "Root motion", |ui| {
            choice_ui(ui, "Root motion", &mut motion.in_place, &choices);
        });
        if target.has_free_axes {
            let axes = FileAxis::NAMES.iter().map(|name| (*name, name.parse().ok()));
            let axes: Vec<_> = [("default", None)].into_iter().chain(axes).collect();
            row(ui, "Up", |ui| choice_ui(ui, "Up", &mut motion.up, &axes));
            row(ui, "Forward", |ui| choice_ui(ui, "Forward", &mut motion.forward, &axes));
        }
        if target.has_rest_pose {
            let time = match motion.rest {
                RestPose::Time(time) => time,
                RestPose::File | RestPose::TPose => model.time(),
            };
            let at_time = format!("pose at {time:.3} s");
            let choices = [
                ("as recorded", RestPose::File),
                ("T-pose", RestPose::TPose),
                (at_time.as_str(), RestPose::Time(time)),
            ];
            row(ui, "Rest pose", |ui| choice_ui(ui, "Rest pose", &mut motion.rest, &choices));
        }
        row(ui, "Scale", |ui| {
            let field = ui.add(
                DragValue::new(&mut motion.scale)
                    .range(1e-6..=1e6)
                    .speed(0.01)
                    .custom_parser(parse_number),
            );
            field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Scale"));
        });
        row(ui, "Speed", |ui| {
            let mut shown = speed;
            let field = DragValue::new(&mut shown).range(1e-3..=1e3).speed(0.01).suffix("×");
            let field = ui.add(field.custom_parser(parse_number));
            field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Speed"));
            let help = "Seconds of the recording that become one second of the file";
            if field.on_hover_text(help).changed() {
                state.speed = Some(shown);
            }
        });
    });
}

/// Shows a menu of named choices.
fn choice_ui<T: Clone + PartialEq>(ui: &mut Ui, label: &str, value: &mut T, choices: &[(&str, T)]) {
    let name = choices.iter().find(|(_, choice)| choice == value).map_or("", |(name, _)| name);
    let menu = ComboBox::from_id_salt(("export", label)).selected_text(name).width(140.0);
    let menu = menu.show_ui(ui, |ui| {
        for (name, choice) in choices {
            ui.selectable_value(value, choice.clone(), *name);
        }
    });
    let text = format!("{label}: {name}");
    menu.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, &text));
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
        let field = ui.add(
            DragValue::new(rate)
                .range(0.01..=max_rate)
                .speed(0.25)
                .suffix(" fps")
                .custom_parser(parse_number),
        );
        field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Frame rate"));
    }
}

fn path_ui(ui: &mut Ui, model: &Model<'_>, state: &mut ExportState) -> bool {
    let mut text = output_path(model, state).display().to_string();
    let end = text.chars().count();
    // Give the field a fixed id, because rows above it appear and disappear while the user types.
    let field = TextEdit::singleline(&mut text).id(Id::new("export to"));
    let mut shown = field.desired_width(224.0).show(ui);
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
    if !cfg!(target_family = "wasm") && ui.button("Browse…").clicked() {
        model.send(Command::Export(ExportCommand::ChooseOutput(output_path(model, state))));
        state.typed_path = None;
    }
    is_entered
}

fn output_path(model: &Model<'_>, state: &ExportState) -> PathBuf {
    if let Some(typed_path) = &state.typed_path {
        return typed_path.into();
    }
    if let Some(chosen) = &model.exports.chosen_output {
        return chosen.with_extension(state.target.extension);
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

fn result_ui(ui: &mut Ui, model: &Model<'_>, last: &Exported) {
    let palette = Palette::for_visuals(ui.visuals());
    ui.separator();
    let name = last.path.display();
    match &last.result {
        Ok(report) => {
            ui.add(Label::new(format!("Wrote {name}")).wrap());
            open_folder_ui(ui, model, &last.path);
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
    use mutoscope_core::{clip::NodeId, playback::TimeCommand};

    fn dialog(range: Option<TimeRange>) -> Harness<'static, PanelFixture<ExportState>> {
        let mut fixture = PanelFixture::<ExportState>::with_two_hands();
        fixture.apply(TimeCommand::SetRange(range));
        show(fixture, [700.0, 500.0], |ui, model, state| {
            let picture = ui.max_rect();
            let measured = [Measurement::Height(NodeId::new(1))];
            export_ui(ui, model, state, &measured, picture);
        })
    }

    #[test]
    fn default_export_path_is_next_to_the_recording() {
        let mut dialog = dialog(None);
        dialog.run();
        dialog.get_by_role_and_label(Role::Button, "Export").click();
        dialog.run();
        let target = crate::targets().target("glb").unwrap();
        let expected = ExportRequest::new(target, "takes/first.glb".into());
        assert_eq!(
            dialog.state_mut().take_commands(),
            [Command::Export(ExportCommand::Start(Box::new(expected)))]
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
    fn amount_is_shown_before_the_export() {
        let mut dialog = dialog(Some(TimeRange::new(0.5, 1.5)));
        dialog.state_mut().state.rate = Some(30.0);
        dialog.run();
        assert!(dialog.query_by_label("1 s, 31 samples").is_some());
        dialog.state_mut().state.target = crate::targets().target("mp4").unwrap();
        dialog.run();
        assert!(dialog.query_by_label_contains("30 images, about").is_some());
    }

    #[test]
    fn browse_asks_for_the_output_and_uses_it() {
        let mut dialog = dialog(None);
        dialog.run();
        dialog.get_by_label("Browse…").click();
        dialog.run();
        let asked = ExportCommand::ChooseOutput("takes/first.glb".into());
        assert_eq!(dialog.state_mut().take_commands(), [Command::Export(asked)]);
        dialog.state_mut().exports.chosen_output = Some("films/scene.glb".into());
        dialog.run();
        assert_eq!(exported_request(&mut dialog).path, PathBuf::from("films/scene.glb"));
    }

    #[test]
    fn folder_of_a_written_file_can_be_opened() {
        let mut dialog = dialog(None);
        let path = PathBuf::from("takes/first.glb");
        let result = Ok(mutoscope_core::export::Report::default());
        dialog.state_mut().exports.last = Some(Exported { path: path.clone(), result });
        dialog.run();
        dialog.get_by_label("Open folder").click();
        dialog.run();
        let open = Command::Export(ExportCommand::OpenFolder(path));
        assert_eq!(dialog.state_mut().take_commands(), [open]);
    }

    fn exported_request(dialog: &mut Harness<'static, PanelFixture<ExportState>>) -> ExportRequest {
        dialog.get_by_role_and_label(Role::Button, "Export").click();
        dialog.run();
        let commands = dialog.state_mut().take_commands();
        let [Command::Export(ExportCommand::Start(request))] = &commands[..] else {
            panic!("{commands:?}")
        };
        (**request).clone()
    }

    #[test]
    fn options_of_the_target_are_shown_and_exported() {
        let first_choice = |target: &'static ExportTarget| {
            target.options.iter().find_map(|option| match option.kind {
                OptionKind::Choice { values, default } => Some((target, option, values, default)),
                _ => None,
            })
        };
        let (target, option, values, default) =
            crate::targets().motion_targets().find_map(first_choice).unwrap();
        let mut dialog = dialog(None);
        dialog.state_mut().state.set_target(target);
        dialog.run();
        let shown = format!("{}: {}", option.label, default.unwrap_or("automatic"));
        dialog.get_by_role_and_label(Role::ComboBox, &shown).click();
        dialog.run();
        dialog.get_by_role_and_label(Role::Button, values[0]).click();
        dialog.run();
        let request = exported_request(&mut dialog);
        assert_eq!(request.settings, TargetSettings::default().with(option, values[0].into()));
    }

    #[test]
    fn tables_get_the_measured_curves() {
        let mut dialog = dialog(None);
        dialog.state_mut().state.set_target(crate::targets().target("csv").unwrap());
        dialog.run();
        let height = Measurement::Height(NodeId::new(1));
        assert_eq!(exported_request(&mut dialog).measurements, [height]);
        dialog.get_by_label("1 curve").click();
        dialog.run();
        assert_eq!(exported_request(&mut dialog).measurements, []);
        // A page may show several recordings, but the node belongs to one.
        dialog.state_mut().state.set_target(crate::targets().target("html").unwrap());
        dialog.run();
        assert!(dialog.query_by_label("1 curve").is_none());
    }

    #[test]
    fn typed_skeleton_is_exported_and_chosen_on_request() {
        let mut targets = crate::targets().motion_targets();
        let target = targets.find(|target| target.skeleton_option().is_some()).unwrap();
        let mut dialog = dialog(None);
        dialog.state_mut().state.set_target(target);
        dialog.run();
        dialog.get_by_label("Choose…").click();
        dialog.run();
        let asked = Command::Export(ExportCommand::ChooseSkeleton);
        assert_eq!(dialog.state_mut().take_commands(), [asked]);
        dialog.state_mut().state.typed_skeleton = Some("rigs/walk.CINF".to_owned());
        dialog.run();
        let request = exported_request(&mut dialog);
        assert_eq!(request.skeleton, Some(PathBuf::from("rigs/walk.CINF")));
        assert_eq!(request.path, PathBuf::from("takes/first.anim"));
    }

    #[test]
    fn motion_options_are_those_that_the_target_has() {
        let motion = MotionOptions {
            in_place: InPlace::Root,
            up: Some(FileAxis::Z),
            rest: RestPose::TPose,
            scale: 100.0,
            ..MotionOptions::default()
        };
        let mut state = ExportState { motion, ..ExportState::default() };
        state.set_target(crate::targets().target("bvh").unwrap());
        assert_eq!(state.motion_options(Timing::default()), state.motion);
        state.set_target(crate::targets().target("html").unwrap());
        let expected = MotionOptions { up: None, rest: RestPose::File, ..state.motion.clone() };
        assert_eq!(state.motion_options(Timing::default()), expected);
    }

    #[test]
    fn recording_is_exported_as_fast_as_it_plays() {
        let slow = Timing { offset: 0.5, rate: 0.25 };
        let mut state = ExportState::default();
        state.set_target(crate::targets().target("bvh").unwrap());
        assert_eq!(state.motion_options(slow).speed, 0.25);
        // A page changes the speed while it plays.
        state.set_target(crate::targets().target("html").unwrap());
        assert_eq!(state.motion_options(slow).speed, 1.0);
        state.speed = Some(2.0);
        assert_eq!(state.motion_options(slow).speed, 2.0);
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
