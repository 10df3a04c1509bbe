"""From what is there to what is kept: find sources, read, extract, write; each step once."""
