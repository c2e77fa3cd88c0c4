//! The examples at the end of the help of each subcommand.
//!
//! Tests parse each line that begins with `mutoscope`.

pub(crate) const ALL: &str = "\
Examples:
  mutoscope info take.bin                        what it contains
  mutoscope check recordings/                    every problem, for CI
  mutoscope convert take.bin -o take.glb         for Blender and other tools
  mutoscope compare a.bin b.bin --align          how far apart two recordings are
  mutoscope help formats                         the formats that are read
  mutoscope help targets                         the targets of convert";

pub(crate) const INFO: &str = "\
Examples:
  mutoscope info take.bin
  mutoscope info --json *.anim
  mutoscope info Metroid1.pak                    the characters and animations of an archive
  mutoscope info --animation B_walk Metroid1.pak";

pub(crate) const CHECK: &str = "\
Examples:
  mutoscope check take.bin
  mutoscope check --all take.bin                 also jumps, standstills and lost tracking
  mutoscope check --json recordings/             one JSON object a line
  mutoscope check --verdict recordings/          pass, review or fail, one line a file
  mutoscope check --verdict --profile study-hands --strict recordings/";

pub(crate) const SAMPLE: &str = "\
Examples:
  mutoscope sample --times 0,0.5,1 take.bin
  mutoscope sample --fps 30 --range 0..2 --format csv take.bin
  mutoscope sample --tracks --times 0.5 walk.anim      the file's own values";

pub(crate) const CONVERT: &str = "\
Examples:
  mutoscope convert take.bin -o take.glb
  mutoscope convert walk.anim --rig body.glb -o walk.bvh --fps 30
  mutoscope convert walk.bvh --rig avatar.vrm --retarget auto -o avatar-walk.glb
  mutoscope convert take.bin -o cut.csv --range 0.5..2
  mutoscope convert --to parquet -o tables/ recordings/
  mutoscope help targets                         the targets";

pub(crate) const COMPARE: &str = "\
Examples:
  mutoscope compare a.bin b.bin
  mutoscope compare --align a.bin b.bin          finds the offset by motion
  mutoscope compare --joint left_hip,Head=head a.bvh b.glb";

pub(crate) const INDEX: &str = "\
Examples:
  mutoscope index -o index.csv recordings/
  mutoscope index -o index.parquet recordings/   run it again: unchanged recordings are not read again
  mutoscope index -o index.jsonl --no-checks recordings/ more/";

pub(crate) const COLUMNS: &str = "\
Examples:
  mutoscope columns take.csv                     how its columns are read, and what is not certain
  mutoscope columns --read 1.2 take.csv          with the second reading of the first question
  mutoscope info --columns hands.toml take.csv   reads it with an edited mapping";

pub(crate) const BONES: &str = "\
Examples:
  mutoscope bones --rig avatar.vrm walk.bvh      the bone map, to save as map.json
  mutoscope convert --rig avatar.vrm --retarget map.json walk.bvh -o out.glb";

pub(crate) const REPORT: &str = "\
Examples:
  mutoscope report take.bin -o report.html       a page to read
  mutoscope report recordings/ -o report.csv     a row for each take and label, and tables of events
  mutoscope report take.bin --labels take.eaf -o report.json";

pub(crate) const LABELS: &str = "\
Examples:
  mutoscope labels take.eaf -o take.labels.csv   from ELAN
  mutoscope labels take.labels.csv -o take.TextGrid";
