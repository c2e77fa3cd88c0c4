//! Parses the times of frames in the report of ffmpeg's `showinfo` filter.

/// Parses the messages of ffmpeg's `showinfo` filter line by line.
///
/// A frame time is computed as an integer multiple of the time base. The filter also prints
/// seconds, but with only six significant digits. In a long video, that would be an error of
/// several frames.
#[derive(Debug, Default)]
pub(super) struct FrameTimeParser {
    /// The unit of time stamps, in seconds. `None` until the filter has printed it.
    time_base: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ReportLine {
    /// A frame with its time stamp in seconds, or `None` if it has no valid time stamp.
    Frame(Option<f64>),
    /// Another line from the `showinfo` filter.
    Other,
    /// A line from another part of ffmpeg.
    NoReport,
}

impl FrameTimeParser {
    pub(super) fn read_line(&mut self, line: &str) -> ReportLine {
        let report = line.strip_prefix("[Parsed_showinfo_").and_then(|rest| rest.split_once("] "));
        let Some((_, report)) = report else { return ReportLine::NoReport };
        if let Some(base) = word_after(report, "config in time_base:") {
            self.time_base = base.split_once('/').and_then(|(numerator, denominator)| {
                let base = numerator.parse::<f64>().ok()? / denominator.parse::<f64>().ok()?;
                (base.is_finite() && base > 0.0).then_some(base)
            });
            return ReportLine::Other;
        }
        if !report.starts_with("n:") {
            return ReportLine::Other;
        }
        let units = word_after(report, " pts:").and_then(|units| units.parse::<i64>().ok());
        ReportLine::Frame(units.zip(self.time_base).map(|(units, base)| units as f64 * base))
    }
}

fn word_after<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(name)?;
    rest.trim_start().split([' ', ',']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_times_are_multiples_of_the_time_base() {
        let mut parser = FrameTimeParser::default();
        let frame = "[Parsed_showinfo_2 @ 0x55b5] n:   0 pts: 219600 pts_time:2.44    pos:  60536";
        assert_eq!(parser.read_line(frame), ReportLine::Frame(None), "before the base is known");
        let base = "[Parsed_showinfo_2 @ 0x55b5] config in time_base: 1/90000, frame_rate: 25/1";
        assert_eq!(parser.read_line(base), ReportLine::Other);
        assert_eq!(parser.read_line(frame), ReportLine::Frame(Some(2.44)));
        let other = "[Parsed_showinfo_2 @ 0x55b5] color_range:pc color_space:gbr";
        assert_eq!(parser.read_line(other), ReportLine::Other);
        let without = "[Parsed_showinfo_2 @ 0x55b5] n:   1 pts: NOPTS pts_time:NOPTS";
        assert_eq!(parser.read_line(without), ReportLine::Frame(None));
        assert_eq!(parser.read_line("clip.mp4: Invalid data found"), ReportLine::NoReport);
        // After two hours and one frame, the printed seconds no longer distinguish neighbouring
        // frames.
        let late = "[Parsed_showinfo_2 @ 0x55b5] n:   1 pts: 648003000 pts_time:7200.03 ";
        assert_eq!(parser.read_line(late), ReportLine::Frame(Some(648_003_000.0 / 90_000.0)));
    }
}
