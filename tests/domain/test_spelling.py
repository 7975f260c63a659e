from __future__ import annotations

import pytest

from advisor.domain.spelling import did_you_mean, nearest

WORDS = ("mysql", "mariadb", "percona-server", "us-west-1", "us-east-1")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("mysq", "mysql"),
        ("MariaDB", "mariadb"),
        ("us-esat-1", "us-east-1"),
        ("zzzzzz", None),
    ],
)
def test_nearest_name(word: str, expected: str | None) -> None:
    assert nearest(word, WORDS) == expected


def test_phrase_is_empty_when_nothing_is_close() -> None:
    assert did_you_mean("mysq", WORDS) == "; did you mean mysql?"
    assert did_you_mean("zzzzzz", WORDS) == ""
    assert did_you_mean("x", ()) == ""
