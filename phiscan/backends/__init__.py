"""Models that continue a prompt: one module a backend, see phiscan.protocols.Backend."""
