//! The quality of a listed recording, in a line and in full.

use bevy_egui::egui::{Align2, Painter, Pos2, Ui, vec2};

use crate::{
    session::FileOrder,
    ui::{
        style::{Palette, small},
        widgets::table,
        words,
    },
};
use mutoscope_study::{ClippedEnds, Quality, report::Short};

/// A still stretch that is shorter is no news, in seconds.
const SHORT: f64 = 0.5;

/// The quality in a line that begins at `place`: first what the list is sorted by, brighter; then what is worth a look.
pub(super) fn glance_ui(
    painter: &Painter,
    palette: &Palette,
    (quality, by): (&Quality, FileOrder),
    mut place: Pos2,
) {
    for (index, (of, text)) in glance(quality, by).into_iter().enumerate() {
        let color = if of == by { palette.text } else { palette.dim };
        let text = if index == 0 { text } else { format!(" · {text}") };
        place = painter.text(place, Align2::LEFT_CENTER, text, small(), color).right_center()
            + vec2(1.0, 0.0);
    }
}

/// The parts of the line, each with what it is about.
fn glance(quality: &Quality, by: FileOrder) -> Vec<(FileOrder, String)> {
    let orders = FileOrder::ALL.into_iter().filter(|of| *of != FileOrder::Listed);
    let mut parts: Vec<(FileOrder, String)> =
        orders.filter_map(|of| Some((of, part(quality, of, of == by)?))).collect();
    parts.sort_by_key(|(of, _)| *of != by);
    parts
}

/// A part of the line; nothing if it is no news, unless the list is sorted by it.
fn part(quality: &Quality, of: FileOrder, is_sorted_by: bool) -> Option<String> {
    let is_news = |is: bool| is || is_sorted_by;
    let known = match of {
        FileOrder::Listed => None,
        FileOrder::Loss => quality.loss.filter(|loss| is_news(*loss > 0.0)).map(lost),
        FileOrder::Jerk => quality.jerk.map(|jerk| format!("jerk {}", Short(jerk))),
        FileOrder::Still => {
            let still = quality.still.filter(|still| is_news(*still >= SHORT));
            still.map(|still| format!("still {}", short_duration(still)))
        }
        FileOrder::Clipped => {
            let ends = quality.clipped.filter(|ends| is_news(*ends != ClippedEnds::None));
            ends.map(|ends| cut(ends).to_owned())
        }
    };
    known.or_else(|| is_sorted_by.then(|| "unknown".to_owned()))
}

/// A duration in few characters: `2.4 s`, `1:05 min`.
fn short_duration(seconds: f64) -> String {
    if seconds < 59.5 {
        return format!("{} s", words::trimmed(seconds, 1));
    }
    words::duration(seconds)
}

fn lost(loss: f64) -> String {
    match 100.0 * loss {
        percent if percent > 0.0 && percent < 0.1 => "< 0.1 % lost".to_owned(),
        percent => format!("{} % lost", words::trimmed(percent, 1)),
    }
}

fn cut(ends: ClippedEnds) -> &'static str {
    match ends {
        ClippedEnds::None => "ends at rest",
        ClippedEnds::Start => "cut at start",
        ClippedEnds::End => "cut at end",
        ClippedEnds::Both => "cut at both ends",
    }
}

/// All of it, as rows with names and units.
pub(super) fn whole_ui(ui: &mut Ui, quality: &Quality) {
    let unknown = || "unknown".to_owned();
    let rows = [
        ("Loss", quality.loss.map(lost)),
        ("Jerk", quality.jerk.map(|jerk| format!("{} m/s³", Short(jerk)))),
        ("Longest still stretch", quality.still.map(words::duration)),
        ("Clipped ends", quality.clipped.map(|ends| cut(ends).to_owned())),
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
        let parts = glance(quality, by).into_iter().map(|(_, text)| text);
        parts.collect::<Vec<_>>().join(" · ")
    }

    #[test]
    fn line_begins_with_what_is_sorted_by_and_leaves_out_what_is_no_news() {
        let fine = Quality {
            loss: Some(0.0),
            jerk: Some(41.27),
            still: Some(0.2),
            clipped: Some(ClippedEnds::None),
        };
        assert_eq!(line(&fine, FileOrder::Listed), "jerk 41.3");
        assert_eq!(line(&fine, FileOrder::Loss), "0 % lost · jerk 41.3");
        assert_eq!(line(&fine, FileOrder::Clipped), "ends at rest · jerk 41.3");
        let bad = Quality {
            loss: Some(0.1234),
            jerk: None,
            still: Some(3.2),
            clipped: Some(ClippedEnds::End),
        };
        assert_eq!(line(&bad, FileOrder::Still), "still 3.2 s · 12.3 % lost · cut at end");
        assert_eq!(line(&bad, FileOrder::Jerk), "unknown · 12.3 % lost · still 3.2 s · cut at end");
        assert_eq!(line(&Quality::default(), FileOrder::Listed), "");
        assert_eq!(lost(0.0001), "< 0.1 % lost");
    }
}
