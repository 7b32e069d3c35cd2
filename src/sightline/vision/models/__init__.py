"""Model files: the known ones, their installation, and their conversion to ONNX."""
