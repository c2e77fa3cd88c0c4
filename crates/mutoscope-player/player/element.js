// The element <mutoscope-player>, which plays a recording in a page and behaves like <video>.

import { Clock, LOOP_MODES, LOOP_LABELS, SPEEDS, toClipTime } from './clock.js';
import { element, prefersReducedMotion } from './dom.js';
import { handleKey } from './keys.js';
import { Motion, VISIBILITY, evaluateSignal } from './motion.js';
import { Panel } from './panel.js';
import { COLORS } from './stage.js';
import { STYLES } from './styles.js';
import { Timeline } from './timeline.js';
import { Transport } from './transport.js';
import { Pack } from './unpack.js';
import { View } from './view.js';
import { findCaption, formatClock, formatFacts, formatSize, formatSpokenTime } from './format.js';

/** Above this size, the player shows the size of a pack while it unpacks. */
const LARGE_PACK_BYTES = 20e6;

// Node.js has no HTMLElement. The fallback lets tests import this module there.
const Base = globalThis.HTMLElement ?? class {};

/** Plays recordings on a common clock. */
export class MutoscopePlayer extends Base {
  static observedAttributes = ['src', 'loop', 'controls'];

  #clock = new Clock(0, 0);
  #recordings = [];
  #view = null;
  #transport = null;
  #panel = null;
  #parts = null;
  #needsDraw = true;
  #frameRequest = 0;
  #lastFrame = 0;
  #generation = 0;
  #lastTimeUpdate = -1;
  #ready = null;
  #observer = null;
  #noticeTimer = 0;

  constructor() {
    super();
    this.attachShadow({ mode: 'open' });
    const style = new CSSStyleSheet();
    style.replaceSync(STYLES);
    this.shadowRoot.adoptedStyleSheets = [style];
    this.#build();
  }

  // ── API of <video> ────────────────────────────────────────────────────────────────────────────

  /** The clock time, in seconds. */
  get currentTime() {
    return this.#clock.time;
  }

  set currentTime(time) {
    this.#seek(Number(time));
  }

  /** The clock time at which playback begins, in seconds. It is 0 for most recordings. */
  get startTime() {
    return this.#clock.from;
  }

  /** The duration in seconds, or NaN before a recording is loaded. */
  get duration() {
    return this.#recordings.length > 0 ? this.#clock.to - this.#clock.from : Number.NaN;
  }

  get paused() {
    return this.#clock.paused;
  }

  get ended() {
    return this.#clock.ended;
  }

  get playbackRate() {
    return this.#clock.speed;
  }

  set playbackRate(speed) {
    if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError('playbackRate is more than 0');
    this.#clock.speed = speed;
    this.#updateControls();
    this.#dispatch('ratechange');
  }

  get loop() {
    return this.#clock.loop !== 'off';
  }

  set loop(loops) {
    this.#clock.loop = loops ? (this.#clock.range ? 'range' : 'all') : 'off';
    this.#updateControls();
  }

  get autoplay() {
    return this.hasAttribute('autoplay');
  }

  set autoplay(plays) {
    this.toggleAttribute('autoplay', Boolean(plays));
  }

  get src() {
    const src = this.getAttribute('src');
    return src === null ? '' : new URL(src, document.baseURI).href;
  }

  set src(address) {
    this.setAttribute('src', address);
  }

  /** Starts to play as soon as the recording is loaded. */
  async play() {
    await this.#ready;
    if (!this.#clock.paused) return;
    this.#clock.play();
    this.#lastFrame = 0;
    this.#updateControls();
    this.#dispatch('play');
    this.#requestFrame();
  }

  pause() {
    if (this.#clock.paused) return;
    this.#clock.pause();
    this.#updateControls();
    this.#dispatch('pause');
  }

  // ── Further API ───────────────────────────────────────────────────────────────────────────────

  /** The name of the selected node, or null. If several nodes have a name, setting it selects the first. */
  get selection() {
    const { selected } = this.#view;
    return selected ? this.#recordings[selected.recording].head.nodes[selected.node].name : null;
  }

  set selection(name) {
    if (name === null || name === undefined || name === '') {
      this.#select(null, false);
      return;
    }
    for (const [recording, { head }] of this.#recordings.entries()) {
      const node = head.nodes.findIndex((one) => one.name === name);
      if (node >= 0) {
        this.#select({ recording, node }, false);
        return;
      }
    }
    throw new RangeError(`There is no node ${JSON.stringify(name)}.`);
  }

  /** The names of all nodes of the first recording. */
  get nodeNames() {
    return this.#recordings[0]?.head.nodes.map((node) => node.name) ?? [];
  }

  /** The in point and the out point in seconds of clock time, or null. */
  get range() {
    return this.#clock.range ? [...this.#clock.range] : null;
  }

  set range(range) {
    if (range) this.#clock.setRange(range[0], range[1]);
    else this.#clock.setRange(0, 0);
    this.#updateControls();
  }

  /** Returns the current position of a node in metres, in world space, or null before a recording is loaded. */
  positionOf(name) {
    for (const one of this.#recordings) {
      const node = one.head.nodes.findIndex((it) => it.name === name);
      if (node >= 0 && one.pose) return [...one.pose.nodes[node].world.translation];
    }
    return null;
  }

  /** Opens a pack: an instance of `Pack`, or the bytes of a file. */
  async open(source) {
    const generation = ++this.#generation;
    this.#ready = this.#open(source instanceof Pack ? source : Pack.fromFile(source), generation);
    return this.#ready;
  }

  connectedCallback() {
    this.#observer ??= new ResizeObserver(() => this.#requestFrame());
    this.#observer.observe(this);
    this.#requestFrame();
  }

  disconnectedCallback() {
    this.#observer?.disconnect();
    cancelAnimationFrame(this.#frameRequest);
    this.#frameRequest = 0;
  }

  attributeChangedCallback(name, before, after) {
    if (name === 'loop') this.loop = after !== null && after !== 'false';
    else if (name === 'controls') this.#parts.player.classList.toggle('bare', after === 'false');
    else if (name === 'src' && after !== null && after !== before) this.#load(after);
  }

  async #load(address) {
    const generation = ++this.#generation;
    this.#showNotice(`Loading ${address} …`);
    try {
      const response = await fetch(new URL(address, document.baseURI), { credentials: 'omit' });
      if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
      const bytes = await response.arrayBuffer();
      if (generation !== this.#generation) return;
      this.#ready = this.#open(Pack.fromFile(bytes), generation);
      await this.#ready;
    } catch (error) {
      this.#fail(error, generation);
    }
  }

  async #open(pack, generation) {
    try {
      if (pack.size > LARGE_PACK_BYTES) this.#showNotice(`Unpacking ${formatSize(pack.size)}, piece by piece as it plays …`);
      const reading = pack.head();
      if (!this.#view.stage && !this.#prepareView()) {
        reading.catch(() => {});
        return;
      }
      const head = await reading;
      if (generation !== this.#generation) return;
      await this.#start(head, pack, generation);
    } catch (error) {
      this.#fail(error, generation);
    }
  }

  #fail(error, generation) {
    if (generation !== this.#generation) return;
    this.#showNotice(`Cannot play this recording: ${error.message}`, 'alert');
    this.dispatchEvent(new CustomEvent('error', { detail: { message: error.message } }));
  }

  /** Creates the stage, so that its shaders compile while the recording is read. Returns false if WebGL is missing. */
  #prepareView() {
    try {
      this.#view.createStage();
      return true;
    } catch (error) {
      this.#showFallback(error);
      return false;
    }
  }

  async #start(head, pack, generation) {
    if (this.#recordings.length > 0 && !this.#prepareView()) return;
    const origin = head.recordings[0]?.origin ?? [0, 0, 0];
    const clock = this.#createClock(head);
    const recordings = await Promise.all(
      head.recordings.map(async (one) => {
        const motion = new Motion(one, pack);
        const [figure] = await Promise.all([this.#view.stage.createFigure(one, pack, origin), motion.load(toClipTime(one, clock.time))]);
        return { head: one, motion, figure, pose: null };
      }),
    );
    if (generation !== this.#generation) return;
    try {
      this.#view.stage.finishPrograms();
    } catch (error) {
      this.#showFallback(error);
      return;
    }
    this.#view.stage.figures = recordings.map((one) => one.figure);
    this.#recordings = recordings;
    this.#clock = clock;
    this.#view.setRecordings(recordings, this.#clock.time, head.view.camera);
    if (head.view.selected) this.#view.selected = head.view.selected;
    this.#showHead(head);
    this.#parts.slot.hidden = true;
    const isAllHidden = head.recordings.every((one) => one.nodes.every((node) => node.hidden && !(node.keyed & VISIBILITY)));
    this.#showNotice(isAllHidden ? 'Nothing is visible: the recording has no positions without its skeleton.' : '');
    this.#dispatch('loadedmetadata');
    this.#updateControls();
    this.#requestFrame();
    const plays = this.hasAttribute('autoplay') || (head.view.autoplay && !this.hasAttribute('src'));
    if (plays && !prefersReducedMotion() && this.#clock.to > this.#clock.from) {
      this.#clock.play();
      this.#updateControls();
      this.#dispatch('play');
    }
  }

  /** Shows the children of the element instead of the player: an image and the table of events. */
  #showFallback({ message }) {
    const { slot, player, plain } = this.#parts;
    slot.hidden = false;
    player.hidden = true;
    plain.textContent = `${message} Below are an image of one moment and the events.`;
    plain.hidden = false;
    this.dispatchEvent(new CustomEvent('error', { detail: { message } }));
  }

  /** Creates the clock of all recordings. Attributes take precedence over the initial view of the pack. */
  #createClock({ recordings, view }) {
    const toClockTime = (one, time) => one.offset + time / one.rate;
    const from = Math.min(...recordings.map((one) => toClockTime(one, one.span[0])));
    const to = Math.max(...recordings.map((one) => toClockTime(one, one.span[1])));
    const clock = new Clock(from, to);
    clock.speed = view.speed ?? 1;
    if (view.range) clock.setRange(...view.range);
    const loops = this.hasAttribute('loop') ? this.getAttribute('loop') !== 'false' : view.loop;
    if (!loops) clock.loop = 'off';
    clock.seek(this.hasAttribute('at') ? Number(this.getAttribute('at')) : (view.at ?? from));
    return clock;
  }

  #clipTime(one) {
    return toClipTime(one.head, this.#clock.time);
  }

  // ── Frames ────────────────────────────────────────────────────────────────────────────────────

  /** Draws in the next animation frame. */
  #requestFrame() {
    this.#needsDraw = true;
    if (this.#frameRequest === 0 && this.isConnected) this.#frameRequest = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now) {
    this.#frameRequest = 0;
    const seconds = this.#lastFrame > 0 ? Math.min(0.25, (now - this.#lastFrame) / 1000) : 0;
    this.#lastFrame = now;
    const before = this.#clock.time;
    // Do not advance the clock while a chunk is missing, otherwise playback would skip it.
    const isLoaded = this.#recordings.every((one) => one.motion.isLoaded(this.#clipTime(one)));
    if (isLoaded && this.#clock.advance(seconds)) this.#needsDraw = true;
    if (this.#view.advanceMovement()) this.#needsDraw = true;
    if (this.#needsDraw) this.#drawFrame();
    if (this.#clock.time !== before) this.#dispatchTimeUpdate(now);
    if (this.#clock.ended && before !== this.#clock.time) {
      this.#updateControls();
      this.#dispatch('pause');
      this.#dispatch('ended');
    }
    if (!this.#clock.paused || this.#view.isMoving || this.#needsDraw) this.#requestFrame();
    else this.#lastFrame = 0;
  }

  /** Dispatches `timeupdate` at most ten times a second while playing. */
  #dispatchTimeUpdate(now) {
    if (now - this.#lastTimeUpdate < 100 && !this.#clock.paused) return;
    this.#lastTimeUpdate = now;
    this.#dispatch('timeupdate');
  }

  #drawFrame() {
    this.#needsDraw = false;
    if (!this.#view.stage || this.#recordings.length === 0) return;
    for (const one of this.#recordings) {
      const time = this.#clipTime(one);
      const pose = one.motion.sample(time);
      if (pose) one.pose = pose;
      else one.motion.load(time).then(() => this.#requestFrame(), (error) => this.#showNotice(error.message, 'alert'));
      // Unpack the chunk of four seconds ahead, so that playback does not have to wait for it.
      const upcoming = time + 4 * one.head.rate * this.#clock.speed;
      if (!this.#clock.paused && !one.motion.isLoaded(upcoming)) one.motion.preload(upcoming).catch(() => {});
    }
    this.#view.draw(this.#clock.time, this.selection);
    this.#transport.draw(this.#clock);
    const { caption } = this.#parts;
    const text = this.#captions(' · ');
    if (caption.textContent !== text) caption.textContent = text;
    caption.hidden = text === '';
    if (this.#clock.paused) this.#view.scene.setAttribute('aria-label', this.#describe());
  }

  /** Returns the subtitles or events of all recordings at the current time. */
  #captions(separator) {
    return this.#recordings.map((one) => findCaption(one.head, this.#clipTime(one), evaluateSignal)).filter(Boolean).join(separator);
  }

  #describe() {
    const what = this.#recordings.map((one) => `${one.head.name}, ${formatFacts(one.head)}`).join('; ');
    const selected = this.selection ? `; selected: ${this.selection}` : '';
    return `Motion of ${what}; at ${formatSpokenTime(this.#clock.time)}${selected}`;
  }

  // ── Actions ───────────────────────────────────────────────────────────────────────────────────

  #dispatch(name, detail) {
    this.dispatchEvent(detail === undefined ? new Event(name) : new CustomEvent(name, { detail }));
  }

  #seek(time) {
    this.#clock.seek(time);
    this.#requestFrame();
    this.#dispatch('seeking');
    this.#dispatch('timeupdate');
    this.#dispatch('seeked');
  }

  #toggle() {
    if (this.#clock.paused) this.play();
    else this.pause();
  }

  #select(selected, byUser = true) {
    this.#view.selected = selected;
    this.#panel.markSelected(selected);
    this.#requestFrame();
    if (byUser || selected !== null) this.#announce(selected ? `Selected ${this.selection}` : 'Nothing is selected');
    this.#dispatch('select', { name: this.selection, recording: selected?.recording ?? null, node: selected?.node ?? null });
  }

  /** Announces text to screen readers. */
  #announce(text) {
    this.#parts.spoken.textContent = text;
  }

  #showNotice(text, role = 'status') {
    const { notice } = this.#parts;
    notice.textContent = text;
    notice.setAttribute('role', role);
    notice.hidden = text === '';
    clearTimeout(this.#noticeTimer);
  }

  /** Shows the effect of a key for a short time. */
  #showHint(text) {
    this.#showNotice(text);
    this.#noticeTimer = setTimeout(() => this.#showNotice(''), 1200);
  }

  #stepSample(direction) {
    const rate = this.#recordings[0]?.head.rateHz ?? 60;
    const { time, from } = this.#clock;
    const index = (time - from) * rate;
    // The times of a clock that runs for years are rounded, so tolerate a thousandth of a sample.
    const next = direction > 0 ? Math.floor(index + 1e-3) + 1 : Math.ceil(index - 1e-3) - 1;
    this.pause();
    this.#seek(from + next / rate);
  }

  #seekEvent(direction) {
    const times = this.#recordings.flatMap((one) => (one.head.events ?? []).map((event) => Timeline.toClockTime(one.head, event.time)));
    times.sort((a, b) => a - b);
    const { time } = this.#clock;
    const next = direction > 0 ? times.find((one) => one > time + 1e-6) : times.findLast((one) => one < time - 1e-6);
    if (next === undefined) return;
    this.#seek(next);
    this.#announce(`${formatSpokenTime(next)}: ${this.#captions(', ')}`);
  }

  #setSpeed(speed) {
    this.playbackRate = speed;
    this.#showHint(`Speed ${speed}×`);
  }

  #changeSpeed(by) {
    const index = SPEEDS.findIndex((speed) => speed >= this.#clock.speed - 1e-9);
    const last = SPEEDS.length - 1;
    this.#setSpeed(SPEEDS[Math.max(0, Math.min(last, (index < 0 ? last : index) + by))]);
  }

  #cycleLoop() {
    const modes = this.#clock.range ? LOOP_MODES : LOOP_MODES.filter((mode) => mode !== 'range');
    this.#clock.loop = modes[(modes.indexOf(this.#clock.loop) + 1) % modes.length];
    this.#updateControls();
    this.#showHint(LOOP_LABELS[this.#clock.loop]);
  }

  #setRange(from, to) {
    this.#clock.setRange(from, to);
    this.#updateControls();
    const { range } = this.#clock;
    this.#showHint(range ? `Range ${formatClock(range[0])} to ${formatClock(range[1])}` : 'Range cleared');
  }

  #togglePanel() {
    this.#panel.toggle();
    this.#transport.info.setAttribute('aria-expanded', String(this.#panel.isOpen));
    if (!this.#panel.isOpen) this.#parts.player.focus({ preventScroll: true });
  }

  #toggleFullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.requestFullscreen?.();
  }

  /** Returns the functions that the view, the buttons and the keys may call. */
  #createActions() {
    let wasPaused = true;
    return {
      wake: () => this.#requestFrame(),
      lost: () => this.#showNotice('The graphics context was lost. Reload the page.', 'alert'),
      toggle: () => this.#toggle(),
      seek: (time) => this.#seek(time),
      step: (direction) => this.#stepSample(direction),
      event: (direction) => this.#seekEvent(direction),
      select: (selected) => this.#select(selected),
      setRate: (speed) => (this.playbackRate = speed),
      setSpeed: (speed) => this.#setSpeed(speed),
      faster: (by) => this.#changeSpeed(by),
      cycleLoop: () => this.#cycleLoop(),
      setRange: (from, to) => this.#setRange(from, to),
      hint: (text) => this.#showHint(text),
      frameAll: () => this.#view.frameAll(this.#view.home),
      fullScreen: () => this.#toggleFullScreen(),
      togglePanel: () => this.#togglePanel(),
      toggleBars: () => this.#parts.player.classList.toggle('bare'),
      escape: () => (this.#panel.isOpen ? this.#togglePanel() : this.#select(null)),
      beginScrubbing: () => {
        wasPaused = this.#clock.paused;
        this.#clock.pause();
        this.#updateControls();
      },
      endScrubbing: () => {
        if (wasPaused) this.#updateControls();
        else this.play();
      },
    };
  }

  // ── Building ──────────────────────────────────────────────────────────────────────────────────

  #build() {
    const actions = this.#createActions();
    this.#view = new View(actions);
    this.#transport = new Transport(actions);
    this.#panel = new Panel(actions);
    const caption = element('div', { class: 'caption', hidden: true });
    const legend = element('div', { class: 'legend' });
    const notice = element('div', { class: 'notice', role: 'status', hidden: true });
    const spoken = element('div', { class: 'spoken', 'aria-live': 'polite' });
    this.#view.element.append(legend, caption, notice, this.#panel.element);
    const title = element('h2');
    const facts = element('span', { class: 'facts' });
    const bar = element('div', { class: 'bar' }, title, facts);
    const player = element('div', { class: 'player', tabindex: '0', role: 'group', 'aria-label': 'Recording' },
      bar, this.#view.element, this.#transport.bar, this.#transport.timeline, spoken);
    const plain = element('p', { hidden: true });
    const slot = element('div', { class: 'fallback', hidden: true }, plain, element('slot'));
    this.shadowRoot.append(player, slot);
    this.#parts = { caption, legend, notice, spoken, title, facts, player, plain, slot };
    player.addEventListener('keydown', (event) => {
      if (this.#recordings.length === 0) return;
      if (handleKey(event, { clock: this.#clock, view: this.#view, actions })) this.#requestFrame();
    });
  }

  /** Shows the state of the clock in the buttons and the description for screen readers. */
  #updateControls() {
    this.#transport.update(this.#clock);
    this.#parts.player.classList.toggle('playing', !this.#clock.paused);
    this.#view.scene.setAttribute('aria-label', this.#recordings.length > 0 ? this.#describe() : 'Motion');
    this.#requestFrame();
  }

  #showHead(head) {
    const { title, facts, legend, player } = this.#parts;
    title.textContent = head.title || head.recordings[0]?.name || 'Recording';
    facts.textContent = head.recordings.length === 1 ? formatFacts(head.recordings[0]) : `${head.recordings.length} recordings`;
    player.setAttribute('aria-label', title.textContent);
    legend.replaceChildren(...this.#legendEntries(head).map(([color, text, shape]) => {
      const mark = element('i', { class: shape, 'aria-hidden': 'true' });
      mark.style.background = `#${color.toString(16).padStart(6, '0')}`;
      return element('span', {}, mark, text);
    }));
    this.#transport.setRecordings(head.recordings);
    this.#panel.showHead(head);
    this.#panel.markSelected(this.#view.selected);
  }

  /** Returns the entries of the legend: colour, text, and a shape for people who cannot tell the colours apart. */
  #legendEntries(head) {
    const entries = [];
    // Skip nodes that are never visible, because the legend only explains colours that can be seen.
    const isSeen = (node) => !node.hidden || (node.keyed & VISIBILITY) !== 0;
    const sides = new Set(head.recordings.flatMap((one) => (one.tint ? [] : one.nodes.filter(isSeen).map((node) => node.side))));
    const hasBones = !this.#recordings.some((one) => one.figure.hasModel);
    if (hasBones && sides.has('left')) entries.push([COLORS.left, 'Left', '']);
    if (hasBones && sides.has('right')) entries.push([COLORS.right, 'Right', 'square']);
    if (head.recordings.some((one) => one.nodes.some((node) => node.kind === 'ray'))) entries.push([COLORS.gaze, 'Gaze', 'square']);
    if (head.recordings.length > 1) {
      head.recordings.forEach((one, index) => {
        const color = one.tint ? (one.tint[0] << 16) | (one.tint[1] << 8) | one.tint[2] : COLORS.neutral;
        entries.push([color, `${String.fromCharCode(65 + (index % 26))}  ${one.name}`, index % 2 ? 'square' : '']);
      });
    }
    return entries;
  }
}

if (globalThis.customElements && !customElements.get('mutoscope-player')) {
  customElements.define('mutoscope-player', MutoscopePlayer);
}
