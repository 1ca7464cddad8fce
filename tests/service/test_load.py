"""A minute of load: every answer comes, and memory does not grow; no latency is asserted."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks import load


@pytest.mark.long
def test_a_minute_of_requests_beside_a_sat_job_has_no_error_and_memory_stays(tmp_path) -> None:
    process, url = load.serve(tmp_path)
    try:
        found = asyncio.run(load.measure(url, process.pid, 60, 300, 50))
    finally:
        process.terminate()
        process.wait(30)
        process.stderr.close()
    for name, figures in found.items():
        print(name, figures)
        assert (figures["requests"], figures["errors"]) == (18_000, 0)
        first, *_, last = figures["memory_mib"][1:]
        assert last < 1.1 * first
