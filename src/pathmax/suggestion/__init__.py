"""History in, suggestion out: one pure function."""
