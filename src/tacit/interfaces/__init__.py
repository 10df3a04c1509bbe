"""Ways in and out: each parses, calls one method of the facade, and renders."""
