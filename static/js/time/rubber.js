/** The rubber band: the control that straightens the cut, and the words beside it. Draws. */

const LASTS = 900;

/**
 * @param {HTMLElement} host
 * @param {{words: (key: string, fields?: object) => string, onChange: (part: number) => void}} does
 * `onChange` is called with how straight the cut should be, 0–1
 * @returns {{offer: (reason: string|null) => void, tell: (text: string, wrong: boolean) => void, release: () => void}}
 */
export function rubber(host, { words, onChange }) {
  const slider = make("input", { type: "range", min: 0, max: 100, step: 1, value: 0, id: "rubber-slider" });
  const label = make("label", { for: slider.id }, words("spacetime.straighten"));
  const output = make("output", { for: slider.id }, "0 %");
  const button = make("button", { type: "button", class: "button" }, words("spacetime.straighten.go"));
  const note = make("p", { class: "rubber-note", id: "rubber-note" });
  slider.setAttribute("aria-describedby", note.id);
  slider.setAttribute("aria-label", label.textContent); // without room the label is hidden
  const row = make("div", { class: "rubber-row" });
  row.append(label, slider, output, button);
  host.classList.add("rubber");
  host.replaceChildren(row, note);
  let frame = 0;

  function set(percent) {
    slider.value = String(percent);
    output.textContent = `${Math.round(percent)}%`;
    button.textContent = words(percent >= 50 ? "spacetime.straighten.back" : "spacetime.straighten.go");
    onChange(percent / 100);
  }

  function slide(target) {
    cancelAnimationFrame(frame);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      set(target);
      return;
    }
    const from = Number(slider.value);
    let began = null;
    const tick = (time) => {
      began ??= time;
      const part = Math.min(1, (time - began) / LASTS);
      const eased = part < 0.5 ? 2 * part * part : 1 - (2 - 2 * part) ** 2 / 2;
      set(from + (target - from) * eased);
      if (part < 1) frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
  }

  slider.addEventListener("input", () => {
    cancelAnimationFrame(frame);
    set(Number(slider.value));
  });
  slider.addEventListener("keydown", (event) => event.stopPropagation());
  button.addEventListener("click", () => slide(Number(slider.value) >= 50 ? 0 : 100));

  return {
    offer(reason) {
      slider.disabled = button.disabled = reason !== null;
      if (reason !== null) {
        note.textContent = reason;
        note.classList.remove("rubber-wrong");
      }
    },
    tell(text, wrong) {
      if (note.textContent !== text) note.textContent = text;
      note.classList.toggle("rubber-wrong", wrong);
    },
    release() {
      cancelAnimationFrame(frame);
      if (Number(slider.value)) set(0);
    },
  };
}

function make(tag, attributes, text) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}
