"""Commands that span stages; phiscan.cli holds only their thin wrappers."""
