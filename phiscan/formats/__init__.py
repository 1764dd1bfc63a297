"""Note files: one module a format, see phiscan.protocols.NoteFormat."""
