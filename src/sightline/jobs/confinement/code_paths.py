"""Where code lies: the interpreter, its packages and the libraries of the system; no other directory of `sys.path`."""

import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import sightline

_PACKAGE_DIRECTORIES = ("site-packages", "dist-packages")
SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime")
SYSTEM_FACTS = ("/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo", "/dev/urandom")


def code_paths(modules: Iterable[str] = ()) -> list[str]:
    """Directories that the confined process may import from.

    `python -m` and a script put a directory on `sys.path` that holds whatever is there, perhaps the state directory; so only
    directories that hold nothing but packages count, and the packages of the work itself.
    """
    installed = sysconfig.get_paths()
    found = {installed[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    found |= {path for path in sys.path if Path(path).name in _PACKAGE_DIRECTORIES}
    found |= {str(Path(sys.base_prefix) / "lib"), *_package_of(sightline)}
    for name in modules:
        found.update(_package_of(sys.modules.get(name.partition(".")[0])))
    return sorted(found)


def _package_of(module: ModuleType | None) -> list[str]:
    return [] if module is None else [str(Path(path).resolve()) for path in getattr(module, "__path__", ())]
