"""The snapshot algorithms, one folder a family; ``registry`` finds them."""
