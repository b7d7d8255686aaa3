/** What the checks say about a snapshot at a step, as keys and values of the catalogue. Computes; never draws. */

import { isHopeless } from "./snapshot.js";

/**
 * @param {import("./scene.js").Snapshot} snapshot @param {string[]} checks all that the server asks
 * @returns {{check: string, verdict: "holds"|"fails"|"open"|"none"|"never", witness: {key: string, fields: Object, jump: number|null}|null}[]}
 */
export function verdicts(snapshot, checks) {
  return checks.map((check) => {
    const judged = snapshot.checks[check];
    if (!judged) return { check, verdict: snapshot.complete ? "none" : isHopeless(snapshot) || snapshot.aborted !== null ? "never" : "open", witness: null };
    if (judged.holds) return { check, verdict: "holds", witness: null };
    return { check, verdict: judged.holds === null ? "none" : "fails", witness: witness(judged.witness ?? {}) };
  });
}

/** The sentence of a witness, and the step to look at. One without a fault compares totals. */
export function witness(told) {
  const message = told.message && typeof told.message === "object" ? told.message : {};
  const fields = {
    ...told,
    message: message.payload,
    channel: told.channel ?? message.channel,
    sent: message.sent,
    received: message.received,
  };
  return { key: `player.witness.${told.fault ?? "total"}`, fields, jump: message.received ?? message.sent ?? told.step ?? null };
}

/**
 * The recorded total, only if the checks compared totals. A message that is not an amount counts as one, like a token.
 */
export function total(snapshot) {
  const judged = snapshot.checks.conserved;
  if (!judged) return null;
  if (!judged.holds) return judged.witness?.recorded ?? null;
  const sums = new Map();
  const add = (value) => {
    if (value === null || typeof value !== "object") sums.set("", (sums.get("") ?? 0) + (typeof value === "number" ? value : 1));
    else for (const [name, amount] of Object.entries(value)) sums.set(name, (sums.get(name) ?? 0) + amount);
  };
  snapshot.parts.each((part) => part && add(part.state));
  snapshot.channels.each((recording) => recording?.log.items().forEach((message) => add(message.payload)));
  return sums.size === 1 && sums.has("") ? sums.get("") : Object.fromEntries(sums);
}
