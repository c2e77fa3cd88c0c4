//! Notices on what film makers ask about most, shown as soon as a file is opened.

use std::collections::HashSet;

use super::{Dialect, Scene, Take, shapes::has_figure, short};
use mutoscope_core::diagnostics::{Notices, SourceLocation};

/// A recording that starts farther than this from all others of its scene is not in one picture with
/// them, in blocks.
const FAR: f64 = 128.0;

/// The most names that are listed.
const NAMES: usize = 3;

/// Reports what is missing of what is played.
pub(super) fn report(scene: &Scene, notices: &mut Notices) {
    let takes: Vec<&Take> = scene.takes.iter().map(|take| &**take).collect();
    let messages = [mobs(&takes), skins(&takes), figures(&takes)];
    for message in messages.into_iter().flatten().chain(far(&takes)) {
        notices.info(SourceLocation::File, message);
    }
}

/// The mod tracks few kinds of entities unless it is configured to; before 1.3 it tracked none.
fn mobs(takes: &[&Take]) -> Option<String> {
    let could = takes.iter().any(|take| take.recording.dialect >= Dialect::V3);
    let mut entities = takes.iter().flat_map(|take| &take.recording.entities);
    if !could || entities.any(|entity| entity.is_living()) {
        return None;
    }
    Some(
        "no mobs recorded; the file is complete. By default the mod tracks vehicles, \
         projectiles and items only: its setting track_entities adds mobs"
            .to_owned(),
    )
}

fn skins(takes: &[&Take]) -> Option<String> {
    let players = takes.iter().filter(|take| take.kind.is_none());
    let bare: Vec<_> = players.filter(|take| take.skin.is_none()).collect();
    let named = |take: &&&Take| {
        let name = take.person.name.clone().unwrap_or_else(|| "a player without a name".to_owned());
        (name, take.person.skin_url.is_some())
    };
    let names: Vec<_> = bare.iter().map(named).collect();
    let is_on_a_server = !names.is_empty() && names.iter().all(|(_, has_url)| *has_url);
    let why = if is_on_a_server { "is on a server and not fetched" } else { "is not in the file" };
    let names = listed(names.into_iter().map(|(name, _)| name))?;
    Some(format!("the skin of {names} {why}; using the default skin. Give one with --skin"))
}

fn figures(takes: &[&Take]) -> Option<String> {
    let entities = takes.iter().flat_map(|take| &take.recording.entities);
    let kinds = entities.map(|entity| entity.kind.as_str());
    let played = takes.iter().filter_map(|take| take.kind.as_deref());
    let unknown = kinds.chain(played).filter(|kind| !has_figure(kind));
    let name = |kind: &str| match short(kind) {
        "" => "an entity without a kind".to_owned(),
        name => name.to_owned(),
    };
    let names = listed(unknown.map(name))?;
    Some(format!("there is no figure for {names}; using a box"))
}

/// Names without those that come again; nothing if there are none.
fn listed(names: impl Iterator<Item = String>) -> Option<String> {
    let mut known = HashSet::new();
    let mut told: Vec<String> = Vec::new();
    for name in names {
        if known.insert(name.clone()) && told.len() < NAMES {
            told.push(name);
        }
    }
    let text = told.join(", ");
    match known.len() - told.len() {
        0 => (!text.is_empty()).then_some(text),
        more => Some(format!("{text} and {more} more")),
    }
}

/// Recordings of a scene that start far from all others.
fn far(takes: &[&Take]) -> Option<String> {
    let starts: Vec<_> =
        takes.iter().map(|take| take.placement.point(take.recording.start.position)).collect();
    let nearest = |index: usize| {
        let others = starts.iter().enumerate().filter(|(other, _)| *other != index);
        others.map(|(_, start)| start.distance(starts[index])).reduce(f64::min)
    };
    let far = takes.iter().enumerate().filter_map(|(index, take)| {
        let distance = nearest(index).filter(|distance| *distance > FAR)?;
        Some((take.name.clone(), distance))
    });
    let far: Vec<_> = far.collect();
    let distance = far.iter().map(|(_, distance)| *distance).reduce(f64::max)?;
    let names = listed(far.into_iter().map(|(name, _)| name))?;
    Some(format!(
        "{names}: up to {distance:.0} blocks from the nearest other recording; shown there. Its offset \
         in the scene moves a recording"
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;

    use super::*;
    use crate::{Actor, Entity, Recording, Stand};

    fn entity(kind: &str) -> Entity {
        let actor = Actor::new(Stand::default());
        Entity::of_kind(1, kind.to_owned(), "".into(), actor, Vec::new())
    }

    /// A recording called `name` that starts at `x`, with an entity of each kind.
    fn take(name: &str, x: f64, kinds: &[&str]) -> Take {
        let mut recording = Recording::at_rest();
        recording.start.position = DVec3::X * x;
        recording.entities = kinds.iter().map(|kind| entity(kind)).collect();
        Take { name: name.to_owned(), skin: Some([].into()), ..Take::alone(recording) }
    }

    fn told(takes: Vec<Take>) -> Vec<String> {
        let scene = Scene {
            takes: takes.into_iter().map(Arc::new).collect(),
            ticks: 1.0,
            is_scene: true,
            missing: 0,
            issues: Box::default(),
        };
        let mut notices = Notices::new();
        report(&scene, &mut notices);
        assert!(
            notices
                .iter()
                .all(|notice| notice.severity == mutoscope_core::diagnostics::Severity::Info)
        );
        notices.iter().map(|notice| notice.message.clone()).collect()
    }

    #[track_caller]
    fn assert_one(told: &[String], beginning: &str) {
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with(beginning), "{told:?}");
    }

    #[test]
    fn nothing_is_told_of_what_is_complete() {
        assert_eq!(told(vec![take("a", 0.0, &["minecraft:cow"])]), [""; 0]);
        assert_eq!(told(Vec::new()), [""; 0]);
    }

    #[test]
    fn missing_mobs_are_told_where_they_could_be() {
        for kinds in [&[][..], &["minecraft:oak_boat", "minecraft:arrow"]] {
            assert_one(&told(vec![take("a", 0.0, kinds)]), "no mobs recorded");
        }
        let mut old = take("a", 0.0, &[]);
        Arc::get_mut(&mut old.recording).unwrap().dialect = Dialect::V2;
        assert_eq!(told(vec![old]), [""; 0]);
    }

    #[test]
    fn players_without_a_skin_are_told() {
        let mut bare = take("a", 0.0, &["minecraft:cow"]);
        bare.skin = None;
        bare.person.name = Some("Alex".to_owned());
        assert_one(&told(vec![bare.clone()]), "the skin of Alex is not in the file");
        bare.person.skin_url = Some("http://a/b".to_owned());
        assert_one(&told(vec![bare.clone()]), "the skin of Alex is on a server");
        bare.kind = Some("minecraft:cow".to_owned());
        assert_eq!(told(vec![bare]), [""; 0], "entities have none");
    }

    #[test]
    fn kinds_without_a_figure_are_told_once() {
        let kinds = ["mod:a", "mod:b", "mod:a", "mod:c", "mod:d", "mod:e", "minecraft:pig"];
        let told = told(vec![take("a", 0.0, &kinds)]);
        assert_one(&told, "there is no figure for mod:a, mod:b, mod:c and 2 more; using a box");
    }

    #[test]
    fn recordings_far_from_all_others_are_told() {
        let scene = |x: [f64; 3]| {
            let takes = x.into_iter().zip(["a", "b", "c"]);
            told(takes.map(|(x, name)| take(name, x, &["minecraft:cow"])).collect())
        };
        assert_eq!(scene([0.0, 100.0, 200.0]), [""; 0], "each has a neighbour");
        assert_one(&scene([0.0, 10.0, 2000.0]), "c: up to 1990 blocks from the nearest");
    }
}
