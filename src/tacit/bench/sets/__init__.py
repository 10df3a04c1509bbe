"""One reader per data set: records to drafts and questions, and nothing else."""
