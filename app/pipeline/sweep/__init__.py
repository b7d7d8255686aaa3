"""Many runs at once, as rows."""
