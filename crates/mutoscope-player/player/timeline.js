// The timeline: a ruler, lanes of states, events, the range and the playhead.

import { clockText, valueText } from './words.js';

const LANES = 3;
const GUTTER = 108;
const RULER = 20;
const PAD = 10;

/** The signals that lanes show: those that change, the most telling first. */
export function lanesOf(head) {
  const order = { tracked: 0, pinch: 1, text: 2, attribute: 3 };
  const changing = (head.signals ?? [])
    .map((signal, index) => ({ signal, index }))
    .filter(({ signal }) => signal.values.length > 1 && !signal.values.every((value) => value === signal.values[0]))
    .filter(({ signal }) => signal.linear || !Array.isArray(signal.values[0]));
  return changing.sort((a, b) => order[a.signal.kind] - order[b.signal.kind] || a.index - b.index).map(({ signal }) => signal);
}

/** The distance of ticks so that they are this many pixels apart or more, in seconds. */
export function tickStep(secondsPerPixel, pixels) {
  const least = secondsPerPixel * pixels;
  for (const step of [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800]) {
    if (step >= least) return step;
  }
  return 3600 * Math.ceil(least / 3600);
}

/** The timeline of a canvas. */
export class Timeline {
  constructor(canvas) {
    this.canvas = canvas;
    this.recordings = [];
    /** All but the playhead, which is drawn once: an hour has many events. */
    this.layer = null;
    this.layerIs = '';
  }

  /** Shows these recordings; a lane's times are put on the clock. */
  show(recordings) {
    this.recordings = recordings.map((head) => ({ head, lanes: lanesOf(head) }));
    this.lanes = this.recordings.flatMap(({ head, lanes }) => lanes.map((signal) => ({ head, signal }))).slice(0, LANES);
    this.layerIs = '';
  }

  /** How high it should be. */
  get height() {
    return RULER + 14 + 13 * this.lanes.length + 6;
  }

  get left() {
    return this.lanes.length > 0 && this.width > 520 ? GUTTER : PAD;
  }

  get width() {
    return this.canvas.clientWidth;
  }

  /** The time at a place from the left edge. */
  timeAt(x, { from, to }) {
    return from + ((x - this.left) / Math.max(1, this.width - this.left - PAD)) * (to - from);
  }

  draw(clock, accent = '#ffb454') {
    const { canvas } = this;
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const [left, right] = [this.left, width - PAD];
    const span = Math.max(1e-9, clock.to - clock.from);
    const x = (time) => left + ((time - clock.from) / span) * (right - left);
    const layerIs = [scale, width, height, clock.from, clock.to, clock.range].join();
    if (this.layerIs !== layerIs) {
      this.drawLayer(clock, x, { scale, width, height, left, right });
      this.layerIs = layerIs;
    }
    const context = canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (canvas.width > 0 && canvas.height > 0) context.drawImage(this.layer, 0, 0);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const now = x(clock.time);
    context.fillStyle = accent;
    context.fillRect(now - 0.75, 0, 1.5, height);
    context.beginPath();
    context.moveTo(now - 5, 0);
    context.lineTo(now + 5, 0);
    context.lineTo(now, 7);
    context.fill();
  }

  /** Draws all but the playhead. */
  drawLayer(clock, x, { scale, width, height, left, right }) {
    this.layer ??= document.createElement('canvas');
    this.layer.width = this.canvas.width;
    this.layer.height = this.canvas.height;
    const context = this.layer.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.font = '11px ui-monospace, Consolas, monospace';
    context.textBaseline = 'middle';
    if (clock.range) {
      context.fillStyle = 'rgb(255 180 84 / .13)';
      context.fillRect(x(clock.range[0]), 0, x(clock.range[1]) - x(clock.range[0]), height);
    }
    this.drawRuler(context, clock, x, right, height);
    this.lanes.forEach((lane, row) => this.drawLane(context, lane, x, RULER + 14 + 13 * row, [left, right]));
    this.drawEvents(context, x);
  }

  drawRuler(context, clock, x, right, height) {
    const span = clock.to - clock.from;
    if (!(span > 0)) return;
    const step = tickStep(span / (right - this.left), 84);
    context.fillStyle = '#9aa2b0';
    context.strokeStyle = '#30343c';
    context.lineWidth = 1;
    for (let index = Math.ceil(clock.from / step - 1e-9); index * step <= clock.to + 1e-9; index++) {
      const at = Math.round(x(index * step)) + 0.5;
      context.beginPath();
      context.moveTo(at, 0);
      context.lineTo(at, height);
      context.stroke();
      const text = step >= 1 ? clockText(index * step).replace(/\.000$/, '') : `${Number((index * step).toFixed(3))} s`;
      if (at + 3 + context.measureText(text).width < right + PAD) context.fillText(text, at + 4, 10);
    }
  }

  /** Where a time of a recording is on the clock. */
  static onClock(head, time) {
    return head.offset + time / head.rate;
  }

  drawLane(context, { head, signal }, x, top, [left, right]) {
    if (left > PAD) {
      context.save();
      context.beginPath();
      context.rect(0, top - 1, left - 6, 13);
      context.clip();
      context.fillStyle = '#9aa2b0';
      context.fillText(signal.name, PAD, top + 5);
      context.restore();
    }
    const { times, values } = signal;
    const at = (time) => Math.min(right, Math.max(left, x(Timeline.onClock(head, time))));
    const isLeft = signal.name.startsWith('left');
    const color = isLeft ? '#5aa9ff' : signal.name.startsWith('right') ? '#ff7a90' : '#8b93a1';
    if (signal.linear) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const value of values) {
        if (value < least) least = value;
        if (value > most) most = value;
      }
      context.strokeStyle = color;
      context.beginPath();
      const y = (value) => top + 10 - ((value - least) / (most - least || 1)) * 9;
      // Of a pixel with many values the first, the least, the greatest and the last: the line looks the same.
      for (let index = 0; index < times.length; ) {
        const pixel = Math.floor(at(times[index]));
        let [low, high, last] = [index, index, index];
        for (let next = index; next < times.length && Math.floor(at(times[next])) === pixel; next++) {
          if (values[next] < values[low]) low = next;
          if (values[next] > values[high]) high = next;
          last = next;
        }
        for (const one of [index, Math.min(low, high), Math.max(low, high), last]) context.lineTo(at(times[one]), y(values[one]));
        index = last + 1;
      }
      context.stroke();
      return;
    }
    context.fillStyle = color;
    let until = Number.NEGATIVE_INFINITY;
    values.forEach((value, index) => {
      const isOn = value === true || (typeof value === 'string' && value !== '') || (typeof value === 'number' && value !== 0);
      if (!isOn) return;
      const from = at(times[index]);
      const to = at(index + 1 < times.length ? times[index + 1] : head.span[1]);
      // What is too short to see is one pixel, once.
      if (to <= until) return;
      context.globalAlpha = typeof value === 'boolean' ? 0.75 : 0.28;
      context.fillRect(from, top + 1, Math.max(1, to - from), 9);
      until = Math.max(to, from + 1);
      context.globalAlpha = 1;
      if (typeof value === 'boolean' || to - from < 34) return;
      context.save();
      context.beginPath();
      context.rect(from, top, to - from - 2, 11);
      context.clip();
      context.fillStyle = '#d7dbe2';
      context.fillText(signal.words?.[index] ?? valueText(value), from + 3, top + 6);
      context.restore();
      context.fillStyle = color;
    });
  }

  drawEvents(context, x) {
    let last = Number.NEGATIVE_INFINITY;
    context.fillStyle = '#d7dbe2';
    for (const { head } of this.recordings) {
      for (const event of head.events ?? []) {
        const at = x(Timeline.onClock(head, event.time));
        if (at - last < 1.5) continue;
        last = at;
        context.beginPath();
        context.moveTo(at, RULER + 1);
        context.lineTo(at + 4, RULER + 6);
        context.lineTo(at, RULER + 11);
        context.lineTo(at - 4, RULER + 6);
        context.fill();
      }
    }
  }
}
