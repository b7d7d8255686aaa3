"""The cost of snapshots: experiments measured on request, and the page that shows them."""
