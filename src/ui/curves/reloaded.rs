//! Carries the state of the curve view over to a reloaded recording. Pinned, hidden, collapsed and
//! zoomed curves stay so if they still exist.

use super::{
    CurvesState,
    kinematic_curves::KinematicChannel,
    pane::{ChannelId, PaneId},
};
use crate::session::find_same_node;
use mutoscope_core::clip::{Clip, GroupId, NodeId, Owner, Track, TrackId};

impl CurvesState {
    pub(in crate::ui) fn for_reloaded_recording(&self, before: &Clip, after: &Clip) -> Self {
        let map = ReloadMap { before, after };
        Self {
            pinned: self.pinned.iter().filter_map(|owner| map.owner(*owner)).collect(),
            toggled: self.toggled.iter().filter_map(|id| map.channel(*id)).collect(),
            collapsed: self.collapsed.iter().filter_map(|id| map.pane(*id)).collect(),
            windows: self
                .windows
                .iter()
                .filter_map(|(id, window)| Some((map.pane(*id)?, *window)))
                .collect(),
            ..self.for_another_recording()
        }
    }
}

struct ReloadMap<'a> {
    before: &'a Clip,
    after: &'a Clip,
}

impl ReloadMap<'_> {
    fn node(&self, node: NodeId) -> Option<NodeId> {
        find_same_node(self.before, self.after, node)
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

    fn track(&self, track: TrackId) -> Option<TrackId> {
        let &Track { owner, ref property, .. } = self.before.tracks.get(track.index())?;
        let matching_tracks = |clip: &Clip, owner: Owner| -> Vec<TrackId> {
            let tracks = clip.tracks_of(owner);
            tracks.filter(|(_, track)| track.property == *property).map(|(id, _)| id).collect()
        };
        let position = matching_tracks(self.before, owner).iter().position(|&one| one == track)?;
        matching_tracks(self.after, self.owner(owner)?).get(position).copied()
    }

    fn channel(&self, id: ChannelId) -> Option<ChannelId> {
        Some(match id {
            ChannelId::Keyed { track, component } => {
                ChannelId::Keyed { track: self.track(track)?, component }
            }
            ChannelId::Kinematic(channel) => {
                ChannelId::Kinematic(KinematicChannel { node: self.node(channel.node)?, ..channel })
            }
            ChannelId::Measured(measurement) => {
                ChannelId::Measured(measurement.map_nodes(|node| self.node(node))?)
            }
        })
    }

    fn pane(&self, id: PaneId) -> Option<PaneId> {
        Some(match id {
            PaneId::Track(track) => PaneId::Track(self.track(track)?),
            PaneId::Kinematic(node, quantity) => PaneId::Kinematic(self.node(node)?, quantity),
            PaneId::Measured(measurement) => {
                PaneId::Measured(measurement.map_nodes(|node| self.node(node))?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::curves::values::ValueWindow;
    use mutoscope_core::formats::{FormatId, ReadOptions, decode};

    fn clip(nodes: &[&str]) -> Clip {
        let curve = |node: &str, axis: char| {
            format!(
                "anim translate.translate{axis} translate{axis} {node} 0 0 0;\n\
                 animData {{ keys {{ 0 1 auto auto 1 1 0; 5 2 auto auto 1 1 0; }} }}\n"
            )
        };
        let both = |node: &&str| ['X', 'Y'].map(|axis| curve(node, axis)).concat();
        let text = format!("animVersion 1.1;\n{}", nodes.iter().map(both).collect::<String>());
        decode(text.as_bytes(), &ReadOptions::default().with_format(FormatId::MAYA)).unwrap()
    }

    fn node(clip: &Clip, name: &str) -> NodeId {
        NodeId::new(clip.nodes.iter().position(|node| node.name == name).unwrap())
    }

    fn second_track(clip: &Clip, name: &str) -> TrackId {
        clip.tracks_of(Owner::Node(node(clip, name))).nth(1).unwrap().0
    }

    #[test]
    fn pinned_hidden_and_zoomed_curves_survive_a_reload() {
        let (before, after) = (clip(&["hand", "gone", "foot"]), clip(&["hat", "foot", "hand"]));
        let hidden =
            |clip: &Clip, name| ChannelId::Keyed { track: second_track(clip, name), component: 0 };
        let pane = |clip: &Clip, name| PaneId::Track(second_track(clip, name));
        let state = CurvesState {
            normalised: true,
            pinned: vec![Owner::Node(node(&before, "foot")), Owner::Node(node(&before, "gone"))],
            toggled: [hidden(&before, "hand"), hidden(&before, "gone")].into(),
            collapsed: [pane(&before, "foot")].into(),
            windows: [(pane(&before, "hand"), ValueWindow::fitting(0.0, 1.0))].into(),
            ..CurvesState::default()
        };
        let mapped = state.for_reloaded_recording(&before, &after);
        assert!(mapped.normalised);
        assert_eq!(mapped.pinned, [Owner::Node(node(&after, "foot"))]);
        assert_eq!(mapped.toggled, [hidden(&after, "hand")].into());
        assert_eq!(mapped.collapsed, [pane(&after, "foot")].into());
        assert_eq!(mapped.windows.into_keys().collect::<Vec<_>>(), [pane(&after, "hand")]);
    }
}
