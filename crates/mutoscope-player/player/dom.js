// Helpers that create an element in one call.

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

/** Creates an element with attributes, listeners (`onclick`) and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  // append() inserts strings as text, so names from files cannot inject markup.
  made.append(...children);
  return made;
}

/** Creates the icon of a button. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

/** Creates a button with an icon, and a label for screen readers. */
export function button(name, label, onclick, more = {}) {
  return element('button', { type: 'button', 'aria-label': label, title: label, onclick, ...more }, icon(name));
}

/** Returns true if the reader prefers reduced motion. */
export function prefersReducedMotion() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
