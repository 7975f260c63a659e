"""Linear algebra for a few hundred unknowns, in plain Python: the same digits everywhere.

Matrices are lists of rows, symmetric and positive definite.
"""

from __future__ import annotations

from math import sqrt
from operator import mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Matrix = list[list[float]]


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the scalar product; the shorter of the two decides how many terms count."""
    total: float = sum(map(mul, one, other))
    return total


def cholesky(matrix: Matrix) -> Matrix:
    """Return the lower triangle L with L × Lᵀ = ``matrix``, as rows of growing length.

    Raises ValueError when the matrix is not positive definite.
    """
    lower: Matrix = []
    for index, row in enumerate(matrix):
        mine: list[float] = []
        for column in range(index):
            above = lower[column]
            mine.append((row[column] - dot(mine, above)) / above[column])
        rest = row[index] - dot(mine, mine)
        if rest <= 0.0:
            raise ValueError("the matrix is not positive definite")
        mine.append(sqrt(rest))
        lower.append(mine)
    return lower


def solved(lower: Matrix, values: Sequence[float]) -> list[float]:
    """Return x with L × Lᵀ × x = ``values``, ``lower`` being L."""
    forward: list[float] = []
    for row, value in zip(lower, values, strict=True):
        forward.append((value - dot(row, forward)) / row[-1])
    for index in range(len(lower) - 1, -1, -1):
        row = lower[index]
        found = forward[index] / row[index]
        forward[index] = found
        for column in range(index):
            forward[column] -= row[column] * found
    return forward


def inverted(lower: Matrix) -> Matrix:
    """Return the inverse of L × Lᵀ, ``lower`` being L."""
    size = len(lower)
    # Rows of L⁻¹ transposed: row i holds column i of L⁻¹ from the diagonal down.
    columns: Matrix = []
    for start in range(size):
        column = [1.0 / lower[start][start]]
        for index in range(start + 1, size):
            row = lower[index]
            column.append(-dot(row[start:index], column) / row[index])
        columns.append(column)
    inverse = [[0.0] * size for _ in range(size)]
    for one in range(size):
        for other in range(one, size):
            value = dot(columns[one][other - one :], columns[other])
            inverse[one][other] = inverse[other][one] = value
    return inverse
