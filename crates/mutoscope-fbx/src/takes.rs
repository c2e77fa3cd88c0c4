//! Chooses one of the takes of a file, and finds its time range.

use mutoscope_core::{
    clip::{Span, UniqueNames, Variants},
    diagnostics::{Diagnostics, Error, SourceLocation, format_count, format_number},
};
use ufbx::{AnimCurve, AnimProp, AnimStack, ElementType, Scene};

use crate::codes;

/// Times beyond this, in seconds, stand for an endless range. FBX stores times as 64-bit integers
/// that count 46 186 158 000 ticks per second, so that the largest is 2·10⁸ s.
const MAX_TIME_S: f64 = 1e8;

pub(crate) fn take_names(scene: &Scene) -> Vec<String> {
    let mut names = UniqueNames::default();
    let mut name = |(index, stack): (usize, &ufbx::Ref<AnimStack>)| {
        let own = match stack.element.name.is_empty() {
            true => format!("take {index}"),
            false => stack.element.name.to_string(),
        };
        names.make_unique(own)
    };
    scene.anim_stacks.iter().enumerate().map(&mut name).collect()
}

/// Returns the index of the take with this name, or of the first take with keys. Without a name, the
/// other takes are listed in `diagnostics`.
///
/// # Errors
/// If no take has the name.
pub(crate) fn choose_take(
    scene: &Scene,
    name: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> Result<(Option<usize>, Vec<Variants>), Error> {
    let names = take_names(scene);
    let list = |names: &mut dyn Iterator<Item = &String>| {
        names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
    };
    let current = match name {
        None => scene.anim_stacks.iter().position(|stack| is_keyed(stack)).unwrap_or(0),
        Some(name) => names.iter().position(|known| known == name).ok_or_else(|| {
            let found = if names.is_empty() { "none".to_owned() } else { list(&mut names.iter()) };
            let message = format!("expected the take {name:?}, found {found}");
            Error::unsupported(SourceLocation::File, message)
        })?,
    };
    if name.is_none() && names.len() > 1 {
        const MAX_LISTED_TAKES: usize = 20;
        let others = names.iter().filter(|one| **one != names[current]);
        let message = format!(
            "{} takes; using {:?}. Choose another with --animation: {}",
            names.len(),
            names[current],
            list(&mut others.take(MAX_LISTED_TAKES))
        );
        diagnostics
            .info(codes::SEVERAL_TAKES, SourceLocation::File, message)
            .with("name", names[current].as_str())
            .with("count", names.len());
    }
    Ok(match names.is_empty() {
        true => (None, Vec::new()),
        false => (Some(current), vec![Variants::detected(Variants::ANIMATION, names, current)]),
    })
}

fn is_keyed(stack: &AnimStack) -> bool {
    stack.layers.iter().any(|layer| !layer.anim_props.is_empty())
}

/// Returns the time range of a take. A take without a range, or with an empty one, has the range of
/// its keys.
pub(crate) fn take_span(stack: &AnimStack) -> Span {
    stated_span(stack).or_else(|| key_span(stack)).unwrap_or_else(|| Span {
        start: if is_time(&stack.time_begin) { stack.time_begin } else { 0.0 },
        duration: 0.0,
    })
}

fn stated_span(stack: &AnimStack) -> Option<Span> {
    let (begin, end) = (stack.time_begin, stack.time_end);
    (is_time(&begin) && is_time(&end) && end > begin)
        .then_some(Span { start: begin, duration: end - begin })
}

fn key_span(stack: &AnimStack) -> Option<Span> {
    let extend = |range: Option<(f64, f64)>, time: f64| {
        Some(range.map_or((time, time), |(first, last)| (first.min(time), last.max(time))))
    };
    let (first, last) = played_key_times(stack).fold(None, extend)?;
    Some(Span { start: first, duration: last - first })
}

fn played_key_times(stack: &AnimStack) -> impl Iterator<Item = f64> + '_ {
    let props = stack.layers.iter().flat_map(|layer| layer.anim_props.iter());
    let curves = props.filter(|prop| is_played(prop)).flat_map(curves);
    curves.flat_map(|curve| curve.keyframes.iter().map(|key| key.time)).filter(is_time)
}

fn is_time(time: &f64) -> bool {
    time.abs() < MAX_TIME_S
}

/// Returns `true` for properties that move or hide nodes, and for weights of blend shapes. Files
/// before 7.0 store these weights as properties of meshes.
fn is_played(prop: &AnimProp) -> bool {
    match prop.element.type_ {
        ElementType::Node => {
            is_transform_property(&prop.prop_name) || *prop.prop_name == *VISIBILITY
        }
        ElementType::BlendChannel | ElementType::Mesh => true,
        _ => false,
    }
}

/// The property that shows and hides a node.
pub(crate) const VISIBILITY: &str = "Visibility";

/// Returns `true` for properties of nodes that change the local transform.
fn is_transform_property(name: &str) -> bool {
    const NAMES: [&str; 10] = [
        "Lcl Translation",
        "Lcl Rotation",
        "Lcl Scaling",
        "PreRotation",
        "PostRotation",
        "RotationOrder",
        "RotationOffset",
        "RotationPivot",
        "ScalingOffset",
        "ScalingPivot",
    ];
    NAMES.contains(&name)
}

pub(crate) fn curves(prop: &AnimProp) -> impl Iterator<Item = &AnimCurve> {
    prop.anim_value.curves.iter().flatten().map(|curve| &**curve)
}

/// Reports a take whose range comes from its keys, and keys outside of the range.
pub(crate) fn report_range(stack: &AnimStack, diagnostics: &mut Diagnostics) {
    let from_to = |first: f64, last: f64| match first == last {
        true => format!("at {} s", format_number(first)),
        false => format!("from {} to {} s", format_number(first), format_number(last)),
    };
    let Some(span) = stated_span(stack) else {
        if let Some(keys) = key_span(stack).filter(|keys| keys.duration > 0.0) {
            let range = from_to(keys.start, keys.end());
            let message = format!("the take declares no time range; playing its keys, {range}");
            diagnostics
                .info(codes::RANGE_FROM_KEYS, SourceLocation::File, message)
                .with("start_s", keys.start)
                .with("end_s", keys.end());
        }
        return;
    };
    // Ranges and keys are often rounded differently.
    const TOLERANCE_S: f64 = 1e-6;
    let describe = |is_outside: &dyn Fn(f64) -> bool, side: &str| {
        let times: Vec<f64> = played_key_times(stack).filter(|&time| is_outside(time)).collect();
        let first = times.iter().copied().reduce(f64::min)?;
        let last = times.iter().copied().reduce(f64::max)?;
        Some(format!("{} {side} it, {}", format_count(times.len(), "key"), from_to(first, last)))
    };
    let before = describe(&|time| time < span.start - TOLERANCE_S, "before");
    let after = describe(&|time| time > span.end() + TOLERANCE_S, "after");
    let outside: Vec<String> = [before, after].into_iter().flatten().collect();
    if !outside.is_empty() {
        let message = format!(
            "the time range of the take is {} to {} s; not played: {}",
            format_number(span.start),
            format_number(span.end()),
            outside.join(" and ")
        );
        diagnostics
            .info(codes::KEYS_OUTSIDE_RANGE, SourceLocation::File, message)
            .with("start_s", span.start)
            .with("end_s", span.end());
    }
}
