"""From what is relevant to what is handed over: a briefing within its budget."""
