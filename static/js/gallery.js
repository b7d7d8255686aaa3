/**
 * The chips of the gallery, each of which removes one filter: they change the filter itself, so that text typed at the
 * same time counts as well. The chip is gone then, and the focus moves to the count, which also says what is left.
 */

const form = document.querySelector(".search");
let removal = false;

document.addEventListener("click", (event) => {
  const chip = event.target instanceof Element && event.target.closest(".chip[data-filter]");
  if (!chip || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  form.elements[chip.dataset.filter].value = "";
  removal = true;
  form.requestSubmit();
});

document.addEventListener("htmx:after:swap", () => {
  if (removal) document.getElementById("count").focus({ preventScroll: true });
  removal = false;
});
