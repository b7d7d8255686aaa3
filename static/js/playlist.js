/** The page of a playlist: a room is opened for the list, not for its item. Draws. */

import { first } from "./page.js";

const frame = first(document, ".playlist-item", HTMLIFrameElement);
const mark = () => frame.contentDocument?.documentElement?.classList.add("in-list");
frame.addEventListener("load", mark);
mark();
