"""Which IP addresses are public, for calls to addresses that people name. Pure."""

import ipaddress

# Not public, though `ipaddress` of every supported Python does not say so.
_NOT_PUBLIC = tuple(
    ipaddress.ip_network(network)
    for network in (
        "100.64.0.0/10",  # carrier-grade NAT
        "168.63.129.16/32",  # the platform service of every Azure machine
        "192.0.0.0/24",  # protocol assignments
        "192.88.99.0/24",  # relays from IPv6 to IPv4
        "198.18.0.0/15",  # benchmarks of networks
        "::/96",  # IPv4 addresses in an IPv6 one, in the oldest form
        "::ffff:0:0:0/96",  # IPv4 addresses in an IPv6 one, translated without state
        "64:ff9b::/96",  # IPv4 addresses in an IPv6 one, translated by a NAT64
        "64:ff9b:1::/48",  # the same inside one network
        "2001::/32",  # Teredo, which carries an IPv4 address
        "2002::/16",  # 6to4, which carries an IPv4 address
        "3fff::/20",  # documentation
        "5f00::/16",  # segment identifiers of IPv6 routing
        "fec0::/10",  # site-local addresses, the predecessors of fc00::/7
    )
)


_PRIVATE = tuple(
    ipaddress.ip_network(network) for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
)
# Where clouds tell a machine its own credentials, in ranges that are otherwise a private network's.
_METADATA = tuple(ipaddress.ip_network(network) for network in ("fd00:ec2::254/128", "fd20:ce::254/128"))


def is_private_network(ip: str) -> bool:
    """Whether an IP address belongs to a private network: not public, and neither this machine nor a service of its cloud."""
    address = _plain(ip)
    if address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast:
        return False
    if any(address in network for network in _METADATA if network.version == address.version):
        return False
    return any(address in network for network in _PRIVATE if network.version == address.version)


def is_public(ip: str) -> bool:
    """Whether an IP address belongs to the public internet and not to the network that this process runs in."""
    address = _plain(ip)
    if address.is_multicast or not address.is_global:
        return False
    return not any(address in network for network in _NOT_PUBLIC if network.version == address.version)


def _plain(ip: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An IPv4 address in IPv6 form is the IPv4 address."""
    address = ipaddress.ip_address(ip.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
