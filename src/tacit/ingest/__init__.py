"""Raw input becomes observations: readers for each source, and redaction before all else."""
