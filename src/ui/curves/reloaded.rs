//! The state of the curve view for a recording that was reloaded: what was pinned, hidden, collapsed
//! and zoomed there stays so, as far as it is still there.

use super::{
    CurvesState,
    kinematic_curves::Measure,
    pane::{ChannelId, PaneId},
};
use crate::session::same_node;
use mutoscope_core::clip::{Clip, GroupId, NodeId, Owner, Track, TrackId};

impl CurvesState {
    /// The same for `after`, which is `before` reloaded.
    pub(in crate::ui) fn for_reloaded_recording(&self, before: &Clip, after: &Clip) -> Self {
        let same = Same { before, after };
        Self {
            kept: self.kept.iter().filter_map(|owner| same.owner(*owner)).collect(),
            switched: self.switched.iter().filter_map(|id| same.channel(*id)).collect(),
            folded: self.folded.iter().filter_map(|id| same.pane(*id)).collect(),
            windows: self
                .windows
                .iter()
                .filter_map(|(id, window)| Some((same.pane(*id)?, *window)))
                .collect(),
            ..self.for_another_recording()
        }
    }
}

/// The mapping between two versions of a recording.
struct Same<'a> {
    before: &'a Clip,
    after: &'a Clip,
}

impl Same<'_> {
    fn node(&self, node: NodeId) -> Option<NodeId> {
        same_node(self.before, self.after, node)
    }

    fn owner(&self, owner: Owner) -> Option<Owner> {
        match owner {
            Owner::Node(node) => self.node(node).map(Owner::Node),
            Owner::Group(group) => {
                let name = self.before.groups.get(group.index())?;
                let index = self.after.groups.iter().position(|group| group == name)?;
                Some(Owner::Group(GroupId::new(index)))
            }
        }
    }

    /// The track of the same owner and property. Of several, the one in the same place.
    fn track(&self, track: TrackId) -> Option<TrackId> {
        let &Track { owner, ref property, .. } = self.before.tracks.get(track.index())?;
        let alike = |clip: &Clip, owner: Owner| -> Vec<TrackId> {
            let tracks = clip.tracks_of(owner);
            tracks.filter(|(_, track)| track.property == *property).map(|(id, _)| id).collect()
        };
        let place = alike(self.before, owner).iter().position(|&one| one == track)?;
        alike(self.after, self.owner(owner)?).get(place).copied()
    }

    fn channel(&self, id: ChannelId) -> Option<ChannelId> {
        Some(match id {
            ChannelId::Keyed { track, component } => {
                ChannelId::Keyed { track: self.track(track)?, component }
            }
            ChannelId::Moved(measure) => {
                ChannelId::Moved(Measure { node: self.node(measure.node)?, ..measure })
            }
        })
    }

    fn pane(&self, id: PaneId) -> Option<PaneId> {
        Some(match id {
            PaneId::Of(track) => PaneId::Of(self.track(track)?),
            PaneId::Moved(node, change) => PaneId::Moved(self.node(node)?, change),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::curves::values::ValueWindow;
    use mutoscope_core::formats::{self, DecodeRequest, FormatId};

    /// The Maya curves of these nodes, X and Y of each.
    fn clip(nodes: &[&str]) -> Clip {
        let curve = |node: &str, axis: char| {
            format!(
                "anim translate.translate{axis} translate{axis} {node} 0 0 0;\n\
                 animData {{ keys {{ 0 1 auto auto 1 1 0; 5 2 auto auto 1 1 0; }} }}\n"
            )
        };
        let both = |node: &&str| ['X', 'Y'].map(|axis| curve(node, axis)).concat();
        let text = format!("animVersion 1.1;\n{}", nodes.iter().map(both).collect::<String>());
        formats::decode(text.as_bytes(), &DecodeRequest::default().format(FormatId::MAYA)).unwrap()
    }

    fn node(clip: &Clip, name: &str) -> NodeId {
        NodeId::new(clip.nodes.iter().position(|node| node.name == name).unwrap())
    }

    /// The second track of a node.
    fn second(clip: &Clip, name: &str) -> TrackId {
        clip.tracks_of(Owner::Node(node(clip, name))).nth(1).unwrap().0
    }

    #[test]
    fn pinned_hidden_and_zoomed_curves_are_found_again() {
        let (before, after) = (clip(&["hand", "gone", "foot"]), clip(&["hat", "foot", "hand"]));
        let hidden =
            |clip: &Clip, name| ChannelId::Keyed { track: second(clip, name), component: 0 };
        let pane = |clip: &Clip, name| PaneId::Of(second(clip, name));
        let state = CurvesState {
            normalised: true,
            kept: vec![Owner::Node(node(&before, "foot")), Owner::Node(node(&before, "gone"))],
            switched: [hidden(&before, "hand"), hidden(&before, "gone")].into(),
            folded: [pane(&before, "foot")].into(),
            windows: [(pane(&before, "hand"), ValueWindow::fitting(0.0, 1.0))].into(),
            ..CurvesState::default()
        };
        let again = state.for_reloaded_recording(&before, &after);
        assert!(again.normalised);
        assert_eq!(again.kept, [Owner::Node(node(&after, "foot"))]);
        assert_eq!(again.switched, [hidden(&after, "hand")].into());
        assert_eq!(again.folded, [pane(&after, "foot")].into());
        assert_eq!(again.windows.into_keys().collect::<Vec<_>>(), [pane(&after, "hand")]);
    }
}
