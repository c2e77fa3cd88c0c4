// The clock of a page: the current time, the playback rate, and the loop mode.

/** The loop modes, in the order in which a key cycles through them. */
export const LOOP_MODES = ['off', 'all', 'range', 'ping-pong'];

/** The labels of the loop modes. */
export const LOOP_LABELS = {
  off: 'No loop',
  all: 'Loop all',
  range: 'Loop range',
  'ping-pong': 'Ping-pong',
};

/** The playback rates that keys and a list offer. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];

/** Returns the clip time of a recording at a clock time, in seconds. */
export function toClipTime(head, time) {
  return (time - head.offset) * head.rate;
}

/** A clock that plays a span of seconds. */
export class Clock {
  constructor(from, to) {
    [this.from, this.to] = [from, Math.max(from, to)];
    this.time = this.from;
    this.paused = true;
    this.ended = false;
    this.speed = 1;
    this.loop = 'all';
    /** The in point and the out point, or null. */
    this.range = null;
    this.direction = 1;
  }

  /** The span that is played: the range if the loop mode uses it, otherwise everything. */
  get span() {
    return this.range && (this.loop === 'range' || this.loop === 'ping-pong')
      ? this.range
      : [this.from, this.to];
  }

  /** Sets the time, clamped to the clock's span. */
  seek(time) {
    this.time = Math.min(this.to, Math.max(this.from, Number.isFinite(time) ? time : this.from));
    this.ended = false;
  }

  play() {
    const [from, to] = this.span;
    if (this.time >= to || this.time < from) this.time = from;
    this.direction = 1;
    [this.paused, this.ended] = [false, false];
  }

  pause() {
    this.paused = true;
  }

  setRange(from, to) {
    const [start, end] = [Math.max(this.from, Math.min(from, to)), Math.min(this.to, Math.max(from, to))];
    this.range = end > start ? [start, end] : null;
    if (this.range && this.loop === 'all') this.loop = 'range';
    if (!this.range && this.loop === 'range') this.loop = 'all';
  }

  /** Advances by some seconds. Returns true if the time changed. */
  advance(seconds) {
    if (this.paused) return false;
    const [from, to] = this.span;
    const length = to - from;
    let next = this.time + seconds * this.speed * this.direction;
    if (length <= 0) next = from;
    else if (this.loop === 'off') {
      if (next >= to) [next, this.paused, this.ended] = [to, true, true];
    } else if (this.loop === 'ping-pong') {
      // The distance along a round trip, which is twice as long as the span.
      let distance = (this.direction > 0 ? next - from : to + (to - next) - from) % (2 * length);
      if (distance < 0) distance += 2 * length;
      [next, this.direction] = distance <= length ? [from + distance, 1] : [to - (distance - length), -1];
    } else if (next >= to || next < from) next = from + ((next - from) % length);
    const changed = next !== this.time;
    this.time = next;
    return changed;
  }
}
