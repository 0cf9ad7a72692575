"""The posterior on a domain, and its best points."""
