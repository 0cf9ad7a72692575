// Requests to the server. An answer that was lost may be asked for again: a key goes with each
// request that writes, so that nothing happens twice.

export class Refusal extends Error {
  constructor(content, status) {
    super(content.message || `the server answered with status ${status}`);
    this.code = content.error || "";
    this.status = status;
    this.content = content;
  }
}

const ATTEMPTS = 3;

export async function get(url, signal) {
  return read(await fetch(url, { headers: { Accept: "application/json" }, signal }));
}

// The answer, and in how many seconds there can be a newer one; 0 when it is new. The server is told
// which answer is here already, and sends it no second time.
const seen = new Map();

export async function getWithDelay(url) {
  const before = seen.get(String(url));
  const known = before ? { "If-None-Match": before.tag } : {};
  const response = await fetch(url, { headers: { Accept: "application/json", ...known } });
  const delay = Number(response.headers.get("Retry-After") ?? 0);
  if (before && response.status === 304) return { content: before.content, delay };
  const content = await read(response), tag = response.headers.get("ETag");
  if (tag) seen.set(String(url), { tag, content });
  return { content, delay };
}

export async function post(url, body, { raw = false, signal = undefined } = {}) {
  const key = crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random()}`;
  const headers = { Accept: "application/json", "Idempotency-Key": key, "Content-Type": raw ? "text/csv" : "application/json" };
  const request = { method: "POST", headers, body: raw ? body : JSON.stringify(body), signal };
  for (let attempt = 1; ; attempt++) {
    try {
      return await read(await fetch(url, request));
    } catch (error) {
      if (error instanceof Refusal || error.name === "AbortError") throw error;
      if (attempt >= ATTEMPTS) throw new Error("the server does not answer; what you entered is still here. Try again when it is back.");
      await new Promise((resolve) => setTimeout(resolve, 400 * attempt));
    }
  }
}

async function read(response) {
  const text = await response.text();
  let content = {};
  try { content = text ? JSON.parse(text) : {}; } catch { content = { message: "the server answered with something that is no JSON" }; }
  if (response.status === 401) content.message = "you are signed out, since the server was started again; open the link that it printed in another tab, then try again here.";
  if (!response.ok) throw new Refusal(content, response.status);
  return content;
}
