"""Words, figures, tables and charts that every renderer shares."""
