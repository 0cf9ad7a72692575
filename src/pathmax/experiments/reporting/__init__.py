"""The report of a reproduction: tables, figures, claims."""
