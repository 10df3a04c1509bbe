"""Other programs' memory interfaces, served by Tacit: each module is one, with an extra of its own."""
