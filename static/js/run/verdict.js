/** What the checks say about a snapshot at a step, as keys and values of the catalogue. Computes; never draws. */

import { isHopeless } from "./snapshot.js";

/** @import { Json, Snapshot } from "./types.js" */

/**
 * @typedef {{key: string, fields: Record<string, any>, jump: number | null}} Witness
 * @typedef {{check: string, verdict: "holds" | "fails" | "open" | "none" | "never", witness: Witness | null}} Judged
 */

/** @param {Snapshot} snapshot @param {string[]} checks all that the server asks @returns {Judged[]} */
export function verdicts(snapshot, checks) {
  const unusable = snapshot.unusable.length > 0;
  const never = isHopeless(snapshot) || snapshot.aborted !== null || unusable;
  return checks.map((check) => {
    const judged = snapshot.checks[check];
    // Of what nobody can restart from, nothing holds.
    if (unusable || snapshot.aborted !== null) return { check, verdict: "never", witness: null };
    if (!judged) return { check, verdict: snapshot.complete ? "none" : never ? "never" : "open", witness: null };
    if (judged.holds) return { check, verdict: "holds", witness: null };
    return { check, verdict: judged.holds === null ? "none" : "fails", witness: witness(judged.witness ?? {}) };
  });
}

/** The sentence of a witness, and the step to look at. One without a fault compares totals.
 * @param {Json} told @returns {Witness} */
function witness(told) {
  const message = told.message && typeof told.message === "object" ? told.message : {};
  const fields = {
    ...told,
    message: message.payload,
    channel: told.channel ?? message.channel,
    sent: message.sent,
    received: message.received,
  };
  return {
    key: `player.witness.${told.fault ?? "total"}`,
    fields,
    jump: message.received ?? message.sent ?? told.step ?? null,
  };
}

/**
 * The recorded total, only if the checks compared totals. A message that is not an amount counts as one, like a token.
 * @param {Snapshot} snapshot
 */
export function total(snapshot) {
  const judged = snapshot.checks.conserved;
  if (!judged) return null;
  if (!judged.holds) return judged.witness?.recorded ?? null;
  const sums = new Map();
  const add = (/** @type {Json} */ value) => {
    const amounts = value === null || typeof value !== "object" ? { "": typeof value === "number" ? value : 1 } : value;
    for (const [name, amount] of Object.entries(amounts)) sums.set(name, (sums.get(name) ?? 0) + amount);
  };
  for (const part of snapshot.parts.items()) if (part) add(part.state);
  for (const each of snapshot.channels.items()) for (const { payload } of each?.log.items() ?? []) add(payload);
  return sums.size === 1 && sums.has("") ? sums.get("") : Object.fromEntries(sums);
}
