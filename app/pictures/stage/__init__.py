"""The stage: processes and channels with what is in them."""
