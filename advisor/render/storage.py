"""Volumes as advice for people, in 80 columns: first on price, first on latency, and why."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Station
from advisor.domain.volumes import LATENCY
from advisor.render.candidate import storage_phrase
from advisor.render.certainty import assumed_lines, evidence_lines
from advisor.render.costs import price_sources
from advisor.render.figures import (
    cents,
    change,
    count,
    exact,
    figure,
    fitted,
    interval,
    percent,
    threads_phrase,
)
from advisor.render.page import WIDTH, bullets, indented, paragraph, section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.domain.cost import CostLine
    from advisor.domain.volumes import InstanceLink, VolumeAnswer, VolumeOption

_HEADER = (
    f"{'#':>2} {'type':<5} {'$/month':>10} {'IOPS':>8} {'80% interval':>15} {'mean ms':>8} "
    f"{'p95 ms':>8} {'CV':>6} {'full at':>8}"
)
_CENT = Decimal("0.01")
#: A p95 within this of another is alike: one volume of each type was measured.
_ALIKE = 1.1
_MIXES = {"read": "reads", "write": "writes"}


def storage_text(answer: VolumeAnswer) -> str:
    """Return the answer as text; every line has at most 80 columns."""
    lines = paragraph(" ".join(_headline(answer)))
    lines += ["", *_table(answer.options)]
    lines += section("Why this order", indented(" ".join(_reasons(answer))))
    lines += section("gp2 credits", indented(" ".join(_bursts(answer))))
    lines += section("The instance", indented(" ".join(_instance(answer))))
    lines += section("What it costs a month", _costs(answer))
    lines += section("Durability", indented(" ".join(_durability(answer.options))))
    lines += section("Evidence", evidence_lines(answer.evidence))
    lines += section("Assumed, because you did not say", assumed_lines(answer.request.assumed))
    lines += section("Caveats", bullets((*_caveats(answer.options), *answer.notes)))
    lines += section("Left out", bullets(f"{each.type}: {each.reason}" for each in answer.left_out))
    if answer.link is None:
        lines += ["", "next:   add --instance TYPE: its own EBS limits cap every volume"]
    return "\n".join(lines) + "\n"


def _load(answer: VolumeAnswer) -> str:
    """Return the asked load: ``16 threads of reads``."""
    request = answer.request
    mix = _MIXES.get(request.rw) or f"{percent(request.read_ratio)} reads"
    joint = "of" if request.rw in _MIXES else "at"
    return f"{threads_phrase(request.threads)} {joint} {mix}"


def _headline(answer: VolumeAnswer) -> Iterator[str]:
    """Yield who is first on price and who on latency."""
    cheap, fast = (
        answer.option(answer.first_on_price),
        answer.option(answer.first_on_latency),
    )
    meeting = [each for each in _ranked(answer) if each.meets]
    if not meeting:
        yield (
            f"No volume sustains {_wanted(answer)} with {_load(answer)}; the nearest comes first."
        )
    among = "" if meeting else " of these"
    if len(meeting) == 1 and len(_ranked(answer)) > 1:
        yield (
            f"Only {_phrase(meeting[0])} reaches {_wanted(answer)} with {_load(answer)}, so it is "
            f"first on latency and on price: {_dollars(meeting[0])} a month for "
            f"{_delivers(meeting[0])}."
        )
        return
    if cheap is not None and cheap == fast:
        yield (
            f"{_phrase(cheap)} is first on price and on latency{among}: {_dollars(cheap)} a month "
            f"for {_delivers(cheap)} with {_load(answer)}."
        )
        return
    if cheap is not None:
        yield (
            f"First on price{among}: {_phrase(cheap)}, {_dollars(cheap)} a month for "
            f"{_delivers(cheap)} with {_load(answer)}."
        )
    if fast is not None:
        noise = ", within the noise" if cheap is not None and _are_alike(fast, cheap) else ""
        dearer = _dearer(fast, cheap)
        yield f"First on latency{among}{noise}: {_phrase(fast)}, {_delivers(fast)}{dearer}."


def _are_alike(fast: VolumeOption, slow: VolumeOption) -> bool:
    """Whether the lower p95 says nothing: one volume of each type was measured."""
    return slow.latency_p95_ms.value <= fast.latency_p95_ms.value * _ALIKE


def _ranked(answer: VolumeAnswer) -> Sequence[VolumeOption]:
    """Return the durable options, or the local disks where nothing else was asked for."""
    return [each for each in answer.options if each.rank is not None] or answer.options


def _wanted(answer: VolumeAnswer) -> str:
    request = answer.request
    also = (
        f" and {count(request.throughput_mib_per_s)} MiB/s"
        if request.throughput_mib_per_s is not None
        else ""
    )
    return f"{count(request.iops)} IOPS{also} on {count(request.size_gib)} GiB"


def _phrase(option: VolumeOption) -> str:
    return storage_phrase(option.storage)


def _delivers(option: VolumeOption) -> str:
    return f"{count(option.iops.value)} IOPS at p95 {figure(option.latency_p95_ms.value)} ms"


def _dollars(option: VolumeOption) -> str:
    usd = option.usd_per_month
    return "no cost of its own" if usd is None else cents(usd)


def _dearer(option: VolumeOption, than: VolumeOption | None) -> str:
    if option.usd_per_month is None or than is None or not than.usd_per_month:
        return ""
    ratio = float(option.usd_per_month / than.usd_per_month)
    return f", for {_dollars(option)} a month ({change(ratio)})"


def _table(options: Sequence[VolumeOption]) -> list[str]:
    lines = [_HEADER]
    for each in options:
        usd = each.usd_per_month
        line = (
            f"{each.rank or '-':>2} {each.storage.type:<5} "
            f"{'-' if usd is None else cents(usd)[1:]:>10} {count(each.iops.value):>8} "
            f"{interval(each.iops):>15} {fitted(each.latency_avg_ms.value, 8):>8} "
            f"{fitted(each.latency_p95_ms.value, 8):>8} {percent(each.variation_cv.value):>6} "
            f"{count(each.full_at_threads):>8}"
        )
        lines.append(line if len(line) <= WIDTH else " " + " ".join(line.split()))
        lines += paragraph("; ".join(_details(each)), " " * 3)
    lines += paragraph(
        "CV: from second to second. full at: threads that reach 95% of its limit. MiB/s: carried "
        "in 16 KiB I/Os, of what large ones can."
    )
    return lines


def _details(option: VolumeOption) -> Iterator[str]:
    yield _phrase(option)
    if option.shape:
        yield option.shape
    if not option.meets:
        lasting = " what is asked for long" if option.burst_minutes is not None else ""
        yield f"does not reach{lasting or ' what is asked'}"
    yield (
        f"{figure(option.throughput_mib_per_s)} MiB/s of {figure(option.max_throughput_mib_per_s)}"
    )
    alone = option.one_thread
    yield f"1 thread {figure(alone.latency_avg_ms)} ms, p95 {figure(alone.latency_p95_ms)}"
    yield f"limit {option.limit}"
    yield f"basis {option.basis}"


def _reasons(answer: VolumeAnswer) -> Iterator[str]:
    """Yield what decides: who reaches the wanted IOPS, then price; the tail and steadiness."""
    ranked = _ranked(answer)
    meeting = [each for each in ranked if each.meets]
    load = _load(answer)
    if meeting and len(meeting) == len(ranked):
        reached = "It reaches" if len(ranked) == 1 else f"All {len(ranked)} reach"
        decides = "" if len(ranked) == 1 else ", so price decides the order"
        yield f"{reached} {_wanted(answer)} with {load}{decides}."
    elif meeting:
        verbs = "reaches that and comes" if len(meeting) == 1 else "reach that and come"
        yield (
            f"{len(meeting)} of {len(ranked)} {verbs} first, by price; the others follow by IOPS "
            f"with {load}, those alike by price."
        )
    else:
        yield f"They are in the order of their IOPS with {load}, those alike by price."
    if all(each.limit == Station.INSTANCE_EBS for each in ranked):
        yield "The instance limits all of them: only a larger EBS baseline brings more."
    waiting = [each for each in ranked if each.limit == LATENCY]
    if waiting:
        yield (
            f"With so few threads {_names(waiting)} "
            f"{'wait' if len(waiting) > 1 else 'waits'} for single I/Os, not for bought IOPS: "
            "there lower latency or more threads bring more, more IOPS do not."
        )
    if len(meeting) > 1:
        yield from _tail(meeting)


def _tail(meeting: Sequence[VolumeOption]) -> Iterator[str]:
    by_p95 = sorted(meeting, key=lambda each: each.latency_p95_ms.value)
    named = ", ".join(f"{each.storage.type} {figure(each.latency_p95_ms.value)}" for each in by_p95)
    if _are_alike(by_p95[0], by_p95[-1]):
        yield f"Their tails are alike within the noise: p95 ms {named}."
    else:
        yield f"Throughput is equal there, the tail is not: p95 ms {named}."
    steady = min(meeting, key=lambda each: each.variation_cv.value)
    yield (
        f"{steady.storage.type} is the steadiest: it varies by "
        f"{percent(steady.variation_cv.value)} from second to second."
    )


def _names(options: Iterable[VolumeOption]) -> str:
    names = list(dict.fromkeys(each.storage.type.value for each in options))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _bursts(answer: VolumeAnswer) -> Iterator[str]:
    for each in answer.options:
        if each.burst_minutes is not None and each.burst_iops is not None:
            yield (
                f"{_phrase(each)}: a full bucket gives up to {count(each.burst_iops)} IOPS and is "
                f"empty after {each.burst_minutes:,.0f} minutes at the wanted IOPS; it is ranked "
                f"by the {count(each.iops.value)} that last."
            )


def _instance(answer: VolumeAnswer) -> Iterator[str]:
    link = answer.link
    if link is None or link.ebs_baseline_iops is None:
        return
    yield (
        f"{link.instance_type} sustains {count(link.ebs_baseline_iops)} IOPS and "
        f"{figure(link.ebs_baseline_mib_per_s)} MiB/s to all its volumes together"
        f"{_maximum(link)}."
    )
    for each in answer.options:
        waste = each.waste
        if waste is None:
            continue
        parts = [f"{count(waste.iops)} IOPS"] if waste.iops else []
        if waste.throughput_mib_per_s:
            parts.append(f"{count(waste.throughput_mib_per_s)} MiB/s")
        paid = (
            f" and cost {cents(waste.usd_per_month)} a month"
            if waste.usd_per_month
            else ", at no extra cost"
        )
        yield f"Of {_phrase(each)}, {' and '.join(parts)} cannot be used there{paid}."
    if any(each.cost for each in answer.options) and not any(each.waste for each in answer.options):
        yield "Nothing that is paid for is lost there."


def _maximum(link: InstanceLink) -> str:
    if (
        link.ebs_max_iops == link.ebs_baseline_iops
        and link.ebs_max_mib_per_s == link.ebs_baseline_mib_per_s
    ):
        return ", its maximum"
    return (
        f", and {count(link.ebs_max_iops)} IOPS and {figure(link.ebs_max_mib_per_s)} MiB/s for 30 "
        "minutes a day"
    )


def _costs(answer: VolumeAnswer) -> list[str]:
    lines: list[str] = []
    prices = []
    for each in answer.options:
        if each.cost is None:
            lines += indented(f"{_phrase(each)}: in the price of the instance")
            continue
        prices += [line.price for line in each.cost.lines]
        lines += [_cost_line(line) for line in each.cost.lines]
        if len(each.cost.lines) > 1:
            lines.append(_row(f"{each.storage.type} total", "", cents(each.cost.usd_per_month)))
    sources = ", ".join(price_sources(prices))
    if sources:
        lines += indented(f"Prices: {sources}; {answer.request.region}, {answer.price_source}.")
    return lines


def _cost_line(line: CostLine) -> str:
    unit = line.price.unit.removesuffix("-month")
    return _row(
        line.label,
        f"{exact(line.quantity)} {unit} x ${exact(line.price.usd)}",
        cents(line.usd_per_month.quantize(_CENT)),
    )


def _row(label: str, calculation: str, amount: str) -> str:
    return f"  {label:<24} {calculation:>32} {amount:>14}"


def _durability(options: Sequence[VolumeOption]) -> Iterator[str]:
    """Yield AWS's figure per type, and what it means for local disks."""
    by_word: dict[str, list[VolumeOption]] = {}
    for each in options:
        by_word.setdefault(each.durability, []).append(each)
    for word, alike in by_word.items():
        if alike[0].storage.type.is_volatile:
            yield "Local NVMe: lost on stop, termination or failure of the host; not ranked."
        else:
            yield f"{_names(alike)}: {word} a year, copies in one zone (AWS)."


def _caveats(options: Sequence[VolumeOption]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for each in options for text in each.caveats))
