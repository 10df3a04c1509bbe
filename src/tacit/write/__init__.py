"""The one way in: the gate, duplicates, supersession and revisions."""
