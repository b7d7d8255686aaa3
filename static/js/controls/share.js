/** The dialog with a link to the step, the frame for other pages, and the other views of the step. Draws. */

import { ask } from "../ask.js";
import { all, as, data, one, site } from "../page.js";

/** @param {ReturnType<typeof import("./address.js").address>} place @param {import("../types.js").Words} words @param {string} title of the scenario */
export function share(place, words, title) {
  const dialog = one("share-dialog", HTMLDialogElement);
  const field = (/** @type {string} */ id) => as(one(id), HTMLTextAreaElement) ?? one(id, HTMLInputElement);
  const [said, done] = [one("share-said"), one("share-done")];
  const [still, picture] = [one("share-still", HTMLAnchorElement), one("share-picture", HTMLAnchorElement)];
  const png = one("share-png", HTMLAnchorElement);

  const code = one("share-code", HTMLImageElement);
  const list = one("share-list", HTMLAnchorElement);

  for (const button of all(dialog, "[data-copy]")) {
    button.addEventListener("click", () => copy(field(data(button, "copy"))));
  }

  png.addEventListener("click", async (click) => {
    if (png.href.startsWith("data:")) return;
    click.preventDefault();
    const { href } = png;
    const drawn = await ask(href, { at: png });
    if (!drawn) return;
    const made = await asPng(drawn.text);
    if (png.href !== href) return; // of another step by now
    png.href = made;
    png.click();
  });

  /** @param {HTMLInputElement | HTMLTextAreaElement} from */
  async function copy(from) {
    from.select();
    let copied = false;
    try {
      await navigator.clipboard.writeText(from.value);
      copied = true;
    } catch {
      // Pages without https have no clipboard: the text is selected, ready to be copied by hand.
      copied = document.execCommand?.("copy") ?? false;
    }
    done.textContent = words.word(copied ? "player.share.copied" : "player.share.uncopied");
  }

  return {
    /** @param {number} step @param {number} steps */
    open(step, steps) {
      said.textContent = `${title} · ${words.word("player.step", { step, steps })}`;
      field("share-link").value = place.share();
      field("share-frame").value =
        `<iframe src="${place.embed()}" width="800" height="560" style="max-width:100%" title="${words.word("player.share.embedded")}"></iframe>`;
      const { pathname, search } = new URL(place.share());
      const here = encodeURIComponent(pathname + search);
      code.src = site(`/qr.svg?of=${here}`);
      list.href = site(`/playlist?at=0&item=${here}`);
      still.href = place.still();
      picture.href = png.href = place.picture();
      png.download = `${place.picture().match(/([^/]+)\/step\//)?.[1] ?? "step"}-${step}.png`;
      done.textContent = "";
      if (!dialog.open) dialog.showModal();
      copy(field("share-link"));
    },
  };
}

/**
 * Draw a picture as PNG, for slides that take no SVG: at twice its size, so that it is sharp on a projector.
 * @param {string} drawn the picture as SVG @returns {Promise<string>} the PNG, as a data URL
 */
async function asPng(drawn) {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(drawn)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * picture.naturalWidth, 2 * picture.naturalHeight];
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}
