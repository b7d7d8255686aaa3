/**
 * Where the visitor was on the page when a choice led to another run of the same scenario: the tab, the scroll
 * positions of panels and page, and the focus. The new page takes it over, once. Reads and writes.
 */

const NAME = "bluecut.place";
/** A page that loads later than this, in milliseconds, does not come from the choice. */
const SOON = 20_000;
/** When the lists of a new page may be drawn, in milliseconds, and how often they are looked for. */
const LISTS = 80;
const TRIES = 5;

/** The address without the run: the same for every run of the scenario. */
const where = () => location.pathname.replace(/\/answer$/, "");

/** The part of the page that has the focus, if a new page has it, too. A list that is still to come has a first link. */
function focused() {
  const at = document.activeElement;
  if (at?.closest?.("#next")) return "#next a, #next:not(:has(a))";
  if (at?.closest?.("#switches")) return "#switches a";
  return at?.id && at !== document.body ? `#${CSS.escape(at.id)}` : null;
}

function save() {
  const panels = document.getElementById("panels");
  const tab = document.body.dataset.tab ?? null;
  const place = { where: where(), when: Date.now(), tab, panels: panels?.scrollTop ?? 0, page: scrollY, focus: focused() };
  try {
    sessionStorage.setItem(NAME, JSON.stringify(place));
  } catch {
    // Without storage the new page begins at its top.
  }
}

function taken() {
  try {
    const place = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
    sessionStorage.removeItem(NAME);
    return place && place.where === where() && Date.now() - place.when < SOON ? place : null;
  } catch {
    return null;
  }
}

/** @returns {{tab: string|undefined, restore: () => void}} */
export function keptPlace() {
  const place = taken();
  document.addEventListener("click", (event) => {
    const href = event.target.closest?.("a")?.getAttribute("href") ?? "";
    if (/\/(branch|find|answer)\?|^\/(run|challenge)\//.test(href)) save();
  });
  return {
    tab: place?.tab ?? undefined,
    restore() {
      if (!place) return;
      const panels = document.getElementById("panels");
      // The lists are drawn when the page is at rest, or come from the server: only then is there something to scroll.
      const scroll = (tries) => {
        panels.scrollTop = place.panels;
        if (panels.scrollTop < place.panels && tries) setTimeout(scroll, LISTS, tries - 1);
      };
      setTimeout(() => {
        if (panels) scroll(TRIES);
        scrollTo(0, place.page);
        if (place.focus && document.activeElement === document.body) document.querySelector(place.focus)?.focus({ preventScroll: true });
      }, LISTS);
    },
  };
}
