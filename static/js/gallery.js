/**
 * The gallery after one of its filters was taken away: the link that did it is gone, so the keyboard goes on from the
 * count, which also says what is left.
 */

document.addEventListener("htmx:after:swap", ({ target }) => {
  // When what asked is gone, the event comes from where the answer was put; the form would still be there.
  const gone = target instanceof Element && target.id === "list";
  if (gone) document.getElementById("count")?.focus({ preventScroll: true });
});
