"""Which engines there are: packages register them as entry points, ours as any other."""

from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from sightline.errors import ConfigurationError
from sightline.text.reading.engine import EnginePlugin

ENTRY_POINT_GROUP = "sightline.ocr_engines"
_OWN_PACKAGE = "sightline"


@dataclass(frozen=True, slots=True)
class InstalledEngine:
    name: str
    package: str
    value: str
    """Where it is, as entry points say it: `module` or `module:attribute`."""

    def load(self) -> EnginePlugin:
        try:
            kind: EnginePlugin = EntryPoint(self.name, self.value, ENTRY_POINT_GROUP).load()
        except Exception as error:  # whatever the code of others raises when it is imported
            raise ConfigurationError(f"the engine {self.name!r} of {self.package} cannot be loaded: {error}") from error
        return kind


def installed_engines() -> dict[str, InstalledEngine]:
    """By name. A package cannot take the place of one of ours."""
    found: dict[str, InstalledEngine] = {}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        package = point.dist.name if point.dist is not None else "unknown"
        if point.name not in found or package == _OWN_PACKAGE:
            found[point.name] = InstalledEngine(point.name, package, point.value)
    return dict(sorted(found.items()))


def need_engine(name: str) -> InstalledEngine:
    known = installed_engines()
    if name not in known:
        raise ConfigurationError(
            f"SIGHTLINE_TEXT_ENGINE: there is no engine {name!r} that reads text; there are {', '.join(known) or 'none'}"
        )
    return known[name]
