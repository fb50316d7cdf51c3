"""Backends: one meaning, several machines."""
