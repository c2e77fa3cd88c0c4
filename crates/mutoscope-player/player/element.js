// <mutoscope-player>: plays a recording in a page, with the manners of <video>.

import { Clock, LOOPS, LOOP_WORDS, SPEEDS, ownTime } from './clock.js';
import { element, isCalm } from './dom.js';
import { pressed } from './keys.js';
import { Motion, SHOWN, signalAt } from './motion.js';
import { Panel } from './panel.js';
import { COLORS } from './stage.js';
import { STYLES } from './styles.js';
import { Timeline } from './timeline.js';
import { Transport } from './transport.js';
import { Pack } from './unpack.js';
import { View } from './view.js';
import { captionAt, clockText, factsText, sizeText, spokenTime } from './words.js';

/** From how many bytes on a pack is large: its size is said before it is unpacked. */
const LARGE = 20e6;

// Where there are no elements, as in a test of the other modules, this one can still be imported.
const Base = globalThis.HTMLElement ?? class {};

/** The element. */
export class MutoscopePlayer extends Base {
  static observedAttributes = ['src', 'loop', 'controls'];

  #clock = new Clock(0, 0);
  #recordings = [];
  #view = null;
  #transport = null;
  #panel = null;
  #parts = null;
  #dirty = true;
  #frame = 0;
  #last = 0;
  #generation = 0;
  #told = -1;
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

  // ── As <video> has it ─────────────────────────────────────────────────────────────────────────

  /** The time on the clock, in seconds. */
  get currentTime() {
    return this.#clock.time;
  }

  set currentTime(time) {
    this.#seek(Number(time));
  }

  /** When the clock begins and ends, in seconds. Most recordings begin at 0. */
  get startTime() {
    return this.#clock.from;
  }

  /** How long it plays, in seconds; NaN before it is known. */
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
    this.#show();
    this.#tell('ratechange');
  }

  get loop() {
    return this.#clock.loop !== 'off';
  }

  set loop(loops) {
    this.#clock.loop = loops ? (this.#clock.range ? 'range' : 'all') : 'off';
    this.#show();
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

  /** Plays; settled as soon as it does. */
  async play() {
    await this.#ready;
    if (!this.#clock.paused) return;
    this.#clock.play();
    this.#last = 0;
    this.#show();
    this.#tell('play');
    this.#wake();
  }

  pause() {
    if (this.#clock.paused) return;
    this.#clock.pause();
    this.#show();
    this.#tell('pause');
  }

  // ── Beyond that ───────────────────────────────────────────────────────────────────────────────

  /** The name of the selected node, or null. Of names that repeat, the first is selected. */
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

  /** The in point and the out point, or null. */
  get range() {
    return this.#clock.range ? [...this.#clock.range] : null;
  }

  set range(range) {
    if (range) this.#clock.setRange(range[0], range[1]);
    else this.#clock.setRange(0, 0);
    this.#show();
  }

  /** Where a node is now, in metres and in the space of the page; null while it is not known. */
  positionOf(name) {
    for (const one of this.#recordings) {
      const node = one.head.nodes.findIndex((it) => it.name === name);
      if (node >= 0 && one.pose) return [...one.pose.nodes[node].world.translation];
    }
    return null;
  }

  /** Plays a pack: the bytes of a file, or one that is read already. */
  async open(source) {
    const generation = ++this.#generation;
    this.#ready = this.#open(source instanceof Pack ? source : Pack.ofFile(source), generation);
    return this.#ready;
  }

  connectedCallback() {
    this.#observer ??= new ResizeObserver(() => this.#wake());
    this.#observer.observe(this);
    this.#wake();
  }

  disconnectedCallback() {
    this.#observer?.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  attributeChangedCallback(name, before, after) {
    if (name === 'loop') this.loop = after !== null && after !== 'false';
    else if (name === 'controls') this.#parts.player.classList.toggle('bare', after === 'false');
    else if (name === 'src' && after !== null && after !== before) this.#load(after);
  }

  async #load(address) {
    const generation = ++this.#generation;
    this.#notice(`Loading ${address} …`);
    try {
      const response = await fetch(new URL(address, document.baseURI), { credentials: 'omit' });
      if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
      const bytes = await response.arrayBuffer();
      if (generation !== this.#generation) return;
      this.#ready = this.#open(Pack.ofFile(bytes), generation);
      await this.#ready;
    } catch (error) {
      this.#fail(error, generation);
    }
  }

  async #open(pack, generation) {
    try {
      if (pack.size > LARGE) this.#notice(`Unpacking ${sizeText(pack.size)}, piece by piece as it plays …`);
      const reading = pack.head();
      if (!this.#view.stage && !this.#prepareView()) {
        reading.catch(() => {});
        return;
      }
      const head = await reading;
      if (generation !== this.#generation) return;
      await this.#begin(head, pack, generation);
    } catch (error) {
      this.#fail(error, generation);
    }
  }

  #fail(error, generation) {
    if (generation !== this.#generation) return;
    this.#notice(`It cannot be played: ${error.message}`, 'alert');
    this.dispatchEvent(new CustomEvent('error', { detail: { message: error.message } }));
  }

  /** Makes a stage, whose shaders are compiled while the recording is read; whether that is possible here. */
  #prepareView() {
    try {
      this.#view.open();
      return true;
    } catch (error) {
      this.#fallBack(error);
      return false;
    }
  }

  async #begin(head, pack, generation) {
    if (this.#recordings.length > 0 && !this.#prepareView()) return;
    const origin = head.recordings[0]?.origin ?? [0, 0, 0];
    const clock = this.#clockOf(head);
    const recordings = await Promise.all(
      head.recordings.map(async (one) => {
        // Of nodes that do not hang together none carries the others.
        if (one.loose) delete one.root;
        const motion = new Motion(one, pack);
        const [figure] = await Promise.all([this.#view.stage.figure(one, pack, origin), motion.load(ownTime(one, clock.time))]);
        return { head: one, motion, figure, pose: null };
      }),
    );
    if (generation !== this.#generation) return;
    try {
      this.#view.stage.finish();
    } catch (error) {
      this.#fallBack(error);
      return;
    }
    this.#view.stage.figures = recordings.map((one) => one.figure);
    this.#recordings = recordings;
    this.#clock = clock;
    this.#view.begin(recordings, this.#clock.time, head.view.camera);
    if (head.view.selected) this.#view.selected = head.view.selected;
    this.#fill(head);
    this.#parts.slot.hidden = true;
    const isNowhere = head.recordings.every((one) => one.nodes.every((node) => node.hidden && !(node.keyed & SHOWN)));
    this.#notice(isNowhere ? 'Nothing is visible: the recording has no positions without its skeleton.' : '');
    this.#tell('loadedmetadata');
    this.#show();
    this.#wake();
    const plays = this.hasAttribute('autoplay') || (head.view.autoplay && !this.hasAttribute('src'));
    if (plays && !isCalm() && this.#clock.to > this.#clock.from) {
      this.#clock.play();
      this.#show();
      this.#tell('play');
    }
  }

  /** Shows what the page has inside of the element: a picture and the table of events. */
  #fallBack({ message }) {
    const { slot, player, plain } = this.#parts;
    slot.hidden = false;
    player.hidden = true;
    plain.textContent = `${message} Below are a picture of one moment and the events.`;
    plain.hidden = false;
    this.dispatchEvent(new CustomEvent('error', { detail: { message } }));
  }

  /** The clock of all recordings, as a page and the attributes want it. */
  #clockOf({ recordings, view }) {
    const onClock = (one, time) => one.offset + time / one.rate;
    const from = Math.min(...recordings.map((one) => onClock(one, one.span[0])));
    const to = Math.max(...recordings.map((one) => onClock(one, one.span[1])));
    const clock = new Clock(from, to);
    clock.speed = view.speed ?? 1;
    if (view.range) clock.setRange(...view.range);
    const loops = this.hasAttribute('loop') ? this.getAttribute('loop') !== 'false' : view.loop;
    if (!loops) clock.loop = 'off';
    clock.seek(this.hasAttribute('at') ? Number(this.getAttribute('at')) : (view.at ?? from));
    return clock;
  }

  /** The time of a recording now. */
  #own(one) {
    return ownTime(one.head, this.#clock.time);
  }

  // ── Frames ────────────────────────────────────────────────────────────────────────────────────

  /** Draws at the next opportunity. */
  #wake() {
    this.#dirty = true;
    if (this.#frame === 0 && this.isConnected) this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now) {
    this.#frame = 0;
    const seconds = this.#last > 0 ? Math.min(0.25, (now - this.#last) / 1000) : 0;
    this.#last = now;
    const before = this.#clock.time;
    // While a chunk is unpacked the clock waits for it.
    const has = this.#recordings.every((one) => one.motion.has(this.#own(one)));
    if (has && this.#clock.advance(seconds)) this.#dirty = true;
    if (this.#view.advance()) this.#dirty = true;
    if (this.#dirty) this.#drawFrame();
    if (this.#clock.time !== before) this.#passed(now);
    if (this.#clock.ended && before !== this.#clock.time) {
      this.#show();
      this.#tell('pause');
      this.#tell('ended');
    }
    if (!this.#clock.paused || this.#view.isEasing || this.#dirty) this.#wake();
    else this.#last = 0;
  }

  /** Tells of the time, a few times a second. */
  #passed(now) {
    if (now - this.#told < 100 && !this.#clock.paused) return;
    this.#told = now;
    this.#tell('timeupdate');
  }

  #drawFrame() {
    this.#dirty = false;
    if (!this.#view.stage || this.#recordings.length === 0) return;
    for (const one of this.#recordings) {
      const time = this.#own(one);
      const pose = one.motion.sample(time);
      if (pose) one.pose = pose;
      else one.motion.load(time).then(() => this.#wake(), (error) => this.#notice(error.message, 'alert'));
      // What is played next is there when it is needed.
      const soon = time + 4 * one.head.rate * this.#clock.speed;
      if (!this.#clock.paused && !one.motion.has(soon)) one.motion.prepare(soon).catch(() => {});
    }
    this.#view.draw(this.#clock.time, this.selection);
    this.#transport.draw(this.#clock);
    const { caption } = this.#parts;
    const said = this.#captions(' · ');
    if (caption.textContent !== said) caption.textContent = said;
    caption.hidden = said === '';
    if (this.#clock.paused) this.#view.scene.setAttribute('aria-label', this.#description());
  }

  /** What is said or happening now. */
  #captions(between) {
    return this.#recordings.map((one) => captionAt(one.head, this.#own(one), signalAt)).filter(Boolean).join(between);
  }

  #description() {
    const what = this.#recordings.map((one) => `${one.head.name}, ${factsText(one.head)}`).join('; ');
    const selected = this.selection ? `; selected: ${this.selection}` : '';
    return `Motion of ${what}; at ${spokenTime(this.#clock.time)}${selected}`;
  }

  // ── What people do ────────────────────────────────────────────────────────────────────────────

  #tell(name, detail) {
    this.dispatchEvent(detail === undefined ? new Event(name) : new CustomEvent(name, { detail }));
  }

  #seek(time) {
    this.#clock.seek(time);
    this.#wake();
    this.#tell('seeking');
    this.#tell('timeupdate');
    this.#tell('seeked');
  }

  #toggle() {
    if (this.#clock.paused) this.play();
    else this.pause();
  }

  #select(selected, byUser = true) {
    this.#view.selected = selected;
    this.#panel.mark(selected);
    this.#wake();
    if (byUser || selected !== null) this.#say(selected ? `Selected ${this.selection}` : 'Nothing is selected');
    this.#tell('select', { name: this.selection, recording: selected?.recording ?? null, node: selected?.node ?? null });
  }

  /** Says something to screen readers. */
  #say(text) {
    this.#parts.spoken.textContent = text;
  }

  #notice(text, role = 'status') {
    const { notice } = this.#parts;
    notice.textContent = text;
    notice.setAttribute('role', role);
    notice.hidden = text === '';
    clearTimeout(this.#noticeTimer);
  }

  /** Says for a while what a key did. */
  #hint(text) {
    this.#notice(text);
    this.#noticeTimer = setTimeout(() => this.#notice(''), 1200);
  }

  #step(direction) {
    const rate = this.#recordings[0]?.head.rateHz ?? 60;
    const { time, from } = this.#clock;
    const index = (time - from) * rate;
    const next = direction > 0 ? Math.floor(index + 1e-6) + 1 : Math.ceil(index - 1e-6) - 1;
    this.pause();
    this.#seek(from + next / rate);
  }

  #event(direction) {
    const times = this.#recordings.flatMap((one) => (one.head.events ?? []).map((event) => Timeline.onClock(one.head, event.time)));
    times.sort((a, b) => a - b);
    const { time } = this.#clock;
    const next = direction > 0 ? times.find((one) => one > time + 1e-6) : times.findLast((one) => one < time - 1e-6);
    if (next === undefined) return;
    this.#seek(next);
    this.#say(`${spokenTime(next)}: ${this.#captions(', ')}`);
  }

  #setSpeed(speed) {
    this.playbackRate = speed;
    this.#hint(`Speed ${speed}×`);
  }

  #faster(by) {
    const index = SPEEDS.findIndex((speed) => speed >= this.#clock.speed - 1e-9);
    const last = SPEEDS.length - 1;
    this.#setSpeed(SPEEDS[Math.max(0, Math.min(last, (index < 0 ? last : index) + by))]);
  }

  #cycleLoop() {
    const ways = this.#clock.range ? LOOPS : LOOPS.filter((way) => way !== 'range');
    this.#clock.loop = ways[(ways.indexOf(this.#clock.loop) + 1) % ways.length];
    this.#show();
    this.#hint(LOOP_WORDS[this.#clock.loop]);
  }

  #setRange(from, to) {
    this.#clock.setRange(from, to);
    this.#show();
    const { range } = this.#clock;
    this.#hint(range ? `Range ${clockText(range[0])} to ${clockText(range[1])}` : 'No range');
  }

  #togglePanel() {
    this.#panel.toggle();
    this.#transport.info.setAttribute('aria-expanded', String(this.#panel.isOpen));
    if (!this.#panel.isOpen) this.#parts.player.focus({ preventScroll: true });
  }

  #fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.requestFullscreen?.();
  }

  /** What the parts may do. */
  #acts() {
    let wasPaused = true;
    return {
      wake: () => this.#wake(),
      lost: () => this.#notice('The graphics context was lost. Reload the page.', 'alert'),
      toggle: () => this.#toggle(),
      seek: (time) => this.#seek(time),
      step: (direction) => this.#step(direction),
      event: (direction) => this.#event(direction),
      select: (selected) => this.#select(selected),
      setRate: (speed) => (this.playbackRate = speed),
      setSpeed: (speed) => this.#setSpeed(speed),
      faster: (by) => this.#faster(by),
      cycleLoop: () => this.#cycleLoop(),
      setRange: (from, to) => this.#setRange(from, to),
      hint: (text) => this.#hint(text),
      frameAll: () => this.#view.frameAll(this.#view.home),
      fullScreen: () => this.#fullScreen(),
      togglePanel: () => this.#togglePanel(),
      toggleBars: () => this.#parts.player.classList.toggle('bare'),
      escape: () => (this.#panel.isOpen ? this.#togglePanel() : this.#select(null)),
      beginScrubbing: () => {
        wasPaused = this.#clock.paused;
        this.#clock.pause();
        this.#show();
      },
      endScrubbing: () => {
        if (wasPaused) this.#show();
        else this.play();
      },
    };
  }

  // ── Building ──────────────────────────────────────────────────────────────────────────────────

  #build() {
    const act = this.#acts();
    this.#view = new View(act);
    this.#transport = new Transport(act);
    this.#panel = new Panel(act);
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
      if (pressed(event, { clock: this.#clock, view: this.#view, act })) this.#wake();
    });
  }

  /** Shows the state of the clock in buttons. */
  #show() {
    this.#transport.show(this.#clock);
    this.#parts.player.classList.toggle('playing', !this.#clock.paused);
    this.#view.scene.setAttribute('aria-label', this.#recordings.length > 0 ? this.#description() : 'Motion');
    this.#wake();
  }

  /** Fills the bar, the legend, the timeline and the panel. */
  #fill(head) {
    const { title, facts, legend, player } = this.#parts;
    title.textContent = head.title || head.recordings[0]?.name || 'Recording';
    facts.textContent = head.recordings.length === 1 ? factsText(head.recordings[0]) : `${head.recordings.length} recordings`;
    player.setAttribute('aria-label', title.textContent);
    legend.replaceChildren(...this.#legendOf(head).map(([color, text, shape]) => {
      const mark = element('i', { class: shape, 'aria-hidden': 'true' });
      mark.style.background = `#${color.toString(16).padStart(6, '0')}`;
      return element('span', {}, mark, text);
    }));
    this.#transport.fill(head.recordings);
    this.#panel.fill(head);
    this.#panel.mark(this.#view.selected);
  }

  /** Colours, what they mean, and a shape for those who do not see them. */
  #legendOf(head) {
    const entries = [];
    // What is never visible has no colour to explain.
    const isSeen = (node) => !node.hidden || (node.keyed & SHOWN) !== 0;
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
