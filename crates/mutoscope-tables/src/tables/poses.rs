//! Writes poses, with a row for each time and node.

use std::{
    io::{self, Write},
    mem,
    sync::Arc,
};

use arrow_array::{
    Array as _, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, RecordBatch,
    StringArray,
};
use arrow_schema::SchemaRef;

use super::{facts, times_per_batch};
use crate::{Column, ColumnType, TableFile, TableFormat, schema};
use mutoscope_core::{
    clip::{NodePose, Pose},
    diagnostics::format_count,
    export::{ExportError, Job, Progress, Report, key_times, names},
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
    let mut rows = RowBatch::new(schema, names);
    let mut pose = Pose::default();
    progress.begin_phase(1.0);
    for (index, &time) in times.iter().enumerate() {
        progress.report_progress(index, times.len())?;
        job.clip.sample_motion(time, &mut pose);
        rows.add_pose(&pose);
        if rows.is_full() {
            file.write(&rows.take_batch()?)?;
        }
    }
    if !rows.is_empty() {
        file.write(&rows.take_batch()?)?;
    }
    file.finish()?;
    let rows = format_count(times.len() * job.clip.nodes.len(), "row");
    let when = match job.rate {
        Some(rate) => format!("{rate} times a second"),
        None => "at the times of the recording's own keys".to_owned(),
    };
    report.info(format!("{rows}, {when}; positions and rotations in world space"));
    Ok(report)
}

struct RowBatch {
    schema: SchemaRef,
    names: Arc<StringArray>,
    max_times: usize,
    times: Vec<f64>,
    visible: Vec<bool>,
    numbers: [Vec<f64>; NUMBERS_PER_POSE],
    /// The columns `index` and `node`. Batches of the same size use the same two columns.
    node_columns: Option<[ArrayRef; 2]>,
}

impl RowBatch {
    fn new(schema: SchemaRef, names: Vec<String>) -> Self {
        Self {
            schema,
            max_times: times_per_batch(names.len()),
            names: Arc::new(StringArray::from(names)),
            times: Vec::new(),
            visible: Vec::new(),
            numbers: Default::default(),
            node_columns: None,
        }
    }

    fn is_empty(&self) -> bool {
        self.visible.is_empty()
    }

    fn is_full(&self) -> bool {
        self.times.len() >= self.max_times
    }

    fn add_pose(&mut self, pose: &Pose) {
        self.times.push(pose.time);
        for NodePose { is_visible: shown, world, .. } in &pose.nodes {
            self.visible.push(*shown);
            let [x, y, z] = world.translation.to_array();
            let [qx, qy, qz, qw] = world.rotation.to_array();
            let [scale_x, scale_y, scale_z] = world.scale.to_array();
            let numbers = [x, y, z, qx, qy, qz, qw, scale_x, scale_y, scale_z];
            self.numbers.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
        }
    }

    fn take_batch(&mut self) -> io::Result<RecordBatch> {
        let (times, nodes) = (mem::take(&mut self.times), self.names.len() as i32);
        let time = times.iter().flat_map(|&time| (0..nodes).map(move |_| time));
        let time: ArrayRef = Arc::new(Float64Array::from_iter_values(time));
        let who = match self.node_columns.take().filter(|who| who[0].len() == time.len()) {
            Some(who) => who,
            None => self.make_node_columns(times.len())?,
        };
        let visible: ArrayRef = Arc::new(BooleanArray::from(mem::take(&mut self.visible)));
        let capacity = visible.len();
        let numbers = self.numbers.each_mut().map(|column| {
            let numbers = mem::replace(column, Vec::with_capacity(capacity));
            Arc::new(Float64Array::from(numbers)) as ArrayRef
        });
        let columns = [time].into_iter().chain(who.clone()).chain([visible]).chain(numbers);
        self.node_columns = Some(who);
        RecordBatch::try_new(self.schema.clone(), columns.collect()).map_err(io::Error::other)
    }

    fn make_node_columns(&self, times: usize) -> io::Result<[ArrayRef; 2]> {
        let nodes = self.names.len() as i32;
        let index = Int32Array::from_iter_values((0..times).flat_map(|_| 0..nodes));
        let names = DictionaryArray::try_new(index.clone(), self.names.clone());
        Ok([Arc::new(index), Arc::new(names.map_err(io::Error::other)?)])
    }
}
