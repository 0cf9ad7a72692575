// Forms that send JSON: each field says by `data-into` where its value goes, and by `data-kind`
// what it is. Sentences of the server stand below the form they belong to.

import { post } from "./api.js";
import { soon } from "./live.js";
import { say } from "./toasts.js";

export function body(form) {
  const content = {};
  const attribute = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || field.type === "submit" || field.type === "button") continue;
    if (field.dataset.attribute) { attribute[field.dataset.attribute] = field.value.trim(); continue; }
    const text = field.value.trim();
    const into = field.dataset.into ?? field.name;
    if (into.endsWith(".")) {
      const group = (content[into.slice(0, -1)] ??= {});
      if (text) group[field.name] = text;
    } else if (text || field.matches("textarea")) {
      content[into] = convert(text, field.dataset.kind);
    }
  }
  if (attribute.key) content.attributes = { [attribute.key]: guess(attribute.value ?? "") };
  return content;
}

function convert(text, kind) {
  if (kind === "whole") return Number.parseInt(text, 10);
  if (kind === "number") return Number(text.replace(",", "."));
  if (kind === "truth") return text === "true";
  return text;
}

// A number where it reads as one, else text.
function guess(text) {
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

export function problem(form, words) {
  const place = form.querySelector(".problem");
  if (place) place.textContent = words;
}

export async function send(form) {
  const button = form.querySelector("button:not([type=button])");
  if (button?.getAttribute("aria-busy") === "true") return;
  problem(form, "");
  button?.setAttribute("aria-busy", "true");
  try {
    const answer = await post(form.dataset.send, body(form));
    say(told(form, answer));
    for (const field of form.querySelectorAll('[data-into="context."]')) stay(field);
    form.reset();
    document.activeElement?.blur?.();
    form.querySelectorAll("details[open]").forEach((details) => { details.open = false; });
    if (form.dataset.closing !== undefined) form.closest("dialog")?.close();
    form.dispatchEvent(new CustomEvent("pathmax:sent", { bubbles: true, detail: answer }));
    soon();
  } catch (error) {
    problem(form, error.message);
    form.querySelector("input:not([type=hidden]), textarea")?.focus();
  } finally {
    button?.removeAttribute("aria-busy");
  }
}

// The context of the day holds for the next suggestion too.
function stay(field) {
  if (!field.options) field.defaultValue = field.value;
  for (const option of field.options ?? []) option.defaultSelected = option.selected;
}

function told(form, answer) {
  if (answer.trials) {
    const numbers = answer.trials.map((trial) => trial.number);
    return numbers.length === 1 ? `Trial ${numbers[0]} is suggested` : `Trials ${numbers[0]} to ${numbers.at(-1)} are suggested`;
  }
  const number = answer.trial?.number;
  const best = number !== undefined && answer.best === number && answer.trial.state === "complete" ? ": the best so far" : "";
  const words = form.dataset.done || "stored";
  return (words.startsWith("T") || number === undefined ? words : `Trial ${number}: ${words}`) + best;
}
