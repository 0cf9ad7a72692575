"""By which names and addresses others find a server that listens on every network of a machine."""

from __future__ import annotations

import contextlib
import ipaddress
import socket

EVERYWHERE = ("0.0.0.0", "::", "")
# Of the networks for documentation: to name it as a destination sends nothing anywhere.
ELSEWHERE = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}


def own_addresses(host: str) -> list[str]:
    """The address that others most likely reach, further ones, and the name of the machine.

    `host` is where the server listens: 0.0.0.0 is every network of the older kind of addresses.
    """
    name, family = socket.gethostname(), socket.AF_INET6 if ":" in host else socket.AF_INET
    found = [_towards(family)]
    with contextlib.suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(name, None, family)]
    addresses = [each for each in found if each is not None and _is_for_others(each)]
    return [*dict.fromkeys([*addresses, name])]


def _towards(family: socket.AddressFamily) -> str | None:
    """The address from which this machine would send to another network."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect(ELSEWHERE[family])
        return str(asking.getsockname()[0])
    return None


def _is_for_others(address: str) -> bool:
    try:
        known = ipaddress.ip_address(address)
    except ValueError:  # with a zone, which no link has
        return False
    return not (known.is_loopback or known.is_link_local or known.is_unspecified)
