"""Learning what helps: use judged, profiles compared, chosen and found, each step reversible.

Learning acts on profiles alone. What is computed here is computed from the log of what was asked,
handed over and used; the log is never changed by it.
"""
