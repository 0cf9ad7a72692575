// Change of a space: what would change is said while one types, before anything is changed.

import { post } from "./api.js";
import { problem } from "./forms.js";
import { say } from "./toasts.js";

const PAUSE = 350; // milliseconds without a key

export function mountChange(form) {
  const text = form.elements.toml, button = form.querySelector("button"), preview = form.querySelector("[data-preview]");
  const state = form.querySelector("[data-state]");
  let timer = null, turn = 0;
  const check = async () => {
    const mine = ++turn;
    if (text.value === text.defaultValue) return tell("", "Nothing is different yet.", false);
    try {
      const found = await post(form.dataset.url, { toml: text.value, preview: true });
      if (mine !== turn) return;
      problem(form, "");
      text.removeAttribute("aria-invalid");
      if (found.sentences.length) tell(`${found.change}.`, "", true);
      else tell("", "Nothing is different yet.", false);
    } catch (error) {
      if (mine !== turn) return;
      tell("", "", false);
      text.setAttribute("aria-invalid", "true");
      problem(form, error.message);
    }
  };
  const tell = (words, other, ready) => {
    preview.textContent = words;
    preview.hidden = !words;
    state.textContent = other;
    button.disabled = !ready;
    if (ready || !words) problem(form, "");
  };
  text.addEventListener("input", () => {
    button.disabled = true;
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.setAttribute("aria-busy", "true");
    try {
      const done = await post(form.dataset.url, { toml: text.value });
      say(done.changed ? "The study goes on in the new space" : "Nothing was different");
      text.defaultValue = text.value;
      location.reload();
    } catch (error) {
      problem(form, error.message);
    } finally {
      button.removeAttribute("aria-busy");
    }
  });
}
