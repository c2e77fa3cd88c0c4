//! Defines the colours and egui's style.
//!
//! Panels do not name colours but roles. [`Palette::of`] returns the palette for the theme that a
//! [`Ui`](egui::Ui) is drawn in. Colour never carries meaning alone; a word or a shape repeats the
//! meaning.

use bevy_egui::egui::{
    self, Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Theme, Vec2,
    Visuals,
    epaint::Shadow,
    style::{ScrollStyle, Selection, TextCursorStyle, WidgetVisuals, Widgets},
    vec2,
};

use mutoscope_core::{clip::Side, diagnostics::Severity};

pub(super) const TEXT_SIZE: f32 = 13.0;
pub(super) const SMALL_SIZE: f32 = 11.0;
pub(super) const ROW_HEIGHT: f32 = 20.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    pub(super) background: Color32,
    pub(super) panel: Color32,
    pub(super) raised: Color32,
    pub(super) line: Color32,
    pub(super) text: Color32,
    pub(super) dim: Color32,
    pub(super) accent: Color32,
    pub(super) left: Color32,
    pub(super) right: Color32,
    pub(super) neutral: Color32,
    pub(super) compared: [Color32; 5],
    pub(super) warning: Color32,
    pub(super) error: Color32,
    pub(super) axes: [Color32; 3],
    pub(super) series: [Color32; 6],
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const DARK: Palette = Palette {
    background: rgb(0x1b1d21),
    panel: rgb(0x22252b),
    raised: rgb(0x2d3139),
    line: rgb(0x30343c),
    text: rgb(0xd7dbe2),
    dim: rgb(0x949ca9),
    accent: rgb(0xffb454),
    left: rgb(0x5aa9ff),
    right: rgb(0xff7a90),
    neutral: rgb(0x9aa7b8),
    compared: [rgb(0xb9d957), rgb(0xf2a65a), rgb(0xc58bf2), rgb(0x5fd0d8), rgb(0xf08fb0)],
    warning: rgb(0xf2c14e),
    error: rgb(0xff6b6b),
    axes: [rgb(0xd9686a), rgb(0x7fb86a), rgb(0x6a94d9)],
    series: [
        rgb(0x5fb8c9),
        rgb(0xc58bd6),
        rgb(0xa9b860),
        rgb(0xd98f6a),
        rgb(0x7f96e0),
        rgb(0x6fbf97),
    ],
};

const LIGHT: Palette = Palette {
    background: rgb(0xffffff),
    panel: rgb(0xf3f4f6),
    raised: rgb(0xe3e6ea),
    line: rgb(0xcfd3d9),
    text: rgb(0x22262d),
    dim: rgb(0x5a6270),
    accent: rgb(0x9a5b00),
    left: rgb(0x1463c4),
    right: rgb(0xc02a48),
    neutral: rgb(0x566374),
    compared: [rgb(0x566a00), rgb(0x8a4b00), rgb(0x6d34a8), rgb(0x00646b), rgb(0x9c2d57)],
    warning: rgb(0x8a6100),
    error: rgb(0xc22626),
    axes: [rgb(0xb5373a), rgb(0x3f7d2b), rgb(0x2f5fae)],
    series: [
        rgb(0x1c7d8f),
        rgb(0x8a3fa3),
        rgb(0x66731a),
        rgb(0xa8552a),
        rgb(0x4258b8),
        rgb(0x1f7a50),
    ],
};

impl Palette {
    pub(super) fn for_visuals(visuals: &Visuals) -> &'static Self {
        if visuals.dark_mode { &DARK } else { &LIGHT }
    }

    /// Returns the palette for elements over pictures and videos, which are dark in every theme.
    pub(super) fn over_pictures() -> &'static Self {
        &DARK
    }

    /// Blends `color` over the background by the fraction `part`. A transparent colour would look
    /// grey on a light background instead.
    pub(super) fn tint(&self, color: Color32, part: f32) -> Color32 {
        self.background.lerp_to_gamma(color, part)
    }

    pub(super) fn recording_color(&self, index: usize) -> Color32 {
        match index.checked_sub(1) {
            None => self.neutral,
            Some(turn) => self.compared[turn % self.compared.len()],
        }
    }

    pub(super) fn side_color(&self, side: Option<Side>) -> Color32 {
        match side {
            Some(Side::Left) => self.left,
            Some(Side::Right) => self.right,
            None => self.neutral,
        }
    }

    pub(super) fn severity_color(&self, severity: Severity) -> Color32 {
        match severity {
            Severity::Info => self.neutral,
            Severity::Warning => self.warning,
            Severity::Error => self.error,
        }
    }
}

pub(super) fn small_font() -> FontId {
    FontId::proportional(SMALL_SIZE)
}

/// Returns the small font with digits of equal width, so that changing numbers do not shift.
pub(super) fn small_mono_font() -> FontId {
    FontId::monospace(SMALL_SIZE)
}

pub(super) fn apply(ctx: &egui::Context) {
    for (theme, palette) in [(Theme::Dark, &DARK), (Theme::Light, &LIGHT)] {
        ctx.style_mut_of(theme, |style| {
            style.visuals = visuals(theme, palette);
            style.text_styles = [
                (TextStyle::Small, small_font()),
                (TextStyle::Body, FontId::proportional(TEXT_SIZE)),
                (TextStyle::Button, FontId::proportional(TEXT_SIZE)),
                (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
                (TextStyle::Heading, FontId::proportional(15.0)),
            ]
            .into();
            style.interaction.selectable_labels = false;
            style.interaction.tooltip_delay = 0.4;
            style.animation_time = 0.1;
            set_spacing(&mut style.spacing);
        });
    }
    ctx.set_theme(Theme::Dark);
    // Do not let egui zoom, because we use the viewport's rectangle in logical pixels. With zoom, a
    // point would not be a logical pixel.
    ctx.options_mut(|options| {
        options.zoom_with_keyboard = false;
        // At low frame rates, the press and the release of a click arrive in frames that are far
        // apart. egui would treat such a click as a long press.
        options.input_options.max_click_duration = f64::INFINITY;
        options.input_options.max_double_click_delay = 0.5;
    });
}

fn set_spacing(spacing: &mut egui::style::Spacing) {
    spacing.item_spacing = vec2(6.0, 4.0);
    spacing.button_padding = vec2(7.0, 3.0);
    spacing.interact_size = vec2(24.0, 22.0);
    spacing.menu_margin = Margin::same(6);
    spacing.window_margin = Margin::same(12);
    spacing.icon_width = 14.0;
    spacing.combo_width = 60.0;
    spacing.scroll = ScrollStyle { bar_width: 8.0, ..ScrollStyle::thin() };
}

fn visuals(theme: Theme, palette: &Palette) -> Visuals {
    let base = if theme == Theme::Dark { Visuals::dark() } else { Visuals::light() };
    let line = Stroke::new(1.0, palette.line);
    let shadow = Shadow {
        offset: [0, 4],
        blur: 12,
        spread: 0,
        color: Color32::from_black_alpha(if theme == Theme::Dark { 110 } else { 40 }),
    };
    Visuals {
        widgets: widgets(palette),
        selection: Selection {
            bg_fill: palette.panel.lerp_to_gamma(palette.accent, 0.24),
            stroke: Stroke::new(1.0, palette.accent),
        },
        weak_text_color: Some(palette.dim),
        hyperlink_color: palette.left,
        text_cursor: TextCursorStyle { blink: false, ..base.text_cursor.clone() },
        faint_bg_color: palette.raised.gamma_multiply(0.4),
        extreme_bg_color: palette.background,
        text_edit_bg_color: Some(palette.background),
        code_bg_color: palette.background,
        warn_fg_color: palette.warning,
        error_fg_color: palette.error,
        window_corner_radius: CornerRadius::same(6),
        menu_corner_radius: CornerRadius::same(5),
        window_fill: palette.panel,
        window_stroke: line,
        window_shadow: shadow,
        popup_shadow: shadow,
        panel_fill: palette.panel,
        ..base
    }
}

fn widgets(palette: &Palette) -> Widgets {
    let look = |fill: Color32, outline: Color32, text: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, outline),
        corner_radius: CornerRadius::same(4),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    let hovered = palette.line.lerp_to_gamma(palette.dim, 0.25);
    Widgets {
        noninteractive: look(palette.panel, palette.line, palette.text),
        inactive: look(palette.raised, Color32::TRANSPARENT, palette.text),
        hovered: look(hovered, Color32::TRANSPARENT, palette.text),
        active: look(hovered, palette.accent, palette.text),
        open: look(palette.raised, Color32::TRANSPARENT, palette.text),
    }
}

pub(super) fn panel_frame(palette: &Palette) -> egui::Frame {
    egui::Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(8, 6))
}

pub(super) fn floating_frame(palette: &Palette) -> egui::Frame {
    egui::Frame::new()
        .fill(palette.panel)
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(12, 10))
}

pub(super) fn snap_to_pixel(painter: &egui::Painter, x: f32) -> f32 {
    painter.round_to_pixel_center(x)
}

pub(super) const ICON_BUTTON: Vec2 = vec2(28.0, 24.0);

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(color: Color32) -> f32 {
        let [r, g, b, _] = egui::Rgba::from(color).to_array();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: Color32, b: Color32) -> f32 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_has_sufficient_contrast() {
        for (theme, palette) in [("dark", DARK), ("light", LIGHT)] {
            for ground in [palette.background, palette.panel] {
                let texts = [
                    ("text", palette.text),
                    ("dim", palette.dim),
                    ("accent", palette.accent),
                    ("left", palette.left),
                    ("right", palette.right),
                    ("neutral", palette.neutral),
                    ("B", palette.recording_color(1)),
                    ("C", palette.recording_color(2)),
                    ("D", palette.recording_color(3)),
                    ("E", palette.recording_color(4)),
                    ("F", palette.recording_color(5)),
                    ("warning", palette.warning),
                    ("error", palette.error),
                ];
                for (name, text) in texts {
                    let contrast = contrast(text, ground);
                    assert!(contrast >= 4.5, "{theme} {name} on {ground:?}: {contrast}");
                }
            }
        }
    }
}
