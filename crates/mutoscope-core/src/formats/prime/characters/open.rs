//! Opens one animation of a character as a clip.

use std::sync::Arc;

use super::{
    Animation, BoneReference, Character, ChosenAnimation, EventData, EventList, GameEvent, Leaf,
    MetaKind, SetEvents,
    composed::{can_compose, compose},
    fetch::{decode_resource, fetch_decoded, report_missing},
    open_model,
};
use crate::{
    clip::{Clip, Event, EventDetails, NodeId, Owner, Span, Value, Variants},
    diagnostics::{Diagnostics, Error, Severity, SourceLocation},
    formats::{
        FormatId, ReadOptions,
        prime::{
            Document,
            archive::{AssetId, Resource, ResourceType, Resources},
            attachment::attach_to_skeleton,
            bone_name, chosen_game,
            cinf::CINF,
            codes,
            convert::convert,
            decode::decode,
            model::CharacterModel,
        },
    },
    io::bytes::NoSidecars,
    skeleton_file::{LoadedSkeleton, SkeletonContent},
};

/// An opened animation.
#[derive(Clone, Debug)]
pub struct OpenedAnimation {
    /// The ANIM on the character's skeleton.
    pub clip: Clip,
    /// The name of the character that shows the animation, if there is one.
    pub character: Option<String>,
    /// The character's model, if it was requested.
    pub model: Option<CharacterModel>,
}

/// The skeleton that takes precedence if a character has its own skeleton and another one is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkeletonPreference {
    /// The character's own skeleton, because the given one may be in the same folder only by
    /// coincidence.
    Own,
    /// The given skeleton.
    Given,
}

/// The clips to play if an animation is composed of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Playback {
    /// The first clip.
    #[default]
    First,
    /// The first clip with this name.
    Named(String),
    /// All clips, combined approximately as their tree describes.
    All,
}

impl Playback {
    fn from_options(options: &ReadOptions) -> Self {
        match options.variant(Variants::CLIP) {
            Some(name) => Self::from_name(name),
            None if options.plays_all_clips => Self::All,
            None => Self::First,
        }
    }

    /// Returns the playback for a user's choice of [`Variants::CLIP`]: all clips for `all` or
    /// [`Variants::ALL_CLIPS`], otherwise the clip with this name.
    pub fn from_name(name: &str) -> Self {
        match name {
            "all" | Variants::ALL_CLIPS => Self::All,
            name => Self::Named(name.to_owned()),
        }
    }
}

/// Opens an animation. The options choose the clip of a blend, a sequence or a random choice.
///
/// # Errors
/// If the ANIM is missing or cannot be read, or if none of the clips has the name in the options.
pub fn open(
    chosen: &ChosenAnimation<'_>,
    resources: &dyn Resources,
    options: &ReadOptions,
    preference: SkeletonPreference,
) -> Result<OpenedAnimation, Error> {
    let mut diagnostics = Diagnostics::new();
    let animation = chosen_animation(chosen)?;
    let leaf = played_leaf(chosen, animation, &Playback::from_options(options), &mut diagnostics)?;
    let mut skeleton = choose_skeleton(chosen, resources, options, preference, &mut diagnostics);
    let mut model = None;
    let wears = chosen.character.filter(|_| options.with_model);
    if let (Some(character), Some(skeleton)) = (wears, &mut skeleton) {
        let read = open_model(character, resources, skeleton, &mut diagnostics);
        skeleton.model = read.as_ref().map(|model| Arc::clone(&model.model)).unwrap_or_default();
        model = read;
    }
    let reader = LeafReader { chosen, resources, options, skeleton: skeleton.as_ref() };
    let (mut clip, played) = match leaf {
        Some((index, leaf)) => (reader.read_clip(leaf, &mut diagnostics)?, vec![index]),
        None => reader.read_all_clips(animation, &mut diagnostics)?,
    };
    chosen.name.clone_into(&mut clip.name);
    if animation.tree.kind() != MetaKind::Play {
        clip.composition = animation.tree.composition(|leaf| played.contains(&leaf));
        clip.variants.extend(clip_variants(animation, leaf));
    }
    if chosen.index.is_some_and(|index| chosen.set.ancs.additive.contains(&(index as u32))) {
        let message = "an additive animation: the game adds it to another animation, so it looks incomplete alone";
        diagnostics.info(codes::ADDITIVE, SourceLocation::File, message);
    }
    diagnostics.extend(std::mem::take(&mut clip.diagnostics));
    clip.diagnostics = diagnostics;
    Ok(OpenedAnimation { clip, character: chosen.character.map(|one| one.name.clone()), model })
}

struct LeafReader<'a> {
    chosen: &'a ChosenAnimation<'a>,
    resources: &'a dyn Resources,
    options: &'a ReadOptions,
    skeleton: Option<&'a LoadedSkeleton>,
}

impl LeafReader<'_> {
    fn read_clip(&self, leaf: &Leaf, diagnostics: &mut Diagnostics) -> Result<Clip, Error> {
        let id = leaf.animation.ok_or_else(|| {
            let message = format!("{:?} does not refer to an ANIM", self.chosen.name);
            Error::unsupported(SourceLocation::File, message)
        })?;
        let resource = self.resources.resource(ResourceType::ANIM, id).ok_or_else(|| {
            let message = format!(
                "ANIM {id}, used by {:?}: not found. The resource may be in another archive",
                self.chosen.name
            );
            Error::unsupported(SourceLocation::File, message)
        })?;
        let DecodedAnim { document, mut clip, events } =
            decode_anim(&resource, self.options, diagnostics)?;
        if let Some(skeleton) = self.skeleton {
            clip = attach_to_skeleton(&document, clip, skeleton, diagnostics);
        }
        clip.span = leaf_span(leaf, clip.span, diagnostics);
        let list = read_events(self.chosen, leaf, id, events, self.resources, diagnostics);
        add_events(&mut clip, self.chosen, self.skeleton, &list);
        Ok(clip)
    }

    fn read_all_clips(
        &self,
        animation: &Animation,
        diagnostics: &mut Diagnostics,
    ) -> Result<(Clip, Vec<usize>), Error> {
        let mut last = None;
        let mut read = |leaf: &Leaf| {
            let mut own = Diagnostics::new();
            match self.read_clip(leaf, &mut own) {
                Ok(mut clip) => {
                    // Drop diagnostics of severity info, because every clip would repeat them.
                    let matter = own.into_iter().filter(|one| one.severity > Severity::Info);
                    diagnostics.extend(matter);
                    clip.name.clone_from(&leaf.name);
                    Some(clip)
                }
                Err(error) => {
                    let message = format!("{:?}: {}; skipped", leaf.name, error.message());
                    diagnostics
                        .warning(codes::ANIMATION_SKIPPED, error.location().clone(), message)
                        .with("animation", leaf.name.as_str());
                    last = Some(error);
                    None
                }
            }
        };
        let clips = animation.tree.leaves().map(&mut read).collect();
        compose(&animation.tree, clips)
            .ok_or_else(|| last.unwrap_or_else(|| self.nothing_plays_error(animation)))
    }

    fn nothing_plays_error(&self, animation: &Animation) -> Error {
        let location = self.chosen.set.location.translate(&animation.location);
        Error::unsupported(location, format!("{:?} has no clips to play", self.chosen.name))
    }
}

struct DecodedAnim<'a> {
    document: Document<'a>,
    clip: Clip,
    events: Option<AssetId>,
}

fn decode_anim<'a>(
    resource: &'a Resource<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<DecodedAnim<'a>, Error> {
    let game = chosen_game(options)?;
    let Resource { bytes, location, damage } = resource;
    let mut own = Diagnostics::new();
    let mut document = decode(bytes, game, &mut own).map_err(|error| match damage {
        Some(damage) => damage.clone(),
        None => location.translate_error(error),
    })?;
    if let Some(damage) = damage {
        diagnostics.error(codes::RESOURCE_DAMAGED, damage.location().clone(), damage.message());
    }
    // Take the id of the events out of the document, because `convert` would report that the events
    // are not loaded. They are loaded together with the clip.
    let events = document.events.take().and_then(AssetId::new);
    let mut clip = convert(&document, &mut own);
    for track in &mut clip.tracks {
        track.source = location.translate_track_location(track.source.clone());
    }
    options.assumptions_for(FormatId::PRIME).apply(&mut clip.convention);
    diagnostics.extend(own.into_iter().map(|diagnostic| location.translate_diagnostic(diagnostic)));
    Ok(DecodedAnim { document, clip, events })
}

fn chosen_animation<'a>(chosen: &ChosenAnimation<'a>) -> Result<&'a Animation, Error> {
    let animation = chosen.index.and_then(|index| chosen.set.ancs.animations.get(index));
    animation.ok_or_else(|| {
        let message = format!(
            "the set has no animation {:?}, and the character's index does not exist",
            chosen.name
        );
        Error::unsupported(SourceLocation::File, message)
    })
}

/// Returns the leaf that plays, with its index among the leaves. Returns `None` if all leaves play.
fn played_leaf<'a>(
    chosen: &ChosenAnimation<'_>,
    animation: &'a Animation,
    playback: &Playback,
    diagnostics: &mut Diagnostics,
) -> Result<Option<(usize, &'a Leaf)>, Error> {
    let tree = &animation.tree;
    let location = || chosen.set.location.translate(&animation.location);
    let count = tree.leaves().count();
    let Some(first) = tree.leaves().next() else {
        return Err(Error::unsupported(
            location(),
            format!("{:?} has no clips to play", chosen.name),
        ));
    };
    let kind = tree.kind();
    if kind == MetaKind::Play {
        return match playback {
            Playback::Named(_) => {
                Err(Error::unknown_variant(format!("{:?} is a single clip", chosen.name)))
            }
            _ => Ok(Some((0, first))),
        };
    }
    let mut report = |what: String| {
        let message = format!("{:?} is {} of {count} clips; {what}", chosen.name, kind.noun());
        diagnostics.info(codes::CLIP_CHOSEN, location(), message).with("count", count);
    };
    match playback {
        Playback::All if can_compose(tree) => {
            report("playing all clips, without the game's transitions".to_owned());
            Ok(None)
        }
        Playback::First | Playback::All => {
            report(format!("using the first, {:?}", first.name));
            Ok(Some((0, first)))
        }
        Playback::Named(name) => {
            let found = tree.leaves().enumerate().find(|(_, leaf)| leaf.name == *name);
            let found = found.ok_or_else(|| {
                Error::unknown_variant(format!("{:?} has no clip {name:?}", chosen.name))
            })?;
            report(format!("using {name:?}"));
            Ok(Some(found))
        }
    }
}

fn clip_variants(animation: &Animation, played: Option<(usize, &Leaf)>) -> Option<Variants> {
    if !can_compose(&animation.tree) {
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
    Some(Variants::detected(Variants::CLIP, names, current))
}

fn choose_skeleton(
    chosen: &ChosenAnimation<'_>,
    resources: &dyn Resources,
    options: &ReadOptions,
    preference: SkeletonPreference,
    diagnostics: &mut Diagnostics,
) -> Option<LoadedSkeleton> {
    let mut own =
        || chosen.character.and_then(|one| read_own_skeleton(one, resources, diagnostics));
    match (options.given_skeleton(), preference) {
        (None, _) => own(),
        (Some(given), SkeletonPreference::Own) => own().or_else(|| Some(given.clone())),
        (Some(given), SkeletonPreference::Given) => Some(given.clone()),
    }
}

fn read_own_skeleton(
    character: &Character,
    resources: &dyn Resources,
    diagnostics: &mut Diagnostics,
) -> Option<LoadedSkeleton> {
    let Some(id) = character.skeleton else {
        let message = format!("{:?} has no skeleton; bones are named by their ids", character.name);
        diagnostics
            .warning(codes::CHARACTER_INCOMPLETE, SourceLocation::File, message)
            .with("character", character.name.as_str());
        return None;
    };
    let referrer = format!("{:?}", character.name);
    fetch_decoded(
        resources,
        ResourceType::CINF,
        id,
        &referrer,
        diagnostics,
        |bytes, diagnostics| load_skeleton(bytes, &format!("CINF {id}"), diagnostics),
    )
}

pub(super) fn load_skeleton(
    bytes: &[u8],
    name: &str,
    diagnostics: &mut Diagnostics,
) -> Result<LoadedSkeleton, Error> {
    let SkeletonContent { nodes, model, .. } = (CINF.decode)(bytes, &NoSidecars, diagnostics)?;
    Ok(LoadedSkeleton {
        name: name.to_owned(),
        kind: CINF.kind,
        nodes,
        space: CINF.space,
        humanoid: None,
        model: Arc::new(model),
        diagnostics: Diagnostics::new(),
        sidecars: Vec::new(),
    })
}

fn leaf_span(leaf: &Leaf, span: Span, diagnostics: &mut Diagnostics) -> Span {
    let start = f64::from(leaf.start);
    if !(0.0..=span.duration).contains(&start) {
        let message = format!("the start time {} s is outside of the clip; using 0 s", leaf.start);
        diagnostics.warning(codes::START_TIME, SourceLocation::File, message);
        return span;
    }
    Span { start, duration: span.duration - start }
}

/// Reads the events of an ANIM. In Echoes, the set contains the events. In Metroid Prime, the
/// events are in the EVNT file that the ANIM names. If the ANIM names none, the set names the file.
fn read_events(
    chosen: &ChosenAnimation<'_>,
    leaf: &Leaf,
    animation: AssetId,
    named_by_anim: Option<AssetId>,
    resources: &dyn Resources,
    diagnostics: &mut Diagnostics,
) -> EventList {
    let ancs = &chosen.set.ancs;
    match &ancs.events {
        SetEvents::Inline(lists) => match lists.get(leaf.index as usize) {
            Some(list) => {
                let mut list = list.clone();
                for event in &mut list.events {
                    event.location = chosen.set.location.translate(&event.location);
                }
                list
            }
            None => {
                if ancs.incomplete.is_some() {
                    let message = "the events are in the lost part of the ANCS; skipped";
                    diagnostics.warning(codes::EVENTS_LOST, SourceLocation::File, message);
                }
                EventList::default()
            }
        },
        SetEvents::Files(files) => {
            let in_set = || files.iter().find(|(anim, _)| *anim == Some(animation))?.1;
            let Some(id) = named_by_anim.or_else(in_set) else { return EventList::default() };
            let Some(resource) = resources.resource(ResourceType::EVNT, id) else {
                let referrer = format!("ANIM {animation}");
                report_missing(ResourceType::EVNT, id, &referrer, diagnostics);
                return EventList::default();
            };
            let list = decode_resource(&resource, diagnostics, decode_events);
            let mut list = list.unwrap_or_default();
            for event in &mut list.events {
                event.location = resource.location.translate(&event.location);
            }
            list
        }
    }
}

pub(super) fn decode_events(
    bytes: &[u8],
    diagnostics: &mut Diagnostics,
) -> Result<EventList, Error> {
    let list = EventList::decode(bytes)?;
    if let Some(error) = &list.incomplete {
        let message = format!("{}; using the {} events before", error.message(), list.events.len());
        diagnostics.error(codes::EVENTS_LOST, error.location().clone(), message);
    }
    report_non_finite_times(&list, diagnostics);
    Ok(list)
}

pub(super) fn report_non_finite_times(list: &EventList, diagnostics: &mut Diagnostics) {
    for event in list.events.iter().filter(|event| !event.time.is_finite()) {
        let message = format!("event {:?} is at {:?} s; skipped", event.name, event.time);
        diagnostics
            .error(codes::EVENT_TIME, event.location.clone(), message)
            .with("event", event.name.as_str());
    }
}

fn add_events(
    clip: &mut Clip,
    chosen: &ChosenAnimation<'_>,
    skeleton: Option<&LoadedSkeleton>,
    list: &EventList,
) {
    // We know the meaning of user events in the first game only.
    let is_first_game = matches!(chosen.set.ancs.events, SetEvents::Files(_));
    let (start, end) = (clip.span.start, clip.span.end());
    let finite = list.events.iter().filter(|event| event.time.is_finite());
    let mut events: Vec<_> = finite
        .map(|event| {
            let node = event_node_name(event, skeleton);
            let owner = clip.nodes.with_ids().find(|(_, known)| known.name == node);
            Event {
                time: event.time.into(),
                owner: owner
                    .filter(|_| !node.is_empty())
                    .map(|(id, _): (NodeId, _)| Owner::Node(id)),
                name: event.name.clone(),
                value: Some(Box::new(event_value(event))),
                location: event.location.clone(),
                details: Some(Box::new(EventDetails {
                    kind: event.kind_name(),
                    node,
                    is_fired: event.fires_for(chosen.character.map(|one| one.id), start, end),
                    effect: event.effect().filter(|_| is_first_game),
                    duration: event.duration(),
                })),
            }
        })
        .collect();
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    clip.events = events;
}

fn event_node_name(event: &GameEvent, skeleton: Option<&LoadedSkeleton>) -> String {
    match &event.data {
        EventData::Bool(_) | EventData::Sound { .. } => String::new(),
        EventData::Int { locator, .. } => locator.clone(),
        EventData::Particle { bone: BoneReference::Name(name), .. } => name.clone(),
        EventData::Particle { bone: BoneReference::Id(id), .. } => {
            let mut nodes = skeleton.iter().flat_map(|skeleton| &skeleton.nodes);
            let node = nodes.find(|node| node.id == Some(*id));
            node.map_or_else(|| bone_name(*id), |node| node.name.clone())
        }
    }
}

fn event_value(event: &GameEvent) -> Value {
    match &event.data {
        EventData::Bool(is_true) => Value::Bool(*is_true),
        EventData::Int { value, .. } => Value::Integer((*value).into()),
        EventData::Sound { sound, .. } => Value::Integer((*sound).into()),
        EventData::Particle { effect, .. } => {
            effect.map_or(Value::Null, |id| Value::Text(id.to_string().into()))
        }
    }
}
