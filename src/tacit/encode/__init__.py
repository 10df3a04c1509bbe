"""Observation → Memory: extraction, levels, vectors and token counts."""
