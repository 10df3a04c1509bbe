"""The optional language model: off by default, metered, cached and never needed."""
