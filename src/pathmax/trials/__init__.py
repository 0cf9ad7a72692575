"""What was tried and what came out."""
