//! Gives each frame one parent.
//!
//! A frame may be published under several parents. If an object changes its parent, for example
//! because a gripper grasps it, its poses are converted to the nearest common ancestor of its
//! parents. If several publishers disagree about the parent, the poses under one parent are kept.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

use mutoscope_core::diagnostics::{Diagnostics, SourceLocation, format_count};

use super::{codes, pose::Pose};

/// The most poses that are computed to convert frames to another parent, for each pose of the log.
const MAX_CONVERTED_PER_POSE: usize = 20;

/// The most poses that are computed for a short log.
const MIN_CONVERTED_LIMIT: usize = 100_000;

/// The most poses that are computed for any log.
const MAX_CONVERTED: usize = 10_000_000;

/// Ancestors beyond this depth are not searched.
const MAX_DEPTH: usize = 256;

/// A frame with more parents keeps one of them.
const MAX_PARENTS: usize = 64;

/// A pose at a time in nanoseconds, or `None` while tracking is lost. Poses are relative to the
/// parent with this id.
#[derive(Clone, Copy)]
pub(super) struct TimedPose {
    pub(super) time: i64,
    pub(super) parent: usize,
    pub(super) pose: Option<Pose>,
}

/// A frame with its poses, sorted by time.
pub(super) struct FramePoses {
    pub(super) name: String,
    pub(super) poses: Vec<TimedPose>,
    /// The parent and the pose from static transforms. Only used without other poses.
    pub(super) rest: Option<(usize, Pose)>,
    /// The id of the parent, set by [`choose_parents`].
    pub(super) parent: Option<usize>,
}

impl FramePoses {
    /// Returns the pose at a time, interpolated as in the clip.
    fn sample(&self, time: i64) -> Pose {
        let next = self.poses.partition_point(|it| it.time <= time);
        let pose_at = |index: usize| self.poses.get(index).and_then(|it| Some((it.time, it.pose?)));
        match (next.checked_sub(1).and_then(pose_at), pose_at(next)) {
            (Some((start, one)), Some((end, other))) if end > start => {
                one.interpolate(other, (time - start) as f64 / (end - start) as f64)
            }
            (Some((_, pose)), _) | (None, Some((_, pose))) => pose,
            (None, None) => self.rest.map_or(Pose::IDENTITY, |(_, pose)| pose),
        }
    }
}

/// Chooses the parent of each frame, and converts or removes the poses under other parents.
/// `names` are the names of all parents by id, and `frame_of` returns the frame with that id.
pub(super) fn choose_parents(
    frames: &mut [FramePoses],
    names: &[String],
    frame_of: &HashMap<usize, usize>,
    diagnostics: &mut Diagnostics,
) {
    let poses: usize = frames.iter().map(|frame| frame.poses.len()).sum();
    let limit =
        poses.saturating_mul(MAX_CONVERTED_PER_POSE).clamp(MIN_CONVERTED_LIMIT, MAX_CONVERTED);
    let mut chooser = Chooser { frames, names, frame_of, remaining_poses: limit, diagnostics };
    let mut moving = Vec::new();
    for index in 0..chooser.frames.len() {
        if !chooser.choose_one_parent(index) {
            moving.push(index);
        }
    }
    // Convert a frame after its ancestors, because its new poses are computed from theirs.
    let mut is_waiting: BTreeSet<usize> = moving.iter().copied().collect();
    for index in moving {
        let mut stack = vec![index];
        while let Some(&index) = stack.last() {
            let next = chooser
                .ancestors_of_all_parents(index)
                .into_iter()
                .find(|ancestor| is_waiting.contains(ancestor) && !stack.contains(ancestor));
            match next {
                Some(ancestor) => stack.push(ancestor),
                None => {
                    stack.pop();
                    if is_waiting.remove(&index) {
                        chooser.follow_parents(index);
                    }
                }
            }
        }
    }
}

struct Chooser<'a> {
    frames: &'a mut [FramePoses],
    names: &'a [String],
    frame_of: &'a HashMap<usize, usize>,
    remaining_poses: usize,
    diagnostics: &'a mut Diagnostics,
}

/// The messages of a frame under one of its parents.
#[derive(Default)]
struct Publication {
    messages: usize,
    /// The number of times that the frame changes to this parent, with the first.
    runs: usize,
    first: usize,
}

impl Chooser<'_> {
    /// Sets the parent of a frame that has only one parent, or several that alternate. Returns
    /// `false` if the frame changes its parent.
    fn choose_one_parent(&mut self, index: usize) -> bool {
        let frame = &mut self.frames[index];
        if frame.poses.is_empty() {
            frame.parent = frame.rest.map(|(parent, _)| parent);
            return true;
        }
        let mut publications: BTreeMap<usize, Publication> = BTreeMap::new();
        let mut previous = None;
        for (position, pose) in frame.poses.iter().enumerate() {
            let publication = publications.entry(pose.parent).or_default();
            if publication.messages == 0 {
                publication.first = position;
            }
            publication.messages += 1;
            publication.runs += usize::from(previous != Some(pose.parent));
            previous = Some(pose.parent);
        }
        if let Some((rest, _)) = frame.rest
            && !publications.contains_key(&rest)
        {
            let message = format!(
                "the frame {:?} has a static transform under {:?} and others under {:?}; the static transform \
                 is skipped",
                frame.name, self.names[rest], self.names[frame.poses[0].parent]
            );
            self.diagnostics
                .warning(codes::STATIC_AND_MOVING, SourceLocation::File, message)
                .with("frame", frame.name.as_str());
        }
        if publications.len() == 1 {
            frame.parent = Some(frame.poses[0].parent);
            return true;
        }
        // A publisher sends again and again, so the parents of two publishers alternate. An object
        // that changes its parent stays under the new one for several messages.
        let alternates = publications.values().any(|it| it.runs > 1 && it.messages < 2 * it.runs);
        if alternates || publications.len() > MAX_PARENTS {
            self.keep_one_parent(index, &publications, "is published under several parents");
            return true;
        }
        false
    }

    fn keep_one_parent(
        &mut self,
        index: usize,
        publications: &BTreeMap<usize, Publication>,
        problem: &str,
    ) {
        let Some((&kept, _)) =
            publications.iter().max_by_key(|(_, it)| (it.messages, usize::MAX - it.first))
        else {
            return;
        };
        let frame = &mut self.frames[index];
        let before = frame.poses.len();
        frame.poses.retain(|pose| pose.parent == kept);
        frame.parent = Some(kept);
        let skipped = format_count(before - frame.poses.len(), "transform");
        let mut others = publications.keys().filter(|parent| **parent != kept);
        let other = others.next().map_or("", |parent| self.names[*parent].as_str());
        let message = format!(
            "the frame {:?} {problem}; using the parent {:?}, and skipping {skipped} under {other:?}{}",
            frame.name,
            self.names[kept],
            if others.next().is_some() { " and others" } else { "" },
        );
        self.diagnostics
            .warning(codes::SEVERAL_PARENTS, SourceLocation::File, message)
            .with("frame", frame.name.as_str())
            .with("parent", self.names[kept].as_str())
            .with("skipped", before - frame.poses.len());
    }

    /// Returns the ids of a parent and of its ancestors. The chain ends at an id without a frame,
    /// or before an id that is repeated.
    fn chain(&self, parent: usize) -> Vec<usize> {
        let mut chain = vec![parent];
        let mut seen = BTreeSet::from([parent]);
        while chain.len() < MAX_DEPTH
            && let Some(frame) = self.frame_of.get(&chain[chain.len() - 1])
            && let Some(next) = self.frames[*frame].parent
            && seen.insert(next)
        {
            chain.push(next);
        }
        chain
    }

    fn ancestors_of_all_parents(&self, index: usize) -> Vec<usize> {
        let parents: BTreeSet<usize> =
            self.frames[index].poses.iter().map(|pose| pose.parent).collect();
        let chains = parents.into_iter().flat_map(|parent| self.chain(parent));
        chains.filter_map(|id| self.frame_of.get(&id).copied()).collect()
    }

    /// Converts the poses of a frame to the nearest common ancestor of its parents.
    fn follow_parents(&mut self, index: usize) {
        let mut publications: BTreeMap<usize, Publication> = BTreeMap::new();
        for (position, pose) in self.frames[index].poses.iter().enumerate() {
            let publication = publications.entry(pose.parent).or_default();
            if publication.messages == 0 {
                publication.first = position;
            }
            publication.messages += 1;
        }
        let chains: HashMap<usize, Vec<usize>> =
            publications.keys().map(|parent| (*parent, self.chain(*parent))).collect();
        let first_chain = &chains[&self.frames[index].poses[0].parent];
        let is_own = |id: usize| self.frame_of.get(&id) == Some(&index);
        let common = first_chain.iter().copied().find(|id| {
            !is_own(*id)
                && chains
                    .values()
                    .all(|chain| chain.contains(id) && !chain.iter().any(|id| is_own(*id)))
        });
        let Some(common) = common else {
            let problem = "changes to a parent that is not connected to the first";
            return self.keep_one_parent(index, &publications, problem);
        };
        let runs = self.find_runs(index, &chains, common);
        let needed: usize =
            runs.iter().map(|run| self.count_times(index, run) * (run.chain.len() + 1)).sum();
        let Some(remaining) = self.remaining_poses.checked_sub(needed) else {
            let problem = "changes its parent, and has too many transforms to follow that";
            return self.keep_one_parent(index, &publications, problem);
        };
        self.remaining_poses = remaining;
        let mut converted = Vec::new();
        for run in runs {
            let times = self.times(index, &run);
            let Run { poses, chain, .. } = run;
            let own = FramePoses {
                name: String::new(),
                poses: self.frames[index].poses[poses.clone()].to_vec(),
                rest: None,
                parent: None,
            };
            for time in times {
                let next = own.poses.partition_point(|it| it.time <= time);
                let is_lost = own.poses[..next].last().is_some_and(|it| it.pose.is_none());
                let pose = (!is_lost).then(|| {
                    let own = own.sample(time);
                    chain.iter().fold(own, |pose, ancestor| {
                        self.frames[*ancestor].sample(time).transform(pose)
                    })
                });
                converted.push(TimedPose { time, parent: common, pose });
            }
        }
        let frame = &mut self.frames[index];
        let changes =
            frame.poses.windows(2).filter(|pair| pair[0].parent != pair[1].parent).count();
        frame.poses = converted;
        frame.parent = Some(common);
        let names = publications.keys().map(|parent| format!("{:?}", self.names[*parent]));
        let message = format!(
            "the frame {:?} changes its parent {}, among {}; its poses are converted to {:?}",
            frame.name,
            format_count(changes, "time"),
            names.take(4).collect::<Vec<_>>().join(", "),
            self.names[common],
        );
        self.diagnostics
            .info(codes::PARENT_CHANGES, SourceLocation::File, message)
            .with("frame", frame.name.as_str())
            .with("parent", self.names[common].as_str())
            .with("count", changes);
    }

    fn find_runs(
        &self,
        index: usize,
        chains: &HashMap<usize, Vec<usize>>,
        common: usize,
    ) -> Vec<Run> {
        let poses = &self.frames[index].poses;
        let mut runs = Vec::new();
        let mut start = 0;
        for end in 1..=poses.len() {
            if end < poses.len() && poses[end].parent == poses[start].parent {
                continue;
            }
            let chain = chains[&poses[start].parent]
                .iter()
                .take_while(|id| **id != common)
                .filter_map(|id| self.frame_of.get(id).copied())
                .collect();
            let until = poses.get(end).map_or(i64::MAX, |pose| pose.time);
            runs.push(Run { poses: start..end, chain, until });
            start = end;
        }
        runs
    }

    /// Returns the poses with which an ancestor moves the frame during a run.
    fn moves(&self, index: usize, run: &Run, ancestor: usize) -> &[TimedPose] {
        let poses = &self.frames[ancestor].poses;
        let from = self.frames[index].poses[run.poses.start].time;
        let start = poses.partition_point(|pose| pose.time < from);
        let end = poses.partition_point(|pose| pose.time < run.until);
        &poses[start..end.max(start)]
    }

    fn count_times(&self, index: usize, run: &Run) -> usize {
        let moves = run.chain.iter().map(|ancestor| self.moves(index, run, *ancestor).len());
        run.poses.len() + moves.sum::<usize>()
    }

    /// Returns the times of a run at which the frame or an ancestor has a pose.
    fn times(&self, index: usize, run: &Run) -> BTreeSet<i64> {
        let own = &self.frames[index].poses[run.poses.clone()];
        let moves = run.chain.iter().flat_map(|ancestor| self.moves(index, run, *ancestor));
        let times = own.iter().chain(moves).map(|pose| pose.time);
        times.filter(|time| *time < run.until).collect()
    }
}

/// The poses of a frame from a change of its parent to the next.
struct Run {
    poses: Range<usize>,
    /// The frames from the parent to the common ancestor, without that.
    chain: Vec<usize>,
    /// The time of the next change of the parent.
    until: i64,
}
