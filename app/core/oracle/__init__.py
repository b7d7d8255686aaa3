"""The oracle: the history of a run, its consistent cuts, and the judgement of every snapshot."""
