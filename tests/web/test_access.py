"""Nobody gets in: each rule of `pathmax.web.access` with the attack that it stops."""

import hmac
import ipaddress
import json
import socket

import httpx
import pytest

from pathmax.errors import SettingsError
from pathmax.web import tokens as tokens_module
from pathmax.web.access import HEADERS
from pathmax.web.own_addresses import own_addresses
from pathmax.web.serving import Greeting
from pathmax.web.settings import RequestLimits, ServerSettings
from pathmax.web.tokens import Role, Tokens
from tests.web.conftest import SPACE, TOKEN, client

PAGE = {"Accept": "text/html"}


@pytest.fixture
def stranger(settings):
    with client(settings, Role.NOBODY) as made:
        yield made


@pytest.fixture
def reader(settings):
    with client(settings, Role.READ) as made:
        yield made


def described(api: httpx.Client) -> list[tuple[str, str]]:
    """Every method and path of the API, filled in."""
    found = api.get("/api/openapi.json").json()["paths"]
    return [
        (method.upper(), path.replace("{name}", "suzuki").replace("{number}", "0"))
        for path, methods in found.items()
        for method in methods
    ]


class TestTokens:
    def test_without_a_token_nothing_is_told(self, api, study, stranger):
        paths = [*described(api), ("GET", "/api/openapi.json"), ("GET", "/api/docs")]
        paths += [("GET", "/api/storage/v1/studies"), ("POST", "/api/storage/v1/start")]
        for method, path in paths:
            answer = stranger.request(method, path)
            assert answer.status_code == 401, path
            assert answer.json()["error"] == "TokenNeeded" and "suzuki" not in answer.text
        assert stranger.get("/", headers=PAGE).headers["location"] == "/login"

    @pytest.mark.parametrize("wrong", ["x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "é" * 32])
    def test_a_wrong_token_is_no_token(self, settings, stranger, wrong):
        header = f"Bearer {wrong}".encode()
        for sent in ({"Authorization": header}, {"Cookie": f"pathmax-{settings.port}={wrong}"}):
            if isinstance(sent.get("Cookie"), str) and not wrong.isascii():
                continue
            assert stranger.get("/api/studies", headers=sent).status_code == 401
        assert stranger.get("/", params={"token": wrong}, headers=PAGE).status_code == 303

    def test_tokens_are_compared_in_constant_time(self, monkeypatch):
        compared, compare_digest = [], hmac.compare_digest

        def compare(one: bytes, other: bytes) -> bool:
            compared.append((one, other))
            return compare_digest(one, other)

        monkeypatch.setattr(tokens_module.hmac, "compare_digest", compare)
        tokens = Tokens.of(TOKEN)
        assert tokens.role("wrong") is Role.NOBODY and tokens.role(TOKEN) is Role.WRITE
        # Each of the two secrets, every time, also after one has matched.
        assert len(compared) == 4

    def test_nobody_gets_from_reading_to_writing(self):
        tokens = Tokens.of(TOKEN)
        reading, cookie = tokens.by_role[Role.READ], tokens.cookie(Role.READ)
        assert tokens.role(reading) is Role.READ and tokens.role_of_cookie(cookie) is Role.READ
        assert tokens.role(cookie) is Role.NOBODY and tokens.role_of_cookie(TOKEN) is Role.NOBODY
        assert TOKEN not in repr(tokens) + repr(ServerSettings(token=TOKEN))

    def test_a_token_that_can_be_guessed_is_refused(self):
        for token in ("", "secret", "é" * 40):
            with pytest.raises(SettingsError, match="at least 16 characters"):
                ServerSettings(token=token)
        assert ServerSettings().token != ServerSettings().token


class TestBrowsers:
    def test_the_printed_link_sets_a_cookie_and_leaves_the_address_bar(self, settings, stranger):
        link = Greeting.of(settings, "lab.db").work
        answer = stranger.get(link, headers=PAGE)
        assert answer.status_code == 200 and TOKEN not in answer.text
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and TOKEN not in cookie
        assert "Secure" not in cookie
        assert 'content="0; url=/"' in answer.text
        assert stranger.get("/", headers=PAGE).status_code == 200  # with the cookie
        assert stranger.get("/api/studies").status_code == 200

    def test_a_cookie_of_another_program_does_not_hide_ours(self, settings, stranger):
        ours = Tokens.of(TOKEN).cookie(Role.WRITE)
        cookies = f'prefs={{"dark": true}}; pathmax-{settings.port}={ours}; [a]'
        answer = stranger.get("/api/server", headers={"Cookie": cookies})
        assert answer.status_code == 200 and answer.json()["role"] == "write"

    def test_behind_tls_the_cookie_is_for_https_alone(self, serve):
        settings = serve(proxied=True)
        with client(settings, Role.NOBODY) as browser:
            answer = browser.get("/", params={"token": TOKEN}, headers=PAGE)
        assert "Secure" in answer.headers["set-cookie"]

    def test_a_link_keeps_where_it_leads_and_leads_nowhere_else(self, settings, stranger):
        found = stranger.get("/studies/a%22b", params={"token": TOKEN, "x": "<b>"}, headers=PAGE)
        assert "url=/studies/a%22b?x=%3Cb%3E" in found.text
        odd = stranger.get("/studies/a%3Fb%23", params={"token": TOKEN}, headers=PAGE)
        assert "url=/studies/a%3Fb%23" in odd.text
        doubled = f"{settings.origin}//evil.example/"
        elsewhere = stranger.get(doubled, params={"token": TOKEN}, headers=PAGE)
        assert "url=/evil.example/" in elsewhere.text and "//evil" not in elsewhere.text

    def test_the_token_can_be_entered_in_a_form(self, settings, stranger):
        wrong = stranger.post("/login", data={"token": "x" * 20})
        assert wrong.status_code == 401 and "set-cookie" not in wrong.headers
        assert stranger.post("/login", data={"token": TOKEN}).headers["set-cookie"]
        assert stranger.get("/api/server").json()["role"] == "write"

    def test_a_link_in_a_mail_is_followed_by_a_page_of_ours(self, stranger):
        headers = {**PAGE, "Sec-Fetch-Site": "cross-site"}
        shown = stranger.get("/trial/suzuki?number=3&x=%22", headers=headers).text
        assert 'http-equiv="refresh" content="0; url=/trial/suzuki?number=3&amp;x=%22"' in shown

    def test_a_request_from_another_site_is_refused(self, api, study, settings):
        own = settings.origin
        for headers in (
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": own.replace("http", "https", 1) + ".evil.example"},
            {"Origin": f"http://localhost:{settings.port + 1}"},
            {"Origin": "http://["},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
        ):
            refused = api.post(f"{study}/ask", json={}, headers=headers)
            assert refused.status_code == 403 and refused.json()["error"] == "NotAllowed"
        for headers in ({"Origin": own}, {"Sec-Fetch-Site": "same-origin"}, {}):
            assert api.post(f"{study}/ask", json={}, headers=headers).status_code == 200
        assert api.get(study).json()["counts"]["total"] == 3

    def test_a_form_of_another_site_is_no_json(self, api, study):
        plain = api.post(f"{study}/ask", content="{}", headers={"Content-Type": "text/plain"})
        assert plain.status_code == 422
        assert api.get(study).json()["counts"]["total"] == 0

    @pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1.nip.io", ""])
    def test_dns_rebinding_is_refused(self, settings, host):
        """A name of somebody else's that was made to mean our address."""
        with socket.create_connection((settings.host, settings.port)) as raw:
            request = f"GET /api/studies HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
            raw.sendall(f"{request}Authorization: Bearer {TOKEN}\r\n\r\n".encode())
            answer = b"".join(iter(lambda: raw.recv(4096), b"")).decode()
        assert " 421 " in answer.splitlines()[0] or " 400 " in answer.splitlines()[0]
        assert "studies" not in answer.partition("\r\n\r\n")[2]

    def test_names_of_ours_are_known(self):
        here = ServerSettings(token=TOKEN, allowed_hosts=("Lab.Example.org",))
        for host in ("localhost", "127.0.0.1", "::1", "lab.example.org"):
            assert here.answers_to(host)
        assert not here.answers_to("192.168.1.7")
        there = ServerSettings(token=TOKEN, host="0.0.0.0")
        for host in ("192.168.1.7", "fe80::1", socket.gethostname()):
            assert there.answers_to(host)
        assert not there.answers_to("evil.example")

    def test_every_answer_has_the_headers(self, api, study, stranger):
        answers = [
            api.get("/", headers=PAGE),
            api.get("/api/studies"),
            api.get("/nowhere"),
            api.get("/static/api_docs.css"),
            api.post(f"{study}/ask", content="{"),
            stranger.get("/login"),
            stranger.get("/api/studies"),
            api.get("/api/docs"),
        ]
        for answer in answers:
            for name, value in HEADERS.items():
                assert answer.headers[name] == value
            assert "server" not in answer.headers or "uvicorn" not in answer.headers["server"]
        policy = HEADERS["Content-Security-Policy"]
        assert "unsafe" not in policy and "default-src 'none'" in policy and "http" not in policy

    def test_pages_have_no_inline_script_or_style(self, api, study):
        for path in ("/", "/login", "/api/docs"):
            text = api.get(path, headers=PAGE).text.lower()
            assert "<script>" not in text and "style=" not in text and "onclick" not in text
            assert "http://" not in text and "https://" not in text  # nothing from elsewhere


class TestRoles:
    def test_reading_reads_and_changes_nothing(self, api, study, reader):
        api.post(f"{study}/ask", json={})
        before = api.get(study).json()["revision"]
        for method, path in described(api):
            if path == "/api/events":  # without end
                continue
            answer = reader.request(method, path, json={})
            computes = path.endswith(("/predict", "/feasibility"))
            if method == "GET" or computes:
                assert answer.status_code in (200, 409, 422), path
            else:
                assert answer.status_code == 403 and "reading" in answer.json()["message"]
        for what in ("start", "delete", "turn", "release"):
            assert reader.post(f"/api/storage/v1/{what}", json={}).status_code == 403
        assert reader.get("/api/server").json()["role"] == "read"
        assert api.get(study).json()["revision"] == before

    def test_a_read_only_server_takes_nothing_from_anybody(self, serve, api, study):
        with client(serve(read_only=True), Role.READ) as api:
            refused = api.post(f"{study}/ask", json={})
            assert refused.status_code == 403 and "read-only" in refused.json()["message"]
            assert api.get(study).status_code == 200
            holder = {"Authorization": f"Bearer {TOKEN}"}
            assert api.delete(study, headers=holder).status_code == 403
            assert api.get("/api/server", headers=holder).json()["role"] == "read"

    def test_what_a_read_only_server_gives_to_share_never_writes(self):
        settings = ServerSettings(token=TOKEN, read_only=True)
        shared = Greeting.of(settings, "lab.db").look.rpartition("=")[2]
        assert shared != TOKEN and Tokens.of(TOKEN).role(shared) is Role.READ
        assert Tokens.of(TOKEN, read_only=True).role(shared) is Role.READ
        cookie = Tokens.of(TOKEN).cookie(Role.WRITE)  # of when the server was none
        assert Tokens.of(TOKEN, read_only=True).role_of_cookie(cookie) is Role.READ

    def test_no_get_changes_anything(self, api, study):
        api.post(f"{study}/ask", json={})
        before = api.get("/api/studies").json()["studies"][0]["revision"]
        for method, path in described(api):
            if method != "GET" or path == "/api/events":
                continue
            for given in ({}, {"value": "1", "n": "3", "reason": "x", "correct": "true"}):
                api.get(path, params=given)
                api.head(path)
        for what in ("start", "finish", "delete", "create", "turn"):
            assert api.get(f"/api/storage/v1/{what}", params={"name": "suzuki"}).status_code == 404
        assert api.get("/api/studies").json()["studies"][0]["revision"] == before


class TestLimits:
    @pytest.fixture
    def small(self, serve):
        with client(
            serve(limits=RequestLimits(body=2000, table=5000, rows=3, suggestions=2))
        ) as api:
            api.post("/api/studies", json={"space": SPACE})
            yield api

    def test_large_bodies_are_refused_whether_announced_or_not(self, small):
        body = json.dumps({"value": 1, "note": "x" * 3000})
        path = "/api/studies/suzuki/trials/0/tell"
        pieces = (piece.encode() for piece in [body[:1000], body[1000:]])
        for content in (body, pieces):
            refused = small.post(
                path, content=content, headers={"Content-Type": "application/json"}
            )
            assert refused.status_code == 413 and refused.json()["error"] == "TooLarge"

    def test_large_tables_are_refused(self, small):
        path = "/api/studies/suzuki/import"
        assert small.post(path, content="x" * 6000).status_code == 413
        many = "temperature,solvent,yield\n" + "50,DMF,1\n" * 9
        refused = small.post(path, content=many)
        assert refused.status_code == 422 and "3 rows" in refused.json()["message"]

    def test_too_much_at_once_is_refused(self, small):
        assert small.post("/api/studies/suzuki/ask", json={"n": 3}).status_code == 422
        assert small.get("/api/studies/suzuki/trials", params={"limit": 10**6}).status_code == 422

    def test_what_is_nested_too_deeply_is_refused(self, api, study):
        deep = '{"value": 1, "attributes": ' + '{"a":' * 50_000 + "1" + "}" * 50_000 + "}"
        answer = api.post(
            f"{study}/trials/0/tell", content=deep, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code in (400, 422) and "Traceback" not in answer.text
        deep = {"a": json.loads("[" * 400 + "]" * 400)}
        answer = api.post(f"{study}/trials/0/tell", json={"value": 1, "attributes": deep})
        assert answer.status_code == 422 and "nested too deeply" in answer.json()["message"]

    @pytest.mark.parametrize(
        "key", [".".join("a" * 100_000), "x = { a" + " . b" * 50_000 + " = 1 }"]
    )
    def test_a_key_of_many_parts_is_refused_before_it_is_read(self, api, key):
        (error,) = api.post("/api/check", json={"toml": f"{key} = 1"}).json()["errors"]
        assert "dots" in error["message"]


class TestFiles:
    TOML = 'study = "pool"\n[objective]\ndirection = "maximize"\n[candidates]\nfile = "{}"\n'

    @pytest.fixture
    def folder(self, tmp_path):
        inside = tmp_path / "shared"
        inside.mkdir()
        for place in (inside / "library.csv", tmp_path / "secret.csv"):
            place.write_text("a,b\n1,2\n2,3\n3,4\n")
        (inside / "link.csv").symlink_to(tmp_path / "secret.csv")
        return inside

    @pytest.mark.parametrize("named", ["../secret.csv", "link.csv", "/etc/passwd", "a\\u0000b"])
    def test_no_file_outside_the_folder_is_opened(self, serve, folder, named):
        text = self.TOML.format(named)
        with client(serve(files=folder)) as api:
            for path in ("/api/studies", "/api/check"):
                answer = api.post(path, json={"toml": text})
                assert "--files" in answer.text and "root:" not in answer.text
            assert api.get("/api/studies").json() == {"studies": []}

    def test_without_a_folder_no_file_is_opened_at_all(self, api, folder):
        text = self.TOML.format(folder / "library.csv")
        answer = api.post("/api/studies", json={"toml": text})
        assert answer.status_code == 422 and "opens no files" in answer.json()["message"]

    def test_a_file_in_the_folder_is_taken(self, serve, folder):
        with client(serve(files=folder)) as api:
            made = api.post("/api/studies", json={"toml": self.TOML.format("library.csv")})
            assert made.status_code == 201 and made.json()["space"]["size"] == 3

    def test_a_stored_path_is_not_trusted_either(self, settings, api, study, folder):
        """Whoever may write could store any path as that of a large pool."""
        record = api.get("/api/storage/v1/load", params={"name": "suzuki"}).json()["record"]
        space = {"kind": "candidates", "length": 3, "columns": ["a", "b"], "id": None,
                 "fingerprint": "x", "rows": None}  # fmt: skip
        sheet = {"pool": {"file": str(folder / "library.csv")}}
        forged = {**record, "name": "forged", "space": space, "attributes": {"sheet": sheet}}
        assert api.post("/api/storage/v1/create", json={"record": forged}).status_code == 200
        refused = api.get("/api/studies/forged")
        assert refused.status_code == 422 and "opens no files" in refused.json()["message"]
        lines = {each["name"]: each for each in api.get("/api/studies").json()["studies"]}
        assert "opens no files" in lines["forged"]["damage"] and lines["suzuki"]["counts"]


class TestErrors:
    def test_what_nobody_foresaw_is_logged_and_not_told(self, api, study, monkeypatch, caplog):
        def broken(self, present=None):
            raise RuntimeError("the secret is opal")

        monkeypatch.setattr("pathmax.web.study_cache.StudyCache.summary", broken)
        answer = api.get(study)
        assert answer.status_code == 500 and answer.json()["error"] == "InternalError"
        assert "opal" not in answer.text and "Traceback" not in answer.text
        number = answer.json()["message"].split()[-1]
        assert number in caplog.text and "the secret is opal" in caplog.text

    def test_the_server_says_that_there_is_no_tls(self):
        lab = ServerSettings(token=TOKEN, host="0.0.0.0")
        assert "There is no TLS" in "\n".join(Greeting.of(lab, "lab.db").lines)
        for safe in (
            ServerSettings(token=TOKEN),
            ServerSettings(token=TOKEN, host="::1"),
            ServerSettings(token=TOKEN, host="0.0.0.0", certfile="a.pem"),
            ServerSettings(token=TOKEN, host="0.0.0.0", proxied=True),
        ):
            assert Greeting.of(safe, "lab.db").warning is None
        assert ServerSettings().host == "127.0.0.1"
        with pytest.raises(SettingsError, match="--certfile"):
            ServerSettings(token=TOKEN, keyfile="a.pem")

    def test_a_server_on_every_network_prints_what_others_can_open(self, monkeypatch):
        found = ["192.168.1.7", "2001:db9::7", "lab-pc"]
        monkeypatch.setattr("pathmax.web.serving.own_addresses", lambda host: found)
        said = "\n".join(Greeting.of(ServerSettings(token=TOKEN, host="0.0.0.0"), "lab.db").lines)
        assert f"to work:           http://192.168.1.7:8080/?token={TOKEN}" in said
        also = "http://[2001:db9::7]:8080, http://lab-pc:8080, http://localhost:8080"
        assert f"found also at:     {also}" in said
        assert "There is no TLS: whoever can listen on the network of this machine" in said
        behind = ServerSettings(token=TOKEN, proxied=True, allowed_hosts=("lab.example.org",))
        assert Greeting.of(behind, "lab.db").look.startswith("https://lab.example.org/?token=")

    def test_the_addresses_of_this_machine_are_for_others_and_answered_to(self):
        *addresses, name = own_addresses("0.0.0.0")
        assert all(ipaddress.ip_address(each).version == 4 for each in addresses)
        assert name == socket.gethostname()
        there = ServerSettings(token=TOKEN, host="0.0.0.0")
        assert all(there.answers_to(each) for each in (*addresses, name))
        assert not any(ipaddress.ip_address(each).is_loopback for each in addresses)
