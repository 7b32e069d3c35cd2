"""OpenStack Swift with its S3 API in one process, for the tests: swift_server.py PORT DIRECTORY.

Runs on the emulators' own Python. Account, container, object and proxy server share a process, one device and one replica;
signatures and expiry are checked by Swift itself. The user is `test:tester` with the key `testing`.
"""

import os
import sys
from pathlib import Path
from typing import Any

import eventlet
import eventlet.wsgi

BACKENDS = ("account", "container", "object")

BACKEND = """
[DEFAULT]
devices = {directory}/devices
mount_check = false
swift_dir = {directory}
log_level = ERROR
fallocate_reserve = 0
disable_fallocate = true

[pipeline:main]
pipeline = {kind}-server

[app:{kind}-server]
use = egg:swift#{kind}
"""

PROXY = """
[DEFAULT]
swift_dir = {directory}
log_level = ERROR

[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true

[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin

[filter:s3api]
use = egg:swift#s3api
max_upload_part_num = 10000
min_segment_size = 100000
"""

for _name in (
    "catch_errors",
    "gatekeeper",
    "listing_formats",
    "bulk",
    "copy",
    "slo",
    "dlo",
    "versioned_writes",
    "symlink",
):
    PROXY += f"\n[filter:{_name}]\nuse = egg:swift#{_name}\n" + (
        "allow_object_versioning = true\n" if _name == "versioned_writes" else ""
    )


def _listen(port: int = 0) -> Any:
    return eventlet.listen(("127.0.0.1", port))


def _ring(directory: Path, kind: str, port: int) -> None:
    """One device, one replica, hardly any partitions."""
    from swift.common.ring.builder import RingBuilder

    builder = RingBuilder(2, 1, 0)
    builder.add_dev({"region": 1, "zone": 1, "weight": 1.0, "ip": "127.0.0.1", "port": port, "device": "disk"})
    builder.rebalance()
    builder.get_ring().save(str(directory / f"{kind}.ring.gz"))


def _load(directory: Path, name: str, text: str) -> Any:
    from swift.common.wsgi import loadapp

    path = directory / f"{name}-server.conf"
    path.write_text(text)
    return loadapp(str(path), global_conf={"log_name": name})


def main(port: int, directory: Path) -> None:
    eventlet.monkey_patch()  # before Swift is imported anywhere
    from swift.common import storage_policy, utils

    (directory / "devices" / "disk").mkdir(parents=True)
    configuration = directory / "swift.conf"
    configuration.write_text(
        "[swift-hash]\nswift_hash_path_suffix = tests\n\n[storage-policy:0]\nname = one\ndefault = yes\n"
    )
    utils.SWIFT_CONF_FILE = str(configuration)
    utils.validate_configuration()
    storage_policy.reload_storage_policies()
    sockets = {kind: _listen() for kind in BACKENDS}
    for kind, listening in sockets.items():
        _ring(directory, kind, listening.getsockname()[1])
    quiet = {"log_output": False, "keepalive": True}
    for kind, listening in sockets.items():
        app = _load(directory, kind, BACKEND.format(directory=directory, kind=kind))
        eventlet.spawn(eventlet.wsgi.server, listening, app, max_size=256, **quiet)
    proxy = _load(directory, "proxy", PROXY.format(directory=directory))
    eventlet.wsgi.server(_listen(port), proxy, max_size=256, **quiet)


if __name__ == "__main__":
    os.umask(0o077)
    main(int(sys.argv[1]), Path(sys.argv[2]).absolute())
