// Scales by keyboard: a digit rates the scale that has the focus and goes to the next; Enter goes on, Shift+Enter back.

import { openPage } from "./page.js";

const scales = [...document.querySelectorAll("fieldset.scale")];
const next = document.getElementById("next");
const skipped = document.getElementById("skipped");
const chosen = (scale) => scale.querySelector("input:checked");
const open = () => scales.find((scale) => !chosen(scale));

const { page, save, back } = openPage(() => ({
  ratings: Object.fromEntries(
    scales.filter(chosen).map((scale) => [scale.dataset.dimension, Number(chosen(scale).value)]),
  ),
}));

function focusOn(scale) {
  (chosen(scale) ?? scale.querySelector("input")).focus({ preventScroll: true });
  scale.scrollIntoView({ block: "nearest" });
}

function rate(scale, digit) {
  const input = scale.querySelector(`input[value="${digit}"]`);
  if (!input) return;
  input.checked = true;
  save();
  const after = scales[scales.indexOf(scale) + 1] ?? open();
  if (after) focusOn(after);
  else next.focus();
}

document.addEventListener("change", (event) => { if (event.target.type === "radio") save(); });

document.addEventListener("keydown", (event) => {
  const scale = event.target.closest("fieldset.scale");
  if (event.ctrlKey || event.metaKey || event.altKey || (!scale && event.target !== document.body)) return;
  if (/^[0-9]$/.test(event.key)) {
    event.preventDefault();
    rate(scale ?? open() ?? scales[0], event.key);
  } else if (event.key === "Enter") {
    event.preventDefault();
    if (event.shiftKey) back();
    else goOn();
  }
});

function goOn() {
  const left = skipped.value ? null : open();
  if (!left) {
    next.click();
    return;
  }
  focusOn(left);
  document.getElementById("status").textContent = page.words.incomplete;
}

focusOn(open() ?? scales[0]);
scrollTo(0, 0);
