"""The facade over a server: the same methods, asked of `tacit serve` and answered by it."""
