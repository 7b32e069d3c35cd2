"""Subscriptions: followers by whom they are (an audience) and what they follow (a group), so that bytes are built once.

A message of one user finds that user's connections without checking those of others.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from uuid import UUID

from sightline.live.follower import Follower
from sightline.live.message import FeedRecord
from sightline.live.viewer import AudienceKey, Viewer


class ViewerGroup:
    """Equal viewers. `last` is the number of the last message that they could see and follow."""

    __slots__ = ("audience", "last", "members", "viewer")

    def __init__(self, viewer: Viewer, audience: "Audience", last: int) -> None:
        self.viewer = viewer
        self.audience = audience
        self.last = last
        self.members: set[Follower] = set()


class Audience:
    """Those with the same rights, whatever they follow. `number` counts the messages for them up to the stream's newest."""

    __slots__ = ("groups", "key", "number")

    def __init__(self, key: AudienceKey, number: int) -> None:
        self.key = key
        self.number = number
        self.groups: dict[Viewer, ViewerGroup] = {}


class Subscriptions:
    def __init__(self) -> None:
        self._audiences: dict[AudienceKey, Audience] = {}
        self._by_user: defaultdict[UUID, set[Audience]] = defaultdict(set)
        self._by_team: defaultdict[UUID, set[Audience]] = defaultdict(set)

    def __iter__(self) -> Iterator[ViewerGroup]:
        for audience in self._audiences.values():
            yield from audience.groups.values()

    @property
    def audiences(self) -> Iterable[Audience]:
        return self._audiences.values()

    def number_of(self, key: AudienceKey) -> int | None:
        """None unless a connection of the audience is open."""
        audience = self._audiences.get(key)
        return None if audience is None else audience.number

    def add(self, follower: Follower, number: int, last_seen_by: Callable[[Viewer, int], int]) -> None:
        """`number` is the audience's, in case this is its first connection."""
        viewer = follower.viewer
        key = viewer.audience
        audience = self._audiences.get(key)
        if audience is None:
            audience = self._audiences[key] = Audience(key, number)
            self._by_user[viewer.user_id].add(audience)
            for team in viewer.team_ids:
                self._by_team[team].add(audience)
        group = audience.groups.get(viewer)
        if group is None:
            group = audience.groups[viewer] = ViewerGroup(viewer, audience, last_seen_by(viewer, audience.number))
        group.members.add(follower)

    def remove(self, follower: Follower) -> None:
        viewer = follower.viewer
        audience = self._audiences.get(viewer.audience)
        group = None if audience is None else audience.groups.get(viewer)
        if audience is None or group is None:
            return
        group.members.discard(follower)
        if group.members:
            return
        del audience.groups[viewer]
        if audience.groups:
            return
        del self._audiences[audience.key]
        _drop(self._by_user, viewer.user_id, audience)
        for team in viewer.team_ids:
            _drop(self._by_team, team, audience)

    def that_may_see(self, message: FeedRecord) -> Iterable[Audience]:
        if message.is_for_all:
            return self._audiences.values()
        owners = self._by_user.get(message.owner_id, set()) if message.owner_id else set()
        teams = self._by_team.get(message.team_id, set()) if message.team_id else set()
        return owners | teams if owners and teams else owners or teams


def _drop(index: defaultdict[UUID, set[Audience]], key: UUID, audience: Audience) -> None:
    index[key].discard(audience)
    if not index[key]:
        del index[key]
