//! Writes poses, with a row for each time and node.

use std::{
    io::{self, Write},
    iter,
    sync::Arc,
};

use arrow_array::{
    Array as _, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, RecordBatch,
    StringArray,
};
use arrow_schema::SchemaRef;

use super::{facts, times_per_batch};
use crate::{Column, ColumnType, TableFile, TableFormat, file::ROWS_PER_GROUP, schema};
use mutoscope_core::{
    clip::{Clip, NodePose, Pose},
    diagnostics::format_count,
    export::{ExportError, Job, Progress, Report, key_times, names},
    io::parallel::map_in_order,
};

const NUMBERS_PER_POSE: usize = 10;

/// All recordings have the same columns, so that their files can form one data set. `Clip.to_frame`
/// in Python has the same columns too.
const COLUMNS: [Column; 4 + NUMBERS_PER_POSE] = [
    Column::new("time", ColumnType::SharedNumber).with_unit("s"),
    Column::new("index", ColumnType::Index),
    Column::new("node", ColumnType::SharedText),
    Column::new("visible", ColumnType::Bool),
    Column::new("x", ColumnType::Number).with_unit("m"),
    Column::new("y", ColumnType::Number).with_unit("m"),
    Column::new("z", ColumnType::Number).with_unit("m"),
    Column::new("qx", ColumnType::Number),
    Column::new("qy", ColumnType::Number),
    Column::new("qz", ColumnType::Number),
    Column::new("qw", ColumnType::Number),
    Column::new("scale_x", ColumnType::SharedNumber),
    Column::new("scale_y", ColumnType::SharedNumber),
    Column::new("scale_z", ColumnType::SharedNumber),
];

pub(super) fn write(
    job: &Job<'_>,
    format: TableFormat,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let times = key_times::times_of_rows(job)?;
    let all = job.clip.nodes.iter().map(|node| node.name.as_str());
    let names = names::clean_and_deduplicate(all, '.', str::to_owned, &mut report);
    let schema = schema(&COLUMNS, facts::pose_metadata(job, &names, &COLUMNS));
    let mut file = TableFile::begin(format, &COLUMNS, &schema, out)?;
    let batch = times_per_batch(names.len());
    let longest = batch.min(times.len());
    // A thread encodes whole row groups of Parquet, because that takes longer than sampling.
    let group = match format {
        TableFormat::Parquet => (ROWS_PER_GROUP / names.len().max(1)).max(1),
        TableFormat::Arrow => batch,
    };
    // Without nodes there are no rows, so that no empty groups are written.
    let times_of_rows = if names.is_empty() { &[][..] } else { &times[..] };
    let groups: Vec<&[f64]> = times_of_rows.chunks(group).collect();
    let rows = RowBuilder::new(schema, names, longest)?;
    let encoder = file.encoder();
    progress.begin_phase(1.0);
    let encode_group = |index: usize, progress: &mut Progress<'_>| -> Result<_, ExportError> {
        let mut group = encoder.begin_group()?;
        for times in groups[index].chunks(batch) {
            group.add(rows.sample(job.clip, times, progress)?)?;
        }
        Ok(group.finish()?)
    };
    map_in_order(groups.len(), progress, encode_group, |_, group| Ok(file.append_group(group)?))?;
    file.finish()?;
    let rows = format_count(times.len() * job.clip.nodes.len(), "row");
    let when = match job.rate {
        Some(rate) => format!("{rate} times a second"),
        None => "at the times of the recording's own keys".to_owned(),
    };
    report.info(format!("{rows}, {when}; positions and rotations in world space"));
    Ok(report)
}

/// Builds batches of rows.
struct RowBuilder {
    schema: SchemaRef,
    names: Arc<StringArray>,
    /// The columns `index` and `node` of the longest batch. Shorter batches use slices of them.
    node_columns: [ArrayRef; 2],
}

impl RowBuilder {
    /// Creates a builder for batches of up to `max_times` times.
    fn new(schema: SchemaRef, names: Vec<String>, max_times: usize) -> io::Result<Self> {
        let names = Arc::new(StringArray::from(names));
        let nodes = names.len() as i32;
        let index = Int32Array::from_iter_values((0..max_times).flat_map(|_| 0..nodes));
        let node = DictionaryArray::try_new(index.clone(), names.clone());
        let node_columns: [ArrayRef; 2] =
            [Arc::new(index), Arc::new(node.map_err(io::Error::other)?)];
        Ok(Self { schema, names, node_columns })
    }

    fn sample(
        &self,
        clip: &Clip,
        times: &[f64],
        progress: &mut Progress<'_>,
    ) -> Result<RecordBatch, ExportError> {
        let rows = times.len() * self.names.len();
        let mut visible = Vec::with_capacity(rows);
        let mut numbers: [Vec<f64>; NUMBERS_PER_POSE] =
            std::array::from_fn(|_| Vec::with_capacity(rows));
        let mut pose = Pose::default();
        for &time in times {
            progress.check_cancelled()?;
            clip.sample_motion(time, &mut pose);
            for NodePose { is_visible, world, .. } in &pose.nodes {
                visible.push(*is_visible);
                let [x, y, z] = world.translation.to_array();
                let [qx, qy, qz, qw] = world.rotation.to_array();
                let [scale_x, scale_y, scale_z] = world.scale.to_array();
                let row = [x, y, z, qx, qy, qz, qw, scale_x, scale_y, scale_z];
                numbers.iter_mut().zip(row).for_each(|(column, number)| column.push(number));
            }
        }
        let nodes = self.names.len();
        let time = times.iter().flat_map(|&time| iter::repeat_n(time, nodes));
        let time: ArrayRef = Arc::new(Float64Array::from_iter_values(time));
        let node_columns = self.node_columns.iter().map(|column| column.slice(0, rows));
        let visible: ArrayRef = Arc::new(BooleanArray::from(visible));
        let numbers = numbers.map(|column| Arc::new(Float64Array::from(column)) as ArrayRef);
        let columns = iter::once(time).chain(node_columns).chain([visible]).chain(numbers);
        let batch = RecordBatch::try_new(self.schema.clone(), columns.collect());
        Ok(batch.map_err(io::Error::other)?)
    }
}
