//! Compares every tick of every fixture with the values of an independent reader.

use glam::DVec3;
use mutoscope_core::clip::{Clip, Owner, Pose, Value as ClipValue};
use mutoscope_minecraft::{Actor, Effect, EntityData, Item, SampleTime, Slot};
use serde_json::Value;

use crate::{clip, recording};
use mutoscope_testing::fixtures::{self, McmocapFixture};

/// The tolerance for numbers that accumulate over many ticks.
const TOLERANCE: f64 = 1e-9;

/// Calls `check` with the expected values of each frame of each fixture.
fn for_each_frame(check: impl Fn(&str, &Clip, u32, &Value)) {
    for McmocapFixture { name, bytes, expected } in fixtures::mcmocap_fixtures() {
        let clip = clip(&bytes);
        let frames = expected["frames"].as_array().unwrap();
        assert_eq!(recording(&clip).frames as usize, frames.len(), "{name}");
        // Check backwards and forwards, because frames can be sampled in any order.
        for frame in (0..frames.len()).rev().chain(0..frames.len()) {
            assert_eq!(frames[frame]["tick"], frame, "{name}");
            check(&format!("{name}, frame {frame}"), &clip, frame as u32, &frames[frame]);
        }
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn start_of_frame(frame: u32) -> SampleTime {
    SampleTime { frame, t: 0.0 }
}

#[test]
fn headers_match_the_reference() {
    for McmocapFixture { name, bytes, expected } in fixtures::mcmocap_fixtures() {
        let clip = clip(&bytes);
        let recording = recording(&clip);
        let header = &expected["header"];
        assert_eq!(clip.version, header["dialect"], "{name}");
        assert_eq!(recording.ticks, header["ticks"], "{name}");
        assert_eq!(recording.ends_with_death, header["endsWithDeath"], "{name}");
        assert_eq!(recording.dimension.as_deref(), header["dimension"].as_str(), "{name}");
        let player = header["profile"]["name"].as_str().or(header["playerName"].as_str());
        assert_eq!(recording.profile.name.as_deref(), player, "{name}");
        let extensions = header["extensions"].as_array().unwrap();
        let extensions: Vec<_> = extensions.iter().map(|one| one["id"].clone()).collect();
        assert_eq!(recording.extensions, extensions, "{name}");
        assert_eq!(recording.start.position.to_array()[..], numbers(&header["startPos"]));
        assert_eq!(clip.span.duration, recording.ticks as f64 / 20.0, "{name}");
        assert_eq!((clip.span.start, clip.rate_hz), (0.0, Some(20.0)), "{name}");
    }
}

#[test]
fn player_tracks_match_the_reference() {
    for_each_frame(|label, clip, frame, expected| {
        let recording = recording(clip);
        assert_actor(label, &recording.player, frame, expected);
        assert_eq!(*recording.player.dead.at_frame(frame), expected["dead"], "{label}");
        let vehicle = expected["vehicle"].as_i64();
        assert_eq!(recording.vehicle.at_frame(frame).map(i64::from), vehicle, "{label}");
    });
}

#[test]
fn entity_tracks_match_the_reference() {
    for_each_frame(|label, clip, frame, expected| {
        let expected_entities = expected["entities"].as_object().unwrap();
        for entity in &recording(clip).entities {
            let expected = expected_entities.get(&entity.id.to_string());
            assert_eq!(entity.is_there(frame), expected.is_some(), "{label}, {}", entity.id);
            let Some(expected) = expected else { continue };
            assert_actor(&format!("{label}, entity {}", entity.id), &entity.actor, frame, expected);
            let is_alive = !entity.actor.dead.at_frame(frame);
            assert_eq!(is_alive, expected["alive"], "{label}, entity {}", entity.id);
        }
        let known = recording(clip).entities.iter().filter(|entity| entity.is_there(frame));
        assert_eq!(known.count(), expected_entities.len(), "{label}");
    });
}

fn assert_actor(label: &str, actor: &Actor, frame: u32, expected: &Value) {
    let path_point = actor.path.at_frame(frame);
    let position = DVec3::from_slice(&numbers(&expected["pos"]));
    assert!(
        path_point.position.abs_diff_eq(position, TOLERANCE),
        "{label}: {path_point:?}, {position}"
    );
    assert_eq!(path_point.yaw, expected["yaw"], "{label}");
    assert_eq!(path_point.pitch, expected["pitch"], "{label}");
    assert_eq!(path_point.head_yaw, expected["headYaw"], "{label}");
    assert_eq!(*actor.on_ground.at_frame(frame), expected["onGround"], "{label}");
    assert_eq!(actor.pose.at_frame(frame).name(), expected["pose"], "{label}");
    assert_eq!(*actor.entity_flags.at_frame(frame), expected["entityFlags"], "{label}");
    assert_eq!(*actor.living_flags.at_frame(frame), expected["livingFlags"], "{label}");
    assert_eq!(*actor.main_hand_right.at_frame(frame), expected["mainHandRight"], "{label}");
    assert_eq!(*actor.arrows.at_frame(frame), expected["arrows"], "{label}");
    assert_eq!(*actor.stingers.at_frame(frame), expected["stingers"], "{label}");
    assert_eq!(*actor.spectator.at_frame(frame), expected["spectator"], "{label}");
    for slot in Slot::ALL {
        let found = actor.item(slot, frame).map(|Item { id, data }| {
            (id.to_string(), data.as_ref().map_or(Value::Null, |data| (&**data).into()))
        });
        let item = &expected["items"][slot.name()];
        let expected = item["id"].as_str().map(|id| (display_id(id), item["data"].clone()));
        assert_eq!(found, expected, "{label}, {slot:?}");
    }
    let bed = actor.bed.at_frame(frame).map(|bed| bed.to_array().map(f64::from).to_vec());
    let expected_bed = Some(&expected["sleepingPos"]).filter(|bed| !bed.is_null()).map(numbers);
    assert_eq!(bed, expected_bed, "{label}");
    assert_effect(label, actor.effect.at_frame(frame).as_ref(), &expected["effect"]);
    assert_data(label, *actor.data.at_frame(frame), &expected["data"]);
}

fn assert_effect(label: &str, found: Option<&Effect>, expected: &Value) {
    match found {
        None => assert!(expected.is_null(), "{label}: {expected}"),
        Some(Effect::Colour { colour, ambient }) => {
            assert_eq!(*colour, expected["color"], "{label}");
            assert_eq!(*ambient, expected["ambience"], "{label}");
        }
        Some(Effect::Particles { particles, ambient }) => {
            let found: Vec<&str> = particles.iter().map(|particle| &**particle).collect();
            assert_eq!(serde_json::json!(found), expected["particles"], "{label}");
            assert_eq!(*ambient, expected["ambience"], "{label}");
        }
    }
}

fn assert_data(label: &str, found: Option<EntityData>, expected: &Value) {
    let Some(EntityData { flag1, flag2, byte1, int1, int2, int3, float1 }) = found else {
        return assert!(expected.is_null(), "{label}: {expected}");
    };
    assert_eq!(
        serde_json::json!([flag1, flag2]),
        serde_json::json!([expected["flag1"], expected["flag2"]])
    );
    let found = serde_json::json!([byte1, int1, int2, int3]);
    let fields = ["byte1", "int1", "int2", "int3"].map(|field| expected[field].clone());
    assert_eq!(found, serde_json::json!(fields), "{label}");
    assert_eq!(float1.map(f64::from), expected["float1"].as_f64(), "{label}");
}

/// Returns an item or block id as this program writes it.
fn display_id(id: &str) -> String {
    id.strip_prefix("num:").map_or_else(|| id.to_owned(), |number| format!("#{number}"))
}

#[test]
fn derived_tracks_match_the_reference() {
    for_each_frame(|label, clip, frame, expected| {
        let found = recording(clip).client(start_of_frame(frame));
        let client = &expected["client"];
        let numbers = [
            (found.body_yaw, "bodyYaw"),
            (found.walk_position, "walkPos"),
            (found.walk_speed, "walkSpeed"),
            (found.attack, "attackAnim"),
            (found.swim_amount, "swimAmount"),
        ];
        for (found, name) in numbers {
            let expected = client[name].as_f64().unwrap();
            assert!(
                (found - expected).abs() < TOLERANCE,
                "{label}, {name}: {found}, expected {expected}"
            );
        }
        assert_eq!(found.hurt_time, client["hurtTime"], "{label}");
        assert_eq!(found.death_time, client["deathTime"], "{label}");
        assert_eq!(found.glide_time, client["fallFlyTicks"], "{label}");
        assert_eq!(found.off_hand, client["swingOffHand"], "{label}");
    });
}

#[test]
fn events_match_the_reference() {
    for McmocapFixture { name, bytes, expected } in fixtures::mcmocap_fixtures() {
        let clip = clip(&bytes);
        let mut found = clip.events.iter();
        for frame in expected["frames"].as_array().unwrap() {
            for event in frame["events"].as_array().unwrap() {
                let found = found.next().unwrap();
                let label = format!("{name}, frame {}: {event}", frame["tick"]);
                assert_eq!(found.time, frame["tick"].as_f64().unwrap() / 20.0, "{label}");
                assert_event(&label, &clip, found, event);
            }
        }
        assert_eq!(found.next(), None, "{name}");
    }
}

fn assert_event(label: &str, clip: &Clip, found: &mutoscope_core::clip::Event, event: &Value) {
    let event_name = event["ev"].as_str().unwrap();
    assert_eq!(found.name, event_name.strip_prefix("entity_").unwrap_or(event_name), "{label}");
    let text = |value: &Value| ClipValue::Text(display_id(value.as_str().unwrap()).into());
    let hand = || {
        let is_off = event["offHand"].as_bool().unwrap();
        ClipValue::Text(if is_off { "OFFHAND" } else { "MAINHAND" }.into())
    };
    let (entity_id, value) = match event_name {
        "swing" => (event["who"].as_i64(), Some(hand())),
        "use" => (None, Some(hand())),
        "mount" => (None, Some(ClipValue::Integer(event["who"].as_i64().unwrap().into()))),
        "break" => (None, Some(text(&event["prev"]))),
        "place" => (None, Some(text(&event["new"]))),
        "chat" => {
            let json: Value = serde_json::from_str(event["json"].as_str().unwrap()).unwrap();
            let message = json.as_str().or(json["text"].as_str()).unwrap();
            (None, Some(ClipValue::Text(message.into())))
        }
        "custom" => {
            let extension = event["ext"].as_u64().unwrap() as usize;
            (None, Some(ClipValue::Text(recording(clip).extensions[extension].as_str().into())))
        }
        "crack" | "dismount" | "die" | "respawn" | "close" => (None, None),
        _ => (event["who"].as_i64(), None),
    };
    assert_eq!(found.value.as_deref(), value.as_ref(), "{label}");
    let node = entity_id.map_or("player".to_owned(), |id| format!("entity/{id}"));
    assert_eq!(clip.owner_name(found.owner.unwrap()), node, "{label}");
}

#[test]
fn poses_match_the_recorded_positions() {
    let mut pose = Pose::default();
    for McmocapFixture { name, bytes, expected } in fixtures::mcmocap_fixtures() {
        let clip = clip(&bytes);
        let node = |name: &str| clip.nodes.iter().position(|node| node.name == name).unwrap();
        for (frame, expected) in expected["frames"].as_array().unwrap().iter().enumerate() {
            let label = format!("{name}, frame {frame}");
            clip.sample(frame as f64 * 0.05, &mut pose);
            let player = pose.nodes[node("player")].world;
            let position = DVec3::from_slice(&numbers(&expected["pos"]));
            assert!(player.translation.abs_diff_eq(position, TOLERANCE), "{label}");
            let body = view_direction(expected["client"]["bodyYaw"].as_f64().unwrap(), 0.0);
            assert!((player.rotation * DVec3::NEG_Z).abs_diff_eq(body, 1e-9), "{label}");
            let [yaw, pitch] = ["headYaw", "pitch"].map(|key| expected[key].as_f64().unwrap());
            let head = pose.nodes[node("player/head")].world;
            let look = head.rotation * DVec3::NEG_Z;
            assert!(look.abs_diff_eq(view_direction(yaw, pitch), 1e-6), "{label}: {look}");
            for (id, entity) in expected["entities"].as_object().unwrap() {
                let entity_pose = pose.nodes[node(&format!("entity/{id}"))];
                let position = DVec3::from_slice(&numbers(&entity["pos"]));
                assert!(entity_pose.world.translation.abs_diff_eq(position, TOLERANCE), "{label}");
                let ahead = view_direction(entity["yaw"].as_f64().unwrap(), 0.0);
                assert!(
                    (entity_pose.world.rotation * DVec3::NEG_Z).abs_diff_eq(ahead, 1e-9),
                    "{label}"
                );
            }
        }
    }
}

/// Returns the view direction for a yaw and a pitch in degrees.
fn view_direction(yaw: f64, pitch: f64) -> DVec3 {
    let (yaw, pitch) = (yaw.to_radians(), pitch.to_radians());
    DVec3::new(-yaw.sin() * pitch.cos(), -pitch.sin(), yaw.cos() * pitch.cos())
}

#[test]
fn keys_equal_track_values() {
    for McmocapFixture { name, bytes, .. } in fixtures::mcmocap_fixtures() {
        let clip = clip(&bytes);
        for track in &clip.tracks {
            let Owner::Node(node) = track.owner else {
                panic!("{name}: {track:?} must belong to a node")
            };
            for (index, &time) in track.curve.key_times().iter().enumerate() {
                let label =
                    format!("{name}, {} {} at {time}", clip.nodes[node].name, track.property);
                let first_byte = track.source.key_location(index).first_byte().unwrap();
                assert!((33..bytes.len() as u64).contains(&first_byte), "{label}");
                let value = track.curve.value(time);
                assert!(
                    value == ClipValue::Null || value == track.curve.key_value(index),
                    "{label}"
                );
            }
        }
    }
}
