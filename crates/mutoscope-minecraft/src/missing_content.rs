//! Reports content that users often miss: mobs, skins, figures, and recordings that start far away.

use std::collections::HashSet;

use super::{Dialect, Scene, Take, codes, scene, shapes::has_figure, short_name};
use mutoscope_core::diagnostics::{Diagnostics, SourceLocation};

/// The distance in blocks at which a recording is reported, because it would not fit into one view
/// with the other recordings of its scene.
const MAX_START_DISTANCE: f64 = 128.0;

const MAX_LISTED_NAMES: usize = 3;

pub(super) fn report(scene: &Scene, diagnostics: &mut Diagnostics) {
    let takes: Vec<&Take> = scene.takes.iter().map(|take| &**take).collect();
    let problems = [
        (codes::NO_MOBS, describe_missing_mobs(&takes)),
        (codes::NO_SKIN, describe_missing_skins(&takes)),
        (codes::NO_FIGURE, describe_missing_figures(&takes)),
        (scene::codes::DISTANT_RECORDING, describe_distant_recordings(&takes)),
    ];
    for (code, message) in problems {
        if let Some(message) = message {
            diagnostics.info(code, SourceLocation::File, message);
        }
    }
}

/// Returns a message if no mobs were recorded, because users may not know that the mod records few
/// kinds of entities by default. Returns `None` for versions before 1.3, which recorded no entities
/// at all.
fn describe_missing_mobs(takes: &[&Take]) -> Option<String> {
    let can_record_mobs = takes.iter().any(|take| take.recording.dialect >= Dialect::V3);
    let mut entities = takes.iter().flat_map(|take| &take.recording.entities);
    if !can_record_mobs || entities.any(|entity| entity.is_living()) {
        return None;
    }
    Some(
        "no mobs recorded; the file is complete. By default the mod tracks only \
         vehicles, projectiles and items. Add mobs to its setting track_entities"
            .to_owned(),
    )
}

fn describe_missing_skins(takes: &[&Take]) -> Option<String> {
    let players = takes.iter().filter(|take| take.entity_kind.is_none());
    let without_skin: Vec<_> = players.filter(|take| take.skin.is_none()).collect();
    let name_and_url = |take: &&&Take| {
        let name =
            take.profile.name.clone().unwrap_or_else(|| "a player without a name".to_owned());
        (name, take.profile.skin_url.is_some())
    };
    let names: Vec<_> = without_skin.iter().map(name_and_url).collect();
    let is_on_a_server = !names.is_empty() && names.iter().all(|(_, has_url)| *has_url);
    let reason =
        if is_on_a_server { "is on a server and not fetched" } else { "is not in the file" };
    let names = join_distinct_names(names.into_iter().map(|(name, _)| name))?;
    Some(format!("the skin of {names} {reason}; using the default skin. Pass --skin FILE"))
}

fn describe_missing_figures(takes: &[&Take]) -> Option<String> {
    let entities = takes.iter().flat_map(|take| &take.recording.entities);
    let kinds = entities.map(|entity| entity.kind.as_str());
    let played = takes.iter().filter_map(|take| take.entity_kind.as_deref());
    let unknown = kinds.chain(played).filter(|kind| !has_figure(kind));
    let name = |kind: &str| match short_name(kind) {
        "" => "an entity without a kind".to_owned(),
        name => name.to_owned(),
    };
    let names = join_distinct_names(unknown.map(name))?;
    Some(format!("there is no figure for {names}; using a box"))
}

fn join_distinct_names(names: impl Iterator<Item = String>) -> Option<String> {
    let mut known = HashSet::new();
    let mut listed: Vec<String> = Vec::new();
    for name in names {
        if known.insert(name.clone()) && listed.len() < MAX_LISTED_NAMES {
            listed.push(name);
        }
    }
    let text = listed.join(", ");
    match known.len() - listed.len() {
        0 => (!text.is_empty()).then_some(text),
        more => Some(format!("{text} and {more} more")),
    }
}

fn describe_distant_recordings(takes: &[&Take]) -> Option<String> {
    let starts: Vec<_> = takes
        .iter()
        .map(|take| take.placement.transform_point(take.recording.start.position))
        .collect();
    let nearest = |index: usize| {
        let others = starts.iter().enumerate().filter(|(other, _)| *other != index);
        others.map(|(_, start)| start.distance(starts[index])).reduce(f64::min)
    };
    let distant = takes.iter().enumerate().filter_map(|(index, take)| {
        let distance = nearest(index).filter(|distance| *distance > MAX_START_DISTANCE)?;
        Some((take.name.clone(), distance))
    });
    let distant: Vec<_> = distant.collect();
    let distance = distant.iter().map(|(_, distance)| *distance).reduce(f64::max)?;
    let names = join_distinct_names(distant.into_iter().map(|(name, _)| name))?;
    Some(format!(
        "{names}: up to {distance:.0} blocks from the nearest other recording; shown there. Change its \
         offset in the scene to move a recording"
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;

    use super::*;
    use crate::{Actor, ActorTransform, Entity, Recording};

    fn entity(kind: &str) -> Entity {
        let actor = Actor::new(ActorTransform::default());
        Entity::new(1, kind.to_owned(), "".into(), actor, Vec::new())
    }

    fn take(name: &str, x: f64, kinds: &[&str]) -> Take {
        let mut recording = Recording::standing_still();
        recording.start.position = DVec3::X * x;
        recording.entities = kinds.iter().map(|kind| entity(kind)).collect();
        Take { name: name.to_owned(), skin: Some([].into()), ..Take::from_recording(recording) }
    }

    fn reported_problems(takes: Vec<Take>) -> Vec<(&'static str, String)> {
        let scene = Scene {
            takes: takes.into_iter().map(Arc::new).collect(),
            ticks: 1.0,
            is_scene: true,
            missing_elements: 0,
            element_diagnostics: Box::default(),
        };
        let mut diagnostics = Diagnostics::new();
        report(&scene, &mut diagnostics);
        assert!(
            diagnostics.iter().all(
                |diagnostic| diagnostic.severity == mutoscope_core::diagnostics::Severity::Info
            )
        );
        diagnostics.iter().map(|one| (one.code.as_str(), one.message.clone())).collect()
    }

    #[track_caller]
    fn assert_one(problems: &[(&str, String)], code: &str, content: &str) {
        let [(found, message)] = problems else { panic!("expected one problem: {problems:?}") };
        assert!(*found == code && message.contains(content), "{problems:?}");
    }

    #[test]
    fn complete_recordings_are_not_reported() {
        assert_eq!(reported_problems(vec![take("a", 0.0, &["minecraft:cow"])]), []);
        assert_eq!(reported_problems(Vec::new()), []);
    }

    #[test]
    fn missing_mobs_are_reported_only_if_the_version_records_mobs() {
        for kinds in [&[][..], &["minecraft:oak_boat", "minecraft:arrow"]] {
            assert_one(&reported_problems(vec![take("a", 0.0, kinds)]), "minecraft/no-mobs", "");
        }
        let mut old = take("a", 0.0, &[]);
        Arc::get_mut(&mut old.recording).unwrap().dialect = Dialect::V2;
        assert_eq!(reported_problems(vec![old]), []);
    }

    #[test]
    fn players_without_a_skin_are_reported() {
        let mut without_skin = take("a", 0.0, &["minecraft:cow"]);
        without_skin.skin = None;
        without_skin.profile.name = Some("Alex".to_owned());
        assert_one(
            &reported_problems(vec![without_skin.clone()]),
            "minecraft/no-skin",
            "Alex is not in the file",
        );
        without_skin.profile.skin_url = Some("http://a/b".to_owned());
        assert_one(
            &reported_problems(vec![without_skin.clone()]),
            "minecraft/no-skin",
            "Alex is on a server",
        );
        without_skin.entity_kind = Some("minecraft:cow".to_owned());
        assert_eq!(reported_problems(vec![without_skin]), [], "entities have none");
    }

    #[test]
    fn kinds_without_a_figure_are_reported_once() {
        let kinds = ["mod:a", "mod:b", "mod:a", "mod:c", "mod:d", "mod:e", "minecraft:pig"];
        let problems = reported_problems(vec![take("a", 0.0, &kinds)]);
        assert_one(&problems, "minecraft/no-figure", "mod:a, mod:b, mod:c and 2 more");
    }

    #[test]
    fn distant_recordings_are_reported() {
        let scene = |x: [f64; 3]| {
            let takes = x.into_iter().zip(["a", "b", "c"]);
            reported_problems(takes.map(|(x, name)| take(name, x, &["minecraft:cow"])).collect())
        };
        assert_eq!(scene([0.0, 100.0, 200.0]), [], "each has a neighbour");
        assert_one(
            &scene([0.0, 10.0, 2000.0]),
            "minecraft/distant-recording",
            "c: up to 1990 blocks",
        );
    }
}
