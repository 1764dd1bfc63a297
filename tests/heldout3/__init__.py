"""A third corpus of invented clinical notes, by a third hand: own words, values and note templates."""
