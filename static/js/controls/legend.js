/** The legend of the timeline: the kind that is chosen is marked alone, and what is gone to. Maps clicks. */

import { all, maybe } from "../page.js";

/**
 * @typedef {{next: () => void, previous: () => void, only: (kind: string | null) => void}} Does go to the next step of the
 *   kind, or the one before; mark a kind alone, or all
 */

/** @param {Does} does @returns {() => string} the kind to go to: by default recordings */
export function legend({ next, previous, only }) {
  /** @type {string | null} */
  let chosen = null;
  const kinds = all(document, ".kinds [data-kind]", HTMLButtonElement);
  for (const one of kinds)
    one.addEventListener("click", () => {
      const { kind = null } = one.dataset;
      chosen = kind === chosen ? null : kind;
      for (const each of kinds) each.setAttribute("aria-pressed", String(each.dataset.kind === chosen));
      only(chosen);
    });
  maybe("next-kind")?.addEventListener("click", next);
  maybe("previous-kind")?.addEventListener("click", previous);
  return () => chosen ?? "record";
}
