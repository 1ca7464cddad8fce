"""Requests made up from the API's own description: none ends in a fault of the server."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

EXAMPLES = 12
SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.filter_too_much]


@pytest.fixture(scope="session")
def description(server):
    """The description, without what waits for a job to end."""
    url = f"{server.url}/api/v1/openapi.json"
    return schemathesis.openapi.from_url(url).exclude(path_regex="/events$|/claims$")


schema = schemathesis.pytest.from_fixture("description")
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]


def ask(case) -> None:
    # most made-up names are of no puzzle, which would end every question at once
    if "puzzle" in case.path_parameters and case.path_parameters["puzzle"] != "rhombus":
        case.path_parameters["puzzle"] = "tetromino"
    case.call_and_validate(checks=CHECKS, timeout=60)


@schema.parametrize()
@settings(max_examples=EXAMPLES, suppress_health_check=SLOW_IS_FINE)
def test_no_described_request_ends_in_a_fault_of_the_server(case) -> None:
    ask(case)


@pytest.mark.long
@schema.parametrize()
@settings(max_examples=400, suppress_health_check=SLOW_IS_FINE)
def test_not_one_of_many_requests_ends_in_a_fault_of_the_server(case) -> None:
    ask(case)
