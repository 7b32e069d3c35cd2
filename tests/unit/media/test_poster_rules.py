"""Which picture stands for a video."""

import numpy as np
import pytest

from sightline.media.stream.poster_rules import detail, is_fading, is_lit, score, sharpness

SIZE = (90, 160)


def scene(seed, size=SIZE):
    """Something with shapes and edges in it."""
    chance = np.random.default_rng(seed)
    small = chance.integers(20, 235, (size[0] // 10, size[1] // 10), np.uint8)
    return np.kron(small, np.ones((10, 10), np.uint8))


def plain(value):
    return np.full(SIZE, value, np.uint8)


def mixed(one, other, part):
    return (one * (1 - part) + other * part).astype(np.uint8)


def blurred(picture):
    grey = picture.astype(float)
    for axis in (0, 1):
        grey = np.mean([np.roll(grey, shift, axis) for shift in range(-8, 9)], axis=0)
    return grey.astype(np.uint8)


@pytest.mark.parametrize("value", [0, 16, 128, 255])
def test_blank_pictures_are_not_lit(value):
    assert not is_lit(plain(value))
    assert is_lit(scene(1))


def test_a_picture_that_turns_into_another_is_fading():
    one, other = scene(1), scene(2)
    assert is_fading(one, mixed(one, other, 0.5), other)
    assert is_fading(mixed(one, other, 0.2), mixed(one, other, 0.45), mixed(one, other, 0.7))
    assert is_fading(one, mixed(one, plain(0), 0.5), plain(0))


def test_a_cut_a_still_and_a_moving_picture_are_not_fading():
    one, other = scene(1), scene(2)
    assert not is_fading(one, one, other)
    assert not is_fading(one, other, other)
    assert not is_fading(one, one, one)
    assert not is_fading(np.roll(one, -15, 1), one, np.roll(one, 15, 1))


def test_sharp_pictures_score_higher_than_blurred_ones():
    assert sharpness(scene(1)) > 4 * sharpness(blurred(scene(1)))
    assert detail(scene(1)) > detail(blurred(scene(1))) > detail(plain(90))


def test_the_order_is_sharp_blurred_fading_dark():
    one, other = scene(1), scene(2)
    good = score(one, one, one)
    blurry = score(blurred(one), blurred(one), blurred(one))
    fading = score(one, mixed(one, other, 0.5), other)
    dark = score(plain(3), plain(3), plain(3))
    assert good > blurry > fading > dark


def test_pictures_of_different_sizes_are_no_fade():
    dark, middle, light = scene(1) // 8, scene(1, (30, 160)), scene(1)
    assert not is_fading(dark, middle, light)
    assert score(dark, middle, light) > 0
