"""Conversion of TensorFlow.js graphs: what the converted graph computes, and what cannot be converted."""

import base64
import json

import numpy as np
import pytest

from sightline.vision.models.errors import BadModel
from sightline.vision.models.tfjs_graph import read_graph
from sightline.vision.models.tfjs_to_onnx import convert
from support.vision_models import need_runtime


def text(value):
    return {"s": base64.b64encode(value.encode()).decode()}


def numbers(*values):
    return {"list": {"i": [str(value) for value in values]}}


CONV = {"padding": text("SAME"), "strides": numbers(1, 2, 2, 1), "dilations": numbers(1, 1, 1, 1)}
FUSED = CONV | {
    "fused_ops": {"list": {"s": [base64.b64encode(b"BiasAdd").decode(), base64.b64encode(b"Relu6").decode()]}}
}
NODES = [
    # Out of order: a node may stand before what it needs.
    {"name": "out", "op": "Identity", "input": ["picked"]},
    {"name": "input", "op": "Placeholder", "attr": {}},
    {"name": "weights", "op": "Const"},
    {"name": "bias", "op": "Const"},
    {"name": "begin", "op": "Const"},
    {"name": "end", "op": "Const"},
    {"name": "stride", "op": "Const"},
    {"name": "floats", "op": "Cast", "input": ["input"], "attr": {"DstT": {"type": "DT_FLOAT"}}},
    {"name": "conv", "op": "_FusedConv2D", "input": ["floats", "weights", "bias"], "attr": FUSED},
    {
        "name": "picked",
        "op": "StridedSlice",
        "input": ["conv:0", "begin", "end", "stride"],
        "attr": {"begin_mask": {"i": "6"}, "end_mask": {"i": "6"}, "shrink_axis_mask": {"i": "1"}},
    },
]


def files(nodes=NODES):
    arrays = {
        "weights": np.arange(2, dtype=np.float16).reshape(1, 1, 2, 1) + np.float16(0.5),
        "bias": np.array([-1.0], np.float16),
        "begin": np.array([0, 0, 0], np.int32),
        "end": np.array([1, 9, 9], np.int32),
        "stride": np.array([1, 1, 1], np.int32),
    }
    manifest = [
        {"name": name, "shape": list(one.shape), "dtype": "float32", "quantization": {"dtype": "float16"}}
        if one.dtype == np.float16
        else {"name": name, "shape": list(one.shape), "dtype": "int32"}
        for name, one in arrays.items()
    ]
    shape = {"dim": [{"size": "2"}, {"size": "2"}, {"size": "1"}]}
    topology = {
        "modelTopology": {"node": nodes},
        "weightsManifest": [{"paths": ["w.bin"], "weights": manifest}],
        "signature": {"outputs": {"o": {"name": "out:0", "tensorShape": shape}}},
    }
    return json.dumps(topology).encode(), b"".join(one.tobytes() for one in arrays.values())


@pytest.mark.req(526)
def test_the_converted_graph_computes_what_the_original_says():
    need_runtime()
    import onnxruntime

    model = convert(read_graph(*files()), "tiny", "uint8", (1, 4, 4, 2)).to_bytes()
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    picture = np.arange(32, dtype=np.uint8).reshape(1, 4, 4, 2) % 7
    (found,) = session.run(None, {"input": picture})
    plain = picture[0, ::2, ::2].astype(np.float32)
    expected = np.clip(plain[..., 0] * 0.5 + plain[..., 1] * 1.5 - 1, 0, 6)[..., None]
    assert found.tolist() == expected.tolist()


@pytest.mark.req(526)
def test_a_conversion_gives_the_same_bytes_each_time():
    first, second = (convert(read_graph(*files()), "tiny", "uint8", (1, 4, 4, 2)).to_bytes() for _ in range(2))
    assert first == second


def test_an_operation_that_is_not_known_is_refused_by_name():
    nodes = [*NODES, {"name": "odd", "op": "DecodeJpeg", "input": ["conv"]}]
    with pytest.raises(BadModel, match="DecodeJpeg of odd"):
        convert(read_graph(*files(nodes)), "tiny", "uint8", (1, 4, 4, 2))


def test_weights_of_another_model_are_refused():
    topology, weights = files()
    with pytest.raises(BadModel, match="the manifest describes"):
        read_graph(topology, weights + b"more")


def test_a_file_that_is_no_graph_is_refused():
    with pytest.raises(BadModel, match=r"not a TensorFlow.js graph model"):
        read_graph(b"{}", b"")
