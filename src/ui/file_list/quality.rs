//! Shows the quality of a listed recording, in a line and in full.

use bevy_egui::egui::{Align2, Painter, Pos2, Ui, vec2};

use crate::{
    session::FileOrder,
    ui::{
        display_text,
        style::{Palette, small_font},
        widgets::table,
    },
};
use mutoscope_study::{ClippedEnds, Quality, report::ShortNumber};

const MIN_STILL_S: f64 = 0.5;

/// Paints the measures in a line from `position`, as many as fit into the clip rectangle. The
/// tooltip has all of them.
pub(super) fn summary_ui(
    painter: &Painter,
    palette: &Palette,
    quality: &Quality,
    by: FileOrder,
    mut position: Pos2,
) {
    for (index, (measure, text)) in summary_parts(quality, by).into_iter().enumerate() {
        let color = if measure == by { palette.text } else { palette.dim };
        let text = if index == 0 { text } else { format!(" · {text}") };
        let text = painter.layout_no_wrap(text, small_font(), color);
        let rect = Align2::LEFT_CENTER.anchor_size(position, text.size());
        if index > 0 && rect.right() > painter.clip_rect().right() {
            return;
        }
        painter.galley(rect.min, text, color);
        position = rect.right_center() + vec2(1.0, 0.0);
    }
}

fn summary_parts(quality: &Quality, by: FileOrder) -> Vec<(FileOrder, String)> {
    let orders = FileOrder::ALL.into_iter().filter(|measure| *measure != FileOrder::Listed);
    let mut parts: Vec<(FileOrder, String)> = orders
        .filter_map(|measure| Some((measure, summary_part(quality, measure, measure == by)?)))
        .collect();
    parts.sort_by_key(|(measure, _)| *measure != by);
    parts
}

fn summary_part(quality: &Quality, measure: FileOrder, is_sorted_by: bool) -> Option<String> {
    let is_notable = |is: bool| is || is_sorted_by;
    let known = match measure {
        FileOrder::Listed
        | FileOrder::Name
        | FileOrder::Modified
        | FileOrder::Duration
        | FileOrder::Size
        | FileOrder::Issues => return None,
        FileOrder::Loss => quality.loss.filter(|loss| is_notable(*loss > 0.0)).map(format_loss),
        // Few people can judge a value in m/s³, so it is shown only where it explains the order.
        FileOrder::Jerk => quality
            .jerk
            .filter(|_| is_sorted_by)
            .map(|jerk| format!("shakiness {}", ShortNumber(jerk))),
        FileOrder::Still => {
            let still = quality.still.filter(|still| is_notable(*still >= MIN_STILL_S));
            still.map(|still| format!("{} without motion", short_duration(still)))
        }
        FileOrder::Clipped => {
            let ends = quality.clipped.filter(|ends| is_notable(*ends != ClippedEnds::None));
            ends.map(|ends| describe_clipped_ends(ends).to_owned())
        }
    };
    known.or_else(|| is_sorted_by.then(|| "unknown".to_owned()))
}

fn short_duration(seconds: f64) -> String {
    if seconds < 59.5 {
        return format!("{} s", display_text::format_decimal(seconds, 1));
    }
    display_text::format_duration(seconds)
}

fn format_loss(loss: f64) -> String {
    match 100.0 * loss {
        percent if percent > 0.0 && percent < 0.1 => "< 0.1 % lost".to_owned(),
        percent => format!("{} % lost", display_text::format_decimal(percent, 1)),
    }
}

fn describe_clipped_ends(ends: ClippedEnds) -> &'static str {
    match ends {
        ClippedEnds::None => "starts and ends at rest",
        ClippedEnds::Start => "starts in motion",
        ClippedEnds::End => "ends in motion",
        ClippedEnds::Both => "starts and ends in motion",
    }
}

pub(super) fn table_ui(ui: &mut Ui, quality: &Quality) {
    let unknown = || "unknown".to_owned();
    let rows = [
        ("Lost tracking", quality.loss.map(format_loss)),
        ("Shakiness (jerk)", quality.jerk.map(|jerk| format!("{} m/s³", ShortNumber(jerk)))),
        ("Longest time without motion", quality.still.map(display_text::format_duration)),
        ("Cut-off motion", quality.clipped.map(|ends| describe_clipped_ends(ends).to_owned())),
    ];
    table("quality", 2).show(ui, |ui| {
        for (name, value) in rows {
            ui.label(name);
            ui.label(value.unwrap_or_else(unknown));
            ui.end_row();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(quality: &Quality, by: FileOrder) -> String {
        let parts = summary_parts(quality, by).into_iter().map(|(_, text)| text);
        parts.collect::<Vec<_>>().join(" · ")
    }

    #[test]
    fn line_begins_with_the_sort_measure_and_omits_good_values() {
        let fine = Quality {
            loss: Some(0.0),
            jerk: Some(41.27),
            still: Some(0.2),
            clipped: Some(ClippedEnds::None),
        };
        assert_eq!(line(&fine, FileOrder::Listed), "");
        assert_eq!(line(&fine, FileOrder::Loss), "0 % lost");
        assert_eq!(line(&fine, FileOrder::Jerk), "shakiness 41.3");
        assert_eq!(line(&fine, FileOrder::Clipped), "starts and ends at rest");
        let bad = Quality {
            loss: Some(0.1234),
            jerk: None,
            still: Some(3.2),
            clipped: Some(ClippedEnds::End),
        };
        assert_eq!(
            line(&bad, FileOrder::Still),
            "3.2 s without motion · 12.3 % lost · ends in motion"
        );
        let expected = "unknown · 12.3 % lost · 3.2 s without motion · ends in motion";
        assert_eq!(line(&bad, FileOrder::Jerk), expected);
        assert_eq!(line(&Quality::default(), FileOrder::Listed), "");
        assert_eq!(format_loss(0.0001), "< 0.1 % lost");
    }
}
