"""Sessions of onnxruntime: one thread, and no memory kept beyond what a run needs."""

from pathlib import Path
from typing import Any

import onnxruntime

# No telemetry, and no warning about a machine without a GPU.
onnxruntime.disable_telemetry_events()
onnxruntime.set_default_logger_severity(3)


def open_session(model: Path) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
