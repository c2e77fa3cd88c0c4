//! Builds nodes with their tracks, and finds out when each node has a pose.

use std::{collections::HashMap, sync::Arc};

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{
        AnyCurve, Channel, Channels, ComponentRotation, ComponentVector, EulerOrder, EulerRotation,
        KeyTimes, Motion, NodeId, NodeVisibility, Owner, Rotation, ScalarCurve, Shapes, Track,
        TrackId, TrackLocation, Translation, Unit,
    },
    diagnostics::{Diagnostics, Topic},
};

use super::{
    Builder,
    curves::Keys,
    placeholders::{PlaceholderRows, may_be_lost},
    rows::NO_INDEX,
    zeros::ZeroRows,
};
use crate::{
    codes,
    names::parse_flag,
    numbering::Numbering,
    plan::NodePlan,
    skeleton::{self, side_owner},
    table::Table,
};

#[derive(Default)]
struct NodeRows {
    rows: Arc<[u32]>,
    gaps: Vec<u32>,
    /// The changes of visibility: a time in seconds, and the visibility from that time on.
    shown: Vec<(f64, bool)>,
    invalid: InvalidPoses,
    zeros: ZeroRows,
    placeholders: PlaceholderRows,
}

/// The rows whose poses are hidden, replaced or changed, though no flag says so.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InvalidPoses {
    zero_rotations: Occurrences,
    zero_directions: Occurrences,
    incomplete: Occurrences,
    replaced: Occurrences,
    other_side: Occurrences,
    lengths: Occurrences,
}

#[derive(Clone, Copy, Debug, Default)]
struct Occurrences {
    count: usize,
    /// The first row, a column that shows the problem, and the length of the rotation.
    first: Option<(u32, usize, f64)>,
}

impl Occurrences {
    fn add(&mut self, row: u32, column: usize, length: f64) {
        self.append(Self { count: 1, first: Some((row, column, length)) });
    }

    fn append(&mut self, other: Self) {
        self.count += other.count;
        let both = self.first.into_iter().chain(other.first);
        self.first = both.min_by_key(|(row, column, _)| (*row, *column));
    }
}

impl InvalidPoses {
    #[inline]
    fn check_rotation(&mut self, numbers: [f64; 4], row: u32, first_column: usize) {
        /// The squared lengths of valid quaternions. Quaternions with two decimals per component
        /// are within this range.
        const VALID_SQUARED_LENGTHS: std::ops::Range<f64> = 0.96..1.04;
        let square = numbers.iter().map(|number| number * number).sum::<f64>();
        if square == 0.0 {
            self.zero_rotations.add(row, first_column, 0.0);
        } else if !square.is_nan() && !VALID_SQUARED_LENGTHS.contains(&square) {
            self.lengths.add(row, first_column, square.sqrt());
        }
    }

    fn append(&mut self, other: Self) {
        self.zero_rotations.append(other.zero_rotations);
        self.zero_directions.append(other.zero_directions);
        self.incomplete.append(other.incomplete);
        self.replaced.append(other.replaced);
        self.other_side.append(other.other_side);
        self.lengths.append(other.lengths);
    }

    pub(super) fn report(&self, table: &Table, diagnostics: &mut Diagnostics) {
        let location = |row: u32| table.location(row as usize);
        let name = |column: usize| &table.columns[column].name;
        for (found, what) in [
            (self.zero_rotations, "a zero quaternion, whose first column is"),
            (self.zero_directions, "a direction of length 0, whose first column is"),
            (self.incomplete, "an incomplete pose, without a number in the column"),
            (self.other_side, "a row of one side with a number of the other side in the column"),
        ] {
            if let Some((row, column, _)) = found.first {
                let (name, count) = (name(column), found.count);
                let message =
                    format!("{what} {name:?}; the node is hidden there. Such rows: {count}");
                diagnostics
                    .info(codes::table::INCOMPLETE_POSE, location(row), message)
                    .with("name", name.as_str())
                    .with("count", count);
            }
        }
        if let Some((row, column, _)) = self.replaced.first {
            let (name, count) = (name(column), self.replaced.count);
            let message = format!(
                "rows of one time differ in the column {name:?}, which belongs to the same node in all \
                 rows; using the latest row. Such rows: {count}"
            );
            diagnostics
                .warning(codes::table::ROWS_DIFFER, location(row), message)
                .with("name", name.as_str())
                .with("count", count);
        }
        if let Some((row, column, length)) = self.lengths.first {
            let message = format!(
                "a quaternion of length {length:.3}, whose first column is {:?}; using unit length. \
                 Such rows: {}",
                name(column),
                self.lengths.count
            );
            diagnostics.warning(Topic::UnitLength.code(), location(row), message);
        }
    }
}

impl Builder<'_> {
    pub(super) fn add_nodes(&mut self) {
        let plan = self.plan;
        if self.rows.groups.is_empty() {
            for node in &plan.nodes {
                self.add_node(node, None);
            }
        } else {
            let (of_row, of_table): (Vec<&NodePlan>, Vec<&NodePlan>) =
                plan.nodes.iter().partition(|node| node.is_of_row);
            for group in 0..self.rows.groups.len() {
                of_row.iter().for_each(|node| self.add_node(node, Some(group)));
            }
            of_table.into_iter().for_each(|node| self.add_node(node, None));
        }
        self.link_nodes();
    }

    fn add_node(&mut self, plan: &NodePlan, group: Option<usize>) {
        let rows = self.rows;
        let of_group = group.map(|group| &rows.groups[group]);
        let name = match of_group {
            Some(group) => {
                let is_of_other_side =
                    plan.name.side().is_some_and(|side| group.side.is_some_and(|own| own != side));
                if group.node.is_none() && is_of_other_side {
                    self.count_other_side(plan, &group.rows);
                    return;
                }
                group.name_of(plan)
            }
            None => plan.name_on_side(None),
        };
        let found = self.all_rows_if_complete(plan).unwrap_or_else(|| self.find_rows(plan, group));
        self.invalid.append(found.invalid);
        self.zeros.add(&name, &found.zeros);
        self.placeholders.add(&name, &found.placeholders);
        if found.rows.is_empty() {
            return;
        }
        let keys = self.sets.keys_for(&found.rows, &found.gaps);
        let index = self.nodes.len();
        let owner = Owner::Node(NodeId::new(index));
        let listed_node = if of_group.is_some_and(|it| it.node.is_some()) { "" } else { &*name };
        let mut tracks = Vec::new();
        let mut components = plan.components();
        components.sort_by_key(|(column, _)| *column);
        for (column, property) in components {
            let track = self.add_component_track(
                &keys,
                owner,
                column,
                &property,
                self.component_unit(plan, &property),
            );
            tracks.push((column, track));
            self.record_use(column, listed_node, &property);
        }
        let mut shown = NodeVisibility::Always;
        if found.shown.len() > 1 {
            shown = NodeVisibility::While(self.add_shown_track(owner, &found.shown));
        }
        let motion = self.build_motion(plan, &keys, &tracks, shown);
        self.add_flag_tracks(plan, group, owner, listed_node);
        let node = skeleton::node_from_name(name.clone(), motion);
        self.nodes.push(node);
        if let Some(radius) = plan.radius {
            self.add_radius(&keys, owner, radius, &name);
        }
    }

    fn count_other_side(&mut self, plan: &NodePlan, rows: &[u32]) {
        let columns = plan.components();
        for row in rows {
            let number = |column: usize| self.table.columns[column].number(*row as usize);
            if let Some((column, _)) = columns.iter().find(|(column, _)| !number(*column).is_nan())
            {
                self.invalid.other_side.add(*row, *column, 0.0);
            }
        }
    }

    /// Returns all rows if every row certainly has a pose. This is faster than a check of each row.
    /// Returns `None` if a cell is empty, if there is a flag or a direction, or if a quaternion or a
    /// position is zero.
    fn all_rows_if_complete(&self, plan: &NodePlan) -> Option<NodeRows> {
        let (table, rows) = (&self.table, self.rows.all_in_order.as_ref()?);
        let columns = plan.components();
        let has_all =
            columns.iter().all(|(column, _)| table.columns[*column].has_all_numbers(rows.len()));
        // A zero direction means that there is no pose, so every row must be checked.
        if !has_all || plan.direction.is_some() || !plan.flags.is_empty() {
            return None;
        }
        if let Some(position) = plan.position {
            let [x, y, z] = position.map(|column| table.columns[column].number_slice(rows.len()));
            let (x, y, z) = (x?, y?, z?);
            if (0..rows.len()).any(|row| may_be_lost(DVec3::new(x[row], y[row], z[row]))) {
                return None;
            }
        }
        let mut found = NodeRows { rows: Arc::clone(rows), ..NodeRows::default() };
        if let Some(rotation) = plan.rotation {
            let [x, y, z, w] =
                rotation.map(|column| table.columns[column].number_slice(rows.len()));
            let (x, y, z, w) = (x?, y?, z?, w?);
            for row in 0..rows.len() {
                let numbers = [x[row], y[row], z[row], w[row]];
                found.invalid.check_rotation(numbers, row as u32, rotation[0]);
            }
        }
        found.shown.extend(self.rows.times.first().map(|time| (*time, true)));
        (found.invalid.zero_rotations.count == 0).then_some(found)
    }

    fn find_rows(&self, plan: &NodePlan, group: Option<usize>) -> NodeRows {
        let (table, rows) = (&self.table, self.rows);
        let validity = PoseFilter::new(self, plan);
        let slot = |row: u32| rows.slots[row as usize];
        let of_group = group.map(|group| &rows.groups[group]);
        let candidates: Vec<u32> = match of_group {
            Some(group) => group.rows.clone(),
            None => {
                let first = plan.first_column().unwrap_or(0);
                let lacks_first =
                    |(row, _): &(usize, f64)| table.columns[first].number(*row).is_nan();
                let others = validity.columns.iter().filter(|column| **column != first);
                let others = others.flat_map(|column| table.columns[*column].numbers());
                let numbers = table.columns[first].numbers().chain(others.filter(lacks_first));
                let mut rows: Vec<u32> = numbers
                    .map(|(row, _)| row as u32)
                    .filter(|row| *row < rows.slots.len() as u32 && slot(*row) != NO_INDEX)
                    .collect();
                let order = |row: &u32| (slot(*row), *row);
                if !rows.is_sorted_by(|one, other| order(one) < order(other)) {
                    rows.sort_by_key(order);
                    rows.dedup();
                }
                rows
            }
        };
        let has_own_clock = of_group.is_some_and(|group| group.has_own_clock);
        let (zeros, placeholders) = self.find_lost_positions(plan, &candidates, &validity);
        let mut found = NodeRows { zeros, placeholders, ..NodeRows::default() };
        let mut with_pose = Vec::new();
        // The last position with a pose. Positions count the node's own rows if the node has its
        // own clock, and otherwise the times of the table.
        let mut last: Option<usize> = None;
        let time_at = |position: usize| match has_own_clock {
            true => candidates.get(position).map(|row| rows.times[slot(*row) as usize]),
            false => rows.times.get(position).copied(),
        };
        for (index, row) in candidates.iter().enumerate() {
            if let Some(rotation) = plan.rotation {
                let numbers = rotation.map(|it| table.columns[it].number(*row as usize));
                found.invalid.check_rotation(numbers, *row, rotation[0]);
            }
            let is_lost = found.zeros.lost.contains(row) || found.placeholders.rows.contains(row);
            if !validity.has_pose(*row) || is_lost {
                validity.explain_hidden(*row, &mut found.invalid);
                continue;
            }
            let is_shown = validity.is_shown(*row);
            let position = if has_own_clock { index } else { slot(*row) as usize };
            if last == Some(position) {
                // If several rows have the same time, the last one is used.
                if let Some(before) = with_pose.pop()
                    && self.plan.is_grouped()
                    && let Some(column) = validity.find_difference(before, *row)
                {
                    found.invalid.replaced.add(*row, column, 0.0);
                }
                last = position.checked_sub(1);
            }
            let is_gap = last.map_or(position > 0, |last| position > last + 1);
            if is_gap {
                let hidden_from = last.map_or(Some(0), |last| Some(last + 1)).and_then(time_at);
                found.shown.extend(hidden_from.map(|time| (time, false)));
                if let Some(before) = with_pose.len().checked_sub(1) {
                    found.gaps.push(before as u32);
                }
            }
            let time = rows.times[slot(*row) as usize];
            if found.shown.last().is_none_or(|(_, before)| *before != is_shown) {
                found.shown.push((time, is_shown));
            }
            with_pose.push(*row);
            last = Some(position);
        }
        found.rows = with_pose.into();
        if let Some(time) = last.and_then(|last| time_at(last + 1)) {
            if found.shown.last().is_some_and(|(_, before)| *before) {
                found.shown.push((time, false));
            }
        } else if found.shown.len() == 1 && !found.shown[0].1 {
            // The node is never visible. Add a second key, because a single key would mean that the
            // node is always visible.
            found.shown.push((found.shown[0].0, false));
        }
        found
    }

    fn find_lost_positions(
        &self,
        plan: &NodePlan,
        rows: &[u32],
        validity: &PoseFilter<'_>,
    ) -> (ZeroRows, PlaceholderRows) {
        let Some(columns) = plan.position else { return Default::default() };
        let position = |row: u32| {
            DVec3::from_array(columns.map(|column| self.table.columns[column].number(row as usize)))
        };
        if self.table.declared.is_own || !rows.iter().any(|row| may_be_lost(position(*row))) {
            return Default::default();
        }
        let valid = rows.iter().filter(|row| validity.has_pose(**row));
        let mut positions: Vec<(u32, DVec3)> = valid.map(|row| (*row, position(*row))).collect();
        let placeholders = PlaceholderRows::find(&positions);
        if plan.parent.is_some() {
            // A position relative to a parent may be zero.
            return (ZeroRows::default(), placeholders);
        }
        positions.retain(|(row, _)| !placeholders.rows.contains(row));
        let metres = self.space.position_factors(plan)[0] * self.space.metres_per_unit.value;
        let are_measured =
            matches!(self.table.version, "c3d" | "trc" | "vicon" | "motive" | "qualisys");
        let mut zeros = ZeroRows::find(&positions, metres, are_measured);
        // A node with a rotation may be the origin itself.
        zeros.are_all &=
            plan.rotation.is_none() && plan.euler.is_none() && plan.direction.is_none();
        (zeros, placeholders)
    }

    fn component_unit(&self, plan: &NodePlan, property: &str) -> Unit {
        let quantity = property.split('.').next().unwrap_or_default();
        match quantity {
            "position" => {
                let axis = match property.as_bytes().last() {
                    Some(b'y') => 1,
                    Some(b'z') => 2,
                    _ => 0,
                };
                let metres =
                    plan.length_units.map_or(self.space.metres_per_unit.value, |units| units[axis]);
                let units =
                    [Unit::Metres, Unit::Centimetres, Unit::Millimetres, Unit::Inches, Unit::Feet];
                units.into_iter().find(|unit| unit.si_factor() == metres).unwrap_or(Unit::None)
            }
            "rotation_vector" if plan.radians_per_unit.is_none_or(|radians| radians == 1.0) => {
                Unit::Radians
            }
            "rotation_vector" => Unit::Degrees,
            "euler" | "yaw" | "pitch" | "tangent" => match self.space.radians_per_unit(plan) {
                1.0 => Unit::Radians,
                _ => Unit::Degrees,
            },
            _ => Unit::None,
        }
    }

    pub(super) fn add_component_track(
        &mut self,
        keys: &Keys,
        owner: Owner,
        column: usize,
        property: &str,
        unit: Unit,
    ) -> TrackId {
        let numbers = &self.table.columns[column];
        let values = keys.column_values(numbers);
        self.release_use(column);
        let curve = ScalarCurve::new(keys.times.clone(), values, keys.shapes.clone());
        self.add_track(Track {
            owner,
            property: property.to_owned(),
            curve: AnyCurve::Number(curve),
            unit,
            source: keys.location(),
        })
    }

    fn add_shown_track(&mut self, owner: Owner, shown: &[(f64, bool)]) -> TrackId {
        let times: Vec<f64> = shown.iter().map(|(time, _)| *time).collect();
        let values: Vec<f32> = shown.iter().map(|(_, it)| f32::from(u8::from(*it))).collect();
        let times = KeyTimes::new(times).expect("rows are in the order of time");
        let curve = AnyCurve::Switch(ScalarCurve::new(times, values, Shapes::Step));
        let (property, unit) = ("shown".to_owned(), Unit::None);
        self.add_track(Track { owner, property, curve, unit, source: TrackLocation::derived() })
    }

    fn build_motion(
        &mut self,
        plan: &NodePlan,
        keys: &Keys,
        tracks: &[(usize, TrackId)],
        shown: NodeVisibility,
    ) -> Motion {
        const POSITION: [&str; 3] =
            ["converted.position.x", "converted.position.y", "converted.position.z"];
        const DIRECTION: [&str; 3] =
            ["converted.direction.x", "converted.direction.y", "converted.direction.z"];
        const ROTATION: [&str; 4] = [
            "converted.rotation.x",
            "converted.rotation.y",
            "converted.rotation.z",
            "converted.rotation.w",
        ];
        let track_of = |column: usize| {
            let found = tracks.iter().find(|(own, _)| *own == column);
            found.map_or(TrackId::new(0), |(_, track)| *track)
        };
        let factors = self.space.position_factors(plan);
        let radians = self.space.radians_per_unit(plan);
        let axes = self.space.file_from_node(plan);
        let is_converted = axes.is_some() || plan.has_inverse_rotation;
        let convert_rotation = |rotation: DQuat| {
            let rotation = if plan.has_inverse_rotation { rotation.inverse() } else { rotation };
            axes.map_or(rotation.to_array(), |axes| axes.convert_rotation(rotation))
        };
        let translation = match (plan.position, axes) {
            (None, _) => Translation::Rest,
            (Some(columns), Some(axes)) => {
                let tracks =
                    self.add_derived_tracks(keys, columns.map(track_of), POSITION, |vector| {
                        axes.convert_vector([0, 1, 2].map(|axis| vector[axis] * factors[axis]))
                    });
                Translation::Components(ComponentVector::new(tracks, &mut self.tracks))
            }
            (Some(columns), None) if factors == [1.0; 3] => {
                let vector = ComponentVector::new(columns.map(track_of), &mut self.tracks);
                Translation::Components(vector)
            }
            (Some(columns), None) => {
                let channel = |axis: usize| Channel::Track {
                    track: track_of(columns[axis]),
                    unit: factors[axis],
                };
                Translation::Channels(Box::new(Channels([0, 1, 2].map(channel))))
            }
        };
        let rotation = if let Some(columns) = plan.rotation {
            let mut rotation = columns.map(track_of);
            if is_converted {
                rotation = self.add_derived_tracks(keys, rotation, ROTATION, |rotation| {
                    convert_rotation(DQuat::from_array(rotation))
                });
            }
            Rotation::Components(ComponentRotation::new_slerp(rotation, &mut self.tracks))
        } else if let Some(columns) = plan.rotation_vector {
            let radians = plan.radians_per_unit.unwrap_or(1.0);
            let properties = ["rotation.x", "rotation.y", "rotation.z", "rotation.w"];
            let vector = columns.map(track_of);
            let rotation = self.add_derived_tracks(keys, vector, properties, |vector| {
                convert_rotation(DQuat::from_scaled_axis(DVec3::from_array(vector) * radians))
            });
            Rotation::Components(ComponentRotation::new_slerp(rotation, &mut self.tracks))
        } else if let Some(columns) = plan.euler {
            let order = self.space.euler_order();
            if is_converted {
                let angles = columns.map(track_of);
                let rotation = self.add_derived_tracks(keys, angles, ROTATION, |angles| {
                    let angles = DVec3::from_array(angles) * radians;
                    convert_rotation(order.rotation_from_angles(angles))
                });
                Rotation::Components(ComponentRotation::new_slerp(rotation, &mut self.tracks))
            } else {
                let channel = |column| Channel::Track { track: track_of(column), unit: radians };
                Rotation::Euler(Box::new(EulerRotation {
                    angles: Channels(columns.map(channel)),
                    order,
                    order_track: None,
                    orientation: DQuat::IDENTITY,
                    is_sampled: true,
                }))
            }
        } else if let Some(columns) = plan.direction {
            let mut direction = columns.map(track_of);
            if let Some(axes) = axes {
                direction = self.add_derived_tracks(keys, direction, DIRECTION, |direction| {
                    axes.convert_vector(direction)
                });
            }
            Rotation::Direction(ComponentVector::new(direction, &mut self.tracks))
        } else if let Some([yaw, pitch]) = plan.yaw_pitch {
            self.yaw_pitch_rotation(track_of(yaw), track_of(pitch), radians)
        } else if let Some(columns) = plan.tangents {
            // The angles a and b of a direction: tan a = x / z and tan b = y / z, in the node's axes.
            let properties = ["direction.x", "direction.y", "direction.z"];
            let angles = columns.map(track_of);
            let direction = self.add_derived_tracks(keys, angles, properties, |[a, b]| {
                let direction = DVec3::new((a * radians).tan(), (b * radians).tan(), 1.0);
                let direction = direction.normalize().to_array();
                axes.map_or(direction, |axes| axes.convert_vector(direction))
            });
            Rotation::Direction(ComponentVector::new(direction, &mut self.tracks))
        } else {
            Rotation::Rest
        };
        let scale = plan.scale.map(|columns| {
            let channel = |column| Channel::Track { track: track_of(column), unit: 1.0 };
            Box::new(Channels(columns.map(channel)))
        });
        Motion { translation, rotation, scale, visibility: shown }
    }

    /// Adds a track for each number that `convert` makes of the values of `sources` at each key.
    fn add_derived_tracks<const FROM: usize, const TO: usize>(
        &mut self,
        keys: &Keys,
        sources: [TrackId; FROM],
        properties: [&str; TO],
        convert: impl Fn([f64; FROM]) -> [f64; TO],
    ) -> [TrackId; TO] {
        let owner = self.tracks[sources[0].index()].owner;
        let values =
            sources.map(|track| self.tracks[track.index()].curve.scalar().values().clone());
        std::array::from_fn(|component| {
            let value_at =
                |index| convert(values.each_ref().map(|values| values.value_at(index)))[component];
            let numbers: Vec<f64> = (0..keys.rows.len()).map(value_at).collect();
            let curve = ScalarCurve::new(keys.times.clone(), numbers, keys.shapes.clone());
            self.add_track(Track {
                owner,
                property: properties[component].to_owned(),
                curve: AnyCurve::Number(curve),
                unit: Unit::None,
                source: TrackLocation::derived(),
            })
        })
    }

    /// Returns the rotation of a ray in the viewer's axes. The ray looks forward, turns up by the
    /// pitch and then right by the yaw.
    fn yaw_pitch_rotation(&self, yaw: TrackId, pitch: TrackId, radians: f64) -> Rotation {
        let source = self.space.convention().viewer_from_source().inverse();
        // Returns the source axis that corresponds to the viewer's rotation axis, and its sign.
        let about = |turn: DQuat| {
            let turned = source.convert_rotation(turn);
            let axis = DVec3::new(turned.x, turned.y, turned.z);
            let index = axis.abs().max_position();
            (index, axis[index].signum())
        };
        let (pitch_axis, pitch_sign) = about(DQuat::from_rotation_x(1.0));
        let (yaw_axis, yaw_sign) = about(DQuat::from_rotation_y(1.0));
        let mut angles = [Channel::Rest(0.0); 3];
        angles[pitch_axis] = Channel::Track { track: pitch, unit: pitch_sign * radians };
        angles[yaw_axis] = Channel::Track { track: yaw, unit: -yaw_sign * radians };
        let order = match [pitch_axis, yaw_axis] {
            [0, 1] => EulerOrder::Xyz,
            [0, _] => EulerOrder::Xzy,
            [1, 0] => EulerOrder::Yxz,
            [1, _] => EulerOrder::Yzx,
            [_, 0] => EulerOrder::Zxy,
            _ => EulerOrder::Zyx,
        };
        Rotation::Euler(Box::new(EulerRotation {
            angles: Channels(angles),
            order,
            order_track: None,
            orientation: DQuat::IDENTITY,
            is_sampled: true,
        }))
    }

    fn add_flag_tracks(
        &mut self,
        plan: &NodePlan,
        group: Option<usize>,
        owner: Owner,
        listed_node: &str,
    ) {
        for (column, _) in &plan.flags {
            let name = crate::names::ColumnName::parse(&self.table.columns[*column].name);
            let shared = self
                .plan
                .nodes
                .iter()
                .filter(|node| node.flags.iter().any(|(own, _)| own == column));
            let is_shared = shared.count() > 1;
            let (owner, listed, group) = match (is_shared, name.node.side()) {
                (true, Some(is_left)) => {
                    (side_owner(Some(is_left)), if is_left { "left" } else { "right" }, None)
                }
                (true, None) => (side_owner(None), "", None),
                (false, _) => (owner, listed_node, group),
            };
            if self.flags_with_track.insert((*column, group)) {
                self.add_flag_track(owner, *column, group);
                self.record_use(*column, listed, "tracked");
            }
        }
    }

    fn add_radius(&mut self, keys: &Keys, owner: Owner, column: usize, name: &str) {
        if !self.table.columns[column].has_numbers() {
            return;
        }
        let metres = self.space.metres_per_unit.value;
        self.add_node_signal(keys, owner, column, &format!("{name}.radius"), "radius", metres);
        self.record_use(column, name, "radius");
    }

    fn link_nodes(&mut self) {
        skeleton::link_hands(&mut self.nodes);
        let indices: HashMap<String, usize> = self
            .nodes
            .iter()
            .enumerate()
            .rev()
            .map(|(index, node)| (node.name.clone(), index))
            .collect();
        let index_of = |name: &str| indices.get(name).copied();
        let listed = &self.table.declared.nodes;
        for node in listed {
            let from = node.bone_from.and_then(|from| listed.get(from));
            if let Some(from) = from
                && let Some(index) = index_of(&node.name)
                && let Some(from) = index_of(&from.name)
            {
                self.nodes[index].bone_from = Some(NodeId::new(from));
            }
        }
        for plan in &self.plan.nodes {
            if let Some(parent) = &plan.parent
                && let Some(index) = index_of(&plan.name_on_side(None))
                && let Some(parent) = index_of(parent)
            {
                self.nodes[index].parent = Some(NodeId::new(parent));
                let bone = self.nodes[index].bone_from.or(Some(NodeId::new(parent)));
                self.nodes[index].bone_from = bone;
            }
        }
        self.add_bones();
    }

    /// Sets the bones that the mapping and the numbering of joints state. Each person has such bones.
    fn add_bones(&mut self) {
        let mut begins: HashMap<&str, &str> =
            self.plan.numbering.into_iter().flat_map(Numbering::bones).collect();
        begins.extend(self.bones.iter().map(|(joint, from)| (joint.as_str(), from.as_str())));
        if begins.is_empty() {
            return;
        }
        let by_name: HashMap<String, usize> = (self.nodes.iter().enumerate())
            .map(|(index, node)| (node.name.clone(), index))
            .collect();
        for node in &mut self.nodes {
            // A node of a person is named after the person: `1/Head`.
            let splits = node.name.match_indices('/').map(|(at, _)| at + 1);
            let from = std::iter::once(0).chain(splits).find_map(|at| {
                let (person, joint) = node.name.split_at(at);
                by_name.get(&format!("{person}{}", begins.get(joint)?))
            });
            if let Some(from) = from {
                node.bone_from = Some(NodeId::new(*from));
            }
        }
    }
}

struct PoseFilter<'a> {
    builder: &'a Builder<'a>,
    plan: &'a NodePlan,
    columns: Vec<usize>,
}

impl<'a> PoseFilter<'a> {
    fn new(builder: &'a Builder<'_>, plan: &'a NodePlan) -> Self {
        let columns = plan.components().into_iter().map(|(column, _)| column).collect();
        Self { builder, plan, columns }
    }

    fn number(&self, row: u32, column: usize) -> f64 {
        self.builder.table.columns[column].number(row as usize)
    }

    fn is_zero(&self, row: u32, columns: &[usize]) -> bool {
        columns.iter().all(|column| self.number(row, *column) == 0.0)
    }

    fn has_pose(&self, row: u32) -> bool {
        self.columns.iter().all(|column| self.number(row, *column).is_finite())
            && !self.plan.rotation.is_some_and(|columns| self.is_zero(row, &columns))
            && !self.plan.direction.is_some_and(|columns| self.is_zero(row, &columns))
            && (self.builder.table.declared.is_own || self.flags_allow(row))
    }

    /// Counts a row without a pose if it has numbers, and no flag says that the pose is invalid.
    fn explain_hidden(&self, row: u32, invalid: &mut InvalidPoses) {
        let lacking = self.columns.iter().find(|column| self.number(row, **column).is_nan());
        let has_numbers = || self.columns.iter().any(|it| self.number(row, *it).is_finite());
        match (lacking, self.plan.direction) {
            _ if !self.flags_allow(row) => {}
            (Some(column), _) if has_numbers() => invalid.incomplete.add(row, *column, 0.0),
            (Some(_), _) => {}
            (None, Some(direction)) if self.is_zero(row, &direction) => {
                invalid.zero_directions.add(row, direction[0], 0.0);
            }
            _ => {}
        }
    }

    /// Returns the first column in which two rows have different numbers.
    fn find_difference(&self, one: u32, other: u32) -> Option<usize> {
        let differs = |column: &&usize| self.number(one, **column) != self.number(other, **column);
        self.columns.iter().find(differs).copied()
    }

    fn is_shown(&self, row: u32) -> bool {
        !self.builder.table.declared.is_own || self.flags_allow(row)
    }

    fn flags_allow(&self, row: u32) -> bool {
        let table = &self.builder.table;
        self.plan.flags.iter().all(|(column, is_confidence)| {
            let number = table.columns[*column].number(row as usize);
            let text = table.text(*column, row as usize);
            let rule = self.plan.flag_rule.as_ref().or(self.builder.plan.flag_rule.as_ref());
            if let Some(rule) = rule.filter(|_| !is_confidence) {
                return rule.allows(text, number);
            }
            match (text, is_confidence) {
                (Some(text), _) => parse_flag(text) == Some(true),
                (None, true) => number.is_nan() || number >= 0.0,
                (None, false) => number > 0.0,
            }
        })
    }
}
