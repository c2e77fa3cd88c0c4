// The buttons below the view, and the timeline below these.

import { LOOP_WORDS, SPEEDS } from './clock.js';
import { button, element, icon } from './dom.js';
import { Timeline } from './timeline.js';
import { clockText, spokenTime } from './words.js';

/** The buttons and the timeline. `act` is what the player lets its parts do. */
export class Transport {
  #timeline;
  #clock = null;

  constructor(act) {
    this.play = button('play', 'Play', () => act.toggle());
    this.now = element('b');
    this.end = element('span', { class: 'wide' });
    this.speed = element('select', { 'aria-label': 'Speed', title: 'Speed', onchange: () => act.setRate(Number(this.speed.value)) },
      ...SPEEDS.map((one) => element('option', { value: one }, `${one}×`)));
    this.loop = button('loop', 'Loop', () => act.cycleLoop());
    this.info = button('info', 'Information and keys', () => act.togglePanel(), { 'aria-expanded': 'false' });
    this.bar = element('div', { class: 'transport', role: 'toolbar', 'aria-label': 'Playback' },
      button('previous', 'Previous sample', () => act.step(-1), { class: 'wide' }), this.play,
      button('next', 'Next sample', () => act.step(1), { class: 'wide' }),
      element('div', { class: 'time' }, this.now, this.end), element('div', { class: 'gap' }), this.speed, this.loop,
      button('frame', 'Frame all', () => act.frameAll()),
      button('full', 'Full screen', () => act.fullScreen(), { class: 'wide' }), this.info);
    const ruler = element('canvas', { 'aria-hidden': 'true' });
    this.timeline = element('div', { class: 'timeline', role: 'slider', tabindex: '0', 'aria-label': 'Time' }, ruler);
    this.#timeline = new Timeline(ruler);
    this.#timeline.show([]);
    this.#listen(act);
  }

  /** Shows the lanes of recordings. */
  fill(recordings) {
    this.#timeline.show(recordings);
    this.timeline.style.height = `${this.#timeline.height}px`;
  }

  /** Shows whether the clock runs, and how. */
  show(clock) {
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
    loop.setAttribute('aria-label', LOOP_WORDS[clock.loop]);
    loop.title = LOOP_WORDS[clock.loop];
  }

  /** Shows the time of the clock. */
  draw(clock) {
    this.#clock = clock;
    const { time, from, to } = clock;
    this.now.textContent = clockText(time);
    this.end.textContent = ` / ${clockText(to)}`;
    this.#timeline.draw(clock);
    this.timeline.setAttribute('aria-valuenow', time.toFixed(3));
    this.timeline.setAttribute('aria-valuemin', from.toFixed(3));
    this.timeline.setAttribute('aria-valuemax', to.toFixed(3));
    this.timeline.setAttribute('aria-valuetext', `${spokenTime(time)} of ${spokenTime(to)}`);
  }

  #listen(act) {
    const { timeline } = this;
    let isDragged = false;
    const time = (event) => this.#timeline.timeAt(event.clientX - timeline.getBoundingClientRect().left, this.#clock);
    timeline.addEventListener('pointerdown', (event) => {
      if (!this.#clock) return;
      timeline.setPointerCapture(event.pointerId);
      isDragged = true;
      act.beginScrubbing();
      act.seek(time(event));
    });
    timeline.addEventListener('pointermove', (event) => {
      if (isDragged) act.seek(time(event));
    });
    for (const name of ['pointerup', 'pointercancel']) {
      timeline.addEventListener(name, () => {
        if (isDragged) act.endScrubbing();
        isDragged = false;
      });
    }
  }
}
