"""Petteia."""
