"""Invented clinical notes whose PHI is known by construction: words, people, values and note templates."""
