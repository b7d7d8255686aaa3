"""The kernel: what can happen in a world, and the world after it has happened."""
