"""Requests made up from the API's own description: none ends in a fault of the server."""

from __future__ import annotations

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
# what waits for the end of a job, or starts one that takes long
LEFT_OUT = "/events$|/claims$"


@pytest.fixture(scope="session")
def operations(server):
    """The operations that the running server describes."""
    described = schemathesis.openapi.from_url(f"{server.url}/api/v1/openapi.json")
    found = [each.ok() for each in described.exclude(path_regex=LEFT_OUT).get_all_operations()]
    assert len(found) > 15
    return found


def ask_all(operations, api: httpx.Client, examples: int) -> None:
    for operation in operations:

        @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def ask(case) -> None:
            # most made-up names are of no puzzle, which would end every question at once
            if "puzzle" in case.path_parameters and len(case.path_parameters["puzzle"]) % 8:
                case.path_parameters["puzzle"] = "tetromino"
            said = case.call_and_validate(checks=CHECKS, timeout=60)
            if said.status_code == 202:  # a queue of jobs that nobody waits for would soon be full
                api.delete(f"/jobs/{said.json()['id']}").raise_for_status()

        ask()


@pytest.mark.needs("cairo", "a font")
def test_no_described_request_ends_in_a_fault_of_the_server(operations, api: httpx.Client) -> None:
    ask_all(operations, api, 8)


@pytest.mark.needs("cairo", "a font")
@pytest.mark.long
def test_not_one_of_many_requests_ends_in_a_fault_of_the_server(
    operations, api: httpx.Client
) -> None:
    ask_all(operations, api, 300)
