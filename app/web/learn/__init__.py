"""Learn: lessons and questions."""
