"""The fault laboratory: real processes, real harm, and a count of what was kept."""
