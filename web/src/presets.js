// Arrangements of points that show something.

import { normal, uniform } from "./random.js";

const point = (x, y, c) => ({ x, y, c });

function circle() {
  const next = uniform(3);
  const points = [];
  for (let i = 0; points.length < 110; i++) {
    const [x, y] = [3.4 * next() - 1.7, 3.4 * next() - 1.7];
    const distance = Math.hypot(x, y) - 1.1;
    if (Math.abs(distance) < 0.12) continue;
    const wrong = points.length % 12 === 11 && Math.abs(distance) > 0.3;
    points.push(point(x, y, Number(distance > 0 !== wrong)));
  }
  return { points, model: "robust", v0: 10, lengthscale: 0.8, eps: 0.06 };
}

function moons() {
  const next = normal(5);
  const points = Array.from({ length: 90 }, (_, i) => {
    const [angle, upper] = [(Math.PI * Math.floor(i / 2)) / 44, i % 2 === 0];
    const [x, y] = upper ? [Math.cos(angle), Math.sin(angle)] : [1 - Math.cos(angle), 0.45 - Math.sin(angle)];
    return point(1.05 * (x - 0.5) + 0.11 * next(), 1.2 * (y - 0.2) + 0.11 * next(), Number(!upper));
  });
  return { points, model: "regular", v0: 20, lengthscale: 0.7, eps: 0.02 };
}

function linear() {
  const next = normal(11);
  const points = Array.from({ length: 70 }, () => {
    const [x, y] = [0.8 * next(), 0.8 * next()];
    return point(x, y, Number(y - 0.6 * x + 0.25 * next() > 0));
  });
  return { points, model: "laplace", v0: 20, lengthscale: 2, eps: 0.02 };
}

function spiral() {
  const next = normal(17);
  const points = Array.from({ length: 120 }, (_, i) => {
    const [t, arm] = [Math.floor(i / 2) / 60, i % 2];
    const [radius, angle] = [0.25 + 1.4 * t, 2.6 * Math.PI * t + Math.PI * arm];
    return point(radius * Math.cos(angle) + 0.03 * next(), radius * Math.sin(angle) + 0.03 * next(), arm);
  });
  return { points, model: "regular", v0: 60, lengthscale: 0.35, eps: 0.02 };
}

function three() {
  const next = normal(23);
  const centres = [[-0.9, -0.7], [0.95, -0.6], [0, 0.95]];
  const points = Array.from({ length: 75 }, (_, i) => {
    const [x, y] = centres[i % 3];
    const wrong = i === 31 || i === 50;
    return point(x + 0.38 * next(), y + 0.38 * next(), (i + Number(wrong)) % 3);
  });
  return { points, model: "robust", v0: 8, lengthscale: 0.9, eps: 0.04 };
}

function outside() {
  const next = normal(29);
  const points = Array.from({ length: 50 }, (_, i) => point(-1.1 + 0.3 * next() + 0.7 * (i % 2), -1 + 0.35 * next(), i % 2));
  return { points, model: "regular", v0: 10, lengthscale: 0.6, eps: 0.02, view: "unknown" };
}

/** By name, with what each is called. */
export const PRESETS = {
  circle: ["Circle with wrong labels", circle],
  moons: ["Moons", moons],
  linear: ["Linear", linear],
  spiral: ["Spiral", spiral],
  three: ["Three classes", three],
  outside: ["Outside the data", outside],
};
