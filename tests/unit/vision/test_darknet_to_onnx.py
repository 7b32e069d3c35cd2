"""Conversion of Darknet models: the same bytes each time, and refusal of what does not fit."""

import pytest

from sightline.vision.models.darknet_to_onnx import convert_darknet, parse_config
from sightline.vision.models.errors import BadModel
from support.tiny_darknet import CONFIG, weights


def test_a_configuration_is_its_sections_in_order():
    sections = parse_config(CONFIG)
    assert [kind for kind, _ in sections] == ["net", "convolutional", "maxpool", "convolutional", "yolo"]
    assert sections[0][1] == {"width": "32"}


@pytest.mark.req(526)
def test_a_conversion_gives_the_same_bytes_each_time():
    assert convert_darknet(CONFIG, weights(), "m").to_bytes() == convert_darknet(CONFIG, weights(), "m").to_bytes()


@pytest.mark.req(526)
@pytest.mark.parametrize(("given", "message"), [(weights(extra=3), "use"), (weights()[:-8], "end early")])
def test_weights_of_another_configuration_are_refused(given, message):
    with pytest.raises(BadModel, match=message):
        convert_darknet(CONFIG, given, "m")


def test_an_unknown_layer_is_refused_by_name():
    with pytest.raises(BadModel, match=r"\[crnn\]"):
        convert_darknet("[net]\n[crnn]\n", b"\0" * 20, "m")
