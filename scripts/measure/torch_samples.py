#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs PyTorch's own samples of torch.linalg.eigh, eigvalsh, svd, svdvals and what is made of them after onepass.torch.install():
those that PyTorch's tests are generated from (OpInfo), which its packages contain. What a sample gives must be what PyTorch gives
without Onepass, and gradients in double precision must be those of differences (gradcheck). Exit code 1 if one is not. The package
finds its libraries by ONEPASS_LIBRARY and ONEPASS_LAPACK_LIBRARY."""
import argparse
import collections
import sys
import types
import unittest

import torch

import onepass.torch
from onepass import lapack

NAMES = {"linalg.eigh", "linalg.eigvalsh", "linalg.svd", "linalg.svdvals", "svd", "linalg.pinv", "linalg.matrix_rank", "linalg.cond",
         "linalg.matrix_norm"}
TYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128)
TOLERANCE = 1e4  # in eps: pinv and cond amplify roundings


def samples_of_pytorch():
    """The operators, with their samples."""
    if "expecttest" not in sys.modules:
        try:
            import expecttest  # noqa: F401
        except ImportError:  # of which PyTorch's tests derive their class, and these samples need nothing
            sys.modules["expecttest"] = types.ModuleType("expecttest")
            sys.modules["expecttest"].TestCase = unittest.TestCase
    from torch.testing._internal.common_methods_invocations import op_db
    return [op for op in op_db if op.name in NAMES]


def installed(device, run):
    onepass.torch.install(device)
    try:
        return run()
    finally:
        onepass.torch.uninstall(device)


def result(op, sample, matrix):
    """What does not depend on the signs of vectors."""
    found = op.gradcheck_wrapper(op.get_op(), matrix, *sample.args, **sample.kwargs)
    return sample.output_process_fn_grad(found) if sample.output_process_fn_grad else found


def compare(op, sample, device):
    ours = installed(device, lambda: result(op, sample, sample.input))
    theirs = result(op, sample, sample.input)
    limit = TOLERANCE * torch.finfo(sample.input.dtype).eps
    torch.testing.assert_close(ours, theirs, rtol=limit, atol=limit)


def check_gradient(op, sample, device):
    matrix = sample.input.detach().clone().requires_grad_()
    installed(device, lambda: torch.autograd.gradcheck(lambda x: result(op, sample, x), (matrix,), fast_mode=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda", choices=("cpu", "cuda"))
    options, sys.argv[1:] = parser.parse_args(), []
    served, checked, failed = 0, collections.Counter(), 0

    def counted(function):
        def run(*arguments, **more):
            nonlocal served
            served += 1
            return function(*arguments, **more)
        return run

    lapack.syevd, lapack.gesvd = counted(lapack.syevd), counted(lapack.gesvd)
    for op in samples_of_pytorch():
        before = served
        for dtype in TYPES:
            if not op.supports_dtype(dtype, options.device):
                continue
            for i, sample in enumerate(op.sample_inputs(options.device, dtype)):
                if not isinstance(sample.input, torch.Tensor):
                    continue
                checks = [compare]
                if dtype.itemsize >= 8 * (1 + dtype.is_complex) and op.supports_autograd and sample.input.numel() > 0:
                    checks.append(check_gradient)
                for check in checks:
                    try:
                        check(op, sample, options.device)
                        checked[check.__name__] += 1
                    except Exception as error:
                        failed += 1
                        print(f"{op.full_name} {dtype}, sample {i} of {tuple(sample.input.shape)} {sample.kwargs}, {check.__name__}: "
                              f"{str(error).strip().splitlines()[0]}")
        print(f"{op.full_name}: {served - before} calls of Onepass", flush=True)
    print(f"PyTorch {torch.__version__} on {options.device}: {checked['compare']} samples and {checked['check_gradient']} gradients as "
          f"without Onepass, {failed} not; {served} calls of Onepass")
    return 1 if failed or served == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
