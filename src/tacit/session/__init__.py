"""An agent's session: what it is told, what it used, what it leaves behind."""
