// Errors marked in the text. Offsets are code points, widened to whole graphemes; the text is shown, never edited.

import { openPage } from "./page.js";

const element = (id) => document.getElementById(id);
const box = element("text");
let finished = false;
let selection = null; // [start, end) in UTF-16 units, as the browser counts
let errors = [];

const { page, save } = openPage(() => ({ spans: errors, finished }));
const text = page.text;
finished = page.done;
errors = page.spans;

const points = (units) => Array.from(text.slice(0, units)).length;
const units = (count) => Array.from(text).slice(0, count).join("").length;

function widened(start, end) {
  if (!("Segmenter" in Intl)) return [start, end];
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
    const after = index + segment.length;
    if (index < start && after > start) start = index;
    if (index < end && after > end) end = after;
  }
  return [start, end];
}

function offset(node, at) {
  const range = document.createRange();
  range.setStart(box, 0);
  range.setEnd(node, at);
  return range.toString().length;
}

document.addEventListener("selectionchange", () => {
  const now = getSelection();
  if (!now.rangeCount || !box.contains(now.anchorNode) || !box.contains(now.focusNode)) return;
  const range = now.getRangeAt(0);
  const [start, end] = [offset(range.startContainer, range.startOffset), offset(range.endContainer, range.endOffset)];
  select(start < end ? widened(start, end) : null);
});

function select(range) {
  selection = range;
  element("selected").textContent = range ? text.slice(...range) : page.words.nothing_selected;
}

// The text with every error marked; where errors overlap, the piece they share is marked once.
function show() {
  const placed = errors.filter((error) => error.start !== null)
    .map((error) => ({ ...error, from: units(error.start), to: units(error.end) }));
  const cuts = [...new Set([0, text.length, ...placed.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b);
  box.replaceChildren(...cuts.slice(1).map((to, i) => {
    const piece = text.slice(cuts[i], to);
    const here = placed.filter((error) => error.from <= cuts[i] && error.to >= to);
    if (!here.length) return document.createTextNode(piece);
    const mark = document.createElement("mark");
    mark.className = here.length > 1 ? "several" : "";
    mark.textContent = piece;
    return mark;
  }));
  element("errors").replaceChildren(...errors.map(entry));
  element("none").hidden = errors.length > 0;
}

function entry(error, index) {
  const item = document.createElement("li");
  const quote = document.createElement("q");
  quote.dir = "auto";
  quote.lang = box.lang;
  quote.textContent = error.start === null ? page.words.nothing_selected : Array.from(text).slice(error.start, error.end).join("");
  const called = (id, value) => element(id).querySelector(`option[value="${CSS.escape(value)}"]`).textContent;
  const remove = document.createElement("button");
  remove.type = "button";
  remove.className = "button";
  remove.textContent = page.words.remove;
  remove.setAttribute("aria-label", `${page.words.remove} ${index + 1}`);
  remove.addEventListener("click", () => {
    errors = errors.filter((_, i) => i !== index);
    show();
    save();
    box.focus();
  });
  item.append(quote, ` ${called("category", error.category)}, ${called("severity", error.severity)} `, remove);
  return item;
}

element("add").addEventListener("click", () => {
  const [start, end] = selection ? selection.map(points) : [null, null];
  errors = [...errors, { start, end, category: element("category").value, severity: element("severity").value }];
  select(null);
  show();
  save();
  box.focus();
});

element("next").addEventListener("leaving", () => { finished = true; });
box.addEventListener("beforeinput", (event) => event.preventDefault());
box.addEventListener("input", show); // what an input method wrote all the same
box.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  element("category").focus();
});

select(null);
show();
box.focus({ preventScroll: true });
