"""The verifier on arrays: one run at a time, without Spark."""
