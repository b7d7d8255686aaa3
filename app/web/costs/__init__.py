"""What snapshots cost: experiments that are measured when somebody asks, and the page that shows them."""
