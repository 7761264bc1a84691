"""Specifications: one module per paper, and those that go beyond the papers."""
