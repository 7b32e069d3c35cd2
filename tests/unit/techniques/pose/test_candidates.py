import numpy as np
import pytest

from sightline.contracts.technique_events import Category
from sightline.techniques.pose.candidates import candidates
from sightline.techniques.pose.clothing import UNKNOWN_ATHLETE
from sightline.techniques.pose.pairing import Silence
from sightline.techniques.pose.phase_spans import phase_spans, silent_spans
from sightline.techniques.pose.phase_windows import HEADS, OUTPUT_COUNT, Calibration, PoseLook, windows_of
from sightline.techniques.pose.vocabulary import CATEGORIES, NAMES, PHASES

ROLES = ("athlete in white gi", "athlete in blue gi")
STANDUP, PLAY, PASSING, DOMINANCE, SUBMISSION = CATEGORIES


def said(phase, category, *, name=None, sure=9.0):
    logits = np.zeros(OUTPUT_COUNT, np.float32)
    logits[HEADS["phase"]][PHASES.index(phase)] = sure
    logits[HEADS["category"]][CATEGORIES.index(category)] = sure
    if name is not None:
        logits[HEADS["name"]][NAMES.index(name)] = sure
    return logits


def looks(*parts):
    """(seconds, logits or silence, lead) at four looks per second."""
    found: list[PoseLook] = []
    for seconds, what, *lead in parts:
        for _ in range(seconds * 4):
            at_ms = len(found) * 250
            if isinstance(what, Silence):
                found.append(PoseLook(at_ms, silence=what))
            else:
                found.append(PoseLook(at_ms, what, lead=lead[0] if lead else None))
    return found


def spans_of(*parts):
    return phase_spans(windows_of(looks(*parts), Calibration()))


def found_in(*parts):
    return candidates(spans_of(*parts), ROLES)


@pytest.mark.req(853)
def test_looks_become_spans_of_one_phase_with_start_and_end():
    spans = spans_of((6, said("standing", STANDUP)), (8, said("guard", PLAY)))
    assert [one.phase for one in spans] == ["standing", "guard"]
    assert spans[0].start_ms == 0
    assert abs(spans[0].end_ms - 6000) <= 1000
    assert abs(spans[1].end_ms - 14_000) <= 1000


@pytest.mark.req(853)
def test_a_moment_of_another_phase_and_short_gaps_do_not_split_a_span():
    spans = spans_of(
        (6, said("guard", PLAY)),
        (1, said("top", DOMINANCE, sure=1.0)),
        (1, Silence.ONE_PERSON),
        (6, said("guard", PLAY)),
    )
    assert [one.phase for one in spans] == ["guard"]


@pytest.mark.req(853)
def test_what_is_shorter_than_three_seconds_is_not_said():
    assert spans_of((1, said("guard", PLAY)), (20, Silence.NOBODY)) == []


@pytest.mark.req(851)
def test_where_nothing_is_said_the_reason_is():
    windows = windows_of(
        looks((5, Silence.NOBODY), (5, said("guard", PLAY, sure=0.3)), (6, said("guard", PLAY))), Calibration()
    )
    assert [one.reason for one in silent_spans(windows)] == [Silence.NOBODY, Silence.UNSURE]
    assert [one.phase for one in phase_spans(windows)] == ["guard"]


@pytest.mark.req(851)
def test_a_pair_that_is_seen_in_few_looks_of_a_window_is_not_enough():
    rare = [PoseLook(number * 250, said("guard", PLAY) if number % 3 == 0 else None) for number in range(40)]
    assert {one.silence for one in windows_of(rare, Calibration())} == {Silence.FEW_LOOKS}


@pytest.mark.req(854)
def test_candidates_have_category_name_role_and_confidence():
    (guard,) = found_in((8, said("guard", PLAY, name="Closed guard"), 0.3))
    assert (guard.category, guard.name, guard.role) == (PLAY, "Closed guard", ROLES[1])
    assert guard.confidence > 0.9
    assert guard.reasoning.startswith("Candidate from poses")
    (top,) = found_in((8, said("top", DOMINANCE, name="Side control"), -0.3))
    assert (top.category, top.name, top.role) == (DOMINANCE, "Side control", ROLES[1])


@pytest.mark.req(854)
def test_what_is_not_known_is_not_said():
    undecided = said("guard", PLAY)
    undecided[HEADS["category"]][CATEGORIES.index(PASSING)] = 9.0
    (guard,) = found_in((8, undecided))
    assert (guard.name, guard.role) == ("Guard", UNKNOWN_ATHLETE)
    assert guard.confidence < 0.6
    doubtful = said("top", SUBMISSION)
    doubtful[HEADS["category"]][CATEGORIES.index(DOMINANCE)] = 9.0
    (top,) = found_in((8, doubtful))
    assert (top.category, top.name) == (DOMINANCE, "Top control")


@pytest.mark.req(855)
@pytest.mark.parametrize(
    ("before", "after", "leads", "category", "name", "role"),
    [
        ("top", "guard", (0.3, 0.3), Category.DEFENSE_ESCAPES, "Guard recovery", ROLES[1]),
        ("top", "guard", (0.3, -0.3), Category.DEFENSE_ESCAPES, "Reversal", ROLES[1]),
        ("top", "standing", (-0.3, 0.0), Category.DEFENSE_ESCAPES, "Escape to the feet", ROLES[0]),
        ("guard", "top", (0.3, 0.3), Category.GUARD_PASSING, "Guard pass", ROLES[0]),
        ("guard", "top", (0.3, -0.3), Category.GUARD_PLAY, "Sweep", ROLES[1]),
        ("standing", "top", (0.0, 0.3), Category.STANDUP_GAME, "Takedown", ROLES[0]),
    ],
)
def test_escapes_and_other_changes_follow_from_the_sequence_of_phases(before, after, leads, category, name, role):
    of = {"standing": STANDUP, "guard": PLAY, "top": DOMINANCE}
    found = found_in((6, said(before, of[before]), leads[0]), (6, said(after, of[after]), leads[1]))
    (change,) = [one for one in found if "sequence" in one.reasoning]
    assert (change.category, change.name, change.role) == (category, name, role)
    assert 3000 < change.start_ms < 6500 < change.end_ms < 9000


@pytest.mark.req(855)
def test_a_change_that_nobody_saw_is_not_said():
    found = found_in((6, said("top", DOMINANCE)), (20, Silence.NOBODY), (6, said("guard", PLAY)))
    assert all("sequence" not in one.reasoning for one in found)
