"""What a study knows beyond the next trial."""
