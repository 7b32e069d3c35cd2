"""Assignment: which seen object belongs to which track, at the least total cost.

Only pairs that are possible at all have a cost. Groups of tracks and objects that share no possible pair are solved apart, so that
fifty objects in a picture cost little more than one.
"""

from collections.abc import Mapping

Pair = tuple[int, int]
"""The index of a track and of an object."""


def assign(costs: Mapping[Pair, float], *, unassigned: float) -> list[Pair]:
    """The pairs with the least total cost, where each track without an object costs `unassigned`."""
    pairs: list[Pair] = []
    for component in _components(costs):
        if len(component) == 1:
            pairs += component
        else:
            pairs += _cheapest(component, costs, unassigned)
    return pairs


def _components(costs: Mapping[Pair, float]) -> list[list[Pair]]:
    by_track: dict[int, list[Pair]] = {}
    by_object: dict[int, list[Pair]] = {}
    for pair in costs:
        by_track.setdefault(pair[0], []).append(pair)
        by_object.setdefault(pair[1], []).append(pair)
    left = dict.fromkeys(costs)
    components = []
    while left:
        waiting = [next(iter(left))]
        del left[waiting[0]]
        component: list[Pair] = []
        while waiting:
            pair = waiting.pop()
            component.append(pair)
            for neighbour in (*by_track[pair[0]], *by_object[pair[1]]):
                if neighbour in left:
                    del left[neighbour]
                    waiting.append(neighbour)
        components.append(component)
    return components


def _cheapest(component: list[Pair], costs: Mapping[Pair, float], unassigned: float) -> list[Pair]:
    tracks = sorted({track for track, _ in component})
    objects = sorted({seen for _, seen in component})
    columns = [
        *objects,
        *(-1 - index for index in range(len(tracks))),
    ]  # a column of its own for each that gets nothing
    table = [[costs.get((track, column), unassigned) for column in columns] for track in tracks]
    chosen = _hungarian(table)
    found = [(track, columns[column]) for track, column in zip(tracks, chosen, strict=True)]
    return [pair for pair in found if pair in costs]


def _hungarian(table: list[list[float]]) -> list[int]:
    """The column of each row, for a table with at least as many columns as rows: shortest augmenting paths."""
    rows, columns = len(table), len(table[0])
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    row_of = [-1] * (columns + 1)  # the last column is where the search of a new row begins
    for row in range(rows):
        row_of[columns], column = row, columns
        distance, came_from, is_done = [float("inf")] * columns, [columns] * columns, [False] * (columns + 1)
        while row_of[column] != -1:
            is_done[column] = True
            current, step, nearest = row_of[column], float("inf"), -1
            for other in range(columns):
                if is_done[other]:
                    continue
                reduced = table[current][other] - row_price[current] - column_price[other]
                if reduced < distance[other]:
                    distance[other], came_from[other] = reduced, column
                if distance[other] < step:
                    step, nearest = distance[other], other
            for other in range(columns + 1):
                if is_done[other]:
                    row_price[row_of[other]] += step
                    column_price[other] -= step
                elif other < columns:
                    distance[other] -= step
            column = nearest
        while column != columns:
            previous = came_from[column]
            row_of[column], column = row_of[previous], previous
    result = [-1] * rows
    for column in range(columns):
        if row_of[column] != -1:
            result[row_of[column]] = column
    return result
