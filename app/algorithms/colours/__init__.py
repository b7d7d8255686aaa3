"""Messages that say to which side of the cut they belong; no order on channels is needed."""
