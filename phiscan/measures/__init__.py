"""Tables of a run -> figures: every rate with its denominator, its interval and its patients.

Each module measures one section of the report; what they share stands in :mod:`phiscan.measures.rates`
(a rate over rows, patients as units), :mod:`phiscan.measures.screened` (what a row stands for) and
:mod:`phiscan.measures.scan` (the tables, and every figure of a scan itself).
"""
