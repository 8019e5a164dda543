# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where do signals come from? MUSIC (Schmidt 1986) with a line of antennas and many frequencies: the eigenvectors of the smallest
eigenvalues of each covariance matrix are orthogonal to the steering vectors of the sources, so that
P(angle) = 1 / sum_f |E_f^H a_f(angle)|^2 is large there. All covariance matrices are one call. On a GPU where PyTorch finds one, else
on the CPU by NumPy; --picture draws P beside a plain beamformer, which cannot tell two of the sources apart."""
import argparse

import numpy

import onepass

try:
    import torch
except ImportError:
    torch = None

SOURCES = (-20.0, 10.0, 14.0)  # degrees
NOISE = 0.3
ANGLES = numpy.arange(-900, 901) / 10


def steering(antennas, frequencies, degrees):
    """Of each frequency an antennas x angles matrix. Half a wavelength between antennas at the highest frequency, a quarter at the lowest."""
    cycles = 0.25 * (1 + numpy.arange(1, frequencies + 1) / frequencies)
    phases = cycles[:, None, None] * numpy.arange(antennas)[:, None] * numpy.sin(numpy.radians(degrees))
    return numpy.exp(2j * numpy.pi * phases)


def covariances(antennas, frequencies, snapshots, random):
    def numbers(*shape):
        return (random.standard_normal(shape) + 1j * random.standard_normal(shape)) / numpy.sqrt(2)
    x = steering(antennas, frequencies, SOURCES) @ numbers(frequencies, len(SOURCES), snapshots) + NOISE * numbers(frequencies, antennas, snapshots)
    return x @ x.conj().swapaxes(-1, -2) / snapshots


def eigenvectors(matrices, device):
    if device == "cpu":
        return onepass.linalg.eigh(matrices).eigenvectors
    return onepass.linalg.eigh(torch.from_numpy(matrices).to(device)).eigenvectors.cpu().numpy()


def peaks(spectrum, count):
    """The angles of the highest ones, ascending."""
    inner = spectrum[1:-1]
    tops = 1 + numpy.flatnonzero((inner > spectrum[:-2]) & (inner > spectrum[2:]))
    return numpy.sort(ANGLES[tops[numpy.argsort(spectrum[tops])[-count:]]])


def picture(curves):
    """An SVG of spectra in decibels below their peaks; curves: (name, colour, spectrum)."""
    width, height, left, top, lowest = 640, 240, 44, 48, -50
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 60} {height + 92}" width="{width + 60}" height="{height + 92}" '
             'font-family="sans-serif" font-size="12">', f'<rect width="{width + 60}" height="{height + 92}" fill="#ffffff"/>']
    for degrees in range(-90, 91, 30):
        x = left + width * (degrees + 90) / 180
        parts += [f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{top + height}" stroke="#d8dee4"/>',
                  f'<text x="{x:.0f}" y="{top + height + 16}" text-anchor="middle">{degrees}°</text>']
    for decibels in range(0, lowest - 1, -10):
        y = top + height * decibels / lowest
        parts += [f'<line x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" stroke="#d8dee4"/>',
                  f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{decibels}</text>']
    for source in SOURCES:
        x = left + width * (source + 90) / 180
        parts.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{top + height}" stroke="#9aa4b2" stroke-dasharray="2 3"/>')
    for i, (name, colour, spectrum) in enumerate(curves):
        decibels = numpy.maximum(10 * numpy.log10(spectrum / spectrum.max()), lowest)
        points = " ".join(f"{left + width * (a + 90) / 180:.1f},{top + height * d / lowest:.1f}" for a, d in zip(ANGLES, decibels))
        parts += [f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{points}"/>',
                  f'<line x1="{left + 170 * i}" y1="28" x2="{left + 22 + 170 * i}" y2="28" stroke="{colour}" stroke-width="2.5"/>',
                  f'<text x="{left + 28 + 170 * i}" y="32">{name}</text>']
    parts.append(f'<text x="{left}" y="{top + height + 36}">decibels below the peak over the angle; dotted: the sources</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--antennas", type=int, default=16, help="(default: %(default)s)")
    parser.add_argument("--frequencies", type=int, default=32, help="(default: %(default)s)")
    parser.add_argument("--snapshots", type=int, default=200, help="of each frequency (default: %(default)s)")
    parser.add_argument("--picture", metavar="FILE", help="write an SVG there")
    options = parser.parse_args()
    has_gpu = torch is not None and torch.cuda.is_available() and onepass.backends()[0]["available"]
    device = "cuda" if has_gpu else "cpu"

    matrices = covariances(options.antennas, options.frequencies, options.snapshots, numpy.random.default_rng(1))
    of_noise = eigenvectors(matrices, device)[:, :, :options.antennas - len(SOURCES)]
    towards = steering(options.antennas, options.frequencies, ANGLES)
    music = 1 / (numpy.abs(of_noise.conj().swapaxes(-1, -2) @ towards)**2).sum(axis=(0, 1))
    found = peaks(music, len(SOURCES))
    print(f"{device}: sources at {', '.join(map(str, SOURCES))} degrees, found at {', '.join(map(str, found))}")
    if options.picture:
        beam = (towards.conj() * (matrices @ towards)).real.sum(axis=(0, 1))
        with open(options.picture, "w", encoding="utf-8") as file:
            file.write(picture([("MUSIC", "#1f6feb", music), ("beamformer", "#d9822b", beam)]))
    if len(found) != len(SOURCES) or numpy.abs(found - SOURCES).max() > 0.3:
        raise SystemExit("the sources were not found")


if __name__ == "__main__":
    main()
