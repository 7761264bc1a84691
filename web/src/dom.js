// Elements, without a framework.

/** The element of an id. */
export const byId = (id) => document.getElementById(id);

/** An element with attributes (or properties: those whose value is no string) and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "string") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** A table of texts; the first column of a row is its head where `rowHeads` is set. */
export function makeTable(head, rows, { caption = "", rowHeads = false } = {}) {
  const cell = (text, i) => (rowHeads && i === 0 ? make("th", { scope: "row" }, text) : make("td", {}, text));
  const table = make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell)))),
  );
  if (caption) table.prepend(make("caption", {}, caption));
  return make("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": caption || "table" }, table);
}

/** Calls `work` once, this many milliseconds after the last call. */
export function settled(work, milliseconds) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}

/** What the element of an id holds, compressed. */
export function unpacked(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}

/** Gives the browser a file to save. */
export function save(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
