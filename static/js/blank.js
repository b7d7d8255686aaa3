/** The sheet to print: its button asks the browser to. Without scripts there is none, and the browser's own menu does. */

const button = document.getElementById("blank-print");
button.hidden = false;
button.addEventListener("click", () => window.print());
