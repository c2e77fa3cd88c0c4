// Names on the view: of the selected node, and of all.

import { projected } from './camera.js';

/** How much room a name takes, in pixels: to the right of its node, and in height. */
const BESIDE = 10;
const HEIGHT = 17;

/** Draws names on a canvas of `{ scale, width, height }`; `clip` is the matrix of the view. */
export function drawLabels(canvas, { scale, width, height }, clip, { recordings, selected, name, showNames }) {
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  const taken = [];
  const label = (text, x, y, color) => {
    const wide = context.measureText(text).width;
    const box = [x + BESIDE, y - 8, wide + 8, HEIGHT];
    const overlaps = taken.some(([a, b, c, d]) => box[0] < a + c && a < box[0] + box[2] && box[1] < b + d && b < box[1] + box[3]);
    if (overlaps) return;
    taken.push(box);
    context.fillStyle = 'rgb(27 29 33 / .82)';
    context.fillRect(...box);
    context.fillStyle = color;
    context.fillText(text, x + 14, y + 0.5);
  };
  const at = (place) => {
    const seen = projected(clip, place);
    return seen && [seen[0] * width, seen[1] * height];
  };
  const seen = selected && at(selected);
  if (seen) {
    context.strokeStyle = '#ffb454';
    context.lineWidth = 2;
    context.beginPath();
    context.arc(seen[0], seen[1], 9, 0, 2 * Math.PI);
    context.stroke();
    label(name, seen[0], seen[1], '#ffb454');
  }
  if (!showNames) return;
  for (const one of recordings) {
    one.head.nodes.forEach((node, index) => {
      if (!one.pose?.nodes[index].shown || node.kind === 'part') return;
      const place = at(one.figure.local(one.pose.nodes[index].world.translation));
      if (place && place[0] > -50 && place[0] < width && place[1] > 0 && place[1] < height) label(node.name, ...place, '#d7dbe2');
    });
  }
}
