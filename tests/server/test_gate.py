"""The gate by itself: which requests pass, which stop at the doorstep, which are refused."""

from __future__ import annotations

import pytest

from nimmt_lab.server import HOME
from nimmt_lab.server.gate import Gate, Verdict
from nimmt_lab.server.pages import without_token

GATE = Gate("/", HOME)
HERE = {"Host": "localhost:8888"}
FOLLOWED = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


def verdict(path: str, method: str = "GET", **headers: str) -> Verdict:
    return GATE.verdict(method, path, {**HERE, **{name.replace("_", "-"): value for name, value in headers.items()}})


@pytest.mark.parametrize("path", ["/", f"/{HOME}", "/lab", "/api/kernels", "/x"])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec_Fetch_Site": "none", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"},
        {"Sec_Fetch_Site": "same-origin", "Origin": "http://localhost:8888", "Referer": "http://localhost:8888/lab"},
        {"Host": "127.0.0.1:8888", "Origin": "http://127.0.0.1:8888"},
        {"Host": "[::1]:8888", "Referer": "http://[::1]:8888/"},
        {"Host": "LOCALHOST"},
    ],
)
def test_our_own_pages_and_scripts_pass(path: str, headers: dict[str, str]) -> None:
    assert verdict(path, **headers) is Verdict.PASS and verdict(path, "POST", **headers) is Verdict.PASS


@pytest.mark.parametrize("path", ["/", f"/{HOME}", "/lab", "/api/kernels", "/voila/static/voila.js", "/x"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},  # another port of this machine
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"},
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "document"},
        {"Sec_Fetch_Site": "SAME-ORIGIN"},
        {"Sec_Fetch_Site": "same-origin, cross-site"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Origin": "http://localhost"},
        {"Origin": "http://[broken"},
        {"Origin": "ftp://localhost:8888"},
        {"Sec_WebSocket_Origin": "http://elsewhere.example"},
        {"Referer": "http://elsewhere.example/?http://localhost:8888/"},
        {"Referer": "http://localhost:8888@elsewhere.example/"},
        {"Host": "elsewhere.example:8888"},
        {"Host": "localhost.elsewhere.example"},
        {"Host": "127.0.0.1.elsewhere.example:8888"},
        {"Host": "192.168.0.7:8888"},
        {"Host": ""},
    ],
)
def test_requests_from_other_sites_are_refused(path: str, headers: dict[str, str]) -> None:
    assert verdict(path, **headers) is Verdict.REFUSE and verdict(path, "POST", **headers) is Verdict.REFUSE


def test_a_link_to_home_stops_at_the_doorstep() -> None:
    def followed(path: str, method: str = "GET", **more: str) -> Verdict:
        return GATE.verdict(method, path, {**HERE, **FOLLOWED, **more})

    assert followed("/") is followed(f"/{HOME}") is Verdict.DOORSTEP
    assert followed(f"/{HOME}", Referer="http://elsewhere.example/") is Verdict.DOORSTEP
    assert followed("/lab") is followed(f"/{HOME}/") is followed(f"/{HOME}", "POST") is Verdict.REFUSE
    assert followed(f"/{HOME}", Origin="http://elsewhere.example") is Verdict.REFUSE
    assert followed(f"/{HOME}", Host="elsewhere.example") is Verdict.REFUSE


@pytest.mark.parametrize("destination", ["image", "iframe", "script", "style", "object", "embed", "audio"])
def test_documents_do_not_run_code(destination: str) -> None:
    for path in (f"/{HOME}", "/nbconvert/html/a.ipynb"):
        assert verdict(path, Sec_Fetch_Site="same-origin", Sec_Fetch_Dest=destination) is Verdict.REFUSE
    assert verdict("/static/a.png", Sec_Fetch_Site="same-origin", Sec_Fetch_Dest="image") is Verdict.PASS


def test_a_server_on_the_network_goes_by_any_name() -> None:
    gate = Gate("/base/", HOME, any_host=True)
    assert gate.verdict("GET", "/base/lab", {"Host": "lab.example"}) is Verdict.PASS
    assert gate.verdict("GET", "/base/lab", {"Host": "lab.example", **FOLLOWED}) is Verdict.REFUSE
    assert gate.verdict("GET", f"/base/{HOME}", {"Host": "lab.example", **FOLLOWED}) is Verdict.DOORSTEP


@pytest.mark.parametrize("uri", ["//elsewhere.example/?token=x", "/\\elsewhere.example?token=x", "///x//y?token=x"])
def test_the_way_on_stays_on_this_server(uri: str) -> None:
    assert without_token(uri)[0] == "/" and without_token(uri)[1] not in "/\\" and "token" not in without_token(uri)
