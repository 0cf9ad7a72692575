"""A process that holds a stored study."""
