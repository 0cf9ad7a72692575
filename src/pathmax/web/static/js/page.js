// Every page: charts, forms, dialogs, times, and updates by itself.

import { fillTrial, openDialog, openTrial } from "./dialogs.js";
import { send } from "./forms.js";
import { mountImport } from "./importing.js";
import { inUse, watch } from "./live.js";
import { mountCharts } from "./mounting.js";
import { mountChange } from "./space.js";
import { tick } from "./times.js";

document.addEventListener("submit", (event) => {
  if (!event.target.dataset.send) return;
  event.preventDefault();
  send(event.target);
});

document.addEventListener("click", (event) => {
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  const opener = event.target.closest("[data-opens]");
  if (opener) return openDialog(opener);
  const closer = event.target.closest("[data-closes]");
  if (closer) return closer.closest("dialog").close();
  const link = event.target.closest("a[data-trial]");
  if (link && plain && document.getElementById("trial")) {
    event.preventDefault();
    openTrial(link.dataset.trial);
  }
  if (event.target.matches("dialog")) closeOutside(event);
});

// A click beside a dialog closes it, unless something was typed.
function closeOutside(event) {
  const bounds = event.target.getBoundingClientRect();
  const inside = event.clientX >= bounds.left && event.clientX <= bounds.right && event.clientY >= bounds.top && event.clientY <= bounds.bottom;
  if (!inside && !inUse(event.target)) event.target.close();
}

document.addEventListener("pathmax:trial", (event) => openTrial(event.detail));
document.addEventListener("pathmax:updated", tick);
document.addEventListener("pathmax:sent", () => { if (document.getElementById("trial")?.open) fillTrial(); });

for (const filter of document.querySelectorAll("[data-filter]")) {
  filter.querySelector("select").addEventListener("change", () => filter.requestSubmit());
}
const importForm = document.getElementById("import-form");
if (importForm) mountImport(importForm);
const changeForm = document.getElementById("change-space");
if (changeForm) mountChange(changeForm);

mountCharts();
tick();
setInterval(tick, 5000);
watch();
