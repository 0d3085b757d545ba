import { post } from "./saving.js";

const words = document.getElementById("words");
words?.addEventListener("change", async () => {
  const answer = await post(words.dataset.url, JSON.stringify({ words: words.value }));
  if (answer?.ok) location.reload();
});
document.getElementById("go")?.focus({ preventScroll: true });
