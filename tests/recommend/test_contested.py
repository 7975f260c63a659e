"""Contested evidence: each subject is said where it is touched, and nowhere else."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from advisor.domain.config import parse_config
from advisor.domain.recommendation import Constraints
from advisor.domain.vocabulary import Platform, StorageType
from advisor.recommend.recommend import recommend
from advisor.render.explain import explanation_text
from advisor.render.recommendation import recommendation_text
from advisor.render.recommendation_json import recommendation_document
from advisor.session.predict import predict
from tests.ground import changed, everywhere, ground, request, sources, workload

if TYPE_CHECKING:
    from advisor.domain.assessment import Assessment
    from advisor.domain.recommendation import Recommendation

OWN = "percona-server/r6i.xlarge/gp3:200GiB:3000:125"
#: Claim → (CONFIG, threads, mix) that it touches, and others that it does not.
SUBJECTS: dict[str, tuple[tuple[str, int, str], tuple[tuple[str, int, str], ...]]] = {
    "aurora-r6g-r5": (
        ("aurora/aurora-mysql/db.r6g.2xlarge/standard", 64, "read"),
        (
            ("aurora/aurora-mysql/db.r7g.2xlarge/standard", 64, "read"),
            ("ec2/mysql/r6g.2xlarge/gp3:200GiB", 64, "read"),
        ),
    ),
    "aurora-provisioned-iops": (
        ("aurora/aurora-mysql/db.r7g.2xlarge/standard", 16, "mixed"),
        (
            ("aurora/aurora-mysql/db.r7g.2xlarge/standard", 16, "read"),
            ("aurora/aurora-postgresql/db.r7g.2xlarge/standard", 16, "mixed"),
            (f"ec2/{OWN}", 16, "mixed"),
        ),
    ),
    "c5-c5a": (
        ("ec2/mysql/c5a.2xlarge/gp3:200GiB", 16, "read"),
        (("ec2/mysql/c6a.2xlarge/gp3:200GiB", 16, "read"),),
    ),
    "gp2-avoid": (
        ("ec2/pxc/r5.xlarge/gp2:1000GiB/x3", 16, "mixed"),
        ((f"ec2/{OWN}", 16, "mixed"),),
    ),
    "gp2-gp3": (
        (f"ec2/{OWN}", 2, "mixed"),
        ((f"ec2/{OWN}", 4, "mixed"), ("ec2/mysql/r6i.xlarge/io2:200GiB:3000", 2, "mixed")),
    ),
    "nvme-relaxed": (
        ("ec2/mysql/m5d.2xlarge/nvme", 16, "write"),
        (("ec2/mysql/m5d.2xlarge/nvme", 16, "read"), (f"ec2/{OWN}", 16, "write")),
    ),
}


@cache
def assessed(config: str, threads: int, rw: str) -> Assessment:
    return predict(parse_config(config), request(workload(threads, rw)), sources())


def claims(config: str, threads: int, rw: str) -> set[str]:
    return {each.fact.claim for each in assessed(config, threads, rw).contested}


def test_every_claim_of_the_table_is_a_subject() -> None:
    assert {each.claim for each in ground().advice.contested} == set(SUBJECTS)


@pytest.mark.parametrize("claim", SUBJECTS)
def test_a_claim_is_said_where_it_is_touched_and_nowhere_else(claim: str) -> None:
    touched, others = SUBJECTS[claim]
    assert claim in claims(*touched)
    assert not any(claim in claims(*other) for other in others)
    fact = next(each for each in ground().advice.contested if each.claim == claim)
    line = f"contested, {fact.sides[0].weight:.0%} for it: {fact.statement}"
    assert line in assessed(*touched).caveats
    assert not any(line in assessed(*other).caveats for other in others)


@cache
def answered(platform: Platform | None = None, **said: Any) -> Recommendation:
    platforms = tuple(Platform) if platform is None else (platform,)
    asked = request(
        workload(said.pop("threads", 64), said.pop("rw", "mixed")),
        constraints=Constraints(platforms=platforms, **said),
    )
    return recommend(asked, everywhere(**{k: v for k, v in said.items() if k == "families"}))


def test_an_answer_names_the_rows_that_a_claim_touches() -> None:
    """Both classes of Aurora asked for: the pick's line is a caveat, the others name their row."""
    answer = answered(Platform.AURORA)
    text = " ".join(recommendation_text(answer).split())
    assert "contested, 68% for it: own MySQL on 3,000 IOPS beats Aurora" in text
    shown = {row.candidate.config for row in answer.rows}
    for each in answer.contested:
        assert set(each.configs) <= shown
        assert text.count(each.fact.statement) == 1
        if answer.pick.candidate.config not in each.configs:
            ranks = [row.rank for row in answer.rows if row.candidate.config in each.configs]
            assert f"{each.fact.statement} ({', '.join(f'#{rank}' for rank in ranks)})" in text


def test_an_answer_without_a_contested_row_says_nothing() -> None:
    answer = answered(Platform.EC2, threads=16, storage_types=(StorageType.GP3,))
    assert answer.contested == ()
    assert "contested" not in recommendation_text(answer).lower()
    assert "Contested" not in explanation_text(answer)


def test_explain_and_json_give_both_sides_with_their_weights() -> None:
    answer = answered(Platform.AURORA)
    text = " ".join(explanation_text(answer).split())
    document = recommendation_document(answer)["contested"]
    assert isinstance(document, list)
    assert len(document) == len(answer.contested) >= 1
    for each, found in zip(answer.contested, document, strict=True):
        assert isinstance(found, dict)
        assert found["configs"] == list(each.configs)
        sides = found["sides"]
        assert isinstance(sides, list)
        weights = []
        for position, side, shown in zip(("for", "against"), each.fact.sides, sides, strict=True):
            assert isinstance(shown, dict)
            assert (shown["position"], shown["source_id"]) == (position, side.source_id)
            assert f"{side.weight:.0%} {position}: {side.text}" in text
            weights.append(Decimal(str(shown["weight"])))
        assert sum(weights) == 1
        assert f"here: {each.fact.belief}" in text


def test_a_claim_changes_no_number() -> None:
    """Weights say what is believed; the model believes it by its own parameters."""
    bare = changed(ground(), advice=changed(ground().advice, contested=()))
    asked = request(workload(2, "mixed"))
    with_claims, without = recommend(asked, ground()), recommend(asked, bare)
    assert with_claims.contested
    assert not without.contested
    assert [(row.score, row.candidate.config) for row in with_claims.rows] == [
        (row.score, row.candidate.config) for row in without.rows
    ]
