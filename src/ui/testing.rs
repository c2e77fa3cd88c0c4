//! What tests of panels need: a recording, and everything a model borrows from.

use bevy_egui::egui::{Ui, Vec2};
use egui_kittest::Harness;

use super::{Model, PreparedTimeline, SampleCard, hover};
use crate::{
    asset::ClipAsset,
    clip::{Clip, NodeId},
    counterpart::Counterpart,
    player::Player,
    stage::{StageScreen, View},
    viewer::{Command, Comparing, Exports, Files, Findings, Listed},
};

/// The sample recording of both hands.
pub(super) fn two_hands() -> Clip {
    let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
    crate::formats::decode(bytes, &crate::formats::DecodeRequest::default()).unwrap()
}

/// The sample recording of Minecraft.
pub(super) fn a_day() -> Clip {
    let bytes = include_bytes!("../../assets/mcmocap/a-day.mcmocap_rec");
    crate::formats::decode(bytes, &crate::formats::DecodeRequest::default()).unwrap()
}

/// Everything a model borrows from, and what the panel under test has asked for.
#[derive(Default)]
pub(super) struct Desk<S> {
    pub(super) player: Player,
    pub(super) view: View,
    pub(super) files: Files,
    pub(super) timeline: Option<PreparedTimeline>,
    pub(super) hovered: Option<f64>,
    pub(super) findings: Findings,
    pub(super) exports: Exports,
    pub(super) counterpart: Counterpart,
    pub(super) comparing: Comparing,
    pub(super) listed: Listed,
    pub(super) screen: StageScreen,
    pub(super) samples: Vec<SampleCard>,
    pub(super) file_hovers: bool,
    pub(super) state: S,
    pub(super) commands: Vec<Command>,
}

impl<S: Default> Desk<S> {
    /// With `clip` open, paused at its start.
    pub(super) fn with(clip: Clip) -> Self {
        let mut desk = Self { findings: Findings::of(&clip), ..Self::default() };
        desk.player.open(ClipAsset::new(clip));
        desk.player.apply(crate::playback::TimeCommand::Pause);
        desk.timeline = desk.player.recording().map(PreparedTimeline::new);
        desk
    }

    /// With the sample recording of both hands open.
    pub(super) fn with_two_hands() -> Self {
        Self::with(two_hands())
    }
}

impl<S> Desk<S> {
    /// The node called `name`.
    pub(super) fn node(&self, name: &str) -> NodeId {
        let nodes = &self.player.clip().unwrap().nodes;
        NodeId::new(nodes.iter().position(|node| node.name == name).unwrap())
    }

    /// What was asked for since this was called last.
    pub(super) fn take_commands(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.commands)
    }
}

/// A panel under test.
pub(super) type PanelUi<S> = fn(&mut Ui, &Model<'_>, &mut S, &mut Vec<Command>);

/// Shows `panel` in a window of `size`. Commands that steer the clock are obeyed, and hovering.
pub(super) fn show<S: 'static>(
    desk: Desk<S>,
    size: impl Into<Vec2>,
    panel: PanelUi<S>,
) -> Harness<'static, Desk<S>> {
    let run = move |ui: &mut Ui, desk: &mut Desk<S>| {
        let model = Model {
            player: &desk.player,
            view: &desk.view,
            files: &desk.files,
            timeline: desk.timeline.as_ref(),
            hovered: desk.hovered,
            findings: &desk.findings,
            exports: &desk.exports,
            counterpart: &desk.counterpart,
            comparing: &desk.comparing,
            listed: &desk.listed,
            screen: &desk.screen,
            samples: &desk.samples,
            file_hovers: desk.file_hovers,
        };
        let before = desk.commands.len();
        panel(ui, &model, &mut desk.state, &mut desk.commands);
        hover::settle(desk.hovered, before, &mut desk.commands);
        for command in desk.commands.split_off(before) {
            match command {
                Command::Time(command) => desk.player.apply(command),
                Command::Hover(time) => {
                    desk.hovered = time;
                    continue;
                }
                _ => {}
            }
            desk.commands.push(command);
        }
    };
    Harness::builder().with_size(size).with_step_dt(1.0 / 60.0).build_ui_state(run, desk)
}
