//! Poses: a row for each time and node.

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

use super::{facts, times, times_at_a_time};
use crate::{Column, ColumnType, TableFile, TableFormat, schema};
use mutoscope_core::{
    clip::{NodePose, Pose},
    export::{ExportError, Job, Report, Watch, counted, names},
};

/// The numbers of a node's pose.
const NUMBERS: usize = 10;

/// The same for every recording, so that many make one data set, and the same as `Clip.to_frame` in Python.
const COLUMNS: [Column; 4 + NUMBERS] = [
    Column::new("time", ColumnType::SharedNumber).in_unit("s"),
    Column::new("index", ColumnType::Index),
    Column::new("node", ColumnType::SharedText),
    Column::new("visible", ColumnType::Bool),
    Column::new("x", ColumnType::Number).in_unit("m"),
    Column::new("y", ColumnType::Number).in_unit("m"),
    Column::new("z", ColumnType::Number).in_unit("m"),
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
    watch: &mut Watch<'_>,
) -> Result<Report, ExportError> {
    let mut report = Report::default();
    let times = times(job)?;
    let all = job.clip.nodes.iter().map(|node| node.name.as_str());
    let names = names::unique(all, '.', str::to_owned, &mut report);
    let schema = schema(&COLUMNS, facts::of_poses(job, &names, &COLUMNS));
    let mut file = TableFile::begin(format, &COLUMNS, &schema, out)?;
    let mut rows = Rows::new(schema, names);
    let mut pose = Pose::default();
    watch.now_up_to(1.0);
    for (index, &time) in times.iter().enumerate() {
        watch.at(index, times.len())?;
        job.clip.sample_motion(time, &mut pose);
        rows.add(&pose);
        if rows.is_full() {
            file.write(&rows.take()?)?;
        }
    }
    if !rows.is_empty() {
        file.write(&rows.take()?)?;
    }
    file.finish()?;
    let rows = counted(times.len() * job.clip.nodes.len(), "row");
    let when = match job.rate {
        Some(rate) => format!("{rate} times a second"),
        None => "at the times of the recording's own keys".to_owned(),
    };
    report.info(format!("{rows}, {when}; positions and rotations in world space"));
    Ok(report)
}

/// A batch of rows.
struct Rows {
    schema: SchemaRef,
    names: Arc<StringArray>,
    times_at_a_time: usize,
    times: Vec<f64>,
    visible: Vec<bool>,
    numbers: [Vec<f64>; NUMBERS],
    /// The columns `index` and `node`, which are the same for batches of the same size.
    who: Option<[ArrayRef; 2]>,
}

impl Rows {
    fn new(schema: SchemaRef, names: Vec<String>) -> Self {
        Self {
            schema,
            times_at_a_time: times_at_a_time(names.len()),
            names: Arc::new(StringArray::from(names)),
            times: Vec::new(),
            visible: Vec::new(),
            numbers: Default::default(),
            who: None,
        }
    }

    fn is_empty(&self) -> bool {
        self.visible.is_empty()
    }

    fn is_full(&self) -> bool {
        self.times.len() >= self.times_at_a_time
    }

    fn add(&mut self, pose: &Pose) {
        self.times.push(pose.time);
        for NodePose { shown, world, .. } in &pose.nodes {
            self.visible.push(*shown);
            let [x, y, z] = world.translation.to_array();
            let [qx, qy, qz, qw] = world.rotation.to_array();
            let [scale_x, scale_y, scale_z] = world.scale.to_array();
            let numbers = [x, y, z, qx, qy, qz, qw, scale_x, scale_y, scale_z];
            self.numbers.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
        }
    }

    /// Takes the batch as columns and empties it.
    fn take(&mut self) -> io::Result<RecordBatch> {
        let (times, nodes) = (mem::take(&mut self.times), self.names.len() as i32);
        let time = times.iter().flat_map(|&time| (0..nodes).map(move |_| time));
        let time: ArrayRef = Arc::new(Float64Array::from_iter_values(time));
        let who = match self.who.take().filter(|who| who[0].len() == time.len()) {
            Some(who) => who,
            None => self.who(times.len())?,
        };
        let visible: ArrayRef = Arc::new(BooleanArray::from(mem::take(&mut self.visible)));
        let capacity = visible.len();
        let numbers = self.numbers.each_mut().map(|column| {
            let numbers = mem::replace(column, Vec::with_capacity(capacity));
            Arc::new(Float64Array::from(numbers)) as ArrayRef
        });
        let columns = [time].into_iter().chain(who.clone()).chain([visible]).chain(numbers);
        self.who = Some(who);
        RecordBatch::try_new(self.schema.clone(), columns.collect()).map_err(io::Error::other)
    }

    /// The node of each row, by index and by name.
    fn who(&self, times: usize) -> io::Result<[ArrayRef; 2]> {
        let nodes = self.names.len() as i32;
        let index = Int32Array::from_iter_values((0..times).flat_map(|_| 0..nodes));
        let names = DictionaryArray::try_new(index.clone(), self.names.clone());
        Ok([Arc::new(index), Arc::new(names.map_err(io::Error::other)?)])
    }
}
