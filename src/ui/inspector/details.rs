//! Details of the selected node that no track has.

use bevy_egui::egui::{Frame, Label, Margin, RichText, Ui};

use crate::ui::{
    style::{Palette, small_mono},
    widgets::heading,
    words,
};
use mutoscope_core::clip::{Clip, NodeId};

/// The data of held items and the like, each under a heading of its own.
pub(super) fn details_ui(ui: &mut Ui, clip: &Clip, node: NodeId, time: f64) {
    for detail in clip.details(node, time) {
        heading(ui, &words::capitalised(&detail.label));
        let fill = Palette::of(ui.visuals()).background;
        let frame = Frame::new().fill(fill).corner_radius(3).inner_margin(Margin::same(5));
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            let text = RichText::new(&detail.text).font(small_mono());
            ui.add(Label::new(text).wrap().selectable(true));
        });
    }
}
