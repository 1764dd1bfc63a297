"""A second corpus of invented clinical notes, by another hand: own words, values and note templates."""
