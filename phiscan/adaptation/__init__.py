"""Fine-tuning as hospitals do it, with leakage measured while the model learns."""
