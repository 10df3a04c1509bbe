"""Staying true: what a store does with what it has learnt, while nobody waits for it."""
