//! Tests rows of real and generated recordings.

use super::*;

use mutoscope_core::clip::Owner;
use mutoscope_core::{ReadOptions, decode};

fn maya(text: &str) -> Clip {
    decode(text.as_bytes(), &ReadOptions::default()).unwrap()
}

/// Returns a Maya clip in which `root` has the children `arm` and `leg`, and `arm` has the child
/// `hand`.
fn walker() -> Clip {
    let curve = |attribute: &str, name: &str, rest: &str| {
        format!(
            "anim {attribute} {name} {rest} 0;\nanimData {{\n  input time;\n  output linear;\n  \
             weighted 0;\n  preInfinity constant;\n  postInfinity constant;\n  keys {{\n    \
             1 0 linear linear 1 1 0;\n    5 1 linear linear 1 1 0;\n  }}\n}}\n"
        )
    };
    let x = |name, rest| curve("translate.translateX translateX", name, rest);
    let y = |name, rest| curve("translate.translateY translateY", name, rest);
    maya(&format!(
        "animVersion 1.1;\nmayaVersion 2014;\ntimeUnit ntsc;\nlinearUnit cm;\nangularUnit deg;\n\
         startTime 1;\nendTime 5;\n{}{}anim arm 1 1 0;\n{}{}",
        x("root", "0 2"),
        y("root", "0 2"),
        x("hand", "2 0"),
        x("leg", "1 0"),
    ))
}

fn row_texts(clip: &Clip, rows: &[ItemId], tree: &Tree) -> Vec<String> {
    let line = |id: &ItemId| {
        let item = tree.item(*id);
        let name = match item.kind {
            ItemKind::Group(group) => clip.groups[group.index()].clone(),
            ItemKind::Node(node) => clip.nodes[node].name.clone(),
            ItemKind::Curves(_) => "curves".to_owned(),
            ItemKind::Track(track) => clip.track(track).property.clone(),
        };
        format!("{}{name}", "  ".repeat(item.depth))
    };
    rows.iter().map(line).collect()
}

#[test]
fn only_a_lone_root_is_expanded_initially() {
    let clip = walker();
    let tree = Tree::new(&clip);
    let rows = tree.visible_rows(&tree.initially_open(), None);
    assert_eq!(row_texts(&clip, &rows, &tree), ["root", "  curves", "  arm", "  leg"]);
    let none = HashSet::new();
    assert_eq!(row_texts(&clip, &tree.visible_rows(&none, None), &tree), ["root"]);
}

#[test]
fn revealed_items_are_shown_with_their_ancestors() {
    let clip = walker();
    let tree = Tree::new(&clip);
    let hand = clip.nodes.with_ids().find(|(_, node)| node.name == "hand").unwrap().0;
    let hand = tree.item_of_node(hand).unwrap();
    let mut open = HashSet::new();
    let rows = tree.visible_rows(&open, Some(hand));
    assert_eq!(row_texts(&clip, &rows, &tree), ["root", "  arm", "    hand"]);
    open.insert(hand);
    let rows = tree.visible_rows(&open, Some(hand));
    assert_eq!(rows.len(), 4, "its own curves, once it is open");
    assert_eq!(tree.tracks(ItemId(0)).len(), 4);
    assert_eq!(tree.tracks(hand).len(), 1);
}

#[test]
fn expanding_all_shows_every_item_once() {
    for bytes in [
        &include_bytes!("../../../../../assets/mrtk/two-hands.bin")[..],
        include_bytes!("../../../../../assets/maya/walk-with-hat.anim"),
        include_bytes!("../../../../../assets/prime/walk.ANIM"),
    ] {
        let clip = decode(bytes, &ReadOptions::default()).unwrap();
        let tree = Tree::new(&clip);
        let all: HashSet<_> = tree.ids().collect();
        assert_eq!(tree.visible_rows(&all, None), tree.ids().collect::<Vec<_>>());
        let with_keys = clip.tracks.iter().filter(|track| !track.curve.key_times().is_empty());
        let of_groups = clip.signals.iter().filter(|signal| {
            let track = clip.track(signal.track);
            matches!(track.owner, Owner::Group(_)) && !track.curve.key_times().is_empty()
        });
        assert_eq!(tree.all_tracks().len(), with_keys.count() - of_groups.count());
        for id in tree.ids() {
            let below =
                tree.descendants(id).filter(|id| matches!(tree.item(*id).kind, ItemKind::Track(_)));
            let own = usize::from(matches!(tree.item(id).kind, ItemKind::Track(_)));
            assert_eq!(tree.tracks(id).len(), below.count() + own);
        }
    }
}

#[test]
fn expanded_rows_are_restored_by_name() {
    let row = |clip: &Clip, tree: &Tree, name: &str| {
        let id = clip.nodes.with_ids().find(|(_, node)| node.name == name).unwrap().0;
        tree.item_of_node(id).unwrap()
    };
    let before = walker();
    let tree = Tree::new(&before);
    let open = HashSet::from([ItemId(0), row(&before, &tree, "hand")]);
    assert_eq!(tree.matching_items(&tree, &open), open);
    // This clip has another node first, and `hand` has no parent.
    let key = "animData {\n  keys {\n    1 0 linear linear 1 1 0;\n    5 1 linear linear 1 1 0;\n  }\n}\n";
    let x = "anim translate.translateX translateX";
    let after = maya(&format!(
        "animVersion 1.1;\n{x} first 0 0 0;\n{key}{x} hand 0 0 0;\n{key}{x} root 0 1 0;\n{key}{x} toe 1 0 0;\n{key}"
    ));
    let other = Tree::new(&after);
    let found = other.matching_items(&tree, &open);
    assert_eq!(found, HashSet::from(["hand", "root"].map(|name| row(&after, &other, name))));
    assert!(Tree::default().matching_items(&tree, &open).is_empty());
}

#[test]
fn duplicate_row_names_are_matched_by_position() {
    let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
    let clip = decode(bytes, &ReadOptions::default()).unwrap();
    let [tree, copy] = [Tree::new(&clip), Tree::new(&clip)];
    for id in tree.ids().filter(|id| tree.has_children(*id)) {
        let open = HashSet::from([id]);
        assert_eq!(copy.matching_items(&tree, &open), open);
    }
}

#[test]
fn rows_without_motion_come_last() {
    let still = "  preInfinity constant;\n  postInfinity constant;\n  keys {\n    1 3 linear linear \
                 1 1 0;\n    5 3 linear linear 1 1 0;\n  }\n}\n";
    let moving = still.replace("5 3", "5 4");
    let curve = |name: &str, keys: &str| {
        format!(
            "anim translate.translateX translateX {name} 0 0 0;\nanimData {{\n  input time;\n  \
             output linear;\n  weighted 0;\n{keys}"
        )
    };
    let clip = maya(&format!(
        "animVersion 1.1;\nmayaVersion 2014;\ntimeUnit ntsc;\nlinearUnit cm;\nangularUnit deg;\n\
         startTime 1;\nendTime 5;\n{}{}{}",
        curve("table", still),
        curve("lamp", &moving),
        curve("chair", still),
    ));
    let tree = Tree::new(&clip);
    let rows = tree.visible_rows(&HashSet::new(), None);
    assert_eq!(row_texts(&clip, &rows, &tree), ["lamp", "table", "chair"]);
}
