"""Which engines there are: packages register them as entry points, ours as any other."""

from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from sightline.errors import ConfigurationError
from sightline.text.reading.engine import EngineKind

GROUP = "sightline.ocr_engines"
_OURS = "sightline"


@dataclass(frozen=True, slots=True)
class Installed:
    name: str
    package: str
    value: str
    """Where it is, as entry points say it: `module` or `module:attribute`."""

    def load(self) -> EngineKind:
        try:
            kind: EngineKind = EntryPoint(self.name, self.value, GROUP).load()
        except Exception as error:  # whatever the code of others raises when it is imported
            raise ConfigurationError(f"the engine {self.name!r} of {self.package} cannot be loaded: {error}") from error
        return kind


def installed_engines() -> dict[str, Installed]:
    """By name. A package cannot take the place of one of ours."""
    found: dict[str, Installed] = {}
    for point in entry_points(group=GROUP):
        package = point.dist.name if point.dist is not None else "unknown"
        if point.name not in found or package == _OURS:
            found[point.name] = Installed(point.name, package, point.value)
    return dict(sorted(found.items()))


def need_engine(name: str) -> Installed:
    known = installed_engines()
    if name not in known:
        raise ConfigurationError(
            f"SIGHTLINE_TEXT_ENGINE: there is no engine {name!r} that reads text; there are {', '.join(known) or 'none'}"
        )
    return known[name]
