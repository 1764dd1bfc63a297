"""The three passes of a scan: index the corpus, map over shards, reduce the tables."""
