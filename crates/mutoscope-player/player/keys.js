// The keys, as the viewer has them.

import { HOME } from './camera.js';
import { SPEEDS } from './clock.js';

/** What the panel says of them. */
export const KEYS = [
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

/** What a key does to `{ clock, view, act }`; `act` is what the player lets its parts do. */
const ACTIONS = {
  Space: ({ act }) => act.toggle(),
  ArrowLeft: ({ act }) => act.step(-1),
  ArrowRight: ({ act }) => act.step(1),
  'Shift+ArrowLeft': ({ act, clock }) => act.seek(clock.time - 1),
  'Shift+ArrowRight': ({ act, clock }) => act.seek(clock.time + 1),
  PageUp: ({ act }) => act.event(-1),
  PageDown: ({ act }) => act.event(1),
  Home: ({ act, clock }) => act.seek(clock.span[0]),
  End: ({ act, clock }) => act.seek(clock.span[1]),
  KeyJ: ({ act }) => act.faster(-1),
  KeyK: ({ act }) => act.faster(1),
  KeyL: ({ act }) => act.cycleLoop(),
  KeyI: ({ act, clock }) => act.setRange(clock.time, clock.range?.[1] ?? clock.to),
  KeyO: ({ act, clock }) => act.setRange(clock.range?.[0] ?? clock.from, clock.time),
  'Alt+KeyI': ({ act }) => act.setRange(0, 0),
  'Alt+KeyO': ({ act }) => act.setRange(0, 0),
  KeyF: ({ view }) => view.frameSelected(),
  KeyA: ({ view }) => view.frameAll(),
  KeyC: ({ act, view }) => act.hint(view.toggleHead() ? 'View of the recorded head' : 'View from outside'),
  KeyT: ({ act, view }) => act.hint(view.toggleFollow() ? 'The camera follows' : 'The camera stays'),
  'Alt+Digit1': ({ view }) => view.frameAll({ yaw: view.home.yaw - HOME.yaw + Math.PI, pitch: 0 }),
  'Alt+Digit3': ({ view }) => view.frameAll({ yaw: view.home.yaw - HOME.yaw + Math.PI / 2, pitch: 0 }),
  'Alt+Digit7': ({ view }) => view.frameAll({ yaw: view.home.yaw - HOME.yaw, pitch: Math.PI / 2 - 0.01 }),
  KeyN: ({ view }) => (view.showNames = !view.showNames),
  KeyB: ({ view }) => (view.stage.showBones = !view.stage.showBones),
  KeyM: ({ view }) => (view.stage.showModel = !view.stage.showModel),
  'Shift+KeyG': ({ view }) => (view.stage.showGrid = !view.stage.showGrid),
  KeyH: ({ act }) => act.toggleBars(),
  Escape: ({ act }) => act.escape(),
  F1: ({ act }) => act.togglePanel(),
  Slash: ({ act }) => act.togglePanel(),
};

/** Does what a pressed key does; returns whether it does anything. */
export function pressed(event, player) {
  const target = event.composedPath()[0];
  if (event.ctrlKey || event.metaKey || target?.matches?.('select, input')) return false;
  if (target?.matches?.('button') && (event.key === ' ' || event.key === 'Enter')) return false;
  const name = [event.altKey && 'Alt', event.shiftKey && event.code !== 'Slash' && 'Shift', event.code].filter(Boolean).join('+');
  const digit = /^Digit([1-7])$/.exec(name);
  const does = ACTIONS[name];
  if (!does && !digit) return false;
  event.preventDefault();
  if (digit) player.act.setSpeed(SPEEDS[Number(digit[1]) - 1]);
  else does(player);
  return true;
}
