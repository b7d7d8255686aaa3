/** The dialog with a link to the step, the frame for other pages, and the other views of the step. Draws. */

/** @param {Object} place the address @param {Object} words @param {string} title of the scenario */
export function share(place, words, title) {
  const dialog = document.getElementById("share-dialog");
  const part = (name) => document.getElementById(`share-${name}`);

  for (const button of dialog.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copy(document.getElementById(button.dataset.copy)));
  }

  async function copy(field) {
    field.select();
    let done = false;
    try {
      await navigator.clipboard.writeText(field.value);
      done = true;
    } catch {
      // Pages without https have no clipboard: the text is selected, ready to be copied by hand.
      done = document.execCommand?.("copy") ?? false;
    }
    part("done").textContent = words.word(done ? "player.share.copied" : "player.share.uncopied");
  }

  return {
    open(step, steps) {
      part("said").textContent = `${title} · ${words.word("player.step", { step, steps })}`;
      part("link").value = place.share();
      part("frame").value = `<iframe src="${place.embed()}" width="800" height="560" title="${words.word("player.share.embedded")}"></iframe>`;
      part("still").href = place.still();
      part("picture").href = place.picture();
      part("done").textContent = "";
      if (!dialog.open) dialog.showModal();
      copy(part("link"));
    },
  };
}
