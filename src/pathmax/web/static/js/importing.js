// Import of a CSV file: what it would do is said as soon as a file is chosen.

import { post } from "./api.js";
import { problem } from "./forms.js";
import { soon } from "./live.js";
import { say } from "./toasts.js";

export function mountImport(form) {
  const preview = form.querySelector("[data-preview]"), button = form.querySelector("button[type=submit]");
  const address = (only) => {
    const url = new URL(form.dataset.url, location.href);
    for (const name of form.elements.ignore.value.split(",").map((text) => text.trim()).filter(Boolean)) url.searchParams.append("ignore", name);
    const sheet = form.elements.sheet.value.trim();
    if (sheet) url.searchParams.set("sheet", sheet);
    if (only) url.searchParams.set("preview", "true");
    return url;
  };
  const take = async (only) => {
    const file = form.elements.file.files[0];
    if (!file) return null;
    problem(form, "");
    preview.hidden = true;
    button.setAttribute("aria-busy", "true");
    try {
      return await post(address(only), file, { raw: true });
    } catch (error) {
      problem(form, error.message);
      return null;
    } finally {
      button.removeAttribute("aria-busy");
    }
  };
  const look = async () => {
    const counts = await take(true);
    if (!counts) return;
    preview.textContent = `This file ${words(counts, "would fill in", "would add")}.`;
    preview.hidden = false;
  };
  form.elements.file.addEventListener("click", (event) => { event.target.value = ""; }); // the same file again, mended
  form.elements.file.addEventListener("change", look);
  form.elements.ignore.addEventListener("change", look);
  form.elements.sheet.addEventListener("change", look);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const counts = await take(false);
    if (!counts) return;
    say(`Import ${words(counts, "filled in", "added")}`);
    form.reset();
    preview.hidden = true;
    form.closest("dialog").close();
    soon();
  });
}

function words(counts, filled, added) {
  const parts = [];
  const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  if (counts.told) parts.push(`${filled} ${plural(counts.told, "trial")}`);
  parts.push(`${added} ${plural(counts.added, "result")}`);
  if (counts.known) parts.push(`${counts.known} known already`);
  if (counts.waiting) parts.push(`${plural(counts.waiting, "row")} without a result`);
  return parts.join(", ");
}
