"""Small ONNX files whose outputs are given: they take a picture and answer with these arrays, whatever it shows."""

import numpy as np

from sightline.vision.models.onnx_file import GraphPort, OnnxGraph


def constant_model(outputs, *, size=(64, 64), name="images", metadata=None, sizes_input=None):
    """The bytes of a model with fixed outputs, by name. The picture is used, so that its input is real."""
    graph = OnnxGraph("constant", metadata=metadata or {})
    graph.inputs.append(GraphPort(name, "float32", (1, 3, *size)))
    if sizes_input is not None:
        graph.inputs.append(GraphPort(sizes_input, "int64", (1, 2)))
    mean = graph.add("ReduceMean", [name], {"axes": [0, 1, 2, 3], "keepdims": 0})
    nothing = graph.add("Mul", [mean, graph.constant(0.0, "float32")])
    for output, values in outputs.items():
        array = np.asarray(values)
        if array.dtype == np.int64:
            graph.add("Identity", [graph.constant(array)], outputs=[output])
        else:
            array = array.astype(np.float32)
            graph.add("Add", [graph.constant(array, "float32"), nothing], outputs=[output])
        graph.outputs.append(GraphPort(output, array.dtype.name, tuple(array.shape)))
    return graph.to_bytes()
