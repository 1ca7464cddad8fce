"""What people send who mean harm, and the answers they get; the server works on after each."""

from __future__ import annotations

import json
import socket
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from urllib.parse import urlsplit

import httpx
import pytest
from serving import finished, start

JSON = {"Content-Type": "application/json"}
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def works_on(server):
    """Whatever was sent, the server answers the next one, and no process of its own is stuck."""
    yield
    with server.client() as client:
        found = client.get("/api/v1/puzzles/rhombus/remaining", params={"date": "2025-10-23"})
    assert found.json()["tilings"] == 201


def raw(server, data: bytes, wait: float = 5.0) -> bytes:
    """Send bytes as they are, and return what comes back."""
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port), timeout=wait) as line:
        line.sendall(data)
        line.settimeout(wait)
        said = b""
        try:
            while part := line.recv(65536):
                said += part
        except (TimeoutError, ConnectionResetError):
            pass
        return said


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        (b'{"definition": "' + b"x" * 2_000_000 + b'"}', 413, "the body is larger than"),
        (b"[" * 200_000, 400, "the body cannot be read"),
        (b'{"definition":' * 5_000, 400, "the body cannot be read"),
        (b"\xff\xfe\x00", 400, "the body cannot be read"),
        (b'{"definition": ', 422, "JSON decode error"),
        (b'{"definition": "\\ud800"}', 422, None),
        (b'{"definition": ' + b"1" * 5000 + b"}", 400, "cannot be read"),
        (b'{"definition": "", "more": 1}', 422, "there is no field 'more'"),
        (json.dumps({"definition": "a = " + "[" * 50_000}).encode(), 422, "nested too deeply"),
        (json.dumps({"definition": "a" * 262_145}).encode(), 422, "at most 262144"),
        (json.dumps({"definition": "board = '''" + "* " * 289}).encode(), 422, "not valid TOML"),
    ],
    ids=["oversized", "nested", "objects", "no-utf8", "cut-off", "surrogate", "number", "extra",
         "toml", "long-text", "unclosed"],
)  # fmt: skip
def test_a_body_that_is_no_puzzle_is_refused(api: httpx.Client, body, status, detail) -> None:
    said = api.post("/puzzles", content=body, headers=JSON)
    assert said.status_code == status, said.text
    assert said.headers["content-type"] == "application/problem+json"
    assert detail is None or detail in said.json()["detail"]


def toml(board: str, pieces: str, more: str = "") -> dict[str, str]:
    return {"definition": f'{more}\nboard = """\n{board}\n"""\n[pieces]\n{pieces}\n'}


MANY_REVEALS = {
    "definition": 'board = "'
    + " ".join(f"{c}{n}" for c in "abcd" for n in range(15))
    + '"\n[categories]\n'
    + "\n".join(f"{c} = {[f'{c}{n}' for n in range(15)]}" for c in "abcd")
    + '\n[pieces]\nI = { shape = "#", copies = 56 }\n'
}


@pytest.mark.parametrize(
    ("definition", "detail"),
    [
        (toml("\n".join(["* " * 17] * 16), 'I = { shape = "#", copies = 272 }'), "272 cells"),
        (toml("* " * 64, 'I = { shape = "#", copies = 65 }'), "65 pieces"),
        (toml("* " * 65, 'I = "#"'), "more than 64 rows or columns"),
        (MANY_REVEALS, "50,625 reveals"),
    ],
    ids=["cells", "pieces", "columns", "reveals"],
)  # fmt: skip
def test_a_puzzle_that_is_too_large_for_the_service_is_refused(api, definition, detail) -> None:
    said = api.post("/puzzles", json=definition)
    assert said.status_code == 413
    assert detail in said.json()["detail"]


def test_a_diagram_that_would_eat_all_memory_is_refused_and_its_process_ends(
    tmp_path, cache
) -> None:
    small = start(tmp_path, cache, "--memory-limit", "700M")
    try:
        with small.client() as client:
            board = "\n".join(["* " * 14] * 14)
            shapes = {"L": "###\\n#..", "T": "###\\n.#.", "S": ".##\\n##.", "I": "####",
                      "O": "##\\n##", "U": "####", "V": "##\\n##"}  # fmt: skip
            pieces = "\n".join(
                f'{name} = {{ shape = "{shape}", copies = 7 }}' for name, shape in shapes.items()
            )
            said = client.post("/api/v1/puzzles", json=toml(board, pieces))
            assert said.status_code == 201, said.text
            name = said.json()["id"]
            begun = time.monotonic()
            answer = client.get(f"/api/v1/puzzles/{name}/counts", timeout=150)
            assert answer.status_code in (413, 503), answer.text
            assert time.monotonic() - begun < 140
            assert client.get("/api/v1/puzzles/rhombus/counts").status_code == 200
    finally:
        small.stop()


def test_labels_and_names_that_are_markup_stay_text_in_every_answer(server, api) -> None:
    text = (
        f"name = '{SCRIPT}'\ntitle = '\"><img src=x onerror=alert(1)>'\nsource = '{SCRIPT}'\n"
        f"board = '{SCRIPT} \u0635 \U0001f9e9 *'\n[categories]\n"
        f"'{SCRIPT}' = ['{SCRIPT}', '\u0635', '\U0001f9e9']\n[pieces]\nI = '#'\nD = '##'\n"
    )
    said = api.post("/puzzles", json={"definition": text})
    assert said.status_code == 201, said.text
    puzzle = said.json()["id"]
    for path in ("board.svg", "pieces.svg"):
        picture = api.get(f"/puzzles/{puzzle}/{path}")
        assert "<script" not in picture.text
        assert picture.headers["content-security-policy"] == "default-src 'none'; sandbox"
    with server.client() as client:
        page = client.get(f"/puzzles/{puzzle}").text
    assert "<script>alert" not in page
    assert "<img src=x" not in page


@pytest.mark.parametrize("mark", ["\u202e", "\u200b", "\u0007", "\ufdd0"])
def test_a_label_with_a_mark_that_nobody_sees_is_refused(api, mark) -> None:
    text = f"board = 'a{mark}b *'\n[categories]\nc = ['a{mark}b']\n[pieces]\nI = '#'\n"
    said = api.post("/puzzles", json={"definition": text})
    assert said.status_code == 422
    assert "printable" in said.json()["detail"] or "not valid TOML" in said.json()["detail"]


@pytest.mark.parametrize(
    "path",
    ["/api/v1/puzzles/..%2f..%2fetc%2fpasswd", "/api/v1/puzzles/%2e%2e", "/api/v1/puzzles/etc%00",
     "/puzzles/..%2f..%2fetc%2fpasswd", "/static/../../../etc/passwd", "/static/%2e%2e/app.py",
     "/api/v1/puzzles/pyproject.toml", "/api/v1/jobs/..%2f..",
     "/api/v1/puzzles/posted-%27%20OR%201"],
)  # fmt: skip
def test_a_path_names_a_puzzle_or_nothing_and_never_a_file(server, path) -> None:
    said = raw(
        server, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    )
    assert said.startswith(b"HTTP/1.1 404 ")
    assert b"root:" not in said


@pytest.mark.parametrize(
    "place", ["@/etc/passwd", "@shapes.txt", "N:r0c0;ls", "N@r1c1\n@x", "$(ls)"]
)
def test_a_condition_names_no_file_and_no_command(api: httpx.Client, place) -> None:
    said = api.get("/puzzles/rhombus/remaining", params={"place": place})
    assert said.status_code == 422
    assert "String should match pattern" in said.json()["detail"]


def test_an_archive_that_unpacks_to_more_than_memory_is_refused(api: httpx.Client) -> None:
    bomb = BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("manifest.json", "puzzle.toml", "0001-tilings.txt"):
            with archive.open(name, "w") as part:
                for _ in range(64):
                    part.write(bytes(2**20))
    headers = {"Content-Type": "application/octet-stream"}
    job = api.post("/certificates", content=bomb.getvalue(), headers=headers).json()
    ended = finished(api, job)
    assert ended["state"] == "failed"
    assert ended["error"]["kind"] in ("CertificateRefused", "TooLarge", "FormatError")


def test_an_upload_beyond_the_limit_is_refused(api: httpx.Client) -> None:
    headers = {"Content-Type": "application/octet-stream"}
    said = api.post("/certificates", content=bytes(33 * 2**20), headers=headers)
    assert said.status_code == 413


def test_a_body_or_a_head_that_trickles_in_is_cut_off(server) -> None:
    head = b"POST /api/v1/puzzles HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    slow = [head + b"Content-Length: 1000\r\n\r\n{", b"GET / HTTP/1.1\r\nHost: local"]
    begun = time.monotonic()
    with ThreadPoolExecutor(2) as both:
        body, unsaid = both.map(lambda data: raw(server, data, wait=30), slow)
    assert body.startswith(b"HTTP/1.1 408 ")
    assert unsaid == b""
    assert time.monotonic() - begun > 9


@pytest.mark.parametrize(
    "data",
    [b"\x00\x01\x02\x03\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"BREW /coffee HTTP/1.1\r\n\r\n",
     b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
     b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 200_000 + b"\r\n\r\n"],
    ids=["bytes", "version", "method", "length", "header"],
)  # fmt: skip
def test_what_is_no_http_gets_no_answer_or_a_refusal(server, data) -> None:
    said = raw(server, data + b"", wait=3)
    assert not said or said.split()[1] in (b"400", b"405", b"421", b"431")


def test_streams_that_are_dropped_are_given_back(server, api: httpx.Client) -> None:
    slow = {"kind": "count", "puzzle": "weekday", "method": "search", "date": "2025-03-03"}
    job = api.post("/jobs", json=slow).json()
    address = urlsplit(server.url)
    for _ in range(100):  # more than may be open at a time
        with socket.create_connection((address.hostname, address.port)) as line:
            line.sendall(
                f"GET /api/v1/jobs/{job['id']}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            )
            line.recv(15)
    with server.client() as client:
        for _ in range(50):
            if "satcal_streams 0.0" in client.get("/metrics").text:
                break
            time.sleep(0.1)
        assert "satcal_streams 0.0" in client.get("/metrics").text
    api.delete(f"/jobs/{job['id']}")


def test_no_more_streams_are_open_than_allowed(server, api: httpx.Client) -> None:
    slow = {"kind": "count", "puzzle": "weekday", "method": "search", "date": "2025-03-04"}
    job = api.post("/jobs", json=slow).json()
    path = f"{server.url}/api/v1/jobs/{job['id']}/events"
    addresses = [f"127.0.0.{number}" for number in (2, 3, 4, 5) for _ in range(16)]
    clients = [
        httpx.Client(timeout=30, transport=httpx.HTTPTransport(local_address=address))
        for address in addresses
    ]
    streams = [client.stream("GET", path) for client in clients]
    try:
        for stream in streams[:16]:
            assert stream.__enter__().status_code == 200
        with clients[0].stream("GET", path) as refused:
            assert refused.status_code == 503
            assert "more than 16 event streams for you" in refused.read().decode()
        for stream in streams[16:]:
            assert stream.__enter__().status_code == 200
        said = api.get(f"/jobs/{job['id']}/events")
        assert (said.status_code, said.headers["retry-after"]) == (503, "2")
        assert "more than 64 event streams" in said.json()["detail"]
    finally:
        for client in clients:
            client.close()
        api.delete(f"/jobs/{job['id']}")


def test_a_page_of_another_site_changes_nothing(api: httpx.Client) -> None:
    asked = {"kind": "count", "puzzle": "rhombus", "method": "diagram", "date": "2025-09-25"}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert api.post("/jobs", json=asked, headers=headers).status_code == 403
    text = api.post("/jobs", content=json.dumps(asked), headers={"Content-Type": "text/plain"})
    assert text.status_code == 422


def test_a_name_that_is_not_ours_is_not_answered(server) -> None:
    with server.client() as client:
        assert client.get("/", headers={"Host": "rebound.example"}).status_code == 421
        assert client.get("/", headers={"Host": "localhost:1"}).status_code == 200


def test_every_answer_tells_the_browser_to_trust_nothing_else(server) -> None:
    with server.client() as client:
        for path in ("/", "/nothing", "/api/v1/puzzles", "/make"):
            headers = client.get(path).headers
            policy = headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"


def test_an_address_of_sixteen_kilobytes_is_too_long(api: httpx.Client) -> None:
    assert api.get("/puzzles?" + "x" * 17_000).status_code == 414
