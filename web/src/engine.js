// The engine: a WebAssembly module in a worker, both from inside this page, so that nothing has to be fetched.

import { byId, unpacked } from "./dom.js";

let compiled;

/** The module, unpacked and compiled once. */
function compile() {
  compiled ??= unpacked("engine")
    .arrayBuffer()
    .then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

/** Thrown by what is waited for when the engine is stopped. */
export class Stopped extends Error {}

/** One worker, which answers questions in their order. */
export class Engine {
  #worker = null;
  #waiting = new Map();
  #next = 0;

  /** Asks the worker; `told` hears what it says before the answer. */
  async ask(question, values = {}, told = () => {}) {
    const worker = await this.#started();
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject, told });
      worker.postMessage({ id, question, ...values });
    });
  }

  /** Ends whatever is being done; the next question starts anew. */
  stop() {
    this.#worker?.then((worker) => worker.terminate());
    this.#worker = null;
    this.#abandon(new Stopped("stopped"));
  }

  #abandon(error) {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    waiting.forEach(({ reject }) => reject(error));
  }

  #started() {
    this.#worker ??= compile().then((module) => {
      const url = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
      const worker = new Worker(url);
      URL.revokeObjectURL(url);
      worker.onmessage = ({ data }) => this.#hear(data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.#fail(event.message);
      };
      worker.postMessage({ module });
      return worker;
    });
    return this.#worker;
  }

  #hear({ id, told, answer, problem, broken }) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (told) return waiting.told(told);
    this.#waiting.delete(id);
    if (broken) return this.#fail(broken, waiting);
    if (problem === undefined) waiting.resolve(answer);
    else waiting.reject(new Error(problem));
  }

  // After a trap the module's memory cannot be trusted.
  #fail(detail, waiting) {
    const error = new Error(
      `the engine stopped: ${detail}; most often the page ran out of memory: try fewer rows, or the command-line tool`,
    );
    waiting?.reject(error);
    this.#worker?.then((worker) => worker.terminate());
    this.#worker = null;
    this.#abandon(error);
  }
}
