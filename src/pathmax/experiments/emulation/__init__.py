"""The emulators of the paper's experiments."""
