"""Methods: ours through the Python package, and those of scikit-learn."""
