"""The values of the simulator, the kernel that makes steps, and the oracle that judges."""
