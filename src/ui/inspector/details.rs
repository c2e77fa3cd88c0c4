//! Details of the selected node that are not in a track.

use bevy_egui::egui::{Frame, Label, Margin, RichText, Ui};

use crate::ui::{
    display_text,
    style::{Palette, small_mono_font},
    widgets::heading,
};
use mutoscope_core::clip::{Clip, NodeId};

pub(super) fn details_ui(ui: &mut Ui, clip: &Clip, node: NodeId, time: f64) {
    for detail in clip.details(node, time) {
        heading(ui, &display_text::capitalised(&detail.label));
        let fill = Palette::for_visuals(ui.visuals()).background;
        let frame = Frame::new().fill(fill).corner_radius(3).inner_margin(Margin::same(5));
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            let text = RichText::new(&detail.text).font(small_mono_font());
            ui.add(Label::new(text).wrap().selectable(true));
        });
    }
}
