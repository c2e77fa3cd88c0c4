//! Groups, nodes and their curves as rows that fold.

use std::collections::HashSet;
use std::ops::Range;

use crate::clip::{Clip, GroupId, NodeId, Owner, Track, TrackId};

/// The index of an item of a [`Tree`], in the order of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(usize);

impl ItemId {
    /// The index of the item.
    pub fn index(self) -> usize {
        self.0
    }
}

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// All nodes of a group.
    Group(GroupId),
    /// A node, with all that hangs on it if it is in no group.
    Node(NodeId),
    /// The curves of a node on which others hang.
    Curves(NodeId),
    /// One curve.
    Track(TrackId),
}

/// One row of a tree, and what is below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it stands for.
    pub kind: Kind,
    /// How many others it is below.
    pub depth: usize,
    /// The one that it is right below.
    pub parent: Option<ItemId>,
    /// Where the items below it end.
    end: usize,
    /// Its tracks among those of the tree.
    pub(super) tracks: Range<usize>,
}

/// Everything of a clip that has keys as rows: trees of groups, nodes and curves.
///
/// Nodes of a group are below it, in file order; nodes of no group are below those that they hang
/// on. What has no keys, and has nothing below it that has, is not there.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    items: Vec<Item>,
    /// Every track that is in it, in the order of rows.
    tracks: Vec<TrackId>,
    /// The item of each node of the clip.
    nodes: Vec<Option<ItemId>>,
}

impl Tree {
    /// The rows of `clip`.
    pub fn new(clip: &Clip) -> Self {
        let mut builder = Builder::new(clip);
        for group in (0..clip.groups.len()).map(GroupId::new) {
            builder.group(group);
        }
        for root in std::mem::take(&mut builder.roots) {
            builder.node_with_children(root, 0, None);
        }
        builder.tree
    }

    /// All items, in the order of rows.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The ids of all items, in the order of rows.
    pub fn ids(&self) -> impl Iterator<Item = ItemId> + use<> {
        (0..self.items.len()).map(ItemId)
    }

    /// The item with this id.
    pub fn item(&self, id: ItemId) -> &Item {
        &self.items[id.0]
    }

    /// The item of a node, if it has one.
    pub fn of_node(&self, node: NodeId) -> Option<ItemId> {
        self.nodes.get(node.index()).copied().flatten()
    }

    /// The tracks in the item and below it, in the order of rows.
    pub fn tracks(&self, id: ItemId) -> &[TrackId] {
        &self.tracks[self.items[id.0].tracks.clone()]
    }

    /// All tracks that are in the tree, in the order of rows.
    pub fn all_tracks(&self) -> &[TrackId] {
        &self.tracks
    }

    /// Whether there are rows below the item.
    pub fn folds(&self, id: ItemId) -> bool {
        self.items[id.0].end > id.0 + 1
    }

    /// The items below the item, however deep.
    pub fn below(&self, id: ItemId) -> impl Iterator<Item = ItemId> + use<> {
        (id.0 + 1..self.items[id.0].end).map(ItemId)
    }

    /// How many items are right below the item.
    pub fn child_count(&self, id: ItemId) -> usize {
        self.children(id).count()
    }

    /// The items that are open if nobody has opened any: a lone item at the top, and below it as
    /// long as nothing branches, so that there is more than one row to see.
    pub fn open_at_first(&self) -> HashSet<ItemId> {
        let mut open = HashSet::new();
        let mut level: Vec<_> = self.roots().collect();
        while let [only] = level[..] {
            if !self.folds(only) {
                break;
            }
            open.insert(only);
            let is_node = |id: &ItemId| matches!(self.item(*id).kind, Kind::Node(_));
            level = self.children(only).filter(is_node).collect();
        }
        open
    }

    /// The items that have rows if those in `open` are unfolded. Of what is folded, only the way to
    /// `revealed` has rows, each folded but for that way.
    pub fn rows(&self, open: &HashSet<ItemId>, revealed: Option<ItemId>) -> Vec<ItemId> {
        let mut rows = Vec::new();
        let mut next = 0;
        while next < self.items.len() {
            let id = ItemId(next);
            rows.push(id);
            let end = self.items[next].end;
            if open.contains(&id) {
                next += 1;
                continue;
            }
            let way = revealed.filter(|revealed| (next + 1..end).contains(&revealed.0));
            if let Some(revealed) = way {
                self.way_to(id, revealed, open, &mut rows);
            }
            next = end;
        }
        rows
    }

    /// The rows from below the folded `id` to `revealed`, which is somewhere below it, and on from
    /// there if that is open.
    fn way_to(&self, id: ItemId, revealed: ItemId, open: &HashSet<ItemId>, rows: &mut Vec<ItemId>) {
        let mut id = id;
        while id != revealed {
            let leads_there =
                |child: &ItemId| (child.0..self.items[child.0].end).contains(&revealed.0);
            let Some(child) = self.children(id).find(leads_there) else { return };
            rows.push(child);
            id = child;
        }
        if open.contains(&id) {
            for child in self.children(id) {
                self.open_rows(child, open, rows);
            }
        }
    }

    fn open_rows(&self, id: ItemId, open: &HashSet<ItemId>, rows: &mut Vec<ItemId>) {
        let mut next = id.0;
        while next < self.items[id.0].end {
            rows.push(ItemId(next));
            next = if open.contains(&ItemId(next)) { next + 1 } else { self.items[next].end };
        }
    }

    fn roots(&self) -> impl Iterator<Item = ItemId> + '_ {
        self.siblings(0, self.items.len())
    }

    fn children(&self, id: ItemId) -> impl Iterator<Item = ItemId> + '_ {
        self.siblings(id.0 + 1, self.items[id.0].end)
    }

    fn siblings(&self, first: usize, end: usize) -> impl Iterator<Item = ItemId> + '_ {
        let next = move |index: usize| (index < end).then_some(index);
        std::iter::successors(next(first), move |&index| next(self.items[index].end)).map(ItemId)
    }
}

/// Puts items one after the other.
struct Builder {
    tree: Tree,
    /// The tracks with keys of each node, and of each group.
    of_node: Vec<Vec<TrackId>>,
    of_group: Vec<Vec<TrackId>>,
    /// The nodes of each group that have keys.
    members: Vec<Vec<NodeId>>,
    /// Of the nodes of no group: which hang on which, and which on none.
    children: Vec<Vec<NodeId>>,
    roots: Vec<NodeId>,
}

impl Builder {
    fn new(clip: &Clip) -> Self {
        let mut of_node = vec![Vec::new(); clip.nodes.len()];
        let mut of_group = vec![Vec::new(); clip.groups.len()];
        let has_keys = |track: &Track| !track.curve.key_times().is_empty();
        for (index, track) in clip.tracks.iter().enumerate().filter(|(_, track)| has_keys(track)) {
            match track.owner {
                Owner::Node(node) => of_node[node.index()].push(TrackId::new(index)),
                Owner::Group(group) => of_group[group.index()].push(TrackId::new(index)),
            }
        }
        // What lanes show of a whole group is no row once more.
        for signal in &clip.signals {
            if let Owner::Group(group) = clip.track(signal.track).owner {
                of_group[group.index()].retain(|track| *track != signal.track);
            }
        }
        let mut has_rows: Vec<bool> = of_node.iter().map(|tracks| !tracks.is_empty()).collect();
        for &id in clip.nodes.parents_first().iter().rev() {
            if let Some(parent) = tree_parent(clip, id).filter(|_| has_rows[id.index()]) {
                has_rows[parent.index()] = true;
            }
        }
        let mut members = vec![Vec::new(); clip.groups.len()];
        let mut children = vec![Vec::new(); clip.nodes.len()];
        let mut roots = Vec::new();
        for (id, node) in clip.nodes.with_ids().filter(|(id, _)| has_rows[id.index()]) {
            match (node.group, tree_parent(clip, id)) {
                (Some(group), _) => members[group.index()].push(id),
                (None, Some(parent)) => children[parent.index()].push(id),
                (None, None) => roots.push(id),
            }
        }
        let tree = Tree { nodes: vec![None; clip.nodes.len()], ..Tree::default() };
        Self { tree, of_node, of_group, members, children, roots }
    }

    fn open(&mut self, kind: Kind, depth: usize, parent: Option<ItemId>) -> ItemId {
        let start = self.tree.tracks.len();
        let id = ItemId(self.tree.items.len());
        self.tree.items.push(Item { kind, depth, parent, end: id.0 + 1, tracks: start..start });
        id
    }

    fn close(&mut self, id: ItemId) {
        let (end, tracks) = (self.tree.items.len(), self.tree.tracks.len());
        let item = &mut self.tree.items[id.0];
        item.end = end;
        item.tracks.end = tracks;
    }

    fn group(&mut self, group: GroupId) {
        let members = std::mem::take(&mut self.members[group.index()]);
        let tracks = std::mem::take(&mut self.of_group[group.index()]);
        if members.is_empty() && tracks.is_empty() {
            return;
        }
        let item = self.open(Kind::Group(group), 0, None);
        self.tracks(&tracks, 1, item);
        for node in members {
            self.node_with_children(node, 1, Some(item));
        }
        self.close(item);
    }

    fn tracks(&mut self, tracks: &[TrackId], depth: usize, parent: ItemId) {
        for &track in tracks {
            let item = self.open(Kind::Track(track), depth, Some(parent));
            self.tree.tracks.push(track);
            self.close(item);
        }
    }

    /// A node and all that hangs on it. Files may nest nodes deeper than a call stack is.
    fn node_with_children(&mut self, root: NodeId, depth: usize, parent: Option<ItemId>) {
        enum Step {
            Open(NodeId, usize, Option<ItemId>),
            Close(ItemId),
        }
        let mut pile = vec![Step::Open(root, depth, parent)];
        while let Some(step) = pile.pop() {
            let (node, depth, parent) = match step {
                Step::Open(node, depth, parent) => (node, depth, parent),
                Step::Close(item) => {
                    self.close(item);
                    continue;
                }
            };
            let item = self.open(Kind::Node(node), depth, parent);
            self.tree.nodes[node.index()] = Some(item);
            let tracks = std::mem::take(&mut self.of_node[node.index()]);
            let children = std::mem::take(&mut self.children[node.index()]);
            if children.is_empty() || tracks.is_empty() {
                self.tracks(&tracks, depth + 1, item);
            } else {
                let curves = self.open(Kind::Curves(node), depth + 1, Some(item));
                self.tracks(&tracks, depth + 2, curves);
                self.close(curves);
            }
            pile.push(Step::Close(item));
            let below = children.into_iter().rev();
            pile.extend(below.map(|child| Step::Open(child, depth + 1, Some(item))));
        }
    }
}

/// The node that `id` is below: the one that it hangs on, if both are in no group.
fn tree_parent(clip: &Clip, id: NodeId) -> Option<NodeId> {
    let node = &clip.nodes[id];
    let parent = node.parent.filter(|_| node.group.is_none())?;
    clip.nodes[parent].group.is_none().then_some(parent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats;

    fn maya(text: &str) -> Clip {
        formats::decode(text.as_bytes(), None, None).unwrap()
    }

    /// A tree of Maya's: `root` carries `arm`, which carries `hand`, and `leg`.
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

    fn lines(clip: &Clip, rows: &[ItemId], tree: &Tree) -> Vec<String> {
        let line = |id: &ItemId| {
            let item = tree.item(*id);
            let name = match item.kind {
                Kind::Group(group) => clip.groups[group.index()].clone(),
                Kind::Node(node) => clip.nodes[node].name.clone(),
                Kind::Curves(_) => "curves".to_owned(),
                Kind::Track(track) => clip.track(track).property.clone(),
            };
            format!("{}{name}", "  ".repeat(item.depth))
        };
        rows.iter().map(line).collect()
    }

    #[test]
    fn a_lone_root_is_open_and_all_else_folded() {
        let clip = walker();
        let tree = Tree::new(&clip);
        let rows = tree.rows(&tree.open_at_first(), None);
        assert_eq!(lines(&clip, &rows, &tree), ["root", "  curves", "  arm", "  leg"]);
        let none = HashSet::new();
        assert_eq!(lines(&clip, &tree.rows(&none, None), &tree), ["root"]);
    }

    #[test]
    fn what_is_revealed_is_shown_with_all_that_it_is_below() {
        let clip = walker();
        let tree = Tree::new(&clip);
        let hand = clip.nodes.with_ids().find(|(_, node)| node.name == "hand").unwrap().0;
        let hand = tree.of_node(hand).unwrap();
        let mut open = HashSet::new();
        let rows = tree.rows(&open, Some(hand));
        assert_eq!(lines(&clip, &rows, &tree), ["root", "  arm", "    hand"]);
        open.insert(hand);
        let rows = tree.rows(&open, Some(hand));
        assert_eq!(rows.len(), 4, "its own curves, once it is open");
        assert_eq!(tree.tracks(ItemId(0)).len(), 4);
        assert_eq!(tree.tracks(hand).len(), 1);
    }

    #[test]
    fn everything_open_shows_everything_once() {
        for bytes in [
            &include_bytes!("../../assets/mrtk/two-hands.bin")[..],
            include_bytes!("../../assets/maya/walk-with-hat.anim"),
            include_bytes!("../../assets/prime/walk.ANIM"),
        ] {
            let clip = formats::decode(bytes, None, None).unwrap();
            let tree = Tree::new(&clip);
            let all: HashSet<_> = tree.ids().collect();
            assert_eq!(tree.rows(&all, None), tree.ids().collect::<Vec<_>>());
            let with_keys = clip.tracks.iter().filter(|track| !track.curve.key_times().is_empty());
            let of_groups = clip.signals.iter().filter(|signal| {
                let track = clip.track(signal.track);
                matches!(track.owner, Owner::Group(_)) && !track.curve.key_times().is_empty()
            });
            assert_eq!(tree.all_tracks().len(), with_keys.count() - of_groups.count());
            for id in tree.ids() {
                let below =
                    tree.below(id).filter(|id| matches!(tree.item(*id).kind, Kind::Track(_)));
                let own = usize::from(matches!(tree.item(id).kind, Kind::Track(_)));
                assert_eq!(tree.tracks(id).len(), below.count() + own);
            }
        }
    }
}
