"""Papers whose figures can be run again: a room each, whose experiments.py ends with its row, PAPER.

common has what all of them share.
"""
