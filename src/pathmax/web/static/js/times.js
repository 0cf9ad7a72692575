// Times as people read them: how long something has been running, and when something was.

const MINUTE = 60, HOUR = 3600, DAY = 86400;

export function lasting(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole >= DAY) return `${Math.floor(whole / DAY)} d${Math.floor((whole % DAY) / HOUR) ? ` ${Math.floor((whole % DAY) / HOUR)} h` : ""}`;
  if (whole >= HOUR) return `${Math.floor(whole / HOUR)} h${Math.floor((whole % HOUR) / MINUTE) ? ` ${Math.floor((whole % HOUR) / MINUTE)} min` : ""}`;
  return whole >= MINUTE ? `${Math.floor(whole / MINUTE)} min` : `${whole} s`;
}

export function moment(seconds) {
  const then = new Date(seconds * 1000), now = new Date();
  const time = then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (then.toDateString() === now.toDateString()) return `today ${time}`;
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (then.toDateString() === yesterday.toDateString()) return `yesterday ${time}`;
  const date = then.toLocaleDateString([], { year: "numeric", month: "short", day: "numeric" });
  return `${date}, ${time}`;
}

export function tick() {
  const now = Date.now() / 1000;
  for (const place of document.querySelectorAll("time[data-since]")) put(place, lasting(now - Number(place.dataset.since)));
  for (const place of document.querySelectorAll("time[data-moment]")) {
    put(place, moment(Number(place.dataset.moment)));
    place.dateTime ||= new Date(Number(place.dataset.moment) * 1000).toISOString();
  }
}

function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
