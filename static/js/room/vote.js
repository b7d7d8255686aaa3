/**
 * A ballot on a phone: the answer is kept here until the server has it, and marked as one's own afterwards. Wires.
 */

import { all, as, data, one } from "../page.js";
import { keepValue, valueOf } from "../storage.js";
import { html } from "../svg.js";
import { say } from "./line.js";

const ballot = one("ballot");
const status = one("ballot-status");
const name = `bluecut.room.${data(ballot, "code")}.${data(ballot, "poll")}`;
const form = ballot.querySelector("form");

/** What this phone has answered in a round. @param {string} round @returns {{turn: number, answer: [string, string][], sent: boolean} | null} */
function kept(round) {
  return valueOf(`${name}.${round}`);
}

/** @param {{turn: number, answer: [string, string][], sent: boolean}} vote */
function keep(vote) {
  keepValue(`${name}.${data(ballot, "round")}`, vote);
}

/** Mark one's own answer. @param {[string, string][]} answer */
function mark(answer) {
  const values = answer.map(([, value]) => value);
  for (const input of all(ballot, "input[name=answer]", HTMLInputElement)) {
    if (input.type === "text") input.value = values[0] ?? "";
    else {
      input.checked = values.includes(input.value);
      const option = input.closest("label");
      if (input.checked && option && !option.querySelector(".ballot-mine")) {
        option.append(html("span", "ballot-mine", data(ballot, "mine")));
      }
      if (!input.checked) option?.querySelector(".ballot-mine")?.remove();
    }
  }
}

/** @param {{turn: number, answer: [string, string][], sent: boolean}} vote */
async function send(vote) {
  if (!form) return;
  keep(vote);
  status.textContent = data(ballot, "sending");
  const body = new URLSearchParams([...vote.answer, ["turn", String(vote.turn)]]);
  for (const field of ["poll", "round"]) body.set(field, data(ballot, field));
  const { status: code, told } = await say(`/r/${data(ballot, "code")}/vote`, body, (why) => {
    status.textContent = data(ballot, why ? "unkept" : "unsent");
  });
  const newer = kept(data(ballot, "round"));
  if (newer && newer.turn > vote.turn) return; // another answer was given meanwhile
  status.dataset.kind = code === 200 ? "counted" : "refused";
  if (code === 200 && told.turn > vote.turn) return send({ ...vote, turn: told.turn + 1 }); // from another page of this phone
  status.textContent = code === 200 ? data(ballot, "counted") : code === 409 ? data(ballot, "closed") : told?.error;
  if (code !== 200) return;
  keep({ ...vote, sent: true });
  mark(vote.answer);
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = /** @type {[string, string][]} */ ([...new FormData(form)]);
  const answer = fields.filter(([field, value]) => (field === "answer" || field === "place") && value);
  send({ turn: (kept(data(ballot, "round"))?.turn ?? 0) + 1, answer, sent: false });
});

const round = data(ballot, "round");
if (ballot.dataset.given) {
  // The form was sent before this script was there.
  const [turn, answers] = JSON.parse(ballot.dataset.given);
  const answer = answers.map((/** @type {string} */ value) => ["answer", value]);
  if (turn >= (kept(round)?.turn ?? 0)) keep({ turn, answer, sent: true });
}
const mine = kept(round === "0" ? "2" : round) ?? kept("1");
if (mine && (round === "0" || kept(round))) {
  mark(mine.answer);
  if (as(form)?.querySelector("[type=submit]")) {
    if (mine.sent) status.textContent = data(ballot, "counted");
    else send(mine);
  }
}
