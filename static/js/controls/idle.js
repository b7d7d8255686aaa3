/** In presenter mode the controls fade when nothing has moved for a while. Draws. */

/** In milliseconds. */
const QUIET = 3_000;

/** Begin to watch. */
export function idle() {
  const { classList } = document.body;
  let timer = 0;
  const wake = () => {
    classList.remove("idle");
    clearTimeout(timer);
    timer = setTimeout(() => classList.add("idle"), QUIET);
  };
  for (const kind of ["pointermove", "pointerdown", "keydown", "focusin"])
    document.addEventListener(kind, wake, { passive: true });
  wake();
}
