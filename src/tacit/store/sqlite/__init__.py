"""The embedded engine: one SQLite file a project, through apsw."""
