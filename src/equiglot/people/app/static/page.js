// What pages of both tasks share: the time spent on them, notes, skipping, going back and on once all is saved.

import { Saver } from "./saving.js";

const element = (id) => document.getElementById(id);

// said: gives the task's own part of the state; returns what the task needs.
export function openPage(said) {
  const page = JSON.parse(element("page").dataset.page);
  const saver = new Saver({ url: location.pathname, revision: page.revision, status: element("status"), words: page.words });
  const seconds = stopwatch(page.seconds);
  const state = () => ({
    ratings: {}, spans: [], finished: false, ...said(),
    note: element("note").value, skipped: element("skipped").value || null, seconds: seconds(),
  });
  const save = () => saver.change(state);
  const leave = async (href) => {
    save();
    if (await saver.settled()) location.assign(href);
  };
  const back = () => leave(element("back").href);
  const next = () => leave(element("next").href);

  element("note").addEventListener("input", save);
  element("skipped").addEventListener("change", save);
  for (const [id, go] of [["back", back], ["next", next]]) {
    element(id).addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      element(id).dispatchEvent(new CustomEvent("leaving"));
      go();
    });
  }
  element("form").addEventListener("submit", (event) => event.preventDefault());
  element("note").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) element("next").click();
  });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  return { page, save, back, next };
}

// Seconds for which the page was to be seen, with those from before.
function stopwatch(before) {
  let total = before * 1000;
  let since = document.visibilityState === "visible" ? performance.now() : null;
  document.addEventListener("visibilitychange", () => {
    if (since !== null) total += performance.now() - since;
    since = document.visibilityState === "visible" ? performance.now() : null;
  });
  return () => Math.round((total + (since === null ? 0 : performance.now() - since)) / 100) / 10;
}
