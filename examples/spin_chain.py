# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Does a disordered spin chain thermalise? The Heisenberg chain in random fields, H = sum_i S_i . S_(i+1) + h_i S_i^z with h_i uniform
in [-W, W] and no total magnetisation: all eigenvalues of many realisations in one call, then the mean ratio r of adjacent gaps in the
middle of the spectrum. It is 0.53 where levels repel each other, as those of random matrices do, and 0.39 where they do not, in a
localised phase. On a GPU where PyTorch finds one, else on the CPU by NumPy."""
import argparse

import numpy

import onepass

try:
    import torch
except ImportError:
    torch = None


def hamiltonians(sites, fields):
    """A matrix for each row of fields, in the basis of states with as many spins up (bits that are 1) as down."""
    states = numpy.array([state for state in range(1 << sites) if 2 * bin(state).count("1") == sites])
    up = (states[:, None] >> numpy.arange(sites)) & 1
    columns = numpy.arange(len(states))
    h = numpy.zeros((len(fields), len(states), len(states)))
    h[:, columns, columns] = fields @ (up - 0.5).T
    for i in range(sites):
        j = (i + 1) % sites
        opposite = up[:, i] != up[:, j]
        h[:, columns, columns] += numpy.where(opposite, -0.25, 0.25)
        flipped = numpy.searchsorted(states, states[opposite] ^ (1 << i) ^ (1 << j))
        h[:, flipped, columns[opposite]] += 0.5  # S+ S- / 2 and its adjoint
    return h


def mean_ratio(energies):
    """Of min / max of adjacent gaps in the middle half of ascending energies."""
    n = energies.shape[-1]
    gaps = numpy.diff(energies[:, n // 4:3 * n // 4])
    below, above = gaps[:, :-1], gaps[:, 1:]
    return float((numpy.minimum(below, above) / numpy.maximum(below, above)).mean())


def spectra(matrices, device):
    if device == "cpu":
        return onepass.linalg.eigvalsh(matrices)
    return onepass.linalg.eigvalsh(torch.from_numpy(matrices).to(device)).cpu().numpy()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=10, help="of the chain, an even number (default: %(default)s)")
    parser.add_argument("--realisations", type=int, default=20, help="of the random fields (default: %(default)s)")
    options = parser.parse_args()
    has_gpu = torch is not None and torch.cuda.is_available() and onepass.backends()[0]["available"]
    device = "cuda" if has_gpu else "cpu"

    random = numpy.random.default_rng(1)
    found = []
    for strength in (1.0, 10.0):
        fields = random.uniform(-strength, strength, (options.realisations, options.sites))
        found.append(mean_ratio(spectra(hamiltonians(options.sites, fields), device)))
        print(f"{device}: W = {strength:4.1f}: r = {found[-1]:.3f}")
    print("random matrices: 0.531, independent levels: 0.386")
    if not (0.48 < found[0] < 0.56 and 0.36 < found[1] < 0.43):
        raise SystemExit("the ratios are not those of the two phases")


if __name__ == "__main__":
    main()
