"""Metrics of how alike a continuation and the note's own text are; one file each, found by name."""
