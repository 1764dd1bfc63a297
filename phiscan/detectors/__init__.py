"""PHI detectors: one module a detector, see phiscan.protocols.Detector."""
