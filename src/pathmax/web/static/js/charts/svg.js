// Elements of SVG and HTML, made without any HTML text: what users wrote stays text.

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// A path through points; null interrupts it.
export function through(points) {
  let text = "", pen = "M";
  for (const point of points) {
    if (point === null) { pen = "M"; continue; }
    text += `${pen}${point[0].toFixed(1)} ${point[1].toFixed(1)}`;
    pen = "L";
  }
  return text;
}

export function star(x, y, radius) {
  const corners = [];
  for (let i = 0; i < 10; i++) {
    const r = i % 2 ? radius * 0.42 : radius, angle = (Math.PI * i) / 5 - Math.PI / 2;
    corners.push([x + r * Math.cos(angle), y + r * Math.sin(angle)]);
  }
  return svg("path", { d: through(corners) + "Z", class: "c-star" });
}

export function cross(x, y, r, name = "c-failed") {
  return svg("path", { d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`, class: name });
}

export function diamond(x, y, r, name = "c-stopped") {
  return svg("path", { d: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`, class: name });
}

// A small triangle that points down (1) or up (-1): what it stands for lies beyond the chart.
export function pointer(x, y, way) {
  return svg("path", { d: `M${x - 3.6} ${y - 2 * way}L${x + 3.6} ${y - 2 * way}L${x} ${y + 4 * way}Z`, class: "c-stopped" });
}

export function legend(entries) {
  const list = html("ul", { class: "legend" });
  for (const [mark, words] of entries) {
    const picture = svg("svg", { viewBox: "0 0 18 12", "aria-hidden": "true" }, mark);
    list.append(html("li", {}, picture, words));
  }
  return list;
}

export const marks = {
  dot: (name) => svg("circle", { cx: 9, cy: 6, r: 3.5, class: name }),
  line: (name) => svg("path", { d: "M0 6H18", class: name }),
  band: () => svg("g", {}, svg("rect", { width: 18, height: 12, class: "c-band" }), svg("path", { d: "M0 6H18", class: "c-mean" })),
  star: () => star(9, 6, 6.5),
  diamond: (name) => diamond(9, 6, 4, name),
  pointer: () => pointer(9, 5, 1),
  cross: (name) => cross(9, 6, 3.5, name),
};
