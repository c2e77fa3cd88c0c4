// Formats times, values and captions.

/** The time for which an event is shown, in seconds. */
const CAPTION_S = 1.5;

/** Formats a time as `00:03.217`. */
export function formatClock(seconds) {
  const whole = Math.round(Math.abs(seconds) * 1000);
  const part = (value, digits) => String(value).padStart(digits, '0');
  const minutes = Math.floor(whole / 60000);
  const sign = seconds < 0 && whole > 0 ? '−' : '';
  return `${sign}${part(minutes, 2)}:${part(Math.floor(whole / 1000) % 60, 2)}.${part(whole % 1000, 3)}`;
}

/** Formats a time for screen readers. */
export function formatSpokenTime(seconds) {
  const rounded = Math.round(Math.abs(seconds) * 10) / 10;
  const minutes = Math.floor(rounded / 60);
  const rest = (rounded - 60 * minutes).toFixed(1);
  const sign = seconds < 0 ? 'minus ' : '';
  return minutes > 0 ? `${sign}${minutes} min ${rest} s` : `${sign}${rest} s`;
}

/** Formats a size as `1.4 MB`. */
export function formatSize(bytes) {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`;
}

/** Formats a value of a signal. */
export function formatValue(value) {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return String(Number(value.toPrecision(4)));
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

/** Formats the format, duration and subject of a recording in one line. */
export function formatFacts(head) {
  const length = `${(head.span[1] - head.span[0]).toFixed(2)} s`;
  const format = head.version ? `${head.format} ${head.version}` : head.format;
  return [format, length, head.subject].filter(Boolean).join(' · ');
}

/** Returns the subtitles at a clip time. Without subtitles, returns the latest event for a short time. */
export function findCaption(head, time, evaluateSignal) {
  const said = (head.signals ?? [])
    .filter((signal) => signal.kind === 'text')
    .map((signal) => evaluateSignal(signal, time))
    .filter((text) => typeof text === 'string' && text !== '');
  if (said.length > 0) return said.slice(0, 3).join(' · ');
  const events = head.events ?? [];
  let [low, high] = [-1, events.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (events[middle].time <= time + 1e-9) low = middle;
    else high = middle;
  }
  const last = events[low];
  return last && time - last.time <= CAPTION_S ? last.words || last.name : '';
}
