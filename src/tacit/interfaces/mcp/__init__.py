"""Tacit as an MCP server: the same verbs as tools, resources and prompts of a host."""
