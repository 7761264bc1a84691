// The playground's whole state as the fragment of an address, so that a picture can be shared.

import { CLASSES, MODELS, MOST_POINTS, REACH, VIEWS } from "./plane.js";

// A coordinate is three digits of this base: a step of a tenth of a pixel.
const BASE = 36;
const STEPS = BASE ** 3 - 1;

const digits = (value) => Math.round(((value + REACH) / (2 * REACH)) * STEPS).toString(BASE).padStart(3, "0");
const value = (text) => (parseInt(text, BASE) / STEPS) * 2 * REACH - REACH;
const number = (x) => String(Number(x.toPrecision(4)));

/** A coordinate as the fragment can hold it. */
export const rounded = (x) => value(digits(Math.min(REACH, Math.max(-REACH, x))));

/** The fragment of a state. */
export function writeFragment({ model, v0, lengthscale, eps, view, points }) {
  const all = points.map(({ x, y, c }) => `${c}${digits(x)}${digits(y)}`).join("");
  return `#playground&m=${model}&v0=${number(v0)}&l=${number(lengthscale)}&eps=${number(eps)}&view=${view}&p=${all}`;
}

const between = (text, low, high, otherwise) => {
  const x = Number(text);
  return text !== null && x >= low && x <= high ? x : otherwise;
};

/** The state of a fragment, whatever somebody made of it; nothing if it holds no points. */
export function readFragment(fragment, otherwise) {
  const fields = new URLSearchParams(fragment.replace(/^#playground&?/, ""));
  const all = fields.get("p");
  if (all === null || !/^([0-4][0-9a-z]{6})*$/.test(all)) return null;
  const each = all.match(/.{7}/g)?.slice(0, MOST_POINTS) ?? [];
  const points = each.map((text) => ({ x: value(text.slice(1, 4)), y: value(text.slice(4)), c: Number(text[0]) % CLASSES.length }));
  return {
    points,
    model: fields.get("m") in MODELS ? fields.get("m") : otherwise.model,
    v0: between(fields.get("v0"), 0.01, 1000, otherwise.v0),
    lengthscale: between(fields.get("l"), 0.05, 10, otherwise.lengthscale),
    eps: between(fields.get("eps"), 0.001, 0.4, otherwise.eps),
    view: VIEWS.includes(fields.get("view")) ? fields.get("view") : otherwise.view,
  };
}
