//! Packs recordings into blocks of compressed bytes, which the player reads.
//!
//! Block 0 is the head, in JSON. The head refers to the other blocks: chunks of motion, and meshes.
//! Each block is compressed by deflate on its own, so that the player only unpacks what it needs.
//!
//! | file | what it does |
//! |---|---|
//! | `budget` | distributes the error bounds over the nodes |
//! | `quantise` | writes positions and rotations as integers |
//! | `spline` | fits splines through some of a curve's keys |
//! | `chunks` | cuts curves into chunks of time |
//! | `motion` | packs the motion of nodes, figures and views |
//! | `meshes` | packs models and the meshes of figures |
//! | `describe` | describes nodes, signals and events |
//! | `bytes` | writes integers in as few bytes as they need |

mod budget;
mod bytes;
mod chunks;
mod describe;
mod meshes;
mod motion;
mod quantise;
mod spline;

use std::io;

use mutoscope_core::{
    clip::{Clip, Skeleton},
    diagnostics::format_count,
    export::{ExportError, ExportOptions, Job, Progress, Report, TimeSteps, traced},
    io::parallel::map_in_order,
};
use serde::Serialize;

pub use budget::Bounds;

use crate::{PageRecording, PageView, page::TARGET};
use bytes::{BlockContent, deflate};
use describe::Recording;
use meshes::Meshes;

const MAGIC: &[u8; 8] = b"MUTOPLAY";

/// Recordings as blocks of compressed bytes.
#[derive(Debug)]
pub struct Pack {
    /// The head, then the blocks that it refers to. Each block is compressed by raw deflate,
    /// without a zlib or gzip header.
    pub blocks: Vec<Vec<u8>>,
    pub(crate) events: Vec<(f64, String, String)>,
    pub(crate) remarks: Vec<(String, Vec<String>)>,
}

#[derive(Serialize)]
struct Head<'a> {
    version: u32,
    writer: &'static str,
    title: &'a str,
    view: &'a PageView,
    recordings: Vec<Recording>,
}

impl Pack {
    /// Packs `recordings`. If the errors of nodes exceed `bounds`, `report` gets a warning. If
    /// `bounds` is `None`, every key is kept.
    ///
    /// # Errors
    /// Returns an error if the export is cancelled, or if there are too many keys.
    pub fn new(
        title: &str,
        view: &PageView,
        recordings: &[PageRecording<'_>],
        bounds: Option<Bounds>,
        report: &mut Report,
        progress: &mut Progress<'_>,
    ) -> Result<Self, ExportError> {
        let mut packed = Vec::with_capacity(recordings.len());
        let mut blocks = vec![Vec::new()];
        for (index, recording) in recordings.iter().enumerate() {
            let end = 0.95 * (index + 1) as f64 / recordings.len() as f64;
            let mut recording_report = Report::default();
            let packed_recording = pack_recording(
                recording,
                bounds,
                &mut blocks,
                &mut recording_report,
                &mut progress.begin_nested(end),
            )?;
            for remark in recording_report.remarks() {
                let message = match recordings.len() {
                    1 => remark.message.clone(),
                    _ => format!("{}: {}", packed_recording.name, remark.message),
                };
                match remark.severity {
                    mutoscope_core::diagnostics::Severity::Info => report.info(message),
                    _ => report.warning(message),
                }
            }
            packed.push(packed_recording);
        }
        let on_clock = |one: &Recording, time: f64| one.offset + time / one.rate;
        let event = |one: &Recording| {
            let events = one.events.iter();
            let row = |event: &describe::EventDescription| {
                (on_clock(one, event.time()), event.node().to_owned(), event.words.clone())
            };
            events.map(row).collect::<Vec<_>>()
        };
        let mut events: Vec<_> = packed.iter().flat_map(event).collect();
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        let remarks = packed.iter().map(|one| (one.name.clone(), one.remarks.clone())).collect();
        let head = Head {
            version: 2,
            writer: concat!("mutoscope ", env!("CARGO_PKG_VERSION")),
            title,
            view,
            recordings: packed,
        };
        let head = serde_json::to_vec(&head).map_err(io::Error::from)?;
        blocks[0] = deflate(&head, BlockContent::General);
        Ok(Self { blocks, events, remarks })
    }

    /// Returns the blocks as one file: the magic bytes, the number of blocks, the length of each
    /// block, then the blocks. Numbers are four bytes, little-endian.
    ///
    /// # Errors
    /// Returns an error if a block has 4 GiB or more.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ExportError> {
        let mut file = MAGIC.to_vec();
        let number = |number: usize| {
            let too_large = || ExportError::LimitExceeded(format_count(number, "byte"));
            u32::try_from(number).map(u32::to_le_bytes).map_err(|_| too_large())
        };
        file.extend(number(self.blocks.len())?);
        for block in &self.blocks {
            file.extend(number(block.len())?);
        }
        self.blocks.iter().for_each(|block| file.extend_from_slice(block));
        Ok(file)
    }
}

fn pack_recording(
    recording: &PageRecording<'_>,
    bounds: Option<Bounds>,
    blocks: &mut Vec<Vec<u8>>,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<Recording, ExportError> {
    let with_offsets = add_placeholder_offsets(recording.clip, report);
    let clip = with_offsets.as_ref().unwrap_or(recording.clip);
    let clip = &*TARGET.prepare_clip(clip, recording.options)?;
    recording.options.motion.report(report);
    let job = create_job(clip, recording.options);
    let (nodes, palms, size) = describe::describe_nodes(clip);
    let mut meshes = Meshes::new(bounds.is_none());
    let sticks = describe::describe_sticks(clip, &nodes);
    let mut motion = motion::pack_motion(&job, bounds, nodes, &mut meshes, report, progress)?;
    meshes.report(report);
    let body = describe::describe_bodies(clip, &mut motion.nodes, &mut meshes);
    let signals = describe::describe_signals(&job, report)?;
    let events = describe::describe_events(&job);
    let block = blocks.len();
    let compress = |chunk: usize, _: &mut Progress<'_>| {
        Ok(deflate(&motion.chunks[chunk], BlockContent::Residuals))
    };
    progress.begin_phase(1.0);
    map_in_order(motion.chunks.len(), progress, compress, |_, compressed| {
        blocks.push(compressed);
        Ok::<_, ExportError>(())
    })?;
    let mesh_bytes = meshes.take_bytes();
    let mesh_block = (!mesh_bytes.is_empty()).then_some(blocks.len());
    if mesh_block.is_some() {
        blocks.push(deflate(&mesh_bytes, BlockContent::General));
    }
    report_partial_range(&job, report);
    let remarks = report.remarks().iter().map(|remark| remark.message.clone()).collect();
    Ok(Recording {
        name: recording.display_name(),
        source: recording.options.title.clone(),
        format: clip.format.as_str(),
        version: clip.version.clone(),
        subject: clip.subject.clone(),
        span: [job.from, job.to],
        offset: recording.offset,
        rate: recording.rate,
        looping: clip.is_looping,
        rate_hz: clip.rate_hz,
        tint: recording.tint,
        convention: describe::describe_convention(clip),
        origin: traced::choose_origin(&job).to_array(),
        bounds: motion.bounds,
        figure_bounds: motion.figure_bounds,
        tick: motion.tick,
        chunks: motion.chunk_boundaries,
        block,
        size,
        loose: clip.has_only_rigid_bodies(),
        // Without bones, no node carries the others, so following a root would be wrong.
        root: (clip.root_motion_node().filter(|_| !clip.has_only_loose_nodes()))
            .map(mutoscope_core::clip::NodeId::index),
        nodes: motion.nodes,
        palms,
        sticks,
        body,
        signals,
        events,
        meshes,
        mesh_block,
        remarks,
    })
}

fn add_placeholder_offsets(clip: &Clip, report: &mut Report) -> Option<Clip> {
    let Skeleton::WithoutOffsets(_) = &clip.skeleton else {
        if clip.needs_skeleton() {
            report.warning(
                "nothing is visible: the file has no bone positions. Attach its skeleton with --rig",
            );
        }
        return None;
    };
    report.warning(
        "the file has no bone positions; using placeholder offsets. Attach its skeleton with --rig",
    );
    Some(clip.clone().with_placeholder_offsets())
}

fn create_job<'a>(clip: &'a Clip, options: &'a ExportOptions) -> Job<'a> {
    let whole = clip.span.start..=clip.span.end();
    let (from, to) = options.written_range().unwrap_or(whole).into_inner();
    let source = options.title.as_str();
    let title = if clip.name.is_empty() { source } else { &clip.name };
    /// The smallest gap between two keys of a page, in seconds. It is smaller than in other
    /// targets, because fast rotations need closer keys.
    const MIN_KEY_GAP_S: f64 = 1e-5;
    Job {
        clip,
        title,
        source,
        from,
        to: to.max(from),
        rate: options.rate,
        motion: &options.motion,
        settings: &options.settings,
        takes: &[],
        min_key_gap: MIN_KEY_GAP_S,
        time_steps: TimeSteps::fine(from),
        path: None,
    }
}

fn report_partial_range(job: &Job<'_>, report: &mut Report) {
    if job.from != job.clip.span.start || job.to != job.clip.span.end() {
        report.info(format!("from {} to {} s of the recording", job.from, job.to));
    }
}
