//! Finds the channels that can be drawn, and groups them into panes.

use super::{
    pane::{Channel, ChannelId, Content, Pane, Role},
    source,
};
use mutoscope_core::{
    clip::{AnyCurve, Clip, ComputedCurve, NodeId, Owner, Span, TrackId, Value},
    measure::{Measurement, compare::KinematicQuantity},
};

pub(super) fn owners(clip: &Clip, pinned: &[Owner], selected: Option<NodeId>) -> Vec<Owner> {
    let mut owners = pinned.to_vec();
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
        owners.extend(nodes.take(MAX_SEARCHED_NODES).find(has_keys));
    }
    owners
}

/// The number of nodes that are searched for curves if nothing is selected. Without this limit, a
/// crowd without curves would delay each frame.
const MAX_SEARCHED_NODES: usize = 200;

/// Returns the panes of `owners`, in file order.
///
/// The components of a property share a pane. Properties without components share a pane if they
/// have the same unit. The angle and the distance of a node from `measured_from` come first. If
/// `shows_kinematics` is `true`, a node's height, angle, velocity and acceleration follow.
pub(super) fn panes(
    clip: &Clip,
    owners: &[Owner],
    measured_from: &[NodeId],
    shows_kinematics: bool,
) -> Vec<Pane> {
    let mut panes = Vec::new();
    for &owner in owners {
        if let Owner::Node(node) = owner {
            let mut measurements = Vec::new();
            match *measured_from {
                [from] if from != node => measurements.push(Measurement::Distance([from, node])),
                [first, from] if ![first, from].contains(&node) => {
                    measurements.push(Measurement::Angle([first, from, node]));
                    measurements.push(Measurement::Distance([from, node]));
                }
                _ => {}
            }
            if shows_kinematics {
                measurements.push(Measurement::Height(node));
                measurements.extend(Measurement::bend(clip, node));
            }
            panes.extend(
                measurements
                    .into_iter()
                    .map(|measurement| Pane::for_measurement(clip, node, measurement)),
            );
        }
        if let Owner::Node(node) = owner
            && shows_kinematics
        {
            panes.extend(
                KinematicQuantity::ALL.map(|quantity| Pane::for_kinematics(node, quantity)),
            );
        }
        let first = panes.len();
        for (id, track) in clip.tracks_of(owner) {
            let unit = track.unit.symbol();
            let pane = |content| Pane::new(owner, &track.property, unit, content);
            match &track.curve {
                AnyCurve::Computed(curve) => match first_value(&**curve, clip.span) {
                    Value::Null => {}
                    Value::Text(_) => panes.push(pane(Content::Text(id))),
                    Value::Bool(_) | Value::Integer(_) | Value::Number(_) => {
                        add_to_shared_pane(&mut panes, first, owner, id, clip);
                    }
                    several => {
                        let count = source::component_count(&several);
                        panes.push(pane(Content::Curves(components(id, count))));
                    }
                },
                curve if curve.key_times().is_empty() => {}
                AnyCurve::Driven(_) => {}
                AnyCurve::Text(_) => {
                    panes.push(pane(Content::Text(id)));
                }
                curve if curve.is_color() => {
                    panes.push(pane(Content::Colors(id)));
                }
                AnyCurve::Typed(curve) if curve.components().len() > 1 => {
                    let count = curve.components().len();
                    panes.push(pane(Content::Curves(components(id, count))));
                }
                AnyCurve::Number(_) | AnyCurve::Switch(_) | AnyCurve::Typed(_) => {
                    add_to_shared_pane(&mut panes, first, owner, id, clip);
                }
            }
        }
    }
    panes
}

fn add_to_shared_pane(panes: &mut Vec<Pane>, first: usize, owner: Owner, id: TrackId, clip: &Clip) {
    let track = clip.track(id);
    let (title, name) = split_component(&track.property);
    let role = match (title, name) {
        (Some(_), "x" | "X" | "r" | "R") => Role::X,
        (Some(_), "y" | "Y" | "g" | "G") => Role::Y,
        (Some(_), "z" | "Z" | "b" | "B") => Role::Z,
        (Some(_), _) => Role::W,
        (None, _) => Role::Other(0),
    };
    // Booleans have a pane of their own, because they must not share an axis with measured values.
    let is_switch = track.curve.is_switch();
    let title = title.unwrap_or(if is_switch { "switches" } else { "other" });
    let accepts = |pane: &&mut Pane| {
        let has_same_axis = pane.title == title && pane.unit == track.unit.symbol();
        has_same_axis && matches!(pane.content, Content::Curves(_))
    };
    let id = ChannelId::Keyed { track: id, component: 0 };
    let channel = |role| Channel { id, name: name.to_owned(), role };
    match panes[first..].iter_mut().find(accepts) {
        Some(Pane { content: Content::Curves(channels), .. }) => {
            let is_other = matches!(role, Role::Other(_));
            let role = if is_other { Role::Other(channels.len()) } else { role };
            channels.push(channel(role));
        }
        _ => {
            let content = Content::Curves(vec![channel(role)]);
            panes.push(Pane::new(owner, title, track.unit.symbol(), content));
        }
    }
}

fn split_component(property: &str) -> (Option<&str>, &str) {
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

/// Returns the first value that is not null among three samples and the first key. We need the
/// value because a computed curve does not declare its type.
fn first_value(curve: &dyn ComputedCurve, span: Span) -> Value {
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
            assert_eq!(split_component(property), expected, "{property}");
        }
    }

    #[test]
    fn joints_have_a_position_and_a_rotation_pane() {
        let clip = two_hands();
        let node = clip.nodes.iter().position(|node| node.name == "left/IndexTip").unwrap();
        let owners = owners(&clip, &[], Some(NodeId::new(node)));
        let panes = |shows_kinematics| panes(&clip, &owners, &[], shows_kinematics);
        let found: Vec<_> = panes(false).iter().map(describe_pane).collect();
        let expected = [
            ("position", "m", "x y z"),
            ("rotation", "", "x y z w"),
            ("switches", "", "tracked pinch"),
        ];
        let to_owned = |(title, unit, names): (&str, &'static str, &str)| {
            (title.to_owned(), unit, names.to_owned())
        };
        assert_eq!(found, expected.map(to_owned));
        let all: Vec<_> = panes(true).iter().map(describe_pane).collect();
        let kinematics = [
            ("height", "m", "height"),
            ("velocity", "m/s", "speed x y z"),
            ("acceleration", "m/s²", "magnitude x y z"),
        ];
        assert_eq!(all[..3], kinematics.map(to_owned), "a group has no velocity");
        assert_eq!(all[3..], found);
    }

    #[test]
    fn measurements_of_a_node_come_first() {
        let clip = two_hands();
        let [first, middle, last] = ["IndexMetacarpal", "IndexKnuckle", "IndexTip"].map(|name| {
            let name = format!("left/{name}");
            NodeId::new(clip.nodes.iter().position(|node| node.name == name).unwrap())
        });
        let titles = |measured_from: &[NodeId]| {
            let panes = panes(&clip, &[Owner::Node(last)], measured_from, false);
            panes.into_iter().map(|pane| pane.title).collect::<Vec<_>>()
        };
        assert_eq!(titles(&[middle])[0], "distance from IndexKnuckle");
        let both = titles(&[first, middle]);
        assert_eq!(both[..2], ["angle at IndexKnuckle", "distance from IndexKnuckle"]);
        assert_eq!(titles(&[first, last])[0], "position", "the vertex is not measured");
    }

    fn describe_pane(pane: &Pane) -> (String, &'static str, String) {
        let names: Vec<_> = pane.channels().iter().map(|channel| channel.name.as_str()).collect();
        (pane.title.clone(), pane.unit, names.join(" "))
    }

    #[test]
    fn pinned_owners_come_first_and_a_default_is_shown() {
        let clip = two_hands();
        let [a, b] = [3, 5].map(NodeId::new);
        let pinned = [Owner::Node(a)];
        let with_group = Owner::Group(clip.nodes[b].group.unwrap());
        assert_eq!(owners(&clip, &pinned, Some(b)), [pinned[0], Owner::Node(b), with_group]);
        assert_eq!(owners(&clip, &[], None), [Owner::Node(NodeId::new(0))]);
        assert_eq!(owners(&clip, &pinned, None), pinned);
    }
}
