/** The promises as switches. The server says what this run would be with each of them turned; asked when first seen. */

import { html } from "../svg.js";

/** @param {HTMLElement} host @param {Object} words */
export function switches(host, words) {
  const watch = new IntersectionObserver((seen) => {
    if (!seen.some((each) => each.isIntersecting)) return;
    watch.disconnect();
    load();
  });
  watch.observe(host);

  async function load() {
    host.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(host.dataset.from, { headers: { "hx-request": "true" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const made = new DOMParser().parseFromString(await answer.text(), "text/html");
      host.replaceChildren(...made.body.children);
    } catch {
      const again = html("button", "go", words.word("player.retry"));
      again.type = "button";
      again.addEventListener("click", load);
      host.replaceChildren(html("p", "mute", words.word("switches.failed"), " ", again));
    }
    host.removeAttribute("aria-busy");
  }

  // A switch is turned by the space bar, too.
  host.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    event.target.closest("a")?.click();
  });
  // A search takes its time: say that it is under way.
  host.addEventListener("click", (event) => {
    const link = event.target.closest?.(".promise-find");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    link.textContent = words.word("switches.finding");
    link.setAttribute("aria-busy", "true");
  });
  // Coming back to the page, the search is over.
  addEventListener("pageshow", () => {
    for (const link of host.querySelectorAll(".promise-find[aria-busy]")) {
      link.textContent = words.word("switches.find");
      link.removeAttribute("aria-busy");
    }
  });
}
