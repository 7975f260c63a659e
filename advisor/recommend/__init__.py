"""From a request to an answer.

Space, cost, objective, ranking, ties, alternatives and advice. No I/O.
"""
