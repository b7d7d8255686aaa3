"""Questions that any run can be asked, one kind a file: what each kind can ask of, and the question.

Every kind has ``LEVEL``, ``subjects(run)`` (what it can ask of, in a fixed order; nothing where it does not fit) and
``ask(run, *subject)``. Answers come from the kernel, the history and the oracle.
"""
