//! Draws areas of interest: their outlines, which are brighter while a gaze is on them, and their
//! names.

use bevy::prelude::*;

use super::{
    ScreenPoint, TagPoint,
    look::{AREA, AREA_LOOKED_AT},
    overlay::StageLines,
    subject::{Subject, Subjects},
};
use mutoscope_core::{
    clip::Transform as ClipTransform,
    measure::analysis::{Area, Shape, nearest_area},
};

pub(super) fn draw_areas(mut lines: Gizmos<StageLines>, subjects: Subjects) {
    if subjects.view.areas.is_empty() {
        return;
    }
    for subject in subjects.iter().filter(Subject::is_visible) {
        let areas = areas_of(&subject);
        let looked_at = looked_at_areas(&subject, &areas);
        for (index, area) in areas.iter().enumerate() {
            let Some(transform) = area_transform(&subject, area) else { continue };
            let color = if looked_at.contains(&index) { AREA_LOOKED_AT } else { AREA };
            draw_area(&mut lines, &area.shape, transform, color);
        }
    }
}

pub(super) fn area_tags(
    subjects: &Subjects<'_, '_>,
    seen: impl Fn(Vec3) -> Option<ScreenPoint>,
) -> Vec<TagPoint> {
    let mut tags = Vec::new();
    for subject in subjects.iter().filter(Subject::is_visible) {
        tags.extend(areas_of(&subject).into_iter().filter_map(|area| {
            let at = seen(area_transform(&subject, &area)?.translation)?;
            Some(TagPoint { text: area.name.into(), point: at })
        }));
    }
    tags
}

fn areas_of(subject: &Subject<'_>) -> Vec<Area> {
    let clip = subject.clip();
    subject.view.areas.iter().filter_map(|area| area.resolve(clip)).collect()
}

fn looked_at_areas(subject: &Subject<'_>, areas: &[Area]) -> Vec<usize> {
    subject.clip().ray_nodes().filter_map(|ray| nearest_area(subject.pose(), ray, areas)).collect()
}

fn area_transform(subject: &Subject<'_>, area: &Area) -> Option<Transform> {
    let (centre, rotation) = (area.shape.centre(), area.shape.rotation());
    let own =
        |translation, rotation| ClipTransform { translation, rotation, ..ClipTransform::IDENTITY };
    let transform = match area.joint {
        None => own(centre, rotation),
        Some(joint) => {
            let joint = subject.pose().nodes.get(joint.index()).filter(|joint| joint.is_visible)?;
            let at = joint.world.translation + joint.world.rotation * centre;
            own(at, joint.world.rotation * rotation)
        }
    };
    transform.is_finite().then(|| subject.staged.to_world_transform(&transform))
}

fn draw_area(lines: &mut Gizmos<StageLines>, shape: &Shape, transform: Transform, color: Color) {
    match shape {
        Shape::Sphere { radius, .. } => {
            lines.sphere(transform.to_isometry(), *radius as f32, color).resolution(48);
        }
        Shape::Box { half, .. } => lines.cube(transform.with_scale(2.0 * half.as_vec3()), color),
        Shape::Plane { half, .. } => {
            lines.rect(transform.to_isometry(), 2.0 * half.as_vec2(), color);
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;
    use crate::stage::{
        View,
        testing::{on_stage, sample_clip},
    };
    use mutoscope_core::measure::analysis::sample_gaze;

    fn view(areas: &[String]) -> View {
        let areas = areas.iter().map(|area| area.parse().unwrap()).collect();
        View { areas, ..View::default() }
    }

    fn area_text(centre: DVec3) -> String {
        let [x, y, z] = centre.to_array();
        format!("at {x}=sphere:{x},{y},{z},0.05")
    }

    #[test]
    fn area_moves_with_its_joint() {
        let clip = sample_clip();
        let joint = clip.nodes.with_ids().find(|(_, node)| node.name == "left/IndexTip").unwrap().0;
        let on_tip = view(&["tip=box:0,0,-0.1,1,1,1@left/IndexTip".to_owned()]);
        for time in [0.6, 1.4] {
            on_stage(clip.clone(), on_tip.clone(), time, |subject| {
                let areas = areas_of(subject);
                let transform = area_transform(subject, &areas[0]).unwrap();
                let tip = subject.node_transform(joint).unwrap();
                assert!(transform.translation.distance(tip * Vec3::new(0.0, 0.0, -0.1)) < 1e-6);
                assert!(transform.rotation.angle_between(tip.rotation) < 1e-3);
            });
        }
    }

    #[test]
    fn nearest_area_on_the_gaze_is_looked_at() {
        let clip = sample_clip();
        let node = clip.ray_nodes().next().unwrap();
        let ray = sample_gaze(&clip, node, &[1.0])[0].ray.unwrap();
        let ahead = |distance: f64| area_text(ray.origin + distance * ray.direction);
        let areas_on_the_gaze = view(&[ahead(-1.0), ahead(3.0), ahead(2.0)]);
        let looked_at = |time: f64| {
            on_stage(clip.clone(), areas_on_the_gaze.clone(), time, |subject| {
                looked_at_areas(subject, &areas_of(subject))
            })
        };
        assert_eq!(looked_at(1.0), [2], "the nearest area in front of the eyes");
    }
}
