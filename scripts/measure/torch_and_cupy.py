# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch on a GPU and, where it is there, CuPy: what the workers of this folder measure with."""
import importlib.metadata
import re
import sys

import torch


def import_cupy():
    """CuPy, or why there is none. One of another CUDA than PyTorch's would bring a second cuBLAS into the process."""
    names = [distribution.metadata["Name"] or "" for distribution in importlib.metadata.distributions()]
    versions = [found[1] for name in names if (found := re.fullmatch(r"cupy-cuda(\d+)x", name))]
    wanted = (torch.version.cuda or "").split(".")[0]
    if versions and wanted not in versions:
        return None, f"it is for CUDA {versions[0]}, and PyTorch for {wanted}"
    try:
        import cupy as found
    except ImportError:
        return None, "it is not installed"
    return found, ""


cupy, why_no_cupy = import_cupy()


def require_gpu():
    if not torch.cuda.is_available():
        sys.exit("PyTorch finds no GPU")


def facts():
    """What a worker says of itself when it starts."""
    machine = {"device": torch.cuda.get_device_name(), "CUDA": torch.version.cuda, "PyTorch": torch.__version__}
    machine |= {"CuPy": cupy.__version__} if cupy else {}
    return {"machine": machine, "why_no_cupy": why_no_cupy}
