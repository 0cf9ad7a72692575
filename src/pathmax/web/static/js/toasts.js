// What just happened, in a corner; screen readers read it out.

import { html } from "./charts/svg.js";

const SECONDS = 6;

export function say(words, bad = false) {
  const corner = document.getElementById("toasts");
  const close = html("button", { type: "button", "aria-label": "Dismiss" }, "✕");
  const toast = html("div", { class: bad ? "toast bad" : "toast" }, words, close);
  close.addEventListener("click", () => toast.remove());
  corner.append(toast);
  while (corner.children.length > 4) corner.firstElementChild.remove();
  if (!bad) setTimeout(() => toast.remove(), SECONDS * 1000);
}
