//! One animation of a character, as a clip.

use std::sync::Arc;

use super::{
    BoneReference, Character, Chosen, EventData, EventList, GameEvent, Leaf, MetaKind, SetEvents,
    fetch::{decode_resource, fetch, report_missing},
    open_model,
};
use crate::{
    bytes::NoSidecars,
    clip::{Assumptions, Clip, CompositionPart, Event, EventDetails, NodeId, Owner, Span, Value},
    diagnostics::{Error, Notices, SourceLocation},
    formats::prime::{
        Document, Game,
        archive::{AssetId, Resource, ResourceType, Resources},
        bone_name,
        cinf::CINF,
        convert::convert,
        decode::decode,
        model::CharacterModel,
        rig::put_on,
    },
    rig::Rig,
};

/// An animation that was opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its clip: the ANIM on the character's skeleton.
    pub clip: Clip,
    /// The name of the character that it is shown on, if there is one.
    pub character: Option<String>,
    /// What that wears, if it was asked for.
    pub model: Option<CharacterModel>,
}

/// How an animation is opened.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions<'a> {
    /// How its numbers are understood.
    pub assumptions: Assumptions,
    /// The skeleton that it is put on in place of the character's own: a CINF.
    pub rig: Option<&'a Rig>,
    /// Whether that is used only where the character has none of its own.
    pub prefers_own_rig: bool,
    /// The game that its ANIM is read as of.
    pub game: Option<Game>,
    /// Whether the character's model is read too.
    pub with_model: bool,
}

/// Opens an animation; of a blend, a sequence or a random choice its first clip.
///
/// # Errors
/// If its ANIM is not there or cannot be read.
pub fn open(
    chosen: &Chosen<'_>,
    resources: &dyn Resources,
    options: &OpenOptions<'_>,
) -> Result<Opened, Error> {
    let mut notices = Notices::new();
    let leaf = first_leaf(chosen, &mut notices)?;
    let id = leaf.animation.ok_or_else(|| {
        Error::unsupported(SourceLocation::File, format!("{:?} names no ANIM", chosen.name))
    })?;
    let resource = resources.resource(ResourceType::ANIM, id).ok_or_else(|| {
        let message = format!(
            "ANIM {id}, named by {:?}: not found here. It may be in another archive",
            chosen.name
        );
        Error::unsupported(SourceLocation::File, message)
    })?;
    let Animation { document, mut clip, events } = animation(&resource, options, &mut notices)?;
    let mut rig = rig(chosen, resources, options, &mut notices);
    let mut model = None;
    let wears = chosen.character.filter(|_| options.with_model);
    if let (Some(character), Some(rig)) = (wears, &mut rig) {
        let read = open_model(character, resources, rig, &mut notices);
        rig.model = read.as_ref().map(|model| Arc::clone(&model.model)).unwrap_or_default();
        model = read;
    }
    if let Some(rig) = &rig {
        clip = put_on(&document, clip, rig, &mut notices);
    }
    chosen.name.clone_into(&mut clip.name);
    clip.span = span(leaf, clip.span, &mut notices);
    let list = event_list(chosen, (leaf, id, events), resources, &mut notices);
    add_events(&mut clip, chosen, rig.as_ref(), &list);
    clip.composition = composition(chosen);
    if chosen.index.is_some_and(|index| chosen.set.ancs.additive.contains(&(index as u32))) {
        let message =
            "an additive animation: the game adds it to another; alone it looks incomplete";
        notices.info(SourceLocation::File, message);
    }
    notices.extend(std::mem::take(&mut clip.notices));
    clip.notices = notices;
    Ok(Opened { clip, character: chosen.character.map(|one| one.name.clone()), model })
}

/// What an ANIM is read as.
struct Animation<'a> {
    document: Document<'a>,
    clip: Clip,
    /// The EVNT that it names.
    events: Option<AssetId>,
}

/// Reads an ANIM.
fn animation<'a>(
    resource: &'a Resource<'_>,
    options: &OpenOptions<'_>,
    notices: &mut Notices,
) -> Result<Animation<'a>, Error> {
    let Resource { bytes, location, damage } = resource;
    let mut own = Notices::new();
    let mut document = decode(bytes, options.game, &mut own).map_err(|error| match damage {
        Some(damage) => damage.clone(),
        None => location.error(error),
    })?;
    if let Some(damage) = damage {
        notices.error(damage.place().clone(), damage.message());
    }
    // The events are read with the clip, so that it need not say that they are not.
    let events = document.events.take().and_then(AssetId::new);
    let mut clip = convert(&document, &mut own);
    for track in &mut clip.tracks {
        track.source = location.provenance(track.source.clone());
    }
    options.assumptions.apply(&mut clip.convention);
    notices.extend(own.into_iter().map(|notice| location.notice(notice)));
    Ok(Animation { document, clip, events })
}

/// The first animation of the tree.
fn first_leaf<'a>(chosen: &Chosen<'a>, notices: &mut Notices) -> Result<&'a Leaf, Error> {
    let animation = chosen.index.and_then(|index| chosen.set.ancs.animations.get(index));
    let animation = animation.ok_or_else(|| {
        let message = format!(
            "the set has no animation {:?}, and the character's index leads to none",
            chosen.name
        );
        Error::unsupported(SourceLocation::File, message)
    })?;
    let mut leaves = animation.tree.leaves();
    let first = leaves.next().ok_or_else(|| {
        let place = chosen.set.location.place(&animation.place);
        Error::unsupported(place, format!("{:?} plays nothing", chosen.name))
    })?;
    let kind = animation.tree.kind();
    if kind != MetaKind::Play {
        let message = format!(
            "{:?} is {} of {} clips; using the first, {:?}",
            chosen.name,
            kind.noun(),
            1 + leaves.count(),
            first.name
        );
        notices.info(chosen.set.location.place(&animation.place), message);
    }
    Ok(first)
}

/// What the animation is put together of; nothing where it is one clip.
fn composition(chosen: &Chosen<'_>) -> Vec<CompositionPart> {
    let animation = chosen.index.and_then(|index| chosen.set.ancs.animations.get(index));
    let composed = animation.filter(|animation| animation.tree.kind() != MetaKind::Play);
    composed.map(|animation| animation.tree.composition()).unwrap_or_default()
}

/// The skeleton that the animation is put on.
fn rig(
    chosen: &Chosen<'_>,
    resources: &dyn Resources,
    options: &OpenOptions<'_>,
    notices: &mut Notices,
) -> Option<Rig> {
    let mut own = || chosen.character.and_then(|one| own_rig(one, resources, notices));
    match options.rig {
        None => own(),
        Some(given) if options.prefers_own_rig => own().or_else(|| Some(given.clone())),
        Some(given) => Some(given.clone()),
    }
}

/// The skeleton of a character.
fn own_rig(character: &Character, resources: &dyn Resources, notices: &mut Notices) -> Option<Rig> {
    let Some(id) = character.rig else {
        let message =
            format!("{:?} names no skeleton; bones are shown by their ids", character.name);
        notices.warning(SourceLocation::File, message);
        return None;
    };
    let by = format!("{:?}", character.name);
    fetch(resources, (ResourceType::CINF, id), &by, notices, |bytes, notices| {
        decode_rig(bytes, &format!("CINF {id}"), notices)
    })
}

/// Reads a skeleton, with the issues in it.
pub(super) fn decode_rig(bytes: &[u8], name: &str, notices: &mut Notices) -> Result<Rig, Error> {
    let (nodes, model) = (CINF.decode)(bytes, &NoSidecars, notices)?;
    Ok(Rig {
        name: name.to_owned(),
        kind: CINF.kind,
        nodes,
        space: CINF.space,
        model: Arc::new(model),
        notices: Notices::new(),
    })
}

/// From the start of the leaf to the end of the clip.
fn span(leaf: &Leaf, span: Span, notices: &mut Notices) -> Span {
    let start = f64::from(leaf.start);
    if !(0.0..=span.duration).contains(&start) {
        let message = format!("it is to begin at {} s, outside of the clip; using 0 s", leaf.start);
        notices.warning(SourceLocation::File, message);
        return span;
    }
    Span { start, duration: span.duration - start }
}

/// The events of an ANIM: Metroid Prime has them in the file that the ANIM names, or else the set;
/// Echoes in the set.
fn event_list(
    chosen: &Chosen<'_>,
    (leaf, animation, named): (&Leaf, AssetId, Option<AssetId>),
    resources: &dyn Resources,
    notices: &mut Notices,
) -> EventList {
    let ancs = &chosen.set.ancs;
    match &ancs.events {
        SetEvents::Inline(lists) => match lists.get(leaf.index as usize) {
            Some(list) => {
                let mut list = list.clone();
                for event in &mut list.events {
                    event.place = chosen.set.location.place(&event.place);
                }
                list
            }
            None => {
                if ancs.incomplete.is_some() {
                    let message = "its events are in what is lost of the ANCS; skipped";
                    notices.warning(SourceLocation::File, message);
                }
                EventList::default()
            }
        },
        SetEvents::Files(files) => {
            let in_set = || files.iter().find(|(anim, _)| *anim == Some(animation))?.1;
            let Some(id) = named.or_else(in_set) else { return EventList::default() };
            let Some(resource) = resources.resource(ResourceType::EVNT, id) else {
                let by = format!("ANIM {animation}");
                report_missing((ResourceType::EVNT, id), &by, notices);
                return EventList::default();
            };
            let list = decode_resource(&resource, notices, decode_events);
            let mut list = list.unwrap_or_default();
            for event in &mut list.events {
                event.place = resource.location.place(&event.place);
            }
            list
        }
    }
}

/// Reads a file of events, with what is wrong with it.
pub(super) fn decode_events(bytes: &[u8], notices: &mut Notices) -> Result<EventList, Error> {
    let list = EventList::decode(bytes)?;
    if let Some(error) = &list.incomplete {
        let message = format!("{}; using the {} events before", error.message(), list.events.len());
        notices.error(error.place().clone(), message);
    }
    report_timeless(&list, notices);
    Ok(list)
}

/// Events whose time is not finite happen at no time.
pub(super) fn report_timeless(list: &EventList, notices: &mut Notices) {
    for event in list.events.iter().filter(|event| !event.time.is_finite()) {
        let message = format!("event {:?} is at {:?} s; skipped", event.name, event.time);
        notices.error(event.place.clone(), message);
    }
}

/// Adds events to the clip in the order of time; those of one time in the order of the file.
fn add_events(clip: &mut Clip, chosen: &Chosen<'_>, rig: Option<&Rig>, list: &EventList) {
    // What the numbers of user events mean is known of the first game only.
    let is_first_game = matches!(chosen.set.ancs.events, SetEvents::Files(_));
    let (start, end) = (clip.span.start, clip.span.end());
    let finite = list.events.iter().filter(|event| event.time.is_finite());
    let mut events: Vec<_> = finite
        .map(|event| {
            let node = node_name(event, rig);
            let owner = clip.nodes.with_ids().find(|(_, known)| known.name == node);
            Event {
                time: event.time.into(),
                owner: owner
                    .filter(|_| !node.is_empty())
                    .map(|(id, _): (NodeId, _)| Owner::Node(id)),
                name: event.name.clone(),
                value: Some(Box::new(value(event))),
                place: event.place.clone(),
                details: Some(Box::new(EventDetails {
                    kind: event.kind_word(),
                    node,
                    fires: event.fires(chosen.character.map(|one| one.id), start, end),
                    effect: event.effect().filter(|_| is_first_game),
                    duration: event.duration(),
                })),
            }
        })
        .collect();
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    clip.events = events;
}

/// The bone or locator that an event concerns; empty for none.
fn node_name(event: &GameEvent, rig: Option<&Rig>) -> String {
    match &event.data {
        EventData::Bool(_) | EventData::Sound { .. } => String::new(),
        EventData::Int { locator, .. } => locator.clone(),
        EventData::Particle { bone: BoneReference::Name(name), .. } => name.clone(),
        EventData::Particle { bone: BoneReference::Id(id), .. } => {
            let mut nodes = rig.iter().flat_map(|rig| &rig.nodes);
            let node = nodes.find(|node| node.id == Some(*id));
            node.map_or_else(|| bone_name(*id), |node| node.name.clone())
        }
    }
}

fn value(event: &GameEvent) -> Value {
    match &event.data {
        EventData::Bool(is_true) => Value::Bool(*is_true),
        EventData::Int { value, .. } => Value::Integer((*value).into()),
        EventData::Sound { sound, .. } => Value::Integer((*sound).into()),
        EventData::Particle { effect, .. } => {
            effect.map_or(Value::Null, |id| Value::Text(id.to_string().into()))
        }
    }
}
