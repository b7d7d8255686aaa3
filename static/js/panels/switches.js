/** The promises as switches. The server says how each of them would change this run; asked when first seen. */

import { ask } from "../ask.js";
import { around, data } from "../page.js";

/** @param {HTMLElement} host */
export function switches(host) {
  const watch = new IntersectionObserver((seen) => {
    if (!seen.some((each) => each.isIntersecting)) return;
    watch.disconnect();
    load();
  });
  watch.observe(host);

  async function load() {
    const answer = await ask(data(host, "from"), { at: host, within: host, headers: { "hx-request": "true" } });
    if (answer) host.replaceChildren(...new DOMParser().parseFromString(answer.text, "text/html").body.children);
  }

  // The space bar turns a switch, too.
  host.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    around(event.target, "a")?.click();
  });
}
