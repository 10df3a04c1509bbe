"""What source code says by its form: symbols, imports, and the shapes that come again."""
