/**
 * An immutable queue: a window onto a list that only grows at its end. Adding to the newest queue and removing its head
 * take constant time; only removing from the middle copies.
 */

/** @import { Message } from "./types.js" */

export class Queue {
  /** @param {Message[]} list @param {number} from @param {number} to */
  constructor(list, from, to) {
    this.list = list;
    this.from = from;
    this.to = to;
  }

  get length() {
    return this.to - this.from;
  }

  /** @param {number} i counted from the head */
  at(i) {
    return this.list[this.from + i];
  }

  /** @param {Message} message */
  push(message) {
    const list = this.list.length === this.to && this !== EMPTY ? this.list : this.items();
    list.push(message);
    return new Queue(list, list === this.list ? this.from : 0, list.length);
  }

  /** @param {number} i */
  without(i) {
    if (this.length === 1) return EMPTY;
    if (i === 0) return new Queue(this.list, this.from + 1, this.to);
    const items = this.items();
    items.splice(i, 1);
    return new Queue(items, 0, items.length);
  }

  /** The message at `i` goes to the place `to`. @param {number} i @param {number} to */
  moved(i, to) {
    const items = this.items();
    items.splice(to, 0, ...items.splice(i, 1));
    return new Queue(items, 0, items.length);
  }

  /** @param {number} id @returns {number} the position of the message, -1 if it is not here */
  find(id) {
    for (let i = this.from; i < this.to; i += 1) if (this.list[i].id === id) return i - this.from;
    return -1;
  }

  /** @param {number} [most] @returns {Message[]} */
  items(most = Infinity) {
    return this.list.slice(this.from, Math.min(this.to, this.from + most));
  }
}

export const EMPTY = new Queue([], 0, 0);

/** A queue of a list. @param {Message[]} list */
export function queueOf(list) {
  return list.length ? new Queue(list, 0, list.length) : EMPTY;
}
