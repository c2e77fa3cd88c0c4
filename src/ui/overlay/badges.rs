//! Shows badges at the bottom of the viewport: placeholder offsets, camera, rotation rule and
//! untracked hands. Also shows the marker that the playhead has just passed.

use bevy_egui::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Ui, vec2};

use crate::ui::{
    Model, display_text,
    icons::{self, Icon},
    style::{Palette, TEXT_SIZE, small_font},
    timeline::rows::owner_side,
};
use bevy_mutoscope::{Recording, stage::CameraMode};
use mutoscope_core::clip::{
    Clip, FactOrigin, InterpolationOverride, RotationRule, Signal, SignalKind, Stated, Value,
};

pub(super) fn badges_ui(ui: &Ui, model: &Model<'_>, clip: &Clip, viewport: Rect) {
    let palette = Palette::for_visuals(ui.visuals());
    let painter = ui.painter().with_clip_rect(viewport);
    let mut position = viewport.left_bottom() + vec2(12.0, -12.0);
    for (text, color) in badges(model, clip, palette) {
        let rect = paint_pill(&painter, palette, position, Align2::LEFT_BOTTOM, &text, color, None);
        position.y = rect.top() - 6.0;
    }
    let caption = model.pose().and_then(|pose| clip.caption(pose, model.time()));
    if let Some(caption) = caption {
        let position = viewport.center_bottom() + vec2(0.0, -12.0);
        let icon = Some(Icon::Flag);
        paint_pill(
            &painter,
            palette,
            position,
            Align2::CENTER_BOTTOM,
            &caption,
            palette.text,
            icon,
        );
    }
}

fn badges(model: &Model<'_>, clip: &Clip, palette: &Palette) -> Vec<(String, Color32)> {
    let mut badges = Vec::new();
    for (signal, value) in signal_values(model, clip) {
        let track = clip.track(signal.track);
        // A hand that is never tracked would have a badge all the time, so it has none.
        let keys = || (0..track.curve.key_count()).map(|key| track.curve.key_value(key));
        let is_lost = || keys().any(|value| value.is_true());
        if signal.kind == SignalKind::Tracked && !value.is_true() && is_lost() {
            let side = owner_side(clip, track.owner);
            let hand = if side.is_some() { " hand" } else { "" };
            let text = format!("{}{hand} untracked", clip.owner_name(track.owner));
            badges.push((text, palette.side_color(side)));
        }
    }
    let placeholders = clip.skeleton.placeholder_offsets().len();
    if placeholders > 0 {
        let joints = display_text::format_counted(placeholders, "joint", "joints");
        let text =
            format!("Placeholder offsets for {joints}. Attach a skeleton to see the real ones");
        badges.push((text, palette.warning));
    }
    if model.view.camera == CameraMode::Head {
        badges.push(("Seen from the recorded head".to_owned(), palette.accent));
    }
    let sampled = match model.recording().map(Recording::interpolation).unwrap_or_default() {
        InterpolationOverride::AsDefined => None,
        InterpolationOverride::Nearest => Some("Nearest key"),
        InterpolationOverride::Linear => Some("Linear between keys"),
    };
    if let Some(sampled) = sampled.filter(|_| clip.supports_interpolation_override()) {
        badges.push((format!("{sampled}: not the interpolation of the file"), palette.accent));
    }
    let rotation = clip.convention.rotation;
    if rotation == (Stated { value: RotationRule::AsAuthored, origin: FactOrigin::Chosen })
        && clip.depends_on_rotation_rule()
    {
        badges.push(("Rotations as authored".to_owned(), palette.accent));
    }
    badges
}

fn signal_values<'a>(
    model: &Model<'a>,
    clip: &'a Clip,
) -> impl Iterator<Item = (&'a Signal, &'a Value)> {
    let values = model.pose().map_or(&[][..], |pose| &pose.signals);
    clip.signals.iter().zip(values)
}

fn paint_pill(
    painter: &Painter,
    palette: &Palette,
    position: Pos2,
    anchor: Align2,
    text: &str,
    color: Color32,
    icon: Option<Icon>,
) -> Rect {
    let font = if icon.is_some() { FontId::proportional(TEXT_SIZE) } else { small_font() };
    let galley = painter.layout_no_wrap(text.to_owned(), font, color);
    let icon_width = if icon.is_some() { 18.0 } else { 0.0 };
    let size = galley.size() + vec2(16.0 + icon_width, 6.0);
    let rect = anchor.anchor_size(position, size);
    painter.rect_filled(rect, 4.0, palette.panel);
    if let Some(icon) = icon {
        let left = Rect::from_min_size(rect.min + vec2(6.0, 0.0), vec2(18.0, rect.height()));
        icons::paint(painter, left, icon, color);
    }
    painter.galley(rect.min + vec2(8.0 + icon_width, 3.0), galley, color);
    rect
}
