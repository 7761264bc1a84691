// The table that is one click away.

import { normal, uniform } from "./random.js";

const ROWS = 160;
const SEED = 7;
// Every so many rows one is recorded with the wrong outcome.
const WRONG_EVERY = 20;

/** Made-up patients: numbers, categories, missing values and some wrong outcomes, with how many those are. */
export function exampleTable() {
  const [chance, spread] = [uniform(SEED), normal(SEED + 1)];
  const lines = ["age,pressure,marker,smoker,ward,outcome"];
  for (let i = 0; i < ROWS; i++) {
    const age = Math.round(55 + 12 * spread());
    const pressure = Math.round(130 + 0.4 * (age - 55) + 14 * spread());
    const marker = Math.exp(0.6 * spread()).toFixed(2);
    const smoker = chance() < 0.35;
    const ward = ["north", "south", "east"][Math.floor(3 * chance())];
    const risk = 0.09 * (age - 55) + 1.6 * Math.log(marker) + (smoker ? 1.2 : -0.4) + 0.5 * spread();
    const ill = risk > 0 !== (i % WRONG_EVERY === WRONG_EVERY - 1 && Math.abs(risk) > 1);
    const known = chance() < 0.95;
    lines.push([age, known ? pressure : "", marker, smoker ? "yes" : "no", ward, ill ? "ill" : "well"].join(","));
  }
  return `${lines.join("\n")}\n`;
}
