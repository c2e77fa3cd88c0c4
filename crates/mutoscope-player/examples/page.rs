//! A page with several recordings on one clock, which `mutoscope convert` has no word for.
//!
//!     cargo run -p mutoscope-player --example page -- OUT.html FILE...

use std::{error::Error, fs::File, io::BufWriter, path::Path};

use mutoscope_core::{
    clip::Clip,
    export::{ExportOptions, Progress},
    formats::ReadOptions,
    read::{Source, open},
};
use mutoscope_player::{Page, PageRecording};

/// The colours of the second recording and those after it.
const TINTS: [[u8; 3]; 3] = [[0xff, 0xb4, 0x54], [0xb7, 0x9c, 0xf5], [0x7f, 0xe3, 0xc4]];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let output = arguments.next().ok_or("usage: page OUT.html FILE...")?;
    let files: Vec<_> = arguments.collect();
    let read_options = ReadOptions {
        with_model: true,
        ..ReadOptions::default().with_formats(mutoscope_minecraft::formats())
    };
    let mut clips: Vec<(Clip, ExportOptions)> = Vec::new();
    for file in &files {
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let recording = open(&Source::from(file.clone()), &read_options)
            .map_err(|error| format!("{name}: {error}"))?;
        let clip = recording.clip;
        clips.push((clip, ExportOptions { title: name, ..ExportOptions::default() }));
    }
    let recording = |(index, (clip, options))| {
        let tint = usize::checked_sub(index, 1).map(|index| TINTS[index % TINTS.len()]);
        PageRecording { tint, ..PageRecording::new(clip, options) }
    };
    let recordings = clips.iter().map(|(clip, options)| (clip, options)).enumerate();
    let page = Page::new("Recordings", recordings.map(recording).collect());
    let mut out = BufWriter::new(File::create(output)?);
    let report = page.write(&mut out, &mut Progress::default())?;
    report.remarks().iter().for_each(|remark| println!("{}", remark.message));
    Ok(())
}
