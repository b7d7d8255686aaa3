"""Reference: algorithms, theory, glossary, history, claims."""
