"""Who may come in: every request passes here before anything else sees it.

1. Host: only names of ours, against DNS rebinding.
2. Origin: a request that changes something comes from our own page or from no page at all.
3. Token: `Authorization: Bearer TOKEN`, or the cookie that the printed link sets.
4. Role: reading needs the token for reading; whatever is not GET or HEAD needs the one for writing,
   but for the few requests that compute and change nothing.
5. Size: bodies have a limit, whether or not they say beforehand how long they are.
6. Headers: no inline scripts, no frames, no sniffing, no referrers.

Static files need no token: the sign-in page uses them, and they hold nothing of any study.
"""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, cookie_parser
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pathmax.web.error_responses import refusal, wants_page
from pathmax.web.settings import ServerSettings
from pathmax.web.study_names import keep_slashes
from pathmax.web.tokens import Role, Tokens

SAFE = ("GET", "HEAD", "OPTIONS")
PUBLIC = ("/static/", "/favicon.ico", "/login")
COMPUTES_ONLY = re.compile(r"/api/studies/[^/]+/(predict|feasibility)")
LARGE = re.compile(r"/api/(studies/[^/]+/import|storage/.*)")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
COOKIE_SECONDS = 30 * 86_400


class Door:
    """Knows the tokens, and by which cookie a browser remembers one."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self.tokens = Tokens.of(settings.token, read_only=settings.read_only)
        self.cookie = f"pathmax-{settings.port}"  # browsers share cookies between ports

    def role(self, headers: Headers) -> Role:
        """What the sender of these headers may do."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self.tokens.role(token.strip())
        # Not SimpleCookie: a cookie of another program that it cannot read hides all others.
        found = cookie_parser(headers.get("cookie", "")).get(self.cookie)
        return Role.NOBODY if found is None else self.tokens.role_of_cookie(found)

    def let_in(self, role: Role, path: str) -> Response:
        """A page that leads to another one, and lets the browser remember a role."""
        response = bounce(path)
        response.set_cookie(
            self.cookie,
            self.tokens.cookie(role),
            max_age=COOKIE_SECONDS,
            path="/",
            secure=self._settings.has_tls or self._settings.proxied,
            httponly=True,
            samesite="strict",
        )
        return response


class Guard:
    """Lets through what is allowed; the role stands in `request.state.role`."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, door: Door) -> None:
        self._app, self._settings, self._door = app, settings, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        if scope["type"] != "http":  # there are no websockets here
            return await send({"type": "websocket.close", "code": 1008})
        keep_slashes(scope)
        headers = Headers(scope=scope)
        role = self._door.role(headers)
        scope.setdefault("state", {})["role"] = role
        send = _with_headers(send, scope["path"])
        refused = self._outside(scope, headers) or self._sign_in(scope, headers)
        refused = refused or self._unfit(scope, role)
        if refused is not None:
            return await refused(scope, receive, send)
        limits = self._settings.limits
        most = limits.table if LARGE.fullmatch(scope["path"]) else limits.body
        return await _Limited(self._app, most)(scope, receive, send)

    def _outside(self, scope: Scope, headers: Headers) -> Response | None:
        """Refuse what another site sends through somebody's browser."""
        host = headers.get("host", "")
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            name = ""
        if not self._settings.answers_to(name):
            return _refusal(
                scope,
                421,
                f"this server does not go by the name {name[:100]!r}; if it should, start it with "
                "--allow-host and that name",
            )
        if scope["method"] in SAFE:
            return None
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        if origin == "null" and site == "same-origin":
            origin = None  # a form of ours: without referrers, browsers do not name its origin
        elsewhere = origin is not None and origin.lower().partition("://")[2] != host.lower()
        if elsewhere or site not in ("none", "same-origin"):
            return _refusal(
                scope, 403, "requests that change something are not taken from other sites"
            )
        return None

    def _sign_in(self, scope: Scope, headers: Headers) -> Response | None:
        """The printed link: a good token in it becomes a cookie, and leaves the address bar."""
        if scope["method"] != "GET" or scope["path"].startswith("/api/"):
            return None
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(pairs).get("token")
        if given is None:
            return None
        role = self._door.tokens.role(given)
        if role is Role.NOBODY:
            return None
        rest = urlencode([(name, value) for name, value in pairs if name != "token"])
        return self._door.let_in(role, address_of(scope["path"], rest))

    def _unfit(self, scope: Scope, role: Role) -> Response | None:
        """Refuse whoever has no token, or none for what is wanted."""
        path = scope["path"]
        if path.startswith(PUBLIC):
            return None
        if role is Role.NOBODY:
            return self._unknown(scope)
        needed = Role.READ
        if scope["method"] not in SAFE and not COMPUTES_ONLY.fullmatch(path):
            needed = Role.WRITE
        if role >= needed:
            return None
        if self._settings.read_only:
            return _refusal(scope, 403, "this server is read-only; nothing can be changed here")
        return _refusal(
            scope, 403, "this link is for reading only; changes need the token for writing"
        )

    def _unknown(self, scope: Scope) -> Response:
        headers = Headers(scope=scope)
        wants_page = scope["method"] == "GET" and "text/html" in headers.get("accept", "")
        if scope["path"].startswith("/api/") or not wants_page:
            return refusal(
                401,
                "a token is needed: send it as Authorization: Bearer TOKEN; `pathmax serve` printed"
                " it, or it is in PATHMAX_TOKEN",
                headers={"WWW-Authenticate": "Bearer"},
            )
        if headers.get("sec-fetch-site") == "cross-site":
            # From a mail or a chat: browsers held the cookie back.
            return bounce(address_of(scope["path"], scope["query_string"].decode("latin-1")))
        return HTMLResponse("", 303, {"Location": "/login"})


def _refusal(scope: Scope, status: int, message: str) -> Response:
    """JSON, or for browsers a page that needs nothing else: they may be refused all of ours."""
    if not wants_page(scope["path"], Headers(scope=scope).get("accept", "")):
        return refusal(status, message)
    return HTMLResponse(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>pathmax</title>'
        f"<h1>That did not work</h1><p>{html.escape(message)}</p></html>",
        status,
    )


def address_of(path: str, query: str) -> str:
    """The address of a page of ours, as a link names it: a name may have a question mark."""
    return quote(path, safe="/") + (f"?{query}" if query else "")


def bounce(path: str) -> HTMLResponse:
    """A page that leads to another one of ours.

    Not a redirect: a browser that comes from another site would send no SameSite=Strict cookie
    there. From a page of ours it does.
    """
    safe = html.escape("/" + path.lstrip("/\\"))  # //elsewhere would be another site
    return HTMLResponse(
        f'<!doctype html><html lang="en"><meta http-equiv="refresh" content="0; url={safe}">'
        f'<title>pathmax</title><p><a href="{safe}">Go on</a></p></html>'
    )


def _with_headers(send: Send, path: str) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault(
                "Cache-Control", "no-cache" if path.startswith("/static/") else "no-store"
            )
        await send(message)

    return send_with_headers


class _Limited:
    """Refuses a body as soon as it is known to be too large."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isdecimal() or int(said) > self._most:
            return await self._refusal()(scope, receive, send)
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            # The rest is not read: whoever waits for it hears that the sender has gone.
            return message if taken <= self._most else {"type": "http.disconnect"}

        async def watched(message: Message) -> None:
            if taken <= self._most:
                await send(message)
            elif message["type"] == "http.response.start":
                await self._refusal()(scope, receive, send)

        try:
            await self._app(scope, counted, watched)
        except ClientDisconnect:
            if taken > self._most:
                await self._refusal()(scope, receive, send)

    def _refusal(self) -> Response:
        return refusal(413, f"the body may have {self._most} bytes; send less, or in several parts")
