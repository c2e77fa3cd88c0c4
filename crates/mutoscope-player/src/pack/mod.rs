//! Recordings as blocks of compressed bytes, which the player reads.
//!
//! Block 0 is the head, JSON. The others are chunks of motion and the meshes, which the head names. Each
//! is compressed by deflate on its own, so that a player unpacks what it needs.
//!
//! | file | what it does |
//! |---|---|
//! | `budget` | how far each node may be off |
//! | `quantise` | positions and rotations as whole numbers |
//! | `chunks` | curves cut into chunks of time |
//! | `motion` | the motion of nodes, figures and views |
//! | `meshes` | models and the shapes of figures |
//! | `describe` | nodes, signals and events |
//! | `bytes` | whole numbers in few bytes |

mod budget;
mod bytes;
mod chunks;
mod describe;
mod meshes;
mod motion;
mod quantise;

use std::io;

use mutoscope_core::{
    clip::{Clip, Skeleton},
    export::{ExportError, ExportOptions, Job, Report, Watch, counted, traced},
};
use serde::Serialize;

pub use budget::Bounds;

use crate::{PageRecording, PageView};
use bytes::deflated;
use describe::Recording;
use meshes::Meshes;

/// The first bytes of a file of blocks.
const MAGIC: &[u8; 8] = b"MUTOPLAY";

/// Recordings as blocks of compressed bytes.
#[derive(Debug)]
pub struct Pack {
    /// The head and what it names, each compressed by deflate without a header.
    pub blocks: Vec<Vec<u8>>,
    /// The events of all recordings, for the table: time on the clock in seconds, node, words.
    pub(crate) events: Vec<(f64, String, String)>,
    /// Remarks, for each recording.
    pub(crate) remarks: Vec<(String, Vec<String>)>,
}

/// The head.
#[derive(Serialize)]
struct Head<'a> {
    /// The version of this format.
    version: u32,
    writer: &'static str,
    title: &'a str,
    view: &'a PageView,
    recordings: Vec<Recording>,
}

impl Pack {
    /// Packs `recordings` within `bounds`, or exactly.
    ///
    /// # Errors
    /// If it is cancelled, or there are too many keys.
    pub fn new(
        title: &str,
        view: &PageView,
        recordings: &[PageRecording<'_>],
        bounds: Option<Bounds>,
        report: &mut Report,
        watch: &mut Watch<'_>,
    ) -> Result<Self, ExportError> {
        let mut packed = Vec::with_capacity(recordings.len());
        let mut blocks = vec![Vec::new()];
        for (index, recording) in recordings.iter().enumerate() {
            let end = 0.95 * (index + 1) as f64 / recordings.len() as f64;
            watch.now_up_to(end);
            let mut own = Report::default();
            let one = pack(recording, bounds, &mut blocks, &mut own, (watch, end))?;
            for remark in own.remarks() {
                let message = match recordings.len() {
                    1 => remark.message.clone(),
                    _ => format!("{}: {}", one.name, remark.message),
                };
                match remark.severity {
                    mutoscope_core::diagnostics::Severity::Info => report.info(message),
                    _ => report.warning(message),
                }
            }
            packed.push(one);
        }
        let on_clock = |one: &Recording, time: f64| one.offset + time / one.rate;
        let event = |one: &Recording| {
            let events = one.events.iter();
            let row = |event: &describe::EventAt| {
                (on_clock(one, event.time()), event.node().to_owned(), event.words.clone())
            };
            events.map(row).collect::<Vec<_>>()
        };
        let mut events: Vec<_> = packed.iter().flat_map(event).collect();
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        let remarks = packed.iter().map(|one| (one.name.clone(), one.remarks.clone())).collect();
        let head = Head {
            version: 1,
            writer: concat!("mutoscope ", env!("CARGO_PKG_VERSION")),
            title,
            view,
            recordings: packed,
        };
        blocks[0] = deflated(&serde_json::to_vec(&head).map_err(io::Error::from)?)?;
        Ok(Self { blocks, events, remarks })
    }

    /// The blocks as one file: its mark, the number of blocks and the length of each, four bytes each and
    /// little-endian, then the blocks.
    ///
    /// # Errors
    /// If a block has 4 GiB or more.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ExportError> {
        let mut file = MAGIC.to_vec();
        let number = |number: usize| {
            let too_much = || ExportError::TooMuch(counted(number, "byte"));
            u32::try_from(number).map(u32::to_le_bytes).map_err(|_| too_much())
        };
        file.extend(number(self.blocks.len())?);
        for block in &self.blocks {
            file.extend(number(block.len())?);
        }
        self.blocks.iter().for_each(|block| file.extend_from_slice(block));
        Ok(file)
    }
}

/// Packs a recording, and adds its blocks.
fn pack(
    recording: &PageRecording<'_>,
    bounds: Option<Bounds>,
    blocks: &mut Vec<Vec<u8>>,
    report: &mut Report,
    (watch, end): (&mut Watch<'_>, f64),
) -> Result<Recording, ExportError> {
    let placed = placed(recording.clip, report);
    let clip = placed.as_ref().unwrap_or(recording.clip);
    let job = job(clip, recording.options);
    let (nodes, palms, size) = describe::nodes(clip);
    let mut meshes = Meshes::new(bounds.is_none());
    let motion = motion::pack(&job, bounds, nodes, &mut meshes, report, (watch, end))?;
    meshes.report(report);
    let signals = describe::signals(&job, report)?;
    let events = describe::events(&job);
    let block = blocks.len();
    for bytes in motion.chunks {
        watch.ask()?;
        blocks.push(deflated(&bytes)?);
    }
    let mesh_bytes = meshes.take_bytes();
    let mesh_block = (!mesh_bytes.is_empty()).then_some(blocks.len());
    if mesh_block.is_some() {
        blocks.push(deflated(&mesh_bytes)?);
    }
    job.report_start_kept(report);
    let remarks = report.remarks().iter().map(|remark| remark.message.clone()).collect();
    Ok(Recording {
        name: recording.name(),
        source: recording.options.title.clone(),
        format: clip.format.word(),
        version: clip.version.clone(),
        subject: clip.subject.clone(),
        span: [job.from, job.to],
        offset: recording.offset,
        rate: recording.rate,
        looping: clip.is_looping,
        rate_hz: clip.rate_hz,
        tint: recording.tint,
        convention: describe::convention(clip),
        origin: traced::origin(&job).to_array(),
        bounds: motion.bounds,
        figure_bounds: motion.figure_bounds,
        tick: motion.tick,
        chunks: motion.bounds_of_chunks,
        block,
        size,
        loose: clip.is_loose(),
        root: clip.root_motion_node().map(mutoscope_core::clip::NodeId::index),
        nodes: motion.nodes,
        palms,
        signals,
        events,
        meshes,
        mesh_block,
        remarks,
    })
}

/// The clip with placeholder offsets where its bones have no positions without a skeleton.
fn placed(clip: &Clip, report: &mut Report) -> Option<Clip> {
    let Skeleton::Unplaced(_) = &clip.skeleton else {
        if clip.is_nowhere() {
            report.warning(
                "nothing is visible: the file has no positions of bones. Attach its skeleton: --rig",
            );
        }
        return None;
    };
    report.warning(
        "bones have no positions in the file; using placeholder offsets. Attach its skeleton: --rig",
    );
    Some(clip.clone().with_placeholder_offsets())
}

/// The job of packing a clip by `options`.
fn job<'a>(clip: &'a Clip, options: &'a ExportOptions) -> Job<'a> {
    let whole = clip.span.start..=clip.span.end();
    let (from, to) = options.range.clone().unwrap_or(whole).into_inner();
    let source = options.title.as_str();
    let title = if clip.name.is_empty() { source } else { &clip.name };
    /// Keys of a page may be nearer than those of targets for other programs, for what turns fast.
    const SHORTEST: f64 = 1e-5;
    let (to, rate) = (to.max(from), options.rate);
    Job { clip, title, source, from, to, rate, shortest: SHORTEST }
}

/// Remarks of a page that other targets have no use for.
trait ReportOfPage {
    fn report_start_kept(&self, report: &mut Report);
}

impl ReportOfPage for Job<'_> {
    /// Says that times are those of the recording, where only a part of it was written.
    fn report_start_kept(&self, report: &mut Report) {
        if self.from != self.clip.span.start || self.to != self.clip.span.end() {
            report.info(format!("from {} to {} s of the recording", self.from, self.to));
        }
    }
}
