"""Subscriptions: followers grouped by what they see, so that the bytes for a group are built once.

A message of one user finds that user's connections without checking those of others.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from uuid import UUID

from sightline.live.follower import Follower
from sightline.live.message import FeedRecord
from sightline.live.viewer import Viewer


class ViewerGroup:
    """Equal viewers. `last` is the number of the last message that they could see."""

    __slots__ = ("last", "members", "viewer")

    def __init__(self, viewer: Viewer, last: int) -> None:
        self.viewer = viewer
        self.last = last
        self.members: set[Follower] = set()


class Subscriptions:
    def __init__(self) -> None:
        self._by_viewer: dict[Viewer, ViewerGroup] = {}
        self._by_user: defaultdict[UUID, set[ViewerGroup]] = defaultdict(set)
        self._by_team: defaultdict[UUID, set[ViewerGroup]] = defaultdict(set)

    def __iter__(self) -> Iterator[ViewerGroup]:
        return iter(self._by_viewer.values())

    def add(self, follower: Follower, last_seen_by: Callable[[Viewer], int]) -> None:
        viewer = follower.viewer
        group = self._by_viewer.get(viewer)
        if group is None:
            group = self._by_viewer[viewer] = ViewerGroup(viewer, last_seen_by(viewer))
            self._by_user[viewer.user_id].add(group)
            for team in viewer.team_ids:
                self._by_team[team].add(group)
        group.members.add(follower)

    def remove(self, follower: Follower) -> None:
        viewer = follower.viewer
        group = self._by_viewer.get(viewer)
        if group is None:
            return
        group.members.discard(follower)
        if group.members:
            return
        del self._by_viewer[viewer]
        _drop(self._by_user, viewer.user_id, group)
        for team in viewer.team_ids:
            _drop(self._by_team, team, group)

    def of(self, viewer: Viewer) -> ViewerGroup:
        return self._by_viewer[viewer]

    def that_see(self, message: FeedRecord) -> list[ViewerGroup]:
        if message.is_for_all:
            candidates: Iterable[ViewerGroup] = self._by_viewer.values()
        else:
            owners = self._by_user.get(message.owner_id, set()) if message.owner_id else set()
            teams = self._by_team.get(message.team_id, set()) if message.team_id else set()
            candidates = owners | teams if owners and teams else owners or teams
        return [group for group in candidates if group.viewer.wants(message)]


def _drop(index: defaultdict[UUID, set[ViewerGroup]], key: UUID, group: ViewerGroup) -> None:
    index[key].discard(group)
    if not index[key]:
        del index[key]
