import numpy as np
import pytest

from sightline.techniques.pose.clothing import UNKNOWN_ATHLETE, clothes, colour_name, roles
from sightline.techniques.pose.pair_tracker import Athlete, PairTracker
from sightline.techniques.pose.pairing import Pair, Silence, best_pair, possible_pairs
from sightline.techniques.pose.people import SeenPerson
from support.posed_pairs import BLACK, BLUE, WHITE, people_of, posed, upright


@pytest.mark.req(850)
def test_two_people_in_contact_are_the_pair_and_a_referee_beside_them_is_not():
    pair = posed("guard")
    found = possible_pairs([upright(1.2), *people_of(pair)])
    assert isinstance(found, list)
    assert best_pair(found) == pair


@pytest.mark.req(850)
def test_the_pair_is_followed_though_others_come_near_and_the_order_of_people_changes():
    tracker = PairTracker()
    referee = upright(0.75, colour=BLACK)
    orders = set()
    for number in range(8):
        pair = posed("guard", shift=0.02 * number)
        people = [*people_of(pair), referee]
        seen = tracker.see(number * 250, people if number % 2 else people[::-1])
        assert isinstance(seen, Pair)
        orders.add((seen.first.upper, seen.second.upper))
    assert orders in ({(WHITE, BLUE)}, {(BLUE, WHITE)})


@pytest.mark.req(851)
@pytest.mark.parametrize(
    ("people", "reason"),
    [
        ([], Silence.NOBODY),
        ([upright(0.5)], Silence.ONE_PERSON),
        ([upright(0.3), upright(1.2)], Silence.NOT_TOUCHING),
        ([upright(0.5), upright(0.55, height=0.1)], Silence.NOT_TOUCHING),
        ([*people_of(posed("standing")), *(upright(x) for x in (-0.6, 1.4, 2.0))], Silence.CROWD),
    ],
)
def test_silence_has_a_reason(people, reason):
    assert possible_pairs(people) is reason


@pytest.mark.req(851)
def test_bodies_of_which_too_little_is_seen_are_no_pair():
    pair = posed("guard")
    hidden = pair.second.joints.copy()
    hidden[4:] = 0
    assert possible_pairs([pair.first, SeenPerson(hidden)]) is Silence.TOO_FEW_JOINTS


@pytest.mark.req(852)
def test_athletes_are_called_by_the_colour_of_what_they_wear():
    assert roles((Athlete(WHITE, WHITE), Athlete(BLUE, BLUE))) == ("athlete in white gi", "athlete in blue gi")
    assert roles((Athlete((200, 30, 30), BLACK), Athlete(BLACK, None))) == ("athlete in red", "athlete in black")
    assert roles((Athlete(WHITE, WHITE), Athlete(WHITE, WHITE))) == (UNKNOWN_ATHLETE, UNKNOWN_ATHLETE)
    assert roles((Athlete(), Athlete(BLUE))) == (UNKNOWN_ATHLETE, UNKNOWN_ATHLETE)


@pytest.mark.req(852)
@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        (WHITE, "white"),
        (BLUE, "blue"),
        (BLACK, "black"),
        (120, "grey"),
        ((190, 40, 35), "red"),
        ((40, 140, 60), "green"),
    ],
)
def test_colours_have_plain_names(rgb, name):
    assert colour_name((rgb,) * 3 if isinstance(rgb, int) else rgb) == name


def test_clothes_are_looked_at_on_trunk_and_thighs():
    picture = np.full((200, 400, 3), 255, np.uint8)
    picture[:110] = (200, 30, 30)
    person = upright(0.9)
    upper, lower = clothes(picture, person.joints)
    assert upper == (200, 30, 30)
    assert lower == (255, 255, 255)
    assert clothes(picture, np.zeros((13, 3), np.float32)) == (None, None)
