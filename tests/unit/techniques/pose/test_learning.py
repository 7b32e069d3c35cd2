from uuid import UUID

import numpy as np
import pytest

from sightline.errors import PermanentFailure
from sightline.techniques.pose.learned_file import (
    LearnedLayer,
    forget_learned,
    learned_path,
    read_learned,
    write_learned,
)
from sightline.techniques.pose.learning import Lesson, learn
from sightline.techniques.pose.learning.learn import MIN_LESSONS
from sightline.techniques.pose.phase_windows import HEADS, OUTPUT_COUNT
from sightline.techniques.pose.vocabulary import CATEGORIES


def lessons(count, *, shows, seed=1, videos=4):
    """The classifier calls everything GUARD_PLAY. Where `shows`, the hidden layer tells the two categories apart."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        category = CATEGORIES[1 + number % 2]
        hidden = np.abs(rng.normal(0, 1, 16)).astype(np.float32)
        if shows:
            hidden[0] = 3.0 if number % 2 else 0.0
        logits = np.zeros(OUTPUT_COUNT, np.float32)
        logits[HEADS["category"]][1] = 1.0
        found.append(Lesson(UUID(int=number % videos), category, True, logits, hidden))
    return found


@pytest.mark.req(858)
def test_corrections_that_show_something_help_on_those_that_were_held_out():
    report = learn(lessons(60, shows=True), classifier_sha256="of this")
    assert report.is_split_by_video
    assert report.right_before == 30
    assert report.right_after > 45
    assert report.loss_after < report.loss_before
    assert report.has_helped
    assert "It helped" in report.summary


@pytest.mark.req(858)
def test_corrections_from_which_nothing_follows_change_nothing_and_it_is_said():
    report = learn(lessons(60, shows=False), classifier_sha256="of this")
    assert not report.has_helped
    assert "did not help" in report.summary


@pytest.mark.req(858)
def test_too_few_corrections_are_not_learned_from():
    report = learn(lessons(MIN_LESSONS - 1, shows=True), classifier_sha256="of this", unusable=3)
    assert report.layer is None
    assert not report.has_helped
    assert "3 could not be used" in report.summary


@pytest.mark.req(858)
def test_a_rejected_category_becomes_less_likely():
    rejected = [Lesson(one.video_id, CATEGORIES[1], False, one.logits, one.hidden) for one in lessons(40, shows=False)]
    layer = learn(rejected, classifier_sha256="of this").layer
    assert layer is not None
    before, after = rejected[0].logits, rejected[0].logits + layer.of(rejected[0].hidden[None])[0]
    assert after[HEADS["category"]][1] < before[HEADS["category"]][1]


@pytest.mark.req(859)
def test_what_was_learned_is_kept_in_a_file_and_can_be_forgotten(tmp_path):
    layer = learn(lessons(40, shows=True), classifier_sha256="of this").layer
    assert layer is not None
    write_learned(learned_path(tmp_path), layer)
    read = read_learned(learned_path(tmp_path))
    assert isinstance(read, LearnedLayer)
    assert (read.classifier_sha256, read.corrections) == ("of this", 40)
    assert np.array_equal(read.weights, layer.weights)
    assert forget_learned(tmp_path)
    assert not forget_learned(tmp_path)


@pytest.mark.req(859)
def test_a_damaged_file_is_refused_with_what_to_do(tmp_path):
    learned_path(tmp_path).parent.mkdir()
    learned_path(tmp_path).write_bytes(b"not what was learned")
    with pytest.raises(PermanentFailure, match="remove it"):
        read_learned(learned_path(tmp_path))
