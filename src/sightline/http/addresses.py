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


def is_public(ip: str) -> bool:
    """Whether an IP address belongs to the public internet and not to the network that this process runs in."""
    address = ipaddress.ip_address(ip.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_multicast or not address.is_global:
        return False
    return not any(address in network for network in _NOT_PUBLIC if network.version == address.version)
