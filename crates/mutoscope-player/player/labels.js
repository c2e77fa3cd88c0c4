// Draws the names of nodes over the view.

import { projectPoint } from './camera.js';

/** The horizontal distance of a name from its node, and the height of a name, in pixels. */
const LABEL_OFFSET = 10;
const LABEL_HEIGHT = 17;

/** Draws the name of the selected node and, with `showNames`, of all nodes. `clip` is the matrix from world space to clip space. */
export function drawLabels(canvas, { scale, width, height }, clip, { recordings, selected, name, showNames }) {
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  const usedBoxes = [];
  const label = (text, x, y, color) => {
    const textWidth = context.measureText(text).width;
    const box = [x + LABEL_OFFSET, y - 8, textWidth + 8, LABEL_HEIGHT];
    const overlaps = usedBoxes.some(([a, b, c, d]) => box[0] < a + c && a < box[0] + box[2] && box[1] < b + d && b < box[1] + box[3]);
    if (overlaps) return;
    usedBoxes.push(box);
    context.fillStyle = 'rgb(27 29 33 / .82)';
    context.fillRect(...box);
    context.fillStyle = color;
    context.fillText(text, x + 14, y + 0.5);
  };
  const toCanvas = (position) => {
    const seen = projectPoint(clip, position);
    return seen && [seen[0] * width, seen[1] * height];
  };
  const seen = selected && toCanvas(selected);
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
      const position = toCanvas(one.figure.toLocal(one.pose.nodes[index].world.translation));
      if (position && position[0] > -50 && position[0] < width && position[1] > 0 && position[1] < height) label(node.name, ...position, '#d7dbe2');
    });
  }
}
