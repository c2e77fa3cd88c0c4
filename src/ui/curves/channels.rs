//! Which numbers there are to draw, and which of them belong together.

use super::source;
use crate::clip::{AnyCurve, Clip, FoldedCurve, NodeId, Owner, Span, TrackId, Unit, Value};

/// A number that changes over time: a track, or one component of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ChannelId {
    pub(super) track: TrackId,
    pub(super) component: usize,
}

/// One curve of a pane.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Channel {
    pub(super) id: ChannelId,
    /// What it is called within its pane: `x`, or all of its name where it is alone.
    pub(super) name: String,
    pub(super) role: Role,
}

/// What a curve is of, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    X,
    Y,
    Z,
    W,
    /// Nothing with an axis: the so-manieth of its pane.
    Other(usize),
}

/// What belongs together and shares a value axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pane {
    pub(super) owner: Owner,
    /// What its channels have in common: `translate`.
    pub(super) title: String,
    pub(super) unit: Unit,
    pub(super) content: Content,
}

/// What a pane shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    /// Numbers, as curves.
    Curves(Vec<Channel>),
    /// Colours, as they are.
    Colors(TrackId),
    /// Words, each as long as it stands.
    Words(TrackId),
}

impl Pane {
    /// The track it begins with, which no other pane has.
    pub(super) fn id(&self) -> TrackId {
        match &self.content {
            Content::Curves(channels) => channels[0].id.track,
            Content::Colors(track) | Content::Words(track) => *track,
        }
    }

    /// Its curves, if it has any.
    pub(super) fn channels(&self) -> &[Channel] {
        match &self.content {
            Content::Curves(channels) => channels,
            Content::Colors(_) | Content::Words(_) => &[],
        }
    }
}

/// Whose curves are shown: those that are kept, the selected node and its group. If that is
/// nobody, the first that has any.
pub(super) fn owners(clip: &Clip, kept: &[Owner], selected: Option<NodeId>) -> Vec<Owner> {
    let mut owners = kept.to_vec();
    let group = selected.and_then(|node| clip.nodes[node].group);
    for owner in selected.map(Owner::Node).into_iter().chain(group.map(Owner::Group)) {
        if !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    if owners.is_empty() {
        let has_keys = |owner: &Owner| {
            clip.tracks_of(*owner).any(|(_, track)| !track.curve.key_times().is_empty())
        };
        let nodes = (0..clip.nodes.len()).map(|index| Owner::Node(NodeId::new(index)));
        owners.extend(nodes.take(MOST_LOOKED_AT).find(has_keys));
    }
    owners
}

/// Where nothing is selected, only so many nodes are looked at for one with curves.
const MOST_LOOKED_AT: usize = 200;

/// The panes of `owners`, in file order: the components of one property share a pane, and so do
/// all numbers of one unit that are no components.
pub(super) fn panes(clip: &Clip, owners: &[Owner]) -> Vec<Pane> {
    let mut panes = Vec::new();
    for &owner in owners {
        let first = panes.len();
        for (track, found) in clip.tracks_of(owner) {
            let pane = |content| Pane::of(owner, &found.property, found.unit, content);
            match &found.curve {
                AnyCurve::Folded(curve) => match sample(&**curve, clip.span) {
                    Value::Null => {}
                    Value::Text(_) => panes.push(pane(Content::Words(track))),
                    Value::Bool(_) | Value::Integer(_) | Value::Number(_) => {
                        add(&mut panes, first, owner, track, clip);
                    }
                    several => {
                        let count = source::component_count(&several);
                        panes.push(pane(Content::Curves(components(track, count))));
                    }
                },
                curve if curve.key_times().is_empty() => {}
                AnyCurve::Driven(_) => {}
                AnyCurve::Text(_) => {
                    panes.push(pane(Content::Words(track)));
                }
                curve if curve.is_color() => {
                    panes.push(pane(Content::Colors(track)));
                }
                AnyCurve::Typed(curve) if curve.components().len() > 1 => {
                    let count = curve.components().len();
                    panes.push(pane(Content::Curves(components(track, count))));
                }
                AnyCurve::Number(_) | AnyCurve::Switch(_) | AnyCurve::Typed(_) => {
                    add(&mut panes, first, owner, track, clip);
                }
            }
        }
    }
    panes
}

impl Pane {
    fn of(owner: Owner, title: &str, unit: Unit, content: Content) -> Self {
        Self { owner, title: title.to_owned(), unit, content }
    }
}

/// Puts a number into the pane of `owner` it belongs to.
fn add(panes: &mut Vec<Pane>, first: usize, owner: Owner, track: TrackId, clip: &Clip) {
    let found = clip.track(track);
    let (title, name) = split(&found.property);
    let role = match (title, name) {
        (Some(_), "x" | "X" | "r" | "R") => Role::X,
        (Some(_), "y" | "Y" | "g" | "G") => Role::Y,
        (Some(_), "z" | "Z" | "b" | "B") => Role::Z,
        (Some(_), _) => Role::W,
        (None, _) => Role::Other(0),
    };
    // Switches do not share an axis with what is measured.
    let is_switch = found.curve.is_switch();
    let title = title.unwrap_or(if is_switch { "switches" } else { "other" });
    let fits = |pane: &&mut Pane| {
        pane.title == title && pane.unit == found.unit && matches!(pane.content, Content::Curves(_))
    };
    let id = ChannelId { track, component: 0 };
    let channel = |role| Channel { id, name: name.to_owned(), role };
    match panes[first..].iter_mut().find(fits) {
        Some(Pane { content: Content::Curves(channels), .. }) => {
            let is_other = matches!(role, Role::Other(_));
            let role = if is_other { Role::Other(channels.len()) } else { role };
            channels.push(channel(role));
        }
        _ => {
            let content = Content::Curves(vec![channel(role)]);
            panes.push(Pane::of(owner, title, found.unit, content));
        }
    }
}

/// What a property has in common with its fellow components, if it is a component, and what is its
/// own: `position.x`, `translateX`.
fn split(property: &str) -> (Option<&str>, &str) {
    let Some((at, last)) = property.char_indices().next_back() else { return (None, property) };
    let stem = &property[..at];
    if let Some(stem) = stem.strip_suffix('.').filter(|stem| !stem.is_empty())
        && matches!(last, 'x' | 'y' | 'z' | 'w' | 'r' | 'g' | 'b' | 'a')
    {
        return (Some(stem), &property[at..]);
    }
    let is_word = stem.ends_with(|c: char| c.is_ascii_lowercase());
    if is_word && matches!(last, 'X' | 'Y' | 'Z' | 'W' | 'R' | 'G' | 'B') {
        return (Some(stem), &property[at..]);
    }
    (None, property)
}

fn components(track: TrackId, count: usize) -> Vec<Channel> {
    const AXES: [(&str, Role); 4] =
        [("x", Role::X), ("y", Role::Y), ("z", Role::Z), ("w", Role::W)];
    let channel = |component: usize| {
        let (name, role) = match AXES.get(component).filter(|_| count <= AXES.len()) {
            Some(&(name, role)) => (name.to_owned(), role),
            None => (component.to_string(), Role::Other(component)),
        };
        Channel { id: ChannelId { track, component }, name, role }
    };
    (0..count).map(channel).collect()
}

/// What a folded curve says at some time: the first that is anything, of a few.
fn sample(curve: &dyn FoldedCurve, span: Span) -> Value {
    let keyed = (!curve.times().as_slice().is_empty()).then(|| curve.key_value(0));
    let times = [0.0, 0.5, 1.0].map(|part| span.start + part * span.duration);
    let values = times.into_iter().map(|time| curve.value(time)).chain(keyed);
    values.into_iter().find(|value| *value != Value::Null).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::testing::two_hands;

    #[test]
    fn components_are_told_from_words_that_end_alike() {
        let cases = [
            ("position.x", (Some("position"), "x")),
            ("translateX", (Some("translate"), "X")),
            ("colorB", (Some("color"), "B")),
            ("visibility", (None, "visibility")),
            ("rotateOrder", (None, "rotateOrder")),
            ("FX", (None, "FX")),
            (".x", (None, ".x")),
            ("x", (None, "x")),
            ("", (None, "")),
            ("größeX", (Some("größe"), "X")),
        ];
        for (property, expected) in cases {
            assert_eq!(split(property), expected, "{property}");
        }
    }

    #[test]
    fn a_joint_has_a_pane_for_its_place_and_one_for_its_rotation() {
        let clip = two_hands();
        let node = clip.nodes.iter().position(|node| node.name == "left/IndexTip").unwrap();
        let owners = owners(&clip, &[], Some(NodeId::new(node)));
        let panes = panes(&clip, &owners);
        let found: Vec<_> = panes
            .iter()
            .map(|pane| {
                let names: Vec<_> = pane.channels().iter().map(|it| it.name.as_str()).collect();
                (pane.title.as_str(), pane.unit, names.join(" "))
            })
            .collect();
        let expected = [
            ("position", Unit::Metres, "x y z"),
            ("rotation", Unit::None, "x y z w"),
            ("switches", Unit::None, "tracked pinch"),
        ];
        assert_eq!(found, expected.map(|(title, unit, names)| (title, unit, names.to_owned())));
    }

    #[test]
    fn what_is_kept_comes_first_and_nothing_selected_is_not_nothing() {
        let clip = two_hands();
        let [a, b] = [3, 5].map(NodeId::new);
        let kept = [Owner::Node(a)];
        let with_group = Owner::Group(clip.nodes[b].group.unwrap());
        assert_eq!(owners(&clip, &kept, Some(b)), [kept[0], Owner::Node(b), with_group]);
        assert_eq!(owners(&clip, &[], None), [Owner::Node(NodeId::new(0))]);
        assert_eq!(owners(&clip, &kept, None), kept);
    }
}
