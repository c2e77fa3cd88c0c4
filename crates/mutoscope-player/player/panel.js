// The panel with information about the recordings: remarks, events, keys, and all nodes by name.

import { element } from './dom.js';
import { SHORTCUTS } from './keys.js';
import { Timeline } from './timeline.js';
import { formatClock, formatFacts } from './format.js';

/** The number of list rows to show at first, and to add on request. An hour may have thousands of events. */
const LIST_ROWS = 200;

/** Shows information in a panel. `actions` has the functions of the player that the panel may call. */
export class Panel {
  #actions;

  constructor(actions) {
    this.#actions = actions;
    this.element = element('div', { class: 'panel', role: 'region', 'aria-label': 'Information', hidden: true });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  toggle() {
    this.element.hidden = !this.element.hidden;
    if (this.isOpen) this.element.querySelector('button')?.focus({ preventScroll: true });
  }

  showHead(head) {
    const rows = [];
    for (const one of head.recordings) {
      rows.push(element('h3', {}, one.name), element('p', {}, formatFacts(one)));
      for (const remark of one.remarks ?? []) rows.push(element('p', {}, remark));
    }
    const events = head.recordings.flatMap((one) => (one.events ?? []).map((event) => [Timeline.toClockTime(one, event.time), event]));
    events.sort((a, b) => a[0] - b[0]);
    if (events.length > 0) {
      rows.push(element('h3', {}, `${events.length} events`));
      rows.push(longList(events, ([time, event]) =>
        element('button', { type: 'button', onclick: () => this.#actions.seek(time) }, element('time', {}, formatClock(time)), event.words || event.name)));
    }
    rows.push(element('h3', {}, 'Keys'), element('dl', {}, ...SHORTCUTS.flatMap(([key, what]) => [element('dt', {}, key), element('dd', {}, what)])));
    rows.push(element('p', {}, 'Drag to orbit, wheel or two fingers to zoom, Shift or two fingers to pan; click a joint for its name.'));
    const nodes = head.recordings.flatMap((one, recording) =>
      one.nodes.map((node, index) => ({ node, recording, index })).filter(({ node }) => node.kind !== 'part' && node.kind !== 'view'));
    rows.push(element('h3', {}, `${nodes.length} nodes`));
    rows.push(longList(nodes, ({ node, recording, index }) =>
      element('button', { type: 'button', 'data-node': `${recording}/${index}`, 'aria-pressed': 'false', onclick: () => this.#actions.select({ recording, node: index }) }, node.name || '(no name)')));
    this.element.replaceChildren(...rows);
  }

  markSelected(selected) {
    const id = selected ? `${selected.recording}/${selected.node}` : '';
    for (const one of this.element.querySelectorAll('[data-node]')) {
      one.setAttribute('aria-pressed', String(one.dataset.node === id));
    }
  }
}

/** Creates a list that shows its first rows, and more on request. */
function longList(items, row) {
  const list = element('ul');
  const more = (from) => {
    const to = Math.min(items.length, from + LIST_ROWS);
    for (let index = from; index < to; index++) list.append(element('li', {}, row(items[index])));
    if (to === items.length) return;
    const next = element('li', {}, element('button', { type: 'button', onclick: () => {
      next.remove();
      more(to);
    } }, `${items.length - to} more …`));
    list.append(next);
  };
  more(0);
  return list;
}
