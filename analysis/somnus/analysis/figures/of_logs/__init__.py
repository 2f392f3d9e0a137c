"""Figures of logs; each file ends with its rows, FIGURES."""
