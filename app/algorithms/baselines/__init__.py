"""What one would try first: stopping everything, clocks, and photographs."""
