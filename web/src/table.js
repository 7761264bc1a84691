// "Your table": from a file to a model, its report and its predictions.

import { byId, make, makeTable, save, settled } from "./dom.js";
import { Engine, Stopped } from "./engine.js";
import { exampleTable } from "./example.js";
import { count, duration, sentence, shellWord, size } from "./words.js";

const SHOWN_COLUMNS = 200;
const SHOWN_SUSPECTS = 20;
const SHOWN_PREDICTIONS = 10;
// The bar of a fit stands still here until the fit ends: estimates are within a factor of two.
const NEARLY_DONE = 0.95;

const USES = [
  ["found", "as found"],
  ["numbers", "numbers"],
  ["categories", "categories"],
  ["left_out", "left out"],
];

const engine = new Engine();
/** The file at hand, its look, the uses of its columns that were chosen, and the fit's account. */
const state = { file: null, look: null, uses: new Map(), estimate: null, account: null, predicted: null };
let limits = null;

/** Says how something stands, or what is wrong, where people and screen readers find it. */
function say(id, text, wrong = false) {
  const line = byId(id);
  line.textContent = text ? sentence(text) : "";
  line.classList.toggle("wrong", wrong);
}

const show = (id, shown = true) => {
  byId(id).hidden = !shown;
};

/** Runs what may fail; a problem becomes a sentence at `place`. */
async function attempt(place, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stopped)) say(place, `error: ${error.message}`, true);
    return undefined;
  }
}

const notesOf = ({ notes }) => notes.map((note) => make("li", {}, sentence(note)));

async function fileOf(blob, name) {
  limits ??= await engine.ask("limits");
  if (blob.size > limits.file_bytes) {
    throw new Error(`'${name}' has ${size(blob.size)}, more than the ${size(limits.file_bytes)} that this page reads`);
  }
  return { name, bytes: new Uint8Array(await blob.arrayBuffer()) };
}

/** Seconds that a fit may take, or null where nothing is said. */
function timeBudget() {
  const { value, validity } = byId("minutes");
  if (!validity.valid) throw new Error("the time is no number of minutes from 0.1 on; leave it empty for no limit");
  return value ? 60 * Number(value) : null;
}

/** What is chosen for a fit. */
const fitChoices = () => ({ ...choices(), time: timeBudget() });

function choices() {
  const uses = [...state.uses].filter(([name]) => name !== byId("label").value);
  return {
    label: byId("label").value || null,
    positive: byId("positive").value || null,
    uses,
    effort: byId("effort").value,
    decimal_comma: byId("decimal-comma").checked,
    thousands: byId("thousands").checked,
  };
}

/** Takes a table or a model file, whatever the bytes are. */
async function take(blob, name) {
  await attempt("file-status", async () => {
    engine.stop();
    ["columns", "fit", "result"].forEach((section) => show(section, false));
    say("fit-status", "");
    say("file-status", `reading ${name}`);
    const file = await fileOf(blob, name);
    const isModel = new TextDecoder().decode(file.bytes.subarray(0, 8)) === "GPCLASS\n";
    if (isModel) {
      await openModel(file);
      return;
    }
    Object.assign(state, { file, uses: new Map(), estimate: null });
    byId("positive").replaceChildren(new Option("the second in order", ""));
    await look();
  });
}

async function openModel(file) {
  const account = await engine.ask("open", { bytes: file.bytes });
  say("file-status", `opened ${file.name}, a model of ${count(account.summary.rows, "row")}`);
  await showResult(account, file.name.replace(/\.gpc$/, ""));
}

async function look() {
  const { name, bytes } = state.file;
  state.look = await engine.ask("look", { name, bytes, choices: { ...choices(), label: null, positive: null, uses: [] } });
  const { rows, columns, label } = state.look;
  say("file-status", `read ${name}: ${count(rows, "row")}, ${count(columns.length, "column")}, ${size(bytes.length)}`);
  byId("label").replaceChildren(...columns.map((column) => new Option(column.name, column.name)));
  byId("label").value = label;
  showColumns();
  show("columns");
  await estimate();
}

function showColumns() {
  const { columns } = state.look;
  const label = byId("label").value;
  const row = (column) => {
    const values = column.examples.join(", ") + (column.distinct > column.examples.length ? ", …" : "");
    const missing = column.missing ? `; missing in ${count(column.missing, "row")}` : "";
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, column.name),
      make("td", {}, column.name === label ? "label" : useOf(column)),
      make("td", { class: "found" }, column.name === label ? "classes" : column.kind),
      make("td", { class: "values" }, values + missing),
    );
  };
  byId("column-rows").replaceChildren(...columns.slice(0, SHOWN_COLUMNS).map(row));
  const more = columns.length - SHOWN_COLUMNS;
  say("more-columns", more > 0 ? `${count(more, "more column")} are used as found` : "");
}

function useOf(column) {
  const options = USES.map(([use, words]) => new Option(words, use));
  const select = make("select", { "aria-label": `use of column ${column.name}` }, ...options);
  select.value = state.uses.get(column.name) ?? "found";
  select.onchange = () => {
    if (select.value === "found") state.uses.delete(column.name);
    else state.uses.set(column.name, select.value);
    estimateSoon();
  };
  return select;
}

async function estimate() {
  state.estimate = null;
  byId("start").disabled = true;
  say("estimate", "reading the columns");
  await attempt("estimate", async () => {
    const chosen = fitChoices();
    const found = await engine.ask("estimate", { ...state.file, choices: chosen });
    state.estimate = found;
    const kinds = new Map(found.features);
    for (const row of byId("column-rows").rows) {
      const kind = kinds.get(row.cells[0].textContent);
      if (kind) row.cells[2].textContent = kind;
    }
    offerPositive(found.classes, chosen.positive);
    announce(chosen);
    byId("notes").replaceChildren(...notesOf(found));
    show("fit");
  });
}

/** Says what the fit at hand takes and by which command the tool does it, and lets it start. */
function announce(chosen) {
  say("estimate", estimateText(state.estimate, chosen.time));
  byId("command").textContent = command(chosen);
  byId("start").disabled = false;
}

/** A limit of time changes nothing in the estimate itself, so that the button need not wait for another. */
function limitTime() {
  if (!state.estimate) return;
  byId("start").disabled = true;
  attempt("estimate", async () => announce(fitChoices()));
}

const estimateSoon = settled(estimate, 250);

function estimateText({ rows, features, classes, seconds, bytes, way }, time) {
  const each = classes.slice(0, 8).map(([name, of]) => `${of} ${name}`);
  if (classes.length > 8) each.push(`${classes.length - 8} more classes`);
  const learned = way ? ` ${sentence(way)}` : "";
  const needs = `about ${duration(seconds)} and ${size(bytes)} of memory`;
  const limit = time === null || time >= seconds ? "" : `; after ${duration(time)} it takes the best so far, which may be less accurate`;
  return `${count(rows, "row")} of ${count(features.length, "column")}: ${each.join(", ")}.${learned} The fit needs ${needs}${limit}`;
}

function offerPositive(classes, chosen) {
  const two = classes.length === 2;
  byId("positive").parentElement.hidden = !two;
  const names = two ? classes.map(([name]) => name).sort() : [];
  byId("positive").replaceChildren(new Option("the second in order", ""), ...names.map((name) => new Option(name, name)));
  byId("positive").value = names.includes(chosen) ? chosen : "";
}

/** The command that does the same. */
function command(chosen) {
  const words = ["gpclass", "fit", shellWord(state.file.name), "--label", shellWord(chosen.label)];
  const list = (option, use) => {
    const names = chosen.uses.filter(([, as]) => as === use).map(([name]) => name);
    if (names.length) words.push(option, shellWord(names.join(",")));
  };
  if (chosen.positive) words.push("--positive", shellWord(chosen.positive));
  list("--continuous", "numbers");
  list("--discrete", "categories");
  list("--drop", "left_out");
  if (chosen.effort === "one") words.push("--kernel", "se", "--likelihood", "robust", "--lengthscales", "ard");
  if (chosen.time !== null) words.push("--time", String(chosen.time));
  if (chosen.decimal_comma) words.push("--decimal-comma");
  if (chosen.thousands) words.push("--thousands");
  return [...words, "-o", "model.gpc", "--report", "report.html"].join(" ");
}

async function fit() {
  const started = performance.now();
  const chosen = fitChoices();
  const expected = Math.max(1, Math.min(state.estimate.seconds, chosen.time ?? Infinity));
  const elapsed = () => (performance.now() - started) / 1000;
  let step = "starting";
  const tick = setInterval(() => {
    byId("bar").value = NEARLY_DONE * (1 - Math.exp(-elapsed() / expected));
    say("progress", `${step}; ${elapsed().toFixed(0)} s of about ${duration(expected)}`);
  }, 500);
  byId("start").disabled = true;
  byId("cancel").disabled = false;
  show("result", false);
  say("fit-status", "");
  show("working");
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  const told = ({ what, done, of, label, iteration, leftOutError }) => {
    if (what) step = `${what}: ${done.toLocaleString("en")} of ${of.toLocaleString("en")}`;
    else step = `model ${label}, step ${iteration}, left-out error ${(100 * leftOutError).toFixed(1)} %`;
  };
  const account = await attempt("fit-status", () => engine.ask("fit", { ...state.file, choices: chosen, time }, told));
  clearInterval(tick);
  show("working", false);
  byId("start").disabled = false;
  byId("cancel").disabled = true;
  if (!account) return;
  say("fit-status", `fitted in ${elapsed().toFixed(1)} seconds`);
  await attempt("fit-status", () => showResult(account, state.file.name.replace(/\.\w+$/, "")));
}

function cancel() {
  engine.stop();
  say("fit-status", "cancelled; nothing was kept");
}

async function showResult(account, stem) {
  Object.assign(state, { account, stem, predicted: null });
  show("predicted", false);
  say("predict-status", "");
  showSuspects(account);
  const frame = byId("report");
  const html = await engine.ask("report");
  state.report = html;
  frame.onload = () => {
    frame.style.height = `${frame.contentDocument.documentElement.scrollHeight + 16}px`;
  };
  frame.srcdoc = html;
  show("result");
  byId("result-heading").focus();
}

function showSuspects({ suspects, summary }) {
  const unit = suspects.some((suspect) => suspect.line) ? "line" : "row";
  const row = (s) => [String(s.line ?? s.row), s.label, s.suggested, s.probability.toFixed(3), s.label_probability.toFixed(3)];
  const head = [unit, "label", "rather", "P(wrong)", "P(label | other rows)"];
  const caption = `Labels to check: ${suspects.length} of ${summary.rows}`;
  const table = makeTable(head, suspects.slice(0, SHOWN_SUSPECTS).map(row), { caption, rowHeads: true });
  const more = suspects.length - SHOWN_SUSPECTS;
  byId("suspects").replaceChildren(
    suspects.length ? table : make("p", {}, "No label looks wrong."),
    ...(more > 0 ? [make("p", {}, `${more} more are in the numbers to download.`)] : []),
  );
}

async function predict(blob, name) {
  await attempt("predict-status", async () => {
    show("predicted", false);
    say("predict-status", `predicting ${name}`);
    const file = await fileOf(blob, name);
    const keep = byId("keep").checked;
    const found = await engine.ask("predict", { ...file, choices: choices(), keep });
    state.predicted = { csv: found.csv, name: `${name.replace(/\.\w+$/, "")}-predictions.csv` };
    const each = found.classes.map(([label, rows]) => `${rows} ${label}`).join(", ");
    const unlike = found.unlike ? `; ${count(found.unlike, "row")} unlike the training rows, where probabilities are extrapolated` : "";
    say("predict-status", `${count(found.rows, "row")}: ${each}${unlike}`);
    byId("predict-notes").replaceChildren(...notesOf(found));
    const [head, ...rows] = found.csv.split("\n", SHOWN_PREDICTIONS + 1).filter(Boolean).map(fields);
    byId("predictions").replaceChildren(makeTable(head, rows.map((row) => row.map(shortened)), { caption: "The first predictions" }));
    show("predicted");
  });
}

/** The fields of a line of the CSV that the engine writes. */
function fields(line) {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);
}

const shortened = (text) => (/^-?\d*\.\d{5,}(e-?\d+)?$/.test(text) ? Number(text).toPrecision(4) : text);

function onDrop(zone, taken) {
  zone.ondragover = (event) => {
    event.preventDefault();
    zone.classList.add("over");
  };
  zone.ondragleave = () => zone.classList.remove("over");
  zone.ondrop = (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const [file] = event.dataTransfer.files;
    if (file) taken(file, file.name);
  };
}

function onFile(id, taken) {
  const input = byId(id);
  input.onchange = () => {
    const [file] = input.files;
    if (file) taken(file, file.name);
    // The same file may be chosen again after it was mended.
    input.value = "";
  };
}

const textFile = (text) => new Blob([text], { type: "text/csv" });

const numbers = () => JSON.stringify(state.account, null, 2);

/** Connects the page. */
export function startTable() {
  onDrop(byId("drop"), take);
  onFile("file", take);
  byId("example").onclick = () => take(textFile(exampleTable()), "patients.csv");
  byId("use-pasted").onclick = () => take(textFile(byId("pasted").value), "pasted.csv");
  byId("label").onchange = () => {
    byId("positive").value = "";
    showColumns();
    estimate();
  };
  for (const id of ["positive", "effort"]) byId(id).onchange = estimate;
  byId("minutes").oninput = limitTime;
  for (const id of ["decimal-comma", "thousands"]) byId(id).onchange = () => attempt("file-status", look);
  byId("start").onclick = fit;
  byId("cancel").onclick = cancel;
  onDrop(byId("predict-drop"), predict);
  onFile("predict-file", predict);
  byId("save-model").onclick = () =>
    attempt("fit-status", async () => save(`${state.stem}.gpc`, await engine.ask("file"), "application/octet-stream"));
  byId("save-report").onclick = () => save(`${state.stem}.html`, state.report, "text/html");
  byId("save-numbers").onclick = () => save(`${state.stem}.json`, numbers(), "application/json");
  byId("save-predictions").onclick = () => save(state.predicted.name, state.predicted.csv, "text/csv");
}
