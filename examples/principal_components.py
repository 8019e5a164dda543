# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Principal components of samples by their singular values, on PyTorch's tensors: many samples of few features, so that the
matrix is tall and its QR factorisation is taken first. On a GPU where there is one, else on the CPU."""
import argparse

import torch

import onepass


def principal_components(samples, count):
    """The directions of the largest variance as rows, the share of all variance in each, and the samples in those terms."""
    centred = samples - samples.mean(dim=0)
    u, s, vh = onepass.linalg.svd(centred, full_matrices=False, overwrite_a=True)
    return vh[:count], (s**2 / (s**2).sum())[:count], u[:, :count] * s[:count]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-m", type=int, default=20000, help="samples (default: %(default)s)")
    parser.add_argument("-n", type=int, default=200, help="features of each (default: %(default)s)")
    parser.add_argument("--rank", type=int, default=5, help="directions that they vary in, beside noise (default: %(default)s)")
    options = parser.parse_args()
    has_gpu = torch.cuda.is_available() and onepass.backends()[0]["available"]
    device = "cuda" if has_gpu else "cpu"

    torch.manual_seed(1)
    hidden = torch.randn(options.m, options.rank, dtype=torch.float64, device=device)
    mixing = torch.randn(options.rank, options.n, dtype=torch.float64, device=device)
    samples = hidden @ mixing + 0.01 * torch.randn(options.m, options.n, dtype=torch.float64, device=device) + 3
    directions, shares, scores = principal_components(samples, options.rank)
    mean = samples.mean(dim=0)
    lost = (torch.linalg.matrix_norm(scores @ directions + mean - samples) / torch.linalg.matrix_norm(samples - mean)).item()
    print(f"{device}: {options.m} samples of {options.n} features, {options.rank} directions have "
          f"{100 * shares.sum().item():.2f} % of the variance, and {lost:.1e} of the samples is lost")
    if lost > 0.05:
        raise SystemExit("the directions were not found")


if __name__ == "__main__":
    main()
