"""`tacit hook HOST EVENT`: what a coding agent's host tells as it happens, and what it is told.

A hook is quick and harmless: it starts with few imports, keeps its own deadline, prints what
its host can read or nothing, and always ends well, whatever became of the memory.
"""
