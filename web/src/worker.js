// In the worker, below the script that wasm-bindgen makes: questions in, answers out.

let engine;
let asking = 0;

// The module calls these.
self.gpclassProgress = (label, iteration, logEvidence, leftOutError) =>
  self.postMessage({ id: asking, told: { label, iteration, logEvidence, leftOutError } });
self.gpclassPart = (what, done, of) => self.postMessage({ id: asking, told: { what, done, of } });
self.gpclassSeconds = () => performance.now() / 1000;

/** Seconds of one factorisation, the fastest of three. */
function trial() {
  const times = [0, 1, 2].map(() => {
    const start = performance.now();
    engine.trial();
    return performance.now() - start;
  });
  return Math.min(...times) / 1000;
}

/** The picture of points at the given sides, told one after the other; the last is the answer. */
function play({ points, settings, sides }) {
  const started = performance.now();
  const account = JSON.parse(engine.play(points, JSON.stringify(settings)));
  const suspicion = engine.suspicion();
  const pictures = sides.map((side) => {
    engine.draw(side);
    const [probability, unknown] = [engine.probability(), engine.unknown()];
    const picture = { side, account, suspicion, probability, unknown, milliseconds: performance.now() - started };
    self.postMessage({ id: asking, told: picture });
    return picture;
  });
  return pictures.at(-1);
}

const answers = {
  limits: () => JSON.parse(engine.limits()),
  look: ({ bytes, name, choices }) => JSON.parse(engine.look(bytes, name, JSON.stringify(choices))),
  estimate: ({ bytes, name, choices }) => JSON.parse(engine.estimate(bytes, name, JSON.stringify(choices), trial())),
  fit: ({ bytes, name, choices, time }) => JSON.parse(engine.fit(bytes, name, JSON.stringify(choices), time)),
  open: ({ bytes }) => JSON.parse(engine.open(bytes)),
  report: () => engine.report(),
  file: () => engine.file(),
  predict: ({ bytes, name, choices, keep }) => {
    const facts = JSON.parse(engine.predict(bytes, name, JSON.stringify(choices), keep));
    return { ...facts, csv: engine.predictions() };
  },
  play,
  learn: ({ points, settings }) => JSON.parse(engine.learn(points, JSON.stringify(settings))),
};

self.onmessage = ({ data }) => {
  if (data.module) {
    wasm_bindgen.initSync({ module: data.module });
    engine = new wasm_bindgen.Engine();
    return;
  }
  asking = data.id;
  try {
    self.postMessage({ id: data.id, answer: answers[data.question](data) });
  } catch (error) {
    // The module throws sentences; anything else is a trap.
    const told = typeof error === "string" ? { problem: error } : { broken: String(error) };
    self.postMessage({ id: data.id, ...told });
  }
};
