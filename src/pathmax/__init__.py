"""Bayesian optimisation with nothing to tune."""
