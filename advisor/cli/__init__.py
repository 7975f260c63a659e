"""The command line: one module per command that parses, calls ``session``, renders and exits.

Holds no rule about databases or money; those live below ``session``.
"""
