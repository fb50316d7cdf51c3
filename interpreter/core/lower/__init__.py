"""Lowering: from a checked game to the core, one module a concern."""
