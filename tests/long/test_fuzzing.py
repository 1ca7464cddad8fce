"""Described requests at random, in this process: no fault of the server, and answers as described.

Each operation gets 300 requests, or as many as SATCAL_FUZZ_EXAMPLES says.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from helpers.servers import TOKEN

pytestmark = pytest.mark.long
EXAMPLES = int(os.environ.get("SATCAL_FUZZ_EXAMPLES", "300"))
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def test_no_described_request_ends_in_a_fault_of_the_server(tmp_path):
    import schemathesis
    from hypothesis import HealthCheck, given, settings
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
    )

    from satcal.service import app
    from satcal.service.settings import Settings

    checks = [not_a_server_error, content_type_conformance, response_schema_conformance]
    made = app.make_app(Settings(str(tmp_path / "store.sqlite"), token=TOKEN, public=True))
    described = schemathesis.openapi.from_asgi("/api/v1/openapi.json", made, headers=HEADERS)
    quick = described.exclude(path_regex="/claims$")
    operations = [each.ok() for each in quick.get_all_operations()]
    assert len(operations) > 12
    for operation in operations:

        @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            # most made-up names are of no puzzle, which would end every question at once
            if "puzzle" in case.path_parameters and len(case.path_parameters["puzzle"]) % 8:
                case.path_parameters["puzzle"] = "tetromino"
            case.call_and_validate(checks=checks, headers=HEADERS, timeout=240)

        ask()
