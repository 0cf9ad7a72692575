// The page keeps itself up to date: one connection tells what changed, then the changed parts of
// this very page are fetched and put in place. What somebody is typing stays where it is.

import { refreshCharts } from "./mounting.js";

const LEAST = 400; // milliseconds between two updates; more when they take long
const EACH = 10, LONGEST = 2000; // milliseconds by which many viewers come apart: for each, and in all
const watched = document.body.dataset.watch;

let source = null, timer = null, pending = false, took = 0, known = null, lastEvent = 0;

export function watch() {
  if (!watched) return;
  connect();
  document.addEventListener("visibilitychange", () => { if (!document.hidden && pending) soon(); });
  // A laptop that wakes up may hold a connection that is dead without knowing.
  setInterval(() => { if (source && silence() > 60000) connect(); }, 20000);
}

// Milliseconds since the server was heard last; it says something every fifteen seconds.
export function silence() {
  return Date.now() - lastEvent;
}

function connect() {
  source?.close();
  lastEvent = Date.now();
  source = new EventSource("/api/events");
  source.addEventListener("open", () => { lastEvent = Date.now(); state("live", "live"); });
  source.addEventListener("error", () => {
    state("lost", "reconnecting");
    if (source.readyState === EventSource.CLOSED) setTimeout(again, 1000);
  });
  source.addEventListener("studies", (event) => {
    lastEvent = Date.now();
    state("live", "live");
    trouble("");
    const now = JSON.stringify(watched === "*" ? JSON.parse(event.data).studies : JSON.parse(event.data).studies[watched] ?? null);
    if (known !== null ? now !== known : isStale(JSON.parse(now))) soon();
    known = now;
  });
  source.addEventListener("changed", (event) => {
    lastEvent = Date.now();
    const { study, viewers } = JSON.parse(event.data);
    known = event.data;
    if (watched === "*" || watched === study) soon(Math.random() * Math.min(LONGEST, EACH * viewers));
  });
  source.addEventListener("alive", () => { lastEvent = Date.now(); });
  source.addEventListener("trouble", (event) => { lastEvent = Date.now(); trouble(JSON.parse(event.data).message); });
  source.addEventListener("well", () => trouble(""));
}

// The server answered and refused: perhaps it was started again with another token.
async function again() {
  try { if (isLogin(await fetch(location.href, { redirect: "manual" }))) return signedOut(); } catch { /* it is down */ }
  connect();
}

function isLogin(response) {
  return response.type === "opaqueredirect" || response.status === 401;
}

function signedOut() {
  source?.close();
  source = null;
  state("lost", "signed out");
  const place = document.getElementById("trouble"), link = document.createElement("a");
  link.href = "/login";
  link.textContent = "Sign in again";
  place.hidden = false;
  place.replaceChildren("The server was started again and does not know this browser any more. ", link, " with the link or the token that it printed.");
}

// Whether something happened between the rendering of this page and the first event.
function isStale(now) {
  const revision = document.body.dataset.revision;
  return revision !== undefined && now !== null && String(now.revision) !== revision;
}

function state(name, words) {
  const place = document.getElementById("live");
  if (!place || place.textContent === words) return;
  place.dataset.state = name;
  place.textContent = words;
}

function trouble(words) {
  const place = document.getElementById("trouble");
  place.hidden = !words;
  place.textContent = words ? `The database does not answer: ${words}. Nothing that was told is lost; this page goes on by itself when it is back.` : "";
}

// `apart` are milliseconds by which the pages of many viewers ask one after the other: whoever asks or
// tells meanwhile need not wait for all of them.
export function soon(apart = 0) {
  pending = true;
  if (timer !== null || document.hidden) return;
  timer = setTimeout(async () => {
    timer = null;
    pending = false;
    const began = performance.now();
    try { await update(); } catch { state("lost", "reconnecting"); }
    took = performance.now() - began;
    if (pending) soon();
  }, apart + Math.max(took ? LEAST : 0, 6 * took));
}

// Fetch this page again and put its parts in place.
export async function update() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" }, redirect: "manual" });
  if (response.status === 404) return gone();
  if (isLogin(response)) return signedOut();
  if (!response.ok) throw new Error(`status ${response.status}`);
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  if (fresh.body.dataset.revision) document.body.dataset.revision = fresh.body.dataset.revision;
  const parts = new Map([...fresh.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  for (const place of document.querySelectorAll("main [data-part]")) {
    const part = parts.get(place.dataset.part);
    if (part && !place.closest("dialog")) merge(place, part);
  }
  document.dispatchEvent(new CustomEvent("pathmax:updated"));
  refreshCharts();
}

function gone() {
  source?.close();
  const place = document.getElementById("trouble");
  place.hidden = false;
  place.textContent = "This study has been deleted.";
}

export function inUse(place) {
  const active = document.activeElement;
  if (active && active !== place && place.contains(active) && active.matches("input, textarea, select")) return true;
  return [...place.querySelectorAll("input, textarea, select")].some(isChanged);
}

function isChanged(field) {
  if (field.type === "hidden" || field.closest("[data-filter], #suggest")) return false;
  if (field.matches("select")) return false;
  return field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

// Put a new element in the place of an old one, but for what is in use or keeps itself up to date.
export function merge(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  old.hidden = fresh.hidden;
  for (const kept of old.querySelectorAll("[data-keep]")) {
    const place = fresh.querySelector(`[data-keep="${CSS.escape(kept.dataset.keep)}"]`);
    place?.replaceWith(kept.cloneNode(true));
  }
  keepOpen(old, fresh);
  if (!inUse(old)) {
    const focused = old.contains(document.activeElement) ? path(document.activeElement) : null;
    old.replaceChildren(...fresh.childNodes);
    if (focused) old.querySelector(focused)?.focus();
    return;
  }
  const list = old.querySelector("[data-keyed]"), news = fresh.querySelector("[data-keyed]");
  if (!list) return; // somebody is typing in it; it is brought up to date with the next change
  const wanted = new Map([...(news?.children ?? [])].map((item) => [item.dataset.key, item]));
  for (const item of [...list.children]) {
    const other = wanted.get(item.dataset.key);
    if (!other) { if (inUse(item)) leave(item); else item.remove(); }
    else if (!inUse(item) && !item.isEqualNode(other)) item.replaceWith(other);
    wanted.delete(item.dataset.key);
  }
  for (const item of wanted.values()) list.append(item);
}

// What was unfolded stays so.
function keepOpen(old, fresh) {
  for (const item of old.querySelectorAll("[data-key]:has(details[open])")) {
    const other = fresh.querySelector(`[data-key="${CSS.escape(item.dataset.key)}"]`);
    other?.querySelectorAll("details").forEach((details) => { details.open = true; });
  }
}

// Somebody else has ended the trial whose result is being typed here.
function leave(item) {
  if (item.querySelector("[data-ended]")) return;
  const words = document.createElement("p");
  words.dataset.ended = "";
  words.className = "problem";
  words.textContent = "This trial has just been ended by somebody else. What you typed is still here.";
  item.append(words);
}

function path(element) {
  if (element.dataset.trial) return `[data-trial="${CSS.escape(element.dataset.trial)}"]`;
  if (element.id) return `#${CSS.escape(element.id)}`;
  return element.getAttribute("href") ? `[href="${CSS.escape(element.getAttribute("href"))}"]` : "#none";
}
