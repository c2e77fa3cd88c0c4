//! The times of frames, from what ffmpeg's filter `showinfo` reports.

/// Reads the report, line by line.
///
/// Times are whole numbers of a time base: the seconds that are printed with them are rounded to six figures,
/// which is several frames in a long video.
#[derive(Debug, Default)]
pub(super) struct ShownTimes {
    /// How many seconds a unit of the time base is.
    base: Option<f64>,
}

/// The content of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Line {
    /// A frame comes, with its time stamp in seconds; nothing where it has none.
    Frame(Option<f64>),
    /// Something else of the report.
    Other,
    /// No part of the report.
    NoReport,
}

impl ShownTimes {
    /// Reads `line`.
    pub(super) fn read(&mut self, line: &str) -> Line {
        let report = line.strip_prefix("[Parsed_showinfo_").and_then(|rest| rest.split_once("] "));
        let Some((_, report)) = report else { return Line::NoReport };
        if let Some(base) = value_after(report, "config in time_base:") {
            self.base = base.split_once('/').and_then(|(above, below)| {
                let base = above.parse::<f64>().ok()? / below.parse::<f64>().ok()?;
                (base.is_finite() && base > 0.0).then_some(base)
            });
            return Line::Other;
        }
        if !report.starts_with("n:") {
            return Line::Other;
        }
        let units = value_after(report, " pts:").and_then(|units| units.parse::<i64>().ok());
        Line::Frame(units.zip(self.base).map(|(units, base)| units as f64 * base))
    }
}

/// The word after `name`.
fn value_after<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(name)?;
    rest.trim_start().split([' ', ',']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_whole_numbers_of_the_time_base() {
        let mut times = ShownTimes::default();
        let frame = "[Parsed_showinfo_2 @ 0x55b5] n:   0 pts: 219600 pts_time:2.44    pos:  60536";
        assert_eq!(times.read(frame), Line::Frame(None), "before the base is known");
        let base = "[Parsed_showinfo_2 @ 0x55b5] config in time_base: 1/90000, frame_rate: 25/1";
        assert_eq!(times.read(base), Line::Other);
        assert_eq!(times.read(frame), Line::Frame(Some(2.44)));
        let other = "[Parsed_showinfo_2 @ 0x55b5] color_range:pc color_space:gbr";
        assert_eq!(times.read(other), Line::Other);
        let without = "[Parsed_showinfo_2 @ 0x55b5] n:   1 pts: NOPTS pts_time:NOPTS";
        assert_eq!(times.read(without), Line::Frame(None));
        assert_eq!(times.read("clip.mp4: Invalid data found"), Line::NoReport);
        // Two hours and one frame: seconds with six figures are the same.
        let late = "[Parsed_showinfo_2 @ 0x55b5] n:   1 pts: 648003000 pts_time:7200.03 ";
        assert_eq!(times.read(late), Line::Frame(Some(648_003_000.0 / 90_000.0)));
    }
}
