"""What is computed from the frames of logs: users, queues and resources, fairness, comparisons of runs.

The figures of a whole run are `Log.summary`.
"""
