"""People's review: tasks out, answers in, and what they say about the detectors."""
