"""Memories of other systems, in and out: each module reads and writes one format."""
