"""Fine-tuning on clinical notes, and what may be done so that less of them comes out again."""
