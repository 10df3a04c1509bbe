"""Where memories live: the protocol, its engines, and moving between them."""
