"""Trained networks as one ONNX file: the mean of their logits, and their last hidden layers side by side."""

from collections.abc import Sequence

import numpy as np

from grapplemap.network import Array, Network
from sightline.vision.models.onnx_file import GraphPort, OnnxGraph

FLOAT32 = 1
"""The number of the type in the format."""


def onnx_bytes(networks: Sequence[Network], metadata: dict[str, str]) -> bytes:
    """The input `features` is (count, features); the outputs are `logits` and `hidden`. The same networks give the same bytes."""
    first = networks[0]
    width = sum(one.weights[-1].shape[0] for one in networks)
    graph = OnnxGraph(
        "pairs",
        inputs=[GraphPort("features", "float32", ("count", len(first.mean)))],
        outputs=[
            GraphPort("logits", "float32", ("count", len(first.biases[-1]))),
            GraphPort("hidden", "float32", ("count", width)),
        ],
        metadata=metadata,
    )
    hidden = [_hidden(graph, one) for one in networks]
    graph.add("Concat", hidden, {"axis": 1}, outputs=["hidden"])
    weights = np.asarray(np.concatenate([one.weights[-1] for one in networks]) / len(networks), np.float32)
    biases = np.mean([one.biases[-1] for one in networks], axis=0)
    graph.add("Gemm", ["hidden", _halved(graph, weights), graph.constant(biases, "float32")], outputs=["logits"])
    return graph.to_bytes()


def _hidden(graph: OnnxGraph, network: Network) -> str:
    """The normalisation of the features is a part of the first layer."""
    weights, biases = list(network.weights), list(network.biases)
    weights[0] = (network.weights[0] / network.deviation[:, None]).astype(np.float32)
    shift = (network.mean / network.deviation) @ network.weights[0]
    biases[0] = np.asarray(network.biases[0] - shift, np.float32)
    name = "features"
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        name = graph.add("Gemm", [name, _halved(graph, weight), graph.constant(bias, "float32")])
        name = graph.add("Relu", [name])
    return name


def _halved(graph: OnnxGraph, weights: Array) -> str:
    """Stored with half the bytes, which changes no figure of the card; calculations have all of them."""
    return graph.add("Cast", [graph.constant(weights, "float16")], {"to": FLOAT32})
