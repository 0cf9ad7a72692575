"""Tokens: a secret for writing, another for reading that is derived from it.

The secret for reading comes from the one for writing by a keyed hash: a link to share stays valid
over restarts as long as the token does, and nobody gets from it to the other. Cookies hold a hash
too, not the token.
"""

from __future__ import annotations

import enum
import hashlib
import hmac
from dataclasses import dataclass
from typing import Self


class Role(enum.IntEnum):
    """What somebody may do; a higher one may do all that a lower one may."""

    NOBODY = 0
    READ = 1
    WRITE = 2


@dataclass(frozen=True, slots=True, repr=False)
class Tokens:
    """The secrets of a server, and who may do what with them."""

    by_role: dict[Role, str]
    highest: Role = Role.WRITE
    """What anybody may do at most: on a read-only server the token for writing only reads."""

    @classmethod
    def of(cls, token: str, *, read_only: bool = False) -> Self:
        """From the token for writing. The one for reading is the same on a read-only server."""
        secrets = {Role.READ: derived(token, "read"), Role.WRITE: token}
        return cls(secrets, Role.READ if read_only else Role.WRITE)

    def role(self, token: str) -> Role:
        """What the holder of a token may do. Takes the same time whatever is wrong with it."""
        return self._matching(self.by_role, token)

    def role_of_cookie(self, value: str) -> Role:
        """The same for the value of a cookie."""
        return self._matching({role: self.cookie(role) for role in self.by_role}, value)

    def cookie(self, role: Role) -> str:
        """The value of the cookie of a role."""
        return derived(self.by_role[role], "cookie")

    def link(self, origin: str, role: Role) -> str:
        """The address that lets a browser in."""
        return f"{origin}/?token={self.by_role[role]}"

    def _matching(self, secrets: dict[Role, str], given: str) -> Role:
        found = Role.NOBODY
        for role, secret in secrets.items():
            if hmac.compare_digest(secret.encode(), given.encode("utf-8", "replace")):
                found = max(found, role)
        return min(found, self.highest)


def derived(token: str, purpose: str) -> str:
    """Another secret that belongs to a token, from which nobody gets back to it."""
    key, message = token.encode(), f"pathmax {purpose}".encode()
    return hmac.new(key, message, hashlib.sha256).hexdigest()[:40]
