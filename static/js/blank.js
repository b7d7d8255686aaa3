/** The sheet to print: its button opens the browser's print dialog. Without scripts, use the browser's menu. */

import { one } from "./page.js";

const button = one("blank-print");
button.hidden = false;
button.addEventListener("click", () => window.print());
