//! Checks what formats hold and what targets keep, by converting recordings of each format to each
//! target and reading them back.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::Path,
};

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Content, NodeId, NodeVisibility, Pose},
    decode,
    export::{ExportOptions, ExportTarget, Progress},
};

use crate::export::{recordings, validator::other_recordings};

/// The targets that are not read back here. Our reader does not know web pages, and an animation of
/// Metroid Prime needs a skeleton. These targets have tests of their own.
const UNREAD_TARGETS: [&str; 3] = ["html", "html-exact", "prime"];

fn all_clips() -> Vec<(String, Clip)> {
    let mut clips = recordings();
    clips.extend(other_recordings());
    clips
}

/// Returns the smallest clip of each format with each content, with and without a humanoid.
fn clips_with_each_content() -> Vec<(String, Clip)> {
    let mut best: BTreeMap<(&str, Content, bool), (usize, usize)> = BTreeMap::new();
    let clips = all_clips();
    for (index, (_, clip)) in clips.iter().enumerate() {
        for content in clip.contents() {
            let size = clip.key_count() * (1 + clip.nodes.len());
            let known = best
                .entry((clip.format.as_str(), content, clip.humanoid.is_some()))
                .or_insert((size, index));
            *known = (*known).min((size, index));
        }
    }
    let chosen: BTreeSet<usize> = best.values().map(|(_, index)| *index).collect();
    chosen.into_iter().map(|index| clips[index].clone()).collect()
}

#[test]
fn formats_hold_what_they_declare() {
    let mut found: BTreeMap<&str, BTreeSet<Content>> = BTreeMap::new();
    // A skeleton from another file adds contents of that file. Animations of Metroid Prime always
    // need one.
    let is_alone =
        |clip: &Clip| clip.skeleton.attached().is_none() || clip.format.as_str() == "prime";
    for (_, clip) in all_clips().iter().filter(|(_, clip)| is_alone(clip)) {
        found.entry(clip.format.as_str()).or_default().extend(clip.contents());
    }
    let mut wrong = Vec::new();
    for format in mutoscope_cli::registry().formats() {
        let declared: BTreeSet<Content> = format.contents.iter().copied().collect();
        let found = found.get(format.id.as_str()).cloned().unwrap_or_default();
        if declared != found {
            wrong.push(format!("{}: declared {declared:?}, found {found:?}", format.id.as_str()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

struct Conversion {
    kept: BTreeSet<Content>,
    distance: Option<f64>,
}

/// Converts a clip, and returns what the file has of its contents. `None` if the target refuses the
/// clip.
fn convert(clip: &Clip, target: &ExportTarget) -> Option<Conversion> {
    let mut bytes = Vec::new();
    let options = ExportOptions { title: "take".to_owned(), ..ExportOptions::default() };
    match target.write(clip, &options, &mut bytes, &mut Progress::default()) {
        Err(error) => {
            error.code()?;
            return None;
        }
        Ok(_) if UNREAD_TARGETS.contains(&target.id) => return None,
        Ok(_) => {}
    }
    let text = String::from_utf8_lossy(&bytes);
    let back = decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).ok()?;
    let mut kept: BTreeSet<Content> = back.contents().into_iter().collect();
    // Some contents are in the file in a form that our reader does not map to the same content.
    match target.id {
        "glb" | "vrma" if text.contains("\"events\":[") => drop(kept.insert(Content::Events)),
        "parquet" | "arrow" => {
            let tables: Vec<_> = target.side_table_names().collect();
            assert_eq!(tables, ["signals", "events"]);
            kept.extend([Content::Signals, Content::Events]);
        }
        "animj" | "animx" if back.tracks.iter().any(|track| track.property == "Active") => {
            kept.insert(Content::Visibility);
        }
        _ => {}
    }
    // A hidden node of a GLB or an FBX has a scale of 0.
    if ["glb", "fbx"].contains(&target.id) && kept.contains(&Content::Scales) {
        kept.insert(Content::Visibility);
    }
    let own: BTreeSet<Content> = clip.contents().into_iter().collect();
    let distance = kept.contains(&Content::Hierarchy) || !own.contains(&Content::Hierarchy);
    Some(Conversion {
        kept: kept.intersection(&own).copied().collect(),
        distance: distance.then(|| largest_distance(clip, &back)).flatten(),
    })
}

/// Returns the largest distance between nodes with the same name, in metres.
fn largest_distance(clip: &Clip, back: &Clip) -> Option<f64> {
    let ids = |clip: &Clip| {
        let mut ids: HashMap<String, Option<NodeId>> = HashMap::new();
        for (id, node) in clip.nodes.with_ids() {
            // Nodes that share a name cannot be compared.
            ids.entry(node.name.clone()).and_modify(|id| *id = None).or_insert(Some(id));
        }
        ids
    };
    let others = ids(back);
    let pairs: Vec<(NodeId, NodeId)> = ids(clip)
        .into_iter()
        .filter_map(|(name, id)| Some((id?, others.get(&name).copied()??)))
        .collect();
    let [mut before, mut after] = [Pose::default(), Pose::default()];
    let mut worst = None;
    for step in 0..12 {
        let part = f64::from(step) / 11.0;
        clip.sample_motion(clip.span.start + clip.span.duration * part, &mut before);
        back.sample_motion(back.span.start + back.span.duration * part, &mut after);
        for &(id, other) in &pairs {
            let visibility = &clip.nodes[id].motion.visibility;
            if *visibility != NodeVisibility::Never && before[id].is_visible {
                let off = before[id].world.translation.distance(after[other].world.translation);
                worst = Some(off.max(worst.unwrap_or(0.0)));
            }
        }
    }
    worst
}

/// The contents of the recordings of a format, and what a target kept of them.
#[derive(Default)]
struct Cell {
    own: BTreeSet<Content>,
    kept: BTreeSet<Content>,
    /// The largest distance between nodes, in metres.
    distance: Option<f64>,
}

#[test]
fn targets_keep_what_they_declare() {
    let clips = clips_with_each_content();
    println!("{} recordings", clips.len());
    let (mut wrong, mut lines) = (Vec::new(), Vec::new());
    for target in mutoscope_cli::targets().motion_targets() {
        assert!(target.contents.contains(&Content::Motion), "{}", target.id);
        let mut cells: BTreeMap<&str, Cell> = BTreeMap::new();
        for (name, clip) in &clips {
            let Some(conversion) = convert(clip, target) else { continue };
            let cell = cells.entry(clip.format.as_str()).or_default();
            cell.own.extend(clip.contents());
            cell.kept.extend(&conversion.kept);
            if conversion.distance > cell.distance {
                cell.distance = conversion.distance;
                lines.push(format!("{} from {name}: {:?} m", target.id, cell.distance));
            }
        }
        for (format, Cell { own, kept, .. }) in cells {
            let format = mutoscope_cli::registry().formats().find(|one| one.id.as_str() == format);
            let id = format.unwrap().id;
            let declared: BTreeSet<Content> =
                own.iter().copied().filter(|&content| target.keeps(content, id)).collect();
            let missing: Vec<_> = declared.difference(&kept).collect();
            // The cubics of Maya's rotations are tangents that the recording did not have.
            let is_partial = |content| {
                target.partial_contents.contains(content) || *content == Content::Tangents
            };
            let extra: Vec<_> =
                kept.difference(&declared).filter(|content| !is_partial(content)).collect();
            if !missing.is_empty() || !extra.is_empty() {
                wrong.push(format!("{} from {id}: extra {extra:?} missing {missing:?}", target.id));
            }
        }
    }
    lines.iter().for_each(|line| println!("{line}"));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Set `MUTOSCOPE_UPDATE_DOCS` to write the table.
#[test]
fn documentation_has_the_table_of_conversions() {
    const START: &str = "<!-- conversions -->\n";
    const END: &str = "<!-- end of conversions -->\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/export.md");
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (before, rest) = page.split_once(START).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let table = mutoscope_cli::conversion_table();
    let expected = format!("{before}{START}\n{table}\n{END}{after}");
    if std::env::var_os("MUTOSCOPE_UPDATE_DOCS").is_some() {
        fs::write(path, expected).unwrap();
    } else {
        assert_eq!(page, expected, "the table of docs/export.md differs from the targets");
    }
}
