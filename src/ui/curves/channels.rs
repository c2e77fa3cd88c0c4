//! The channels that can be drawn, and their grouping into panes.

use super::{
    pane::{Channel, ChannelId, Content, Pane, Role},
    source,
};
use mutoscope_core::{
    clip::{AnyCurve, Clip, ComputedCurve, NodeId, Owner, Span, TrackId, Value},
    measure::compare::Change,
};

/// The owners whose curves are shown: the pinned ones, the selected node and its group. Without
/// any, the first that has curves.
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

/// Without a selection, at most this many nodes are searched for one with curves.
const MOST_LOOKED_AT: usize = 200;

/// The panes of `owners`, in file order: the components of one property share a pane, and so do
/// all numbers of one unit that are no components. Before those of a node, if they are on, those of
/// its velocity and acceleration.
pub(super) fn panes(clip: &Clip, owners: &[Owner], shows_moved: bool) -> Vec<Pane> {
    let mut panes = Vec::new();
    for &owner in owners {
        if let Owner::Node(node) = owner
            && shows_moved
        {
            panes.extend(Change::ALL.map(|change| Pane::of_moved(node, change)));
        }
        let first = panes.len();
        for (track, found) in clip.tracks_of(owner) {
            let unit = found.unit.symbol();
            let pane = |content| Pane::of(owner, &found.property, unit, content);
            match &found.curve {
                AnyCurve::Computed(curve) => match sample(&**curve, clip.span) {
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
    // Booleans do not share an axis with measured values.
    let is_switch = found.curve.is_switch();
    let title = title.unwrap_or(if is_switch { "switches" } else { "other" });
    let fits = |pane: &&mut Pane| {
        let is_alike = pane.title == title && pane.unit == found.unit.symbol();
        is_alike && matches!(pane.content, Content::Curves(_))
    };
    let id = ChannelId::Keyed { track, component: 0 };
    let channel = |role| Channel { id, name: name.to_owned(), role };
    match panes[first..].iter_mut().find(fits) {
        Some(Pane { content: Content::Curves(channels), .. }) => {
            let is_other = matches!(role, Role::Other(_));
            let role = if is_other { Role::Other(channels.len()) } else { role };
            channels.push(channel(role));
        }
        _ => {
            let content = Content::Curves(vec![channel(role)]);
            panes.push(Pane::of(owner, title, found.unit.symbol(), content));
        }
    }
}

/// The stem that a property shares with its fellow components, if it is a component, and its own
/// part: `position.x`, `translateX`.
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
        Channel { id: ChannelId::Keyed { track, component }, name, role }
    };
    (0..count).map(channel).collect()
}

/// A sample of a computed curve: the first value that is not null, of a few.
fn sample(curve: &dyn ComputedCurve, span: Span) -> Value {
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
    fn component_suffixes_are_recognised() {
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
    fn joints_have_a_position_and_a_rotation_pane() {
        let clip = two_hands();
        let node = clip.nodes.iter().position(|node| node.name == "left/IndexTip").unwrap();
        let owners = owners(&clip, &[], Some(NodeId::new(node)));
        let panes = |shows_moved| panes(&clip, &owners, shows_moved);
        let found: Vec<_> = panes(false).iter().map(described).collect();
        let expected = [
            ("position", "m", "x y z"),
            ("rotation", "", "x y z w"),
            ("switches", "", "tracked pinch"),
        ];
        let owned = |(title, unit, names): (&str, &'static str, &str)| {
            (title.to_owned(), unit, names.to_owned())
        };
        assert_eq!(found, expected.map(owned));
        let all: Vec<_> = panes(true).iter().map(described).collect();
        let moved =
            [("velocity", "m/s", "speed x y z"), ("acceleration", "m/s²", "magnitude x y z")];
        assert_eq!(all[..2], moved.map(owned), "a hand as a whole does not move");
        assert_eq!(all[2..], found);
    }

    fn described(pane: &Pane) -> (String, &'static str, String) {
        let names: Vec<_> = pane.channels().iter().map(|it| it.name.as_str()).collect();
        (pane.title.clone(), pane.unit, names.join(" "))
    }

    #[test]
    fn pinned_owners_come_first_and_a_default_is_shown() {
        let clip = two_hands();
        let [a, b] = [3, 5].map(NodeId::new);
        let kept = [Owner::Node(a)];
        let with_group = Owner::Group(clip.nodes[b].group.unwrap());
        assert_eq!(owners(&clip, &kept, Some(b)), [kept[0], Owner::Node(b), with_group]);
        assert_eq!(owners(&clip, &[], None), [Owner::Node(NodeId::new(0))]);
        assert_eq!(owners(&clip, &kept, None), kept);
    }
}
