// The playground: points that people set and move, and a model of them that follows.

import { byId, make, save, settled } from "./dom.js";
import { Engine, Stopped } from "./engine.js";
import { readFragment, rounded, writeFragment } from "./fragment.js";
import { CLASSES, MODELS, MOST_POINTS, REACH, SUSPECT, drawPlane, drawShape, palette, readMap } from "./plane.js";
import { PRESETS } from "./presets.js";
import { count } from "./words.js";

// Places along a side of the map: while points move, and once they rest.
const COARSE = 24;
const FINE = 64;
// Milliseconds after which points rest, and after which the stack, which learns anew, begins.
const REST = 160;
const REST_OF_STACK = 500;
// How near a pointer must be to a point, in pixels, and the cursor in units of the plane.
const NEAR = 14;
const NEAR_CURSOR = 0.12;
const STEP = 0.05;

const engine = new Engine();
let state = { points: [], model: "robust", v0: 10, lengthscale: 0.8, eps: 0.06, view: "probability" };
let picture = null;
let cursor = null;
let held = null;
let asked = null;

const settings = () => ({ model: state.model, v0: state.v0, lengthscale: state.lengthscale, eps: state.eps });
const triples = () => Float64Array.from(state.points.flatMap(({ x, y, c }) => [x, y, c]));
const canvas = () => byId("plane");
const draw = () => drawPlane(canvas(), state, picture, cursor);
const chosenClass = () => Number(document.querySelector("input[name=class]:checked").value);
const tool = () => document.querySelector("input[name=tool]:checked").value;

function say(text, wrong = false) {
  byId("play-status").textContent = text;
  byId("play-status").classList.toggle("wrong", wrong);
}

function account(shown) {
  const { log_evidence, error, loss, converged } = shown.account;
  const suspects = [...shown.suspicion].filter((p) => p >= SUSPECT).length;
  const evidence = log_evidence === null ? "" : `, log evidence ${log_evidence.toFixed(2)}`;
  const doubt = converged ? "" : "; inference did not converge";
  return (
    `${count(state.points.length, "point")}: left-out error ${(100 * error).toFixed(1)} %, loss ${loss.toFixed(3)} nats` +
    `${evidence}; ${count(suspects, "suspect label")}${doubt}. ${shown.milliseconds.toFixed(0)} ms.`
  );
}

/** Asks for the picture of the points as they are; one question at a time, the last one counts. */
async function ask(sides) {
  if (asked) {
    asked.again = sides;
    return;
  }
  asked = {};
  try {
    const told = (shown) => {
      // A picture of other points than those that are there by now would put rings in wrong places.
      if (shown.suspicion.length !== state.points.length) return;
      picture = shown;
      draw();
    };
    const shown = await engine.ask("play", { points: triples(), settings: settings(), sides }, told);
    say(account(shown));
    byId("rings").textContent = `Rings: ${shown.account.suspects_by}, from 0.2 thin, from 0.5 thick.`;
    byId("unknown-by").textContent = shown.account.unknown_by;
  } catch (error) {
    if (error instanceof Stopped) return;
    picture = null;
    draw();
    say(error.message, true);
  } finally {
    const again = asked?.again;
    asked = null;
    if (again) ask(again);
  }
}

/** The stack learns for seconds: what it learns from points of before is of no use. */
const askStack = settled(() => {
  if (asked) engine.stop();
  asked = null;
  say("The stack learns …");
  ask([COARSE, FINE]);
}, REST_OF_STACK);

const askFine = settled(() => ask([FINE]), REST);
const keep = settled(() => history.replaceState(null, "", writeFragment(state)), 300);

/** After any change. */
function changed() {
  keep();
  if (!state.points.length) {
    picture = null;
    say("No points yet: click into the plane, or take a preset.");
  } else if (state.model === "stack") askStack();
  else {
    ask([COARSE]);
    askFine();
  }
  draw();
}

function add(x, y) {
  if (state.points.length >= MOST_POINTS) {
    say(`There are ${MOST_POINTS} points, the most that are followed while they move.`, true);
    return;
  }
  state.points.push({ x: rounded(x), y: rounded(y), c: chosenClass() });
  changed();
}

/** The next class among those in use, or simply the other one. */
function flip(row) {
  const used = [...new Set([0, 1, ...state.points.map((point) => point.c)])].sort();
  const point = state.points[row];
  point.c = used[(used.indexOf(point.c) + 1) % used.length];
  changed();
}

function remove(row) {
  state.points.splice(row, 1);
  changed();
}

/** The row of the point nearest to a place, if it is within reach. */
function nearest({ x, y }, reach) {
  const distance = (point) => Math.hypot(point.x - x, point.y - y);
  const rows = state.points.map((_, row) => row).sort((a, b) => distance(state.points[a]) - distance(state.points[b]));
  return rows.length && distance(state.points[rows[0]]) <= reach ? rows[0] : null;
}

function placeOf(event) {
  const box = canvas().getBoundingClientRect();
  const at = (pixel, length) => (pixel / length) * 2 * REACH - REACH;
  return { x: at(event.clientX - box.left, box.width), y: -at(event.clientY - box.top, box.height) };
}

const reachOfPointer = () => (NEAR / canvas().clientWidth) * 2 * REACH;

function move(row, { x, y }) {
  Object.assign(state.points[row], { x: rounded(x), y: rounded(y) });
  changed();
}

function onPointerDown(event) {
  cursor = null;
  const place = placeOf(event);
  const row = nearest(place, reachOfPointer());
  if (row === null) {
    if (tool() === "add") add(place.x, place.y);
  } else if (tool() === "flip") flip(row);
  else if (tool() === "remove") remove(row);
  else {
    held = row;
    canvas().setPointerCapture(event.pointerId);
  }
}

function onPointerMove(event) {
  const place = placeOf(event);
  if (held !== null) move(held, place);
  else tell(place);
}

/** What the map says at a place, in words. */
function tell(place) {
  if (!picture) return;
  const { of, unknown } = readMap(picture, place.x, place.y);
  const each = of.map(([name, p]) => `${name} ${p.toFixed(2)}`).join(", ");
  byId("readout").textContent = `At (${place.x.toFixed(2)}, ${place.y.toFixed(2)}): ${each}; unknown ${unknown.toFixed(2)}.`;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The plane by keys: a cursor that moves, and what it does where it is. */
function onKey(event) {
  const arrow = ARROWS[event.key];
  cursor ??= { x: 0, y: 0 };
  const row = nearest(cursor, NEAR_CURSOR);
  if (arrow) moveCursor(arrow, event.shiftKey);
  else if (event.key === "Enter") add(cursor.x, cursor.y);
  else if (event.key === " ") held = held === null ? row : null;
  else if (event.key === "f" && row !== null) flip(row);
  else if (["Delete", "Backspace"].includes(event.key) && row !== null) remove(row);
  else if (/^[1-5]$/.test(event.key)) byId(`class-${Number(event.key) - 1}`).checked = true;
  else return;
  event.preventDefault();
  tellCursor();
  draw();
}

function moveCursor([dx, dy], far) {
  const step = far ? 4 * STEP : STEP;
  const within = (x) => Math.min(REACH, Math.max(-REACH, x));
  cursor = { x: within(cursor.x + dx * step), y: within(cursor.y + dy * step) };
  if (held !== null) move(held, cursor);
}

function tellCursor() {
  tell(cursor);
  const row = nearest(cursor, NEAR_CURSOR);
  if (row === null) return;
  const suspicion = picture?.suspicion[row];
  const doubt = suspicion === undefined ? "" : `, suspect ${suspicion.toFixed(2)}`;
  byId("readout").textContent += ` Point ${row + 1} of class ${CLASSES[state.points[row].c]}${doubt}${held === row ? ", held" : ""}.`;
}

/** The controls show the state. */
function showControls() {
  for (const [id, value] of [["v0", state.v0], ["lengthscale", state.lengthscale]]) {
    byId(id).value = String(Math.log10(value));
  }
  byId("eps").value = String(state.eps);
  byId("model").value = state.model;
  byId("view").value = state.view;
  showValues();
}

function showValues() {
  const shown = { v0: state.v0, lengthscale: state.lengthscale, eps: state.eps };
  for (const [id, value] of Object.entries(shown)) byId(`${id}-value`).textContent = value.toPrecision(3);
  const learned = state.model === "stack";
  for (const id of ["v0", "lengthscale", "learn"]) byId(id).disabled = learned;
  byId("eps").disabled = state.model !== "robust";
}

/** Takes a state as a whole. */
function become(next) {
  if (state.model === "stack" && asked) {
    engine.stop();
    asked = null;
  }
  state = { ...state, view: "probability", ...next };
  state.points = state.points.map(({ x, y, c }) => ({ x: rounded(x), y: rounded(y), c }));
  picture = null;
  held = null;
  showControls();
  changed();
}

function onSlider() {
  state.v0 = 10 ** Number(byId("v0").value);
  state.lengthscale = 10 ** Number(byId("lengthscale").value);
  state.eps = Number(byId("eps").value);
  showValues();
  changed();
}

function onModel() {
  if (asked && state.model === "stack") {
    engine.stop();
    asked = null;
  }
  state.model = byId("model").value;
  showValues();
  changed();
}

async function learn() {
  byId("learn").disabled = true;
  say("Learning the settings from the points …");
  try {
    const { v0, lengthscale, eps } = await engine.ask("learn", { points: triples(), settings: settings() });
    const within = (id, value) => Math.min(10 ** byId(id).max, Math.max(10 ** byId(id).min, value));
    state.v0 = within("v0", v0);
    state.lengthscale = within("lengthscale", lengthscale);
    if (eps !== null) state.eps = Math.min(Number(byId("eps").max), Math.max(Number(byId("eps").min), eps));
    showControls();
    changed();
  } catch (error) {
    if (!(error instanceof Stopped)) say(error.message, true);
  } finally {
    byId("learn").disabled = state.model === "stack";
  }
}

/** The canvas has as many pixels as the screen shows of it. */
function fitCanvas() {
  const side = Math.round(canvas().clientWidth * devicePixelRatio);
  if (side && canvas().width !== side) {
    canvas().width = side;
    canvas().height = side;
    draw();
  }
}

function classButtons() {
  const button = (name, c) => {
    const swatch = make("canvas", { width: 22, height: 22, class: "swatch", "aria-hidden": "true" });
    const input = make("input", { type: "radio", name: "class", value: String(c), id: `class-${c}`, checked: c === 0 });
    return make("label", { class: "choice" }, input, swatch, ` ${name}`);
  };
  byId("classes").append(...CLASSES.map(button));
}

function drawSwatches() {
  document.querySelectorAll("canvas.swatch").forEach((swatch, c) => {
    const context = swatch.getContext("2d");
    context.setTransform(1, 0, 0, 1, 11, 11);
    context.clearRect(-11, -11, 22, 22);
    drawShape(context, c, 7, palette());
  });
}

/** What the address asks for, or the first preset. */
function fromAddress() {
  return readFragment(location.hash, state) ?? PRESETS.circle[1]();
}

let started = false;

/** Connects the playground when it is first shown, and takes what the address holds. */
export function showPlayground() {
  if (!started) connect();
  started = true;
  fitCanvas();
  if (!state.points.length || readFragment(location.hash, state)) become(fromAddress());
}

function connect() {
  classButtons();
  drawSwatches();
  byId("model").append(...Object.entries(MODELS).map(([value, name]) => new Option(name, value)));
  for (const [name, [words, preset]] of Object.entries(PRESETS)) {
    byId("presets").append(make("button", { type: "button", "data-preset": name, onclick: () => become(preset()) }, words));
  }
  for (const id of ["v0", "lengthscale", "eps"]) byId(id).oninput = onSlider;
  byId("model").onchange = onModel;
  byId("view").onchange = () => {
    state.view = byId("view").value;
    keep();
    draw();
  };
  byId("learn").onclick = learn;
  byId("clear").onclick = () => become({ points: [] });
  byId("save-picture").onclick = () => canvas().toBlob((png) => save("playground.png", png, "image/png"));
  const plane = canvas();
  plane.onpointerdown = onPointerDown;
  plane.onpointermove = onPointerMove;
  plane.onpointerup = () => (held = null);
  plane.onpointercancel = () => (held = null);
  plane.onkeydown = onKey;
  plane.onblur = () => {
    cursor = null;
    draw();
  };
  new ResizeObserver(fitCanvas).observe(plane);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    drawSwatches();
    draw();
  });
}
