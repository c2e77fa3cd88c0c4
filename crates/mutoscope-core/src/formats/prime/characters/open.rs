//! One animation of a character, as a clip.

use std::sync::Arc;

use super::{
    Animation, BoneReference, Character, Chosen, EventData, EventList, GameEvent, Leaf, MetaKind,
    SetEvents,
    composed::{can_play_whole, compose},
    fetch::{decode_resource, fetch, report_missing},
    open_model,
};
use crate::{
    clip::{Assumptions, Clip, Event, EventDetails, NodeId, Owner, Span, Value, Variants},
    diagnostics::{Error, Notices, Severity, SourceLocation},
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
    io::bytes::NoSidecars,
    rig::{Rig, RigContent},
};

/// An animation that was opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its clip: the ANIM on the character's skeleton.
    pub clip: Clip,
    /// The name of the character that it is shown on, if there is one.
    pub character: Option<String>,
    /// The character's model, if it was requested.
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
    /// The clips that play, if the animation is composed of several.
    pub playback: Playback,
}

/// The clips that play, if an animation is composed of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Playback {
    /// The first.
    #[default]
    First,
    /// The first of this name.
    Named(String),
    /// All, as their tree says: approximately.
    All,
}

impl Playback {
    /// The playback for a user's choice of [`Variants::CLIP`]: all clips, by their label or as `all`, or the
    /// one of this name.
    pub fn of_name(name: &str) -> Self {
        match name {
            "all" | Variants::ALL_CLIPS => Self::All,
            name => Self::Named(name.to_owned()),
        }
    }
}

/// Opens an animation; of a blend, a sequence or a random choice what the options name.
///
/// # Errors
/// If its ANIM is not there or cannot be read, or none of its clips has the name that the options say.
pub fn open(
    chosen: &Chosen<'_>,
    resources: &dyn Resources,
    options: &OpenOptions<'_>,
) -> Result<Opened, Error> {
    let mut notices = Notices::new();
    let animation = animation(chosen)?;
    let leaf = played_leaf(chosen, animation, &options.playback, &mut notices)?;
    let mut rig = rig(chosen, resources, options, &mut notices);
    let mut model = None;
    let wears = chosen.character.filter(|_| options.with_model);
    if let (Some(character), Some(rig)) = (wears, &mut rig) {
        let read = open_model(character, resources, rig, &mut notices);
        rig.model = read.as_ref().map(|model| Arc::clone(&model.model)).unwrap_or_default();
        model = read;
    }
    let reader = LeafReader { chosen, resources, options, rig: rig.as_ref() };
    let (mut clip, played) = match leaf {
        Some((index, leaf)) => (reader.clip(leaf, &mut notices)?, vec![index]),
        None => reader.whole(animation, &mut notices)?,
    };
    chosen.name.clone_into(&mut clip.name);
    if animation.tree.kind() != MetaKind::Play {
        clip.composition = animation.tree.composition(|leaf| played.contains(&leaf));
        clip.variants.extend(clips_to_choose(animation, leaf));
    }
    if chosen.index.is_some_and(|index| chosen.set.ancs.additive.contains(&(index as u32))) {
        let message =
            "an additive animation: the game adds it to another; alone it looks incomplete";
        notices.info(SourceLocation::File, message);
    }
    notices.extend(std::mem::take(&mut clip.notices));
    clip.notices = notices;
    Ok(Opened { clip, character: chosen.character.map(|one| one.name.clone()), model })
}

/// Reads the clips of an animation.
struct LeafReader<'a> {
    chosen: &'a Chosen<'a>,
    resources: &'a dyn Resources,
    options: &'a OpenOptions<'a>,
    rig: Option<&'a Rig>,
}

impl LeafReader<'_> {
    /// One clip, on the skeleton, with its events.
    fn clip(&self, leaf: &Leaf, notices: &mut Notices) -> Result<Clip, Error> {
        let id = leaf.animation.ok_or_else(|| {
            let message = format!("{:?} names no ANIM", self.chosen.name);
            Error::unsupported(SourceLocation::File, message)
        })?;
        let resource = self.resources.resource(ResourceType::ANIM, id).ok_or_else(|| {
            let message = format!(
                "ANIM {id}, named by {:?}: not found here. It may be in another archive",
                self.chosen.name
            );
            Error::unsupported(SourceLocation::File, message)
        })?;
        let Anim { document, mut clip, events } = anim(&resource, self.options, notices)?;
        if let Some(rig) = self.rig {
            clip = put_on(&document, clip, rig, notices);
        }
        clip.span = span(leaf, clip.span, notices);
        let list = event_list(self.chosen, (leaf, id, events), self.resources, notices);
        add_events(&mut clip, self.chosen, self.rig, &list);
        Ok(clip)
    }

    /// All clips together, and which they are. What is wrong with one leaves the others.
    fn whole(
        &self,
        animation: &Animation,
        notices: &mut Notices,
    ) -> Result<(Clip, Vec<usize>), Error> {
        let mut last = None;
        let mut read = |leaf: &Leaf| {
            let mut own = Notices::new();
            match self.clip(leaf, &mut own) {
                Ok(mut clip) => {
                    // Notices of severity info about the first apply to all.
                    let matter = own.into_iter().filter(|one| one.severity > Severity::Info);
                    notices.extend(matter);
                    clip.name.clone_from(&leaf.name);
                    Some(clip)
                }
                Err(error) => {
                    let message = format!("{:?}: {}; skipped", leaf.name, error.message());
                    notices.warning(error.place().clone(), message);
                    last = Some(error);
                    None
                }
            }
        };
        let clips = animation.tree.leaves().map(&mut read).collect();
        compose(&animation.tree, clips)
            .ok_or_else(|| last.unwrap_or_else(|| self.nothing(animation)))
    }

    fn nothing(&self, animation: &Animation) -> Error {
        let place = self.chosen.set.location.place(&animation.place);
        Error::unsupported(place, format!("{:?} plays nothing", self.chosen.name))
    }
}

/// The parts of a decoded ANIM.
struct Anim<'a> {
    document: Document<'a>,
    clip: Clip,
    /// The EVNT that it names.
    events: Option<AssetId>,
}

/// Reads an ANIM.
fn anim<'a>(
    resource: &'a Resource<'_>,
    options: &OpenOptions<'_>,
    notices: &mut Notices,
) -> Result<Anim<'a>, Error> {
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
    Ok(Anim { document, clip, events })
}

/// The animation of the set.
fn animation<'a>(chosen: &Chosen<'a>) -> Result<&'a Animation, Error> {
    let animation = chosen.index.and_then(|index| chosen.set.ancs.animations.get(index));
    animation.ok_or_else(|| {
        let message = format!(
            "the set has no animation {:?}, and the character's index points to none",
            chosen.name
        );
        Error::unsupported(SourceLocation::File, message)
    })
}

/// The one clip of the tree that plays, with its index among the clips; nothing if all do.
fn played_leaf<'a>(
    chosen: &Chosen<'_>,
    animation: &'a Animation,
    playback: &Playback,
    notices: &mut Notices,
) -> Result<Option<(usize, &'a Leaf)>, Error> {
    let tree = &animation.tree;
    let place = || chosen.set.location.place(&animation.place);
    let count = tree.leaves().count();
    let Some(first) = tree.leaves().next() else {
        return Err(Error::unsupported(place(), format!("{:?} plays nothing", chosen.name)));
    };
    let kind = tree.kind();
    if kind == MetaKind::Play {
        return match playback {
            Playback::Named(_) => Err(Error::no_variants(format!("{:?} is one clip", chosen.name))),
            _ => Ok(Some((0, first))),
        };
    }
    let mut say = |what: String| {
        let message = format!("{:?} is {} of {count} clips; {what}", chosen.name, kind.noun());
        notices.info(place(), message);
    };
    match playback {
        Playback::All if can_play_whole(tree) => {
            say("playing all of them, without the game's transitions".to_owned());
            Ok(None)
        }
        Playback::First | Playback::All => {
            say(format!("using the first, {:?}", first.name));
            Ok(Some((0, first)))
        }
        Playback::Named(name) => {
            let found = tree.leaves().enumerate().find(|(_, leaf)| leaf.name == *name);
            let found = found.ok_or_else(|| {
                Error::no_variants(format!("{:?} has no clip {name:?}", chosen.name))
            })?;
            say(format!("using {name:?}"));
            Ok(Some(found))
        }
    }
}

/// The clips of a composed animation to choose from, where they have names: all of them, or one.
fn clips_to_choose(animation: &Animation, played: Option<(usize, &Leaf)>) -> Option<Variants> {
    if !can_play_whole(&animation.tree) {
        return None;
    }
    let mut names = vec![Variants::ALL_CLIPS];
    for leaf in animation.tree.leaves() {
        if !names.contains(&leaf.name.as_str()) {
            names.push(&leaf.name);
        }
    }
    let current = match played {
        None => 0,
        Some((_, played)) => names.iter().position(|name| *name == played.name)?,
    };
    Some(Variants::found(Variants::CLIP, names, current))
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
    let RigContent { nodes, model, .. } = (CINF.decode)(bytes, &NoSidecars, notices)?;
    Ok(Rig {
        name: name.to_owned(),
        kind: CINF.kind,
        nodes,
        space: CINF.space,
        humanoid: None,
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
                    let message = "its events are in the lost part of the ANCS; skipped";
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
    // The meanings of user events are known for the first game only.
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
