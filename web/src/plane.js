// The plane and what is drawn on it.

/** It reaches from minus this to this along both axes. */
export const REACH = 2;
export const CLASSES = ["A", "B", "C", "D", "E"];
export const MODELS = { regular: "Regular", robust: "Robust", laplace: "Laplace", stack: "Stack" };
export const VIEWS = ["probability", "unknown"];
export const MOST_POINTS = 200;
/** From here on a label is said to be suspect. */
export const SUSPECT = 0.5;

const DOUBTED = 0.2;
const RADIUS = 6;
// How strongly a certain class colours the paper.
const STRENGTH = 0.78;

/** What the map says at a place. */
export function readMap(picture, x, y) {
  const { side, probability, unknown, account } = picture;
  const cell = (at) => Math.min(side - 1, Math.max(0, Math.floor(((at + REACH) / (2 * REACH)) * side)));
  const place = cell(y) * side + cell(x);
  const of = account.classes.map((c, k) => [CLASSES[c], probability[place * account.classes.length + k]]);
  return { of, unknown: unknown[place] };
}

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** The colours of the page, as it is now. */
export function palette() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const classes = CLASSES.map((_, c) => colour(`class-${c}`));
  return { paper: colour("paper"), ink: colour("ink"), main: colour("main"), alert: colour("alert"), classes };
}

/** The map as pixels, one for every place. */
function pixels(picture, view, colours) {
  const { side, probability, unknown, account } = picture;
  const count = account.classes.length;
  const image = new ImageData(side, side);
  const [paper, main] = [channels(colours.paper), channels(colours.main)];
  const of = account.classes.map((c) => channels(colours.classes[c]));
  for (let place = 0; place < side * side; place++) {
    const pixel = [...paper];
    const add = (colour, share) => pixel.forEach((_, k) => (pixel[k] += share * (colour[k] - paper[k])));
    if (view === "unknown") add(main, STRENGTH * unknown[place]);
    else {
      // What a class has beyond an even share.
      const sure = (k) => Math.max(0, (probability[place * count + k] - 1 / count) / (1 - 1 / count));
      of.forEach((colour, k) => add(colour, STRENGTH * sure(k)));
    }
    // Places are counted from below, pixels from above.
    const at = 4 * ((side - 1 - Math.floor(place / side)) * side + (place % side));
    image.data.set([...pixel, 255], at);
  }
  return image;
}

const SHAPES = [
  (c, r) => c.arc(0, 0, r, 0, 2 * Math.PI),
  (c, r) => c.rect(-0.88 * r, -0.88 * r, 1.76 * r, 1.76 * r),
  (c, r) => polygon(c, [[0, -1.2 * r], [1.1 * r, 0.8 * r], [-1.1 * r, 0.8 * r]]),
  (c, r) => polygon(c, [[0, -1.25 * r], [1.25 * r, 0], [0, 1.25 * r], [-1.25 * r, 0]]),
  (c, r) => polygon(c, Array.from({ length: 10 }, (_, k) => [k, k % 2 ? 0.6 * r : 1.35 * r]).map(([k, at]) => [at * Math.sin((k * Math.PI) / 5), -at * Math.cos((k * Math.PI) / 5)])),
];

function polygon(context, corners) {
  corners.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}

/** A point's shape; also the swatch of its class. */
export function drawShape(context, c, radius, colours) {
  context.beginPath();
  SHAPES[c](context, radius);
  context.fillStyle = colours.classes[c];
  context.strokeStyle = colours.paper;
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
}

/** Draws everything: the map, the points, rings around suspects, the keyboard's cursor. */
export function drawPlane(canvas, { points, view }, picture, cursor) {
  const colours = palette();
  const context = canvas.getContext("2d");
  const ratio = canvas.width / canvas.clientWidth || 1;
  const width = canvas.width / ratio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, width, width);
  if (picture) {
    const small = new OffscreenCanvas(picture.side, picture.side);
    small.getContext("2d").putImageData(pixels(picture, view, colours), 0, 0);
    context.imageSmoothingQuality = "high";
    context.drawImage(small, 0, 0, width, width);
  }
  const place = (at) => [((at.x + REACH) / (2 * REACH)) * width, ((REACH - at.y) / (2 * REACH)) * width];
  points.forEach((point, row) => {
    context.save();
    context.translate(...place(point));
    drawShape(context, point.c, RADIUS, colours);
    ring(context, picture?.suspicion[row] ?? 0, colours);
    context.restore();
  });
  if (cursor) drawCursor(context, place(cursor), colours);
}

function ring(context, suspicion, colours) {
  if (suspicion < DOUBTED) return;
  context.beginPath();
  context.arc(0, 0, RADIUS + 5, 0, 2 * Math.PI);
  context.strokeStyle = colours.alert;
  context.lineWidth = suspicion < SUSPECT ? 1.2 : 3;
  context.setLineDash(suspicion < SUSPECT ? [3, 3] : []);
  context.stroke();
}

function drawCursor(context, [x, y], colours) {
  context.beginPath();
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    context.moveTo(x + 5 * dx, y + 5 * dy);
    context.lineTo(x + 16 * dx, y + 16 * dy);
  }
  context.strokeStyle = colours.ink;
  context.lineWidth = 2;
  context.stroke();
}
