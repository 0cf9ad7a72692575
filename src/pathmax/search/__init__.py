"""The highest point of a score in a set. Knows no model."""
