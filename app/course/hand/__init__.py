"""What a student carries out by hand, move by move: one module for each kind of exercise."""
