"""Processes that run models for this test process."""

import os

import psutil


def model_processes() -> set[psutil.Process]:
    """Descendants of this process that hold the library of the models; one that ends meanwhile may be among them or not."""
    return {process for process in psutil.process_iter() if _runs_models(process)}


def _runs_models(process: psutil.Process) -> bool:
    try:
        parents = {one.pid for one in process.parents()}
        return os.getpid() in parents and any("onnxruntime" in one.path for one in process.memory_maps())
    except psutil.Error:
        return False
