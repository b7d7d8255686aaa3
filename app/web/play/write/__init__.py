"""Write the algorithm yourself: a class runs in the visitor's browser, and the server judges what it answers."""
