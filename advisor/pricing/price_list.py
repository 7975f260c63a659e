"""The Bulk Price List of AWS: complete and exact, without credentials; a file per offer and region.

An index says which file is current. The file (AmazonEC2 of us-east-1: 300 MB) is downloaded to a
work folder, read once, and removed. Spot prices are not in it.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING

from advisor.domain.quote import Origin, Subject
from advisor.errors import PricingError
from advisor.pricing.download import download
from advisor.pricing.price_list_rows import Offer, Reading, read
from advisor.pricing.price_list_table import head_of
from advisor.pricing.provider import Delivery, Failure
from advisor.pricing.transfer import Wire
from advisor.pricing.web import WebError, web_client
from advisor.pricing.work_folder import work_folder

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.pricing.provider import Deadline, Progress, Wanted

#: Where AWS keeps the lists of its commercial regions.
BASE_URL = "https://pricing.us-east-1.amazonaws.com"
#: The files that state a subject.
OFFERS_OF = {
    Subject.EC2: (Offer.EC2,),
    Subject.EBS: (Offer.EC2,),
    Subject.RDS: (Offer.RDS,),
    Subject.AURORA: (Offer.RDS,),
    Subject.RESERVED: (Offer.EC2, Offer.RDS),
    Subject.SAVINGS: (Offer.COMPUTE_SAVINGS, Offer.DATABASE_SAVINGS),
    Subject.SPOT: (),
}
_REGION = re.compile(r"[a-z0-9-]+")


class PriceList:
    """A provider of all subjects but spot; whole lists, whatever types are wanted."""

    def __init__(self, work: Path, base_url: str = BASE_URL) -> None:
        """``work``: a folder for downloads, made when needed; holds only unfinished ones after."""
        self._work = work
        self._base_url = base_url.rstrip("/")

    @property
    def origin(self) -> Origin:
        """Who it is."""
        return Origin.BULK

    def fetch(self, wanted: Wanted, deadline: Deadline, progress: Progress) -> Delivery:
        """Return what could be had until ``deadline``; a failure is a value, not an exception.

        A subject of which one file failed is a failure, and the prices of its other file are still
        in the delivery.
        """
        if not _REGION.fullmatch(wanted.region):
            reason = "not the name of a region"
            return _delivery(wanted, [], dict.fromkeys(wanted.subjects, reason))
        try:
            client = web_client(deadline)
        except PricingError as error:
            return _delivery(wanted, [], dict.fromkeys(wanted.subjects, error.message))
        readings: list[Reading] = []
        failures: dict[Subject, str] = {}
        with client:
            wire = Wire(client, deadline)
            for offer in Offer:
                subjects = [each for each in wanted.subjects if offer in OFFERS_OF[each]]
                if not subjects:
                    continue
                try:
                    reading = self._reading(wire, offer, wanted.region, progress)
                except PricingError as error:
                    reason = f"{offer}: {error.message}"
                    failures |= {each: reason for each in subjects if each not in failures}
                    continue
                readings.append(reading)
                reason = f"{offer} of {wanted.region} states none"
                lacking = [each for each in subjects if each not in reading.quotes]
                failures |= {each: reason for each in lacking if each not in failures}
        return _delivery(wanted, readings, failures, wire)

    def _reading(self, wire: Wire, offer: Offer, region: str, progress: Progress) -> Reading:
        url = self._base_url + self._path(wire, offer, region)
        heard = partial(progress, f"{offer} {region}")
        with work_folder(self._work, f"{offer}-{region}") as folder:
            path = download(wire, url, folder, heard)
            head = head_of(path)
            as_of = wire.stated_on or head.published[:10]
            return read(path, head, offer=offer, region=region, as_of=as_of, deadline=wire.deadline)

    def _path(self, wire: Wire, offer: Offer, region: str) -> str:
        """Return where the current file is, by the index, or where it always is without one."""
        folder = "savingsPlan" if offer.is_savings_plan else "offers"
        current = f"/{folder}/v1.0/aws/{offer}/current"
        try:
            index = wire.small_body(f"{self._base_url}{current}/region_index.json")
        except WebError as error:
            if not error.is_absent:
                raise
            return f"{current}/{region}/index.csv"
        path = _listed(index, region)
        if path is None:
            raise PricingError(f"the index does not list {region}")
        return path.removesuffix(".json").removesuffix(".csv") + ".csv"


def _listed(index: bytes, region: str) -> str | None:
    """Return the path of a region's file; of Savings Plans the index is a list, else a mapping."""
    try:
        regions = json.loads(index)["regions"]
        if isinstance(regions, list):
            regions = {each["regionCode"]: each for each in regions}
        entry = regions.get(region)
        if entry is None:
            return None
        path = entry.get("currentVersionUrl") or entry["versionUrl"]
        if not path.startswith("/"):
            raise PricingError("the index has changed its shape")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PricingError("the index has changed its shape") from error
    return str(path)


def _delivery(
    wanted: Wanted, readings: list[Reading], failures: dict[Subject, str], wire: Wire | None = None
) -> Delivery:
    subjects = dict.fromkeys(wanted.subjects)
    if Subject.SPOT in subjects:
        failures[Subject.SPOT] = "the Price List has no spot prices"
    return Delivery(
        origin=Origin.BULK,
        delivered=tuple(each for each in subjects if each not in failures),
        failures=tuple(
            Failure(subject=each, reason=failures[each]) for each in subjects if each in failures
        ),
        quotes=tuple(
            quote for part in readings for each in subjects for quote in part.quotes.get(each, ())
        ),
        troubles=tuple(
            trouble
            for part in readings
            for each in subjects
            for trouble in part.troubles.get(each, ())
        ),
        types=tuple(facts for part in readings for facts in part.types),
        published=max((part.published for part in readings), default=None),
        requests=wire.requests if wire else 0,
        wire_bytes=wire.wire_bytes if wire else 0,
    )
