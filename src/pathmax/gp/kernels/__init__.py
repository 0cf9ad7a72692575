"""Kernels: what the model believes about smoothness."""
