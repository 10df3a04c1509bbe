"""The server: the same verbs over HTTP. FastAPI is imported here alone."""
