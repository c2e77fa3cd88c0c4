// <mutoscope-player>: plays a recording in a page, with the manners of <video>.

import { HOME, between, framing, orbited, panned, projected, zoomed } from './camera.js';
import { Clock, LOOPS, LOOP_WORDS } from './clock.js';
import { add, minus } from './math.js';
import { Motion, signalAt } from './motion.js';
import { COLORS, Stage } from './stage.js';
import { STYLES } from './styles.js';
import { Timeline } from './timeline.js';
import { Pack } from './unpack.js';
import { captionAt, clockText, factsText, sizeText, spokenTime } from './words.js';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];

/** From how many bytes on a pack is large: its size is said before it is unpacked. */
const LARGE = 20e6;

/** How long a camera takes to get somewhere, in milliseconds. */
const EASE = 150;

/** At how many times a recording is looked at for where it goes. */
const LOOKS = 24;

/** The keys, as the viewer has them. */
const KEYS = [
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

const ICONS = {
  play: 'M4 2.5v11l9-5.5z',
  pause: 'M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z',
  previous: 'M11 3v10L5 8zM3 3h2v10H3z',
  next: 'M5 3v10l6-5zM11 3h2v10h-2z',
  loop: 'M4 5h7V3l3.5 3L11 9V7H5v2H3V6zM12 11H5v2l-3.5-3L5 7v2h6V7h2v3z',
  frame: 'M2 2h4v1.5H3.5V6H2zM10 2h4v4h-1.5V3.5H10zM2 10h1.5v2.5H6V14H2zM12.5 10H14v4h-4v-1.5h2.5zM6 6h4v4H6z',
  info: 'M7 7h2v6H7zM7 3h2v2H7z',
  full: 'M2 2h5v2H4v3H2zM9 12h3V9h2v5H9z',
};

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  // Texts of files are text, whatever they look like.
  made.append(...children);
  return made;
}

function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

function button(name, label, onclick, more = {}) {
  return element('button', { type: 'button', 'aria-label': label, title: label, onclick, ...more }, icon(name));
}

// Where there are no elements, as in a test of the other modules, this one can still be imported.
const Base = globalThis.HTMLElement ?? class {};

/** The element. */
export class MutoscopePlayer extends Base {
  static observedAttributes = ['src', 'loop', 'controls'];

  #clock = new Clock(0, 0);
  #recordings = [];
  #stage = null;
  #orbit = { target: [0, 0.8, 0], yaw: HOME.yaw, pitch: HOME.pitch, distance: 2.5 };
  #ease = null;
  #selected = null;
  #dirty = true;
  #frame = 0;
  #last = 0;
  #generation = 0;
  #names = false;
  #follows = false;
  #followed = null;
  #head = false;
  #scale = 1;
  #told = -1;
  #ready = null;
  #parts = null;
  #title = '';
  #observer = null;

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
    return this.#selected ? this.#recordings[this.#selected.recording].head.nodes[this.#selected.node].name : null;
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
      const head = await pack.head();
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

  async #begin(head, pack, generation) {
    const { scene } = this.#parts;
    try {
      this.#stage = new Stage(scene);
    } catch (error) {
      // The picture and the table of events stay.
      this.#parts.slot.hidden = false;
      this.#parts.player.hidden = true;
      this.#parts.plain.textContent = `${error.message} Below are a picture of one moment and the events.`;
      this.#parts.plain.hidden = false;
      this.dispatchEvent(new CustomEvent('error', { detail: { message: error.message } }));
      return;
    }
    this.#title = head.title;
    const origin = head.recordings[0]?.origin ?? [0, 0, 0];
    const recordings = [];
    for (const one of head.recordings) {
      // Of nodes that do not hang together none carries the others.
      if (one.loose) delete one.root;
      const figure = await this.#stage.add(one, pack, origin);
      recordings.push({ head: one, motion: new Motion(one, pack), figure, pose: null });
    }
    if (generation !== this.#generation) return;
    this.#recordings = recordings;
    const onClock = (one, time) => one.offset + time / one.rate;
    const from = Math.min(...recordings.map((one) => onClock(one.head, one.head.span[0])));
    const to = Math.max(...recordings.map((one) => onClock(one.head, one.head.span[1])));
    const { view } = head;
    this.#clock = new Clock(from, to);
    this.#clock.speed = view.speed ?? 1;
    if (view.range) this.#clock.setRange(...view.range);
    const loops = this.hasAttribute('loop') ? this.getAttribute('loop') !== 'false' : view.loop;
    if (!loops) this.#clock.loop = 'off';
    const at = this.hasAttribute('at') ? Number(this.getAttribute('at')) : (view.at ?? from);
    this.#clock.seek(at);
    await Promise.all(recordings.map((one) => one.motion.load(this.#own(one))));
    if (generation !== this.#generation) return;
    this.#lookAround(view.camera);
    if (view.selected) this.#selected = view.selected;
    this.#fill(head);
    this.#parts.slot.hidden = true;
    const isNowhere = head.recordings.every((one) => one.nodes.every((node) => node.hidden && !(node.keyed & 8)));
    this.#notice(isNowhere ? 'Nothing is visible: the recording has no positions without its skeleton.' : '');
    this.#tell('loadedmetadata');
    this.#show();
    this.#wake();
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const plays = this.hasAttribute('autoplay') || (view.autoplay && !this.hasAttribute('src'));
    if (plays && !calm && to > from) {
      this.#clock.play();
      this.#show();
      this.#tell('play');
    }
  }

  /** The time of a recording now. */
  #own(one, time = this.#clock.time) {
    return (time - one.head.offset) * one.head.rate;
  }

  // ── The camera ────────────────────────────────────────────────────────────────────────────────

  /** Finds out where the recordings go, the floor, and from where all of it is in view. */
  #lookAround(camera) {
    const points = [];
    const now = [];
    let [heading, floor, radius] = [[0, 0, 0], Number.POSITIVE_INFINITY, 0.009];
    const roots = [];
    for (const one of this.#recordings) {
      const { chunks } = one.head;
      const index = one.motion.chunkIndex(one.motion.within(this.#own(one)));
      const [from, to] = [chunks[index], chunks[index + 1]];
      radius = Math.max(radius, 0.009 * (one.head.size ?? 1));
      for (let look = 0; look <= LOOKS; look++) {
        const pose = one.motion.sample(from + ((to - from) * look) / LOOKS - (look === LOOKS ? 1e-9 : 0));
        if (!pose) continue;
        const around = one.figure.points(pose).map((point) => one.figure.local(point));
        around.forEach((point) => points.push(point));
        const root = pose.nodes[one.head.root];
        if (root?.shown) roots.push(one.figure.local(root.world.translation));
        else if (around.length > 0) roots.push(around.reduce(add).map((part) => part / around.length));
        one.head.nodes.forEach((node, nodeIndex) => {
          if (node.kind !== 'head' || !pose.nodes[nodeIndex].shown) return;
          const { linear } = pose.nodes[nodeIndex].world;
          heading = add(heading, [-linear[2], 0, -linear[8]]);
        });
      }
      const pose = one.motion.sample(this.#own(one));
      if (pose) now.push(...one.figure.points(pose, one.head.root).map((point) => one.figure.local(point)));
    }
    for (const point of points) floor = Math.min(floor, point[1]);
    if (!Number.isFinite(floor)) floor = 0;
    floor = floor >= -0.05 && floor < 0.3 ? 0 : Math.floor((floor - 0.05) * 10) / 10;
    const extent = (all) =>
      [0, 1, 2].map((axis) => all.reduce((most, p) => Math.max(most, p[axis]), Number.NEGATIVE_INFINITY) - all.reduce((least, p) => Math.min(least, p[axis]), Number.POSITIVE_INFINITY));
    const way = roots.length > 0 ? Math.hypot(...extent(roots)) : 0;
    const size = now.length > 0 ? Math.hypot(...extent(now)) : 1;
    this.#stage.floor = floor;
    const whole = points.length > 0 ? Math.hypot(...extent(points)) : 1;
    this.#stage.square = whole < 8 ? 0.1 : whole < 80 ? 1 : 10;
    // What goes far is followed: all of its way would show little of it.
    this.#follows = way > 2.5 * size && now.length > 0 && this.#recordings.some((one) => one.head.root !== undefined);
    this.#names = this.#recordings.every((one) => one.head.loose);
    this.#scale = radius;
    const turned = Math.hypot(...heading) > 1e-6 ? Math.atan2(-heading[0], -heading[2]) : 0;
    const home = { yaw: HOME.yaw + turned, pitch: HOME.pitch };
    const { width, height } = this.#size();
    this.#around = this.#follows ? now : points;
    this.#orbit = framing(this.#around, radius, { ...home, target: [0, 0, 0], distance: 2 }, width / height);
    this.#home = home;
    this.#followed = null;
    if (camera) {
      this.#orbit = {
        target: minus(camera.target, this.#recordings[0].head.origin),
        yaw: (camera.yaw * Math.PI) / 180,
        pitch: (camera.pitch * Math.PI) / 180,
        distance: camera.distance,
      };
    }
  }

  #around = [];
  #home = HOME;

  /** Goes to an orbit smoothly, or at once where motion is unwelcome. */
  #goTo(orbit) {
    this.#head = false;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#ease = calm ? null : { from: this.#orbit, to: orbit, start: performance.now() };
    if (calm) this.#orbit = orbit;
    this.#wake();
  }

  #frameAll(direction = this.#orbit) {
    const { width, height } = this.#size();
    let points = this.#around;
    if (this.#follows) {
      points = this.#recordings.flatMap((one) => (one.pose ? one.figure.points(one.pose, one.head.root).map((p) => one.figure.local(p)) : []));
    }
    this.#goTo(framing(points, this.#scale, { ...this.#orbit, yaw: direction.yaw, pitch: direction.pitch }, width / height));
  }

  #frameSelected() {
    const place = this.#placeOf(this.#selected);
    if (!place) {
      this.#frameAll();
      return;
    }
    this.#goTo({ ...this.#orbit, target: place, distance: Math.max(0.05, 30 * this.#scale) });
  }

  #placeOf(selected) {
    if (!selected) return null;
    const one = this.#recordings[selected.recording];
    if (!one?.pose) return null;
    return one.figure.local(one.pose.nodes[selected.node].world.translation);
  }

  /** What the camera goes along with: the selected node, else the root. */
  #middle() {
    const selected = this.#placeOf(this.#selected);
    if (selected && this.#follows) return selected;
    for (const one of this.#recordings) {
      const root = one.pose?.nodes[one.head.root];
      if (root?.shown) return one.figure.local(root.world.translation);
    }
    return null;
  }

  /** The eyes of the first head or view. */
  #eyes() {
    for (const [which, one] of this.#recordings.entries()) {
      if (!one.pose) continue;
      const index = one.head.nodes.findIndex((node) => node.kind === 'view' || node.kind === 'head');
      if (index < 0 || !one.pose.nodes[index].shown) continue;
      const { world } = one.pose.nodes[index];
      const fov = ((one.head.nodes[index].angle ?? 70) * Math.PI) / 180;
      return { which, inside: index, eyes: { translation: one.figure.local(world.translation), linear: world.linear, fov } };
    }
    return null;
  }

  // ── Frames ────────────────────────────────────────────────────────────────────────────────────

  #size() {
    const { clientWidth, clientHeight } = this.#parts.view;
    return { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
  }

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
    if (this.#ease) {
      const part = Math.min(1, (performance.now() - this.#ease.start) / EASE);
      this.#orbit = between(this.#ease.from, this.#ease.to, part * part * (3 - 2 * part));
      if (part === 1) this.#ease = null;
      this.#dirty = true;
    }
    if (this.#dirty) this.#drawFrame();
    if (this.#clock.time !== before) this.#passed(now);
    if (this.#clock.ended && before !== this.#clock.time) {
      this.#show();
      this.#tell('pause');
      this.#tell('ended');
    }
    if (!this.#clock.paused || this.#ease || this.#dirty) this.#wake();
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
    if (!this.#stage || this.#recordings.length === 0) return;
    const { scene, labels } = this.#parts;
    const { width, height } = this.#size();
    const scale = Math.min(2, devicePixelRatio || 1);
    for (const canvas of [scene, labels]) {
      if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
      if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
    }
    for (const one of this.#recordings) {
      const time = this.#own(one);
      const pose = one.motion.sample(time);
      if (pose) one.pose = pose;
      else one.motion.load(time).then(() => this.#wake(), (error) => this.#notice(error.message, 'alert'));
      // What is played next is there when it is needed.
      const soon = time + 4 * one.head.rate * this.#clock.speed;
      if (!this.#clock.paused && !one.motion.has(soon)) one.motion.load(soon).catch(() => {});
    }
    if (this.#follows) this.#follow();
    const pinches = this.#recordings.map((one) =>
      (one.head.signals ?? []).map((signal) => signal.kind === 'pinch' && signalAt(signal, this.#own(one)) === true),
    );
    const eyes = this.#head ? this.#eyes() : null;
    this.#stage.draw(
      this.#recordings.map((one) => one.pose),
      this.#orbit,
      { pinches, eyes: eyes?.eyes, inside: eyes?.inside },
    );
    this.#drawLabels(labels, scale, width, height);
    this.#drawTransport();
  }

  #follow() {
    const middle = this.#middle();
    if (!middle) return;
    if (this.#followed) {
      const way = minus(middle, this.#followed);
      this.#orbit = { ...this.#orbit, target: add(this.#orbit.target, way) };
    }
    this.#followed = middle;
  }

  #drawLabels(canvas, scale, width, height) {
    const context = canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    const taken = [];
    const label = (text, x, y, color) => {
      const wide = context.measureText(text).width;
      const box = [x + 10, y - 8, wide + 8, 17];
      const overlaps = taken.some(([a, b, c, d]) => box[0] < a + c && a < box[0] + box[2] && box[1] < b + d && b < box[1] + box[3]);
      if (overlaps) return;
      taken.push(box);
      context.fillStyle = 'rgb(27 29 33 / .82)';
      context.fillRect(...box);
      context.fillStyle = color;
      context.fillText(text, x + 14, y + 0.5);
    };
    const at = (place) => {
      const seen = projected(this.#stage.clip, place);
      return seen && [seen[0] * width, seen[1] * height];
    };
    const selected = this.#placeOf(this.#selected);
    const seen = selected && at(selected);
    if (seen) {
      context.strokeStyle = '#ffb454';
      context.lineWidth = 2;
      context.beginPath();
      context.arc(seen[0], seen[1], 9, 0, 2 * Math.PI);
      context.stroke();
      label(this.selection, seen[0], seen[1], '#ffb454');
    }
    if (!this.#names) return;
    for (const one of this.#recordings) {
      one.head.nodes.forEach((node, index) => {
        if (!one.pose?.nodes[index].shown || node.kind === 'part') return;
        const place = at(one.figure.local(one.pose.nodes[index].world.translation));
        if (place && place[0] > -50 && place[0] < width && place[1] > 0 && place[1] < height) label(node.name, ...place, '#d7dbe2');
      });
    }
  }

  #drawTransport() {
    const { now, end, timeline, caption, scene } = this.#parts;
    const { time, from, to } = this.#clock;
    now.textContent = clockText(time);
    end.textContent = ` / ${clockText(to)}`;
    this.#timeline.draw(this.#clock);
    timeline.setAttribute('aria-valuenow', time.toFixed(3));
    timeline.setAttribute('aria-valuemin', from.toFixed(3));
    timeline.setAttribute('aria-valuemax', to.toFixed(3));
    timeline.setAttribute('aria-valuetext', `${spokenTime(time)} of ${spokenTime(to)}`);
    const said = this.#recordings.map((one) => captionAt(one.head, this.#own(one), signalAt)).filter(Boolean).join(' · ');
    if (caption.textContent !== said) caption.textContent = said;
    caption.hidden = said === '';
    if (this.#clock.paused) scene.setAttribute('aria-label', this.#description());
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
    this.#followed = this.#follows ? this.#followed : null;
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
    this.#selected = selected;
    this.#markNodes();
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
    clearTimeout(this.noticeTimer);
  }

  /** Says for a while what a key did. */
  #hint(text) {
    this.#notice(text);
    this.noticeTimer = setTimeout(() => this.#notice(''), 1200);
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
    const words = this.#recordings.map((one) => captionAt(one.head, this.#own(one), signalAt)).filter(Boolean).join(', ');
    this.#say(`${spokenTime(next)}: ${words}`);
  }

  #speed(by) {
    const index = SPEEDS.findIndex((speed) => speed >= this.#clock.speed - 1e-9);
    const next = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, (index < 0 ? SPEEDS.length - 1 : index) + by))];
    this.playbackRate = next;
    this.#hint(`Speed ${next}×`);
  }

  #cycleLoop() {
    const ways = this.#clock.range ? LOOPS : LOOPS.filter((way) => way !== 'range');
    this.#clock.loop = ways[(ways.indexOf(this.#clock.loop) + 1) % ways.length];
    this.#show();
    this.#hint(LOOP_WORDS[this.#clock.loop]);
  }

  #key(event) {
    const isField = event.composedPath()[0]?.matches?.('select, input');
    const isButton = event.composedPath()[0]?.matches?.('button');
    if (event.ctrlKey || event.metaKey || isField || this.#recordings.length === 0) return;
    if (isButton && (event.key === ' ' || event.key === 'Enter')) return;
    const stage = this.#stage;
    const name = [event.altKey && 'Alt', event.shiftKey && event.code !== 'Slash' && 'Shift', event.code].filter(Boolean).join('+');
    const act = {
      Space: () => this.#toggle(),
      ArrowLeft: () => this.#step(-1),
      ArrowRight: () => this.#step(1),
      'Shift+ArrowLeft': () => this.#seek(this.#clock.time - 1),
      'Shift+ArrowRight': () => this.#seek(this.#clock.time + 1),
      PageUp: () => this.#event(-1),
      PageDown: () => this.#event(1),
      Home: () => this.#seek(this.#clock.span[0]),
      End: () => this.#seek(this.#clock.span[1]),
      KeyJ: () => this.#speed(-1),
      KeyK: () => this.#speed(1),
      KeyL: () => this.#cycleLoop(),
      KeyI: () => this.#setRange(this.#clock.time, this.#clock.range?.[1] ?? this.#clock.to),
      KeyO: () => this.#setRange(this.#clock.range?.[0] ?? this.#clock.from, this.#clock.time),
      'Alt+KeyI': () => this.#setRange(0, 0),
      'Alt+KeyO': () => this.#setRange(0, 0),
      KeyF: () => this.#frameSelected(),
      KeyA: () => this.#frameAll(),
      KeyC: () => this.#headCamera(),
      KeyT: () => {
        this.#follows = !this.#follows;
        this.#followed = null;
        this.#hint(this.#follows ? 'The camera follows' : 'The camera stays');
      },
      'Alt+Digit1': () => this.#frameAll({ yaw: this.#home.yaw - HOME.yaw + Math.PI, pitch: 0 }),
      'Alt+Digit3': () => this.#frameAll({ yaw: this.#home.yaw - HOME.yaw + Math.PI / 2, pitch: 0 }),
      'Alt+Digit7': () => this.#frameAll({ yaw: this.#home.yaw - HOME.yaw, pitch: Math.PI / 2 - 0.01 }),
      KeyN: () => (this.#names = !this.#names),
      KeyB: () => (stage.showBones = !stage.showBones),
      KeyM: () => (stage.showModel = !stage.showModel),
      'Shift+KeyG': () => (stage.showGrid = !stage.showGrid),
      KeyH: () => this.#parts.player.classList.toggle('bare'),
      Escape: () => (this.#parts.panel.hidden ? this.#select(null) : this.#togglePanel()),
      F1: () => this.#togglePanel(),
      Slash: () => this.#togglePanel(),
    }[name];
    const digit = /^Digit([1-7])$/.exec(name);
    if (!act && !digit) return;
    event.preventDefault();
    if (digit) {
      this.playbackRate = SPEEDS[Number(digit[1]) - 1];
      this.#hint(`Speed ${this.playbackRate}×`);
    } else act();
    this.#wake();
  }

  #setRange(from, to) {
    this.#clock.setRange(from, to);
    this.#show();
    const { range } = this.#clock;
    this.#hint(range ? `Range ${clockText(range[0])} to ${clockText(range[1])}` : 'No range');
  }

  #headCamera() {
    this.#head = !this.#head && this.#eyes() !== null;
    this.#hint(this.#head ? 'View of the recorded head' : 'View from outside');
  }

  // ── Building ──────────────────────────────────────────────────────────────────────────────────

  #timeline = null;

  #build() {
    const scene = element('canvas', { class: 'scene', part: 'scene', role: 'img', 'aria-label': 'Motion' });
    const labels = element('canvas', { class: 'labels', 'aria-hidden': 'true' });
    const caption = element('div', { class: 'caption', hidden: true });
    const legend = element('div', { class: 'legend' });
    const notice = element('div', { class: 'notice', role: 'status', hidden: true });
    const spoken = element('div', { class: 'spoken', 'aria-live': 'polite' });
    const view = element('div', { class: 'view' }, scene, labels, legend, caption, notice);
    const title = element('h2');
    const facts = element('span', { class: 'facts' });
    const bar = element('div', { class: 'bar' }, title, facts);
    const play = button('play', 'Play', () => this.#toggle());
    const now = element('b');
    const end = element('span', { class: 'wide' });
    const speed = element('select', { 'aria-label': 'Speed', title: 'Speed', onchange: () => (this.playbackRate = Number(speed.value)) },
      ...SPEEDS.map((one) => element('option', { value: one }, `${one}×`)));
    const loop = button('loop', 'Loop', () => this.#cycleLoop());
    const info = button('info', 'Information and keys', () => this.#togglePanel(), { 'aria-expanded': 'false' });
    const transport = element('div', { class: 'transport', role: 'toolbar', 'aria-label': 'Playback' },
      button('previous', 'Previous sample', () => this.#step(-1), { class: 'wide' }), play,
      button('next', 'Next sample', () => this.#step(1), { class: 'wide' }),
      element('div', { class: 'time' }, now, end), element('div', { class: 'gap' }), speed, loop,
      button('frame', 'Frame all', () => this.#frameAll(this.#home)),
      button('full', 'Full screen', () => this.#fullScreen(), { class: 'wide' }), info);
    const ruler = element('canvas', { 'aria-hidden': 'true' });
    const timeline = element('div', { class: 'timeline', role: 'slider', tabindex: '0', 'aria-label': 'Time' }, ruler);
    const panel = element('div', { class: 'panel', role: 'region', 'aria-label': 'Information', hidden: true });
    view.append(panel);
    const player = element('div', { class: 'player', tabindex: '0', role: 'group', 'aria-label': 'Recording' }, bar, view, transport, timeline, spoken);
    const plain = element('p', { hidden: true });
    const slot = element('div', { class: 'fallback', hidden: true }, plain, element('slot'));
    this.shadowRoot.append(player, slot);
    this.#parts = { scene, labels, caption, legend, notice, spoken, view, title, facts, play, now, end, speed, loop, info, timeline, panel, player, plain, slot };
    this.#timeline = new Timeline(ruler);
    this.#timeline.show([]);
    player.addEventListener('keydown', (event) => this.#key(event));
    this.#listenToTimeline(timeline);
    this.#listenToView(scene);
    scene.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.#notice('The graphics context was lost. Reload the page.', 'alert');
    });
  }

  #fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.requestFullscreen?.();
  }

  #listenToTimeline(timeline) {
    let drag = null;
    const time = (event) => this.#timeline.timeAt(event.clientX - timeline.getBoundingClientRect().left, this.#clock);
    timeline.addEventListener('pointerdown', (event) => {
      timeline.setPointerCapture(event.pointerId);
      drag = { was: this.#clock.paused };
      this.#clock.pause();
      this.#seek(time(event));
      this.#show();
    });
    timeline.addEventListener('pointermove', (event) => {
      if (drag) this.#seek(time(event));
    });
    for (const name of ['pointerup', 'pointercancel']) {
      timeline.addEventListener(name, () => {
        if (drag && !drag.was) this.play();
        else if (drag) this.#show();
        drag = null;
      });
    }
  }

  #listenToView(scene) {
    const fingers = new Map();
    let moved = 0;
    const middle = () => {
      const all = [...fingers.values()];
      const sum = all.reduce((a, b) => [a[0] + b[0], a[1] + b[1]], [0, 0]);
      const at = [sum[0] / all.length, sum[1] / all.length];
      const apart = all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0;
      return { at, apart };
    };
    scene.addEventListener('pointerdown', (event) => {
      scene.setPointerCapture(event.pointerId);
      if (fingers.size === 0) moved = 0;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    scene.addEventListener('pointermove', (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = middle();
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      const after = middle();
      const { height } = this.#size();
      const [x, y] = [(after.at[0] - before.at[0]) / height, (after.at[1] - before.at[1]) / height];
      moved += Math.abs(x * height) + Math.abs(y * height);
      this.#ease = null;
      const pans = fingers.size > 1 || event.buttons === 4 || event.shiftKey;
      this.#orbit = pans ? panned(this.#orbit, x, y) : orbited(this.#orbit, x, y);
      if (before.apart > 0 && after.apart > 0) this.#orbit = zoomed(this.#orbit, before.apart / after.apart);
      this.#head = false;
      this.#wake();
    });
    for (const name of ['pointerup', 'pointercancel']) {
      scene.addEventListener(name, (event) => {
        const wasAlone = fingers.size === 1;
        fingers.delete(event.pointerId);
        if (name === 'pointerup' && wasAlone && moved < 5) this.#pick(event);
      });
    }
    scene.addEventListener('wheel', (event) => {
      // A page around it scrolls, until somebody uses the player.
      if (!event.ctrlKey && !this.matches(':focus-within')) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 20 : 1;
      this.#orbit = zoomed(this.#orbit, Math.exp(Math.max(-1, Math.min(1, event.deltaY * lines * 0.0015))));
      this.#wake();
    }, { passive: false });
    scene.addEventListener('dblclick', () => this.#frameSelected());
  }

  /** Selects the node at a place in the view. */
  #pick(event) {
    const { left, top, width, height } = this.#parts.scene.getBoundingClientRect();
    const reach = event.pointerType === 'touch' ? 28 : 14;
    let best = null;
    this.#recordings.forEach((one, recording) => {
      one.head.nodes.forEach((node, index) => {
        if (!one.pose?.nodes[index].shown || node.kind === 'view' || (node.kind === 'part' && node.mesh === undefined)) return;
        const seen = projected(this.#stage.clip, one.figure.local(one.pose.nodes[index].world.translation));
        if (!seen) return;
        const apart = Math.hypot(seen[0] * width - (event.clientX - left), seen[1] * height - (event.clientY - top));
        if (apart < reach && (!best || apart < best.apart)) best = { apart, recording, node: index };
      });
    });
    this.#select(best ? { recording: best.recording, node: best.node } : null);
  }

  /** Shows the state of the clock in buttons. */
  #show() {
    const { play, speed, loop, player, scene } = this.#parts;
    const { paused } = this.#clock;
    const label = paused ? 'Play' : 'Pause';
    if (play.getAttribute('aria-label') !== label) {
      play.setAttribute('aria-label', label);
      play.title = label;
      play.replaceChildren(icon(paused ? 'play' : 'pause'));
    }
    speed.value = String(this.#clock.speed);
    if (speed.value === '') {
      speed.append(element('option', { value: this.#clock.speed }, `${this.#clock.speed}×`));
      speed.value = String(this.#clock.speed);
    }
    loop.setAttribute('aria-pressed', String(this.#clock.loop !== 'off'));
    loop.setAttribute('aria-label', LOOP_WORDS[this.#clock.loop]);
    loop.title = LOOP_WORDS[this.#clock.loop];
    player.classList.toggle('playing', !paused);
    scene.setAttribute('aria-label', this.#recordings.length > 0 ? this.#description() : 'Motion');
    this.#wake();
  }

  /** Fills the bar, the legend, the timeline and the panel. */
  #fill(head) {
    const { title, facts, legend, player, timeline } = this.#parts;
    title.textContent = this.#title || head.recordings[0]?.name || 'Recording';
    facts.textContent = head.recordings.length === 1 ? factsText(head.recordings[0]) : `${head.recordings.length} recordings`;
    player.setAttribute('aria-label', title.textContent);
    const entries = [];
    const sides = new Set(head.recordings.flatMap((one) => (one.tint ? [] : one.nodes.map((node) => node.side))));
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
    legend.replaceChildren(...entries.map(([color, text, shape]) => {
      const mark = element('i', { class: shape, 'aria-hidden': 'true' });
      mark.style.background = `#${color.toString(16).padStart(6, '0')}`;
      return element('span', {}, mark, text);
    }));
    this.#timeline.show(head.recordings);
    timeline.style.height = `${this.#timeline.height}px`;
    this.#fillPanel(head);
  }

  #fillPanel(head) {
    const { panel } = this.#parts;
    const rows = [];
    for (const one of head.recordings) {
      rows.push(element('h3', {}, one.name), element('p', {}, factsText(one)));
      for (const remark of one.remarks ?? []) rows.push(element('p', {}, remark));
    }
    const events = head.recordings.flatMap((one) => (one.events ?? []).map((event) => [Timeline.onClock(one, event.time), event]));
    events.sort((a, b) => a[0] - b[0]);
    if (events.length > 0) {
      rows.push(element('h3', {}, `${events.length} events`));
      rows.push(this.#longList(events, ([time, event]) =>
        element('button', { type: 'button', onclick: () => this.#seek(time) }, element('time', {}, clockText(time)), event.words || event.name)));
    }
    rows.push(element('h3', {}, 'Keys'), element('dl', {}, ...KEYS.flatMap(([key, what]) => [element('dt', {}, key), element('dd', {}, what)])));
    rows.push(element('p', {}, 'Drag to orbit, wheel or two fingers to zoom, Shift or two fingers to pan; click a joint for its name.'));
    const nodes = head.recordings.flatMap((one, recording) =>
      one.nodes.map((node, index) => ({ node, recording, index })).filter(({ node }) => node.kind !== 'part' && node.kind !== 'view'));
    rows.push(element('h3', {}, `${nodes.length} nodes`));
    rows.push(this.#longList(nodes, ({ node, recording, index }) =>
      element('button', { type: 'button', 'data-node': `${recording}/${index}`, 'aria-pressed': 'false', onclick: () => this.#select({ recording, node: index }) }, node.name || '(no name)')));
    panel.replaceChildren(...rows);
    this.#markNodes();
  }

  /** A list that shows its first rows, and more on request: an hour has many events. */
  #longList(items, row) {
    const list = element('ul');
    const more = (from) => {
      const to = Math.min(items.length, from + 200);
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

  #markNodes() {
    const is = this.#selected ? `${this.#selected.recording}/${this.#selected.node}` : '';
    for (const one of this.#parts.panel.querySelectorAll('[data-node]')) {
      one.setAttribute('aria-pressed', String(one.dataset.node === is));
    }
  }

  #togglePanel() {
    const { panel, info } = this.#parts;
    panel.hidden = !panel.hidden;
    info.setAttribute('aria-expanded', String(!panel.hidden));
    if (!panel.hidden) panel.querySelector('button')?.focus({ preventScroll: true });
    else this.#parts.player.focus({ preventScroll: true });
  }
}

if (globalThis.customElements && !customElements.get('mutoscope-player')) {
  customElements.define('mutoscope-player', MutoscopePlayer);
}
