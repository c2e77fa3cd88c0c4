//! Where the arguments say that labels are.

use crate::{ReportArgs, Status, path_text, tell};
use mutoscope_core::export::InputFiles;
use mutoscope_study::{
    labels::{self, LabelFormat, Labels},
    report::LabelSource,
};

/// The word for the markers of a recording in the place of a file.
const MARKERS: &str = "markers";

/// The source of labels that the arguments name; what a file holds is read. Else, how the program ends.
pub(super) fn label_source(
    args: &ReportArgs,
    inputs: &mut InputFiles,
) -> Result<LabelSource, Status> {
    if args.no_labels {
        return Ok(LabelSource::None);
    }
    let Some(path) = &args.labels else { return Ok(LabelSource::Sidecars) };
    if path.as_os_str() == MARKERS {
        return Ok(LabelSource::Markers);
    }
    let is_one = matches!(&args.sources[..], [one] if one.path().is_none_or(|path| !path.is_dir()));
    let name = path_text(path);
    if !is_one {
        tell(format_args!(
            "error: {name}: --labels is for a single recording; the labels of several are read from beside each, such as \
             take.labels.csv"
        ));
        return Err(Status::WrongUsage);
    }
    let Some(format) = LabelFormat::of_path(path) else {
        tell(format_args!("error: {name}: its extension is none of csv, eaf, TextGrid"));
        return Err(Status::WrongUsage);
    };
    inputs.add(path, "the labels");
    let Labels { labels, notices } = labels::read_file(path, format).map_err(|error| {
        tell(error.message(&name, format));
        Status::Failed
    })?;
    notices.iter().for_each(|notice| tell(labels::message_of_notice(&name, format, notice)));
    Ok(LabelSource::Given(labels))
}
