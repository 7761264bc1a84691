// The two rooms of the page, by the fragment of its address.

import { byId, unpacked } from "./dom.js";
import { showPlayground } from "./playground.js";
import { startTable } from "./table.js";

function room() {
  // The link past the header stays in the room.
  if (location.hash === "#main") return;
  const name = location.hash.startsWith("#playground") ? "playground" : "table";
  for (const other of ["table", "playground"]) {
    byId(other).hidden = other !== name;
    if (other === name) byId(`to-${other}`).setAttribute("aria-current", "page");
    else byId(`to-${other}`).removeAttribute("aria-current");
  }
  document.title = `gpclass: ${name === "table" ? "your table" : "playground"}`;
  if (name === "playground") showPlayground();
}

// A text as long as a book, unpacked for whoever asks.
byId("licences").ontoggle = async ({ target }) => {
  target.ontoggle = null;
  target.querySelector("pre").textContent = await unpacked("packed-licences").text();
};

startTable();
addEventListener("hashchange", room);
room();
// Whoever waits for the page sees that it works from here on.
document.documentElement.dataset.ready = "yes";
