// Dialogs: opened by buttons that name them, filled with one trial by links that name its number.

import { mountCharts } from "./mounting.js";
import { problem } from "./forms.js";

export function openDialog(button) {
  const dialog = document.getElementById(button.dataset.opens);
  if (!dialog) return;
  const form = dialog.querySelector("form");
  if (button.dataset.send && form) {
    form.dataset.send = button.dataset.send;
    dialog.querySelector("[data-number]").textContent = button.dataset.number;
  }
  if (form) problem(form, "");
  dialog.showModal();
  dialog.querySelector("input:not([type=hidden]), select, textarea, a.button")?.focus();
}

export async function openTrial(number) {
  const dialog = document.getElementById("trial");
  if (!dialog) return;
  const place = dialog.querySelector("[data-fill]");
  dialog.dataset.number = number;
  dialog.querySelector("h2").textContent = `Trial ${number}`;
  if (!dialog.open) { place.replaceChildren(); dialog.showModal(); }
  await fillTrial();
}

export async function fillTrial() {
  const dialog = document.getElementById("trial");
  const number = dialog.dataset.number;
  const place = dialog.querySelector("[data-fill]");
  const response = await fetch(`${document.body.dataset.trialUrl}?number=${encodeURIComponent(number)}`, { headers: { Accept: "text/html" } });
  if (dialog.dataset.number !== number) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  const part = fresh.querySelector('[data-part="trial"]');
  if (!part) { place.textContent = "This trial cannot be shown."; return; }
  const before = place.querySelector('[data-chart="card"]');
  const card = part.querySelector('[data-chart="card"]');
  if (before && card && before.dataset.url === card.dataset.url) card.replaceWith(before);
  place.replaceChildren(...part.childNodes);
  mountCharts(place);
  document.dispatchEvent(new CustomEvent("pathmax:updated"));
}
