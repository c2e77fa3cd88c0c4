//! Finds the labels that the arguments name.

use crate::{ReportArgs, Status, format_path, print_message};
use mutoscope_core::export::InputFiles;
use mutoscope_study::{
    labels::{self, LabelFormat, Labels},
    report::LabelSource,
};

const MARKERS: &str = "markers";

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
    let is_single_recording =
        matches!(&args.sources[..], [one] if one.path().is_none_or(|path| !path.is_dir()));
    let name = format_path(path);
    if !is_single_recording {
        print_message(format_args!(
            "error: {name}: --labels is for a single recording. Save the labels of several recordings next to them, \
             as in take.labels.csv"
        ));
        return Err(Status::WrongUsage);
    }
    let Some(format) = LabelFormat::from_path(path) else {
        print_message(format_args!("error: {name}: expected the extension csv, eaf or TextGrid"));
        return Err(Status::WrongUsage);
    };
    inputs.add(path, "the labels");
    let Labels { labels, diagnostics } = labels::read_file(path, format).map_err(|error| {
        print_message(error.message(&name, format));
        Status::Failed
    })?;
    for diagnostic in &diagnostics {
        print_message(labels::message_for_diagnostic(&name, format, diagnostic));
    }
    Ok(LabelSource::Given(labels))
}
