// Keyboard shortcuts, the same as in the viewer.

import { HOME_VIEW } from './camera.js';
import { SPEEDS } from './clock.js';

/** The shortcuts as the panel lists them. */
export const SHORTCUTS = [
  ['Space', 'Play or pause'],
  ['← →', 'Previous or next sample'],
  ['Shift ← →', 'Skip 1 second'],
  ['PgUp PgDn', 'Previous or next event'],
  ['Home End', 'Go to start or end'],
  ['J K', 'Slower, faster'],
  ['1 … 7', 'Speed 0.1× to 8×'],
  ['L', 'Cycle loop mode'],
  ['I O', 'Set in point, out point'],
  ['Alt I', 'Clear range'],
  ['F A', 'Frame selected, all'],
  ['C', 'Head camera'],
  ['T', 'Follow'],
  ['Alt 1 3 7', 'Front, right, top view'],
  ['N B M', 'Names, bones, model'],
  ['Shift G', 'Grid'],
  ['H', 'Panels'],
  ['Esc', 'Deselect'],
  ['F1 ?', 'Information and keys'],
];

/** The functions of keys. They get `{ clock, view, actions }`, where `actions` has the functions of the player. */
const ACTIONS = {
  Space: ({ actions }) => actions.toggle(),
  ArrowLeft: ({ actions }) => actions.step(-1),
  ArrowRight: ({ actions }) => actions.step(1),
  'Shift+ArrowLeft': ({ actions, clock }) => actions.seek(clock.time - 1),
  'Shift+ArrowRight': ({ actions, clock }) => actions.seek(clock.time + 1),
  PageUp: ({ actions }) => actions.event(-1),
  PageDown: ({ actions }) => actions.event(1),
  Home: ({ actions, clock }) => actions.seek(clock.span[0]),
  End: ({ actions, clock }) => actions.seek(clock.span[1]),
  KeyJ: ({ actions }) => actions.faster(-1),
  KeyK: ({ actions }) => actions.faster(1),
  KeyL: ({ actions }) => actions.cycleLoop(),
  KeyI: ({ actions, clock }) => actions.setRange(clock.time, clock.range?.[1] ?? clock.to),
  KeyO: ({ actions, clock }) => actions.setRange(clock.range?.[0] ?? clock.from, clock.time),
  'Alt+KeyI': ({ actions }) => actions.setRange(0, 0),
  'Alt+KeyO': ({ actions }) => actions.setRange(0, 0),
  KeyF: ({ view }) => view.frameSelected(),
  KeyA: ({ view }) => view.frameAll(),
  KeyC: ({ actions, view }) => actions.hint(view.toggleHead() ? 'View of the recorded head' : 'View from outside'),
  KeyT: ({ actions, view }) => actions.hint(view.toggleFollow() ? 'The camera follows' : 'The camera stays'),
  'Alt+Digit1': ({ view }) => view.frameAll({ yaw: view.home.yaw - HOME_VIEW.yaw + Math.PI, pitch: 0 }),
  'Alt+Digit3': ({ view }) => view.frameAll({ yaw: view.home.yaw - HOME_VIEW.yaw + Math.PI / 2, pitch: 0 }),
  'Alt+Digit7': ({ view }) => view.frameAll({ yaw: view.home.yaw - HOME_VIEW.yaw, pitch: Math.PI / 2 - 0.01 }),
  KeyN: ({ view }) => (view.showNames = !view.showNames),
  KeyB: ({ view }) => (view.stage.showBones = !view.stage.showBones),
  KeyM: ({ view }) => (view.stage.showModel = !view.stage.showModel),
  'Shift+KeyG': ({ view }) => (view.stage.showGrid = !view.stage.showGrid),
  KeyH: ({ actions }) => actions.toggleBars(),
  Escape: ({ actions }) => actions.escape(),
  F1: ({ actions }) => actions.togglePanel(),
  Slash: ({ actions }) => actions.togglePanel(),
};

/** Handles a key press. Returns true if the key has a function. */
export function handleKey(event, player) {
  const target = event.composedPath()[0];
  if (event.ctrlKey || event.metaKey || target?.matches?.('select, input')) return false;
  if (target?.matches?.('button') && (event.key === ' ' || event.key === 'Enter')) return false;
  const name = [event.altKey && 'Alt', event.shiftKey && event.code !== 'Slash' && 'Shift', event.code].filter(Boolean).join('+');
  const digit = /^Digit([1-7])$/.exec(name);
  const action = ACTIONS[name];
  if (!action && !digit) return false;
  event.preventDefault();
  if (digit) player.actions.setSpeed(SPEEDS[Number(digit[1]) - 1]);
  else action(player);
  return true;
}
