"""Real answers of AWS, in the folder that the project's machines share."""

from __future__ import annotations

import pytest

from tests.conftest import ROOT

SAMPLES = ROOT.parent / "shared/aws/samples"
needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the shared samples are not here")
