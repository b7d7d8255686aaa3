/** The page of claims: an address that names a claim (`#E42`) leads to it, even on another page. */

function follow() {
  const named = document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLAnchorElement && named.closest(".claims-sources")) location.replace(named.href);
}

follow();
addEventListener("hashchange", follow);
