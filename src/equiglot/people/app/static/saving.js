// Saves a page at every change: one request at a time, sent again until it is acknowledged, the newest state last.

const LONGEST_WAIT = 8000;

export class Saver {
  // url: where saves go; revision: of the page as it is shown; status: the element that says how it stands; words: what it says.
  constructor({ url, revision, status, words }) {
    Object.assign(this, { url, revision, status, words, pending: null, running: null, stopped: false });
    addEventListener("beforeunload", (event) => { if (this.unsaved) event.preventDefault(); });
  }

  get unsaved() { return !this.stopped && (this.pending !== null || this.running !== null); }

  // Save what `state()` gives when its turn comes.
  change(state) {
    if (this.stopped) return;
    this.pending = state;
    this.running ??= this.#run().finally(() => { this.running = null; });
  }

  // Resolves to whether all is saved, once nothing is under way.
  async settled() {
    while (this.running) await this.running;
    return !this.stopped;
  }

  async #run() {
    while (this.pending && !this.stopped) {
      const body = JSON.stringify({ ...this.pending(), revision: this.revision, save: newName() });
      this.pending = null;
      await this.#send(body);
    }
  }

  async #send(body) {
    this.#say("saving");
    for (let wait = 500; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      const answer = await post(this.url, body);
      if (answer?.ok) {
        this.revision = (await answer.json()).revision;
        if (!this.pending) this.#say("saved");
        return;
      }
      if (answer && answer.status < 500) {
        this.stopped = true;
        this.#say(answer.status === 409 ? "changed" : "refused");
        return;
      }
      this.#say("retrying");
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  #say(what) {
    this.status.dataset.state = what;
    this.status.textContent = this.words[what];
  }
}

// The answer to a request, or null where none came.
export async function post(url, body) {
  try {
    return await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true });
  } catch {
    return null;
  }
}

function newName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
