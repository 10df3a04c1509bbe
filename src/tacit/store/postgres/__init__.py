"""The PostgreSQL engine: the same protocol as the file, over one database for many people."""
