// The buttons below the view, and the timeline below the buttons.

import { LOOP_LABELS, SPEEDS } from './clock.js';
import { button, element, icon } from './dom.js';
import { Timeline } from './timeline.js';
import { formatClock, formatSpokenTime } from './format.js';

/** Shows the buttons and the timeline. `actions` has the functions of the player that they may call. */
export class Transport {
  #timeline;
  #clock = null;

  constructor(actions) {
    this.play = button('play', 'Play', () => actions.toggle());
    this.now = element('b');
    this.end = element('span', { class: 'wide' });
    this.speed = element('select', { 'aria-label': 'Speed', title: 'Speed', onchange: () => actions.setRate(Number(this.speed.value)) },
      ...SPEEDS.map((one) => element('option', { value: one }, `${one}×`)));
    this.loop = button('loop', 'Loop', () => actions.cycleLoop());
    this.info = button('info', 'Information and keys', () => actions.togglePanel(), { 'aria-expanded': 'false' });
    this.bar = element('div', { class: 'transport', role: 'toolbar', 'aria-label': 'Playback' },
      button('previous', 'Previous sample', () => actions.step(-1), { class: 'wide' }), this.play,
      button('next', 'Next sample', () => actions.step(1), { class: 'wide' }),
      element('div', { class: 'time' }, this.now, this.end), element('div', { class: 'gap' }), this.speed, this.loop,
      button('frame', 'Frame all', () => actions.frameAll()),
      button('full', 'Full screen', () => actions.fullScreen(), { class: 'wide' }), this.info);
    const ruler = element('canvas', { 'aria-hidden': 'true' });
    this.timeline = element('div', { class: 'timeline', role: 'slider', tabindex: '0', 'aria-label': 'Time' }, ruler);
    this.#timeline = new Timeline(ruler);
    this.#timeline.setRecordings([]);
    this.#listen(actions);
  }

  setRecordings(recordings) {
    this.#timeline.setRecordings(recordings);
    this.timeline.style.height = `${this.#timeline.height}px`;
  }

  /** Shows the state of the clock: playing or paused, speed, loop mode. */
  update(clock) {
    this.#clock = clock;
    const { play, speed, loop } = this;
    const label = clock.paused ? 'Play' : 'Pause';
    if (play.getAttribute('aria-label') !== label) {
      play.setAttribute('aria-label', label);
      play.title = label;
      play.replaceChildren(icon(clock.paused ? 'play' : 'pause'));
    }
    speed.value = String(clock.speed);
    if (speed.value === '') {
      speed.append(element('option', { value: clock.speed }, `${clock.speed}×`));
      speed.value = String(clock.speed);
    }
    loop.setAttribute('aria-pressed', String(clock.loop !== 'off'));
    loop.setAttribute('aria-label', LOOP_LABELS[clock.loop]);
    loop.title = LOOP_LABELS[clock.loop];
  }

  draw(clock) {
    this.#clock = clock;
    const { time, from, to } = clock;
    this.now.textContent = formatClock(time);
    this.end.textContent = ` / ${formatClock(to)}`;
    this.#timeline.draw(clock);
    this.timeline.setAttribute('aria-valuenow', time.toFixed(3));
    this.timeline.setAttribute('aria-valuemin', from.toFixed(3));
    this.timeline.setAttribute('aria-valuemax', to.toFixed(3));
    this.timeline.setAttribute('aria-valuetext', `${formatSpokenTime(time)} of ${formatSpokenTime(to)}`);
  }

  #listen(actions) {
    const { timeline } = this;
    let isDragged = false;
    const time = (event) => this.#timeline.timeAt(event.clientX - timeline.getBoundingClientRect().left, this.#clock);
    timeline.addEventListener('pointerdown', (event) => {
      if (!this.#clock) return;
      timeline.setPointerCapture(event.pointerId);
      isDragged = true;
      actions.beginScrubbing();
      actions.seek(time(event));
    });
    timeline.addEventListener('pointermove', (event) => {
      if (isDragged) actions.seek(time(event));
    });
    for (const name of ['pointerup', 'pointercancel']) {
      timeline.addEventListener(name, () => {
        if (isDragged) actions.endScrubbing();
        isDragged = false;
      });
    }
  }
}
