# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solves a Hilbert-like system by iterative refinement: x = x + A^-1 (b - A x), with A^-1 by LU in double precision. With residuals
in double precision the error of x stays where it began, about condition times 1e-16. With residuals of twice the digits each step
takes as many digits off the error as the first solution had right, down to the last one; and with x itself as head and tail down to
condition times 1e-32. On a GPU where PyTorch finds one, else on the CPU by NumPy; --picture draws the three."""
import argparse
from fractions import Fraction
from math import lcm

import numpy

import onepass

try:
    import torch
except ImportError:
    torch = None


def system(n):
    """The Hilbert matrix times a number that makes its elements whole, a right-hand side of ones, and the exact solution."""
    scale = lcm(*range(1, 2 * n))
    exact = [[Fraction(scale, i + j + 1) for j in range(n)] + [Fraction(1)] for i in range(n)]
    a = numpy.array([[float(v) for v in row[:n]] for row in exact])
    for k in range(n):  # Gauss and Jordan; the matrix is positive definite
        exact[k] = [v / exact[k][k] for v in exact[k]]
        for i in range(n):
            if i != k:
                exact[i] = [v - exact[i][k] * w for v, w in zip(exact[i], exact[k])]
    return a, numpy.ones(n), [row[n] for row in exact]


def error_of(x, tail, solution):
    """Of the worst element, relative to it."""
    return max(float(abs(Fraction(float(h)) + Fraction(float(t)) - s) / abs(s)) for h, t, s in zip(x, tail, solution))


def refine(a, b, solution, residual, steps, keep_tail):
    """The errors of x after each step. residual(x, tail): b - A (x + tail)."""
    x, tail = numpy.linalg.solve(a, b), numpy.zeros_like(b)
    errors = [error_of(x, tail, solution)]
    for _ in range(steps):
        correction = numpy.linalg.solve(a, residual(x, tail))
        if keep_tail:
            low = tail + correction
            x, tail = x + low, low - ((x + low) - x)
        else:
            x = x + correction
        errors.append(error_of(x, tail, solution))
    return errors


def picture(curves, steps):
    """An SVG of errors over the steps; curves: (name, colour, errors)."""
    width, height, left, top, lowest = 600, 260, 60, 48, -24
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 80} {height + 92}" width="{width + 80}" height="{height + 92}" '
             'font-family="sans-serif" font-size="12">', f'<rect width="{width + 80}" height="{height + 92}" fill="#ffffff"/>']
    for power in range(0, lowest - 1, -4):
        y = top + height * power / lowest
        parts += [f'<line x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" stroke="#d8dee4"/>',
                  f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">1e{power}</text>']
    for step in range(steps + 1):
        parts.append(f'<text x="{left + width * step / steps:.0f}" y="{top + height + 16}" text-anchor="middle">{step}</text>')
    for i, (name, colour, errors) in enumerate(curves):
        powers = numpy.clip(numpy.log10(numpy.maximum(errors, 1e-300)), lowest, 0)
        points = " ".join(f"{left + width * k / steps:.1f},{top + height * p / lowest:.1f}" for k, p in enumerate(powers))
        parts += [f'<polyline fill="none" stroke="{colour}" stroke-width="1.8" points="{points}"/>',
                  f'<line x1="{left + 200 * i}" y1="28" x2="{left + 22 + 200 * i}" y2="28" stroke="{colour}" stroke-width="2.5"/>',
                  f'<text x="{left + 28 + 200 * i}" y="32">{name}</text>']
    parts.append(f'<text x="{left}" y="{top + height + 36}">largest relative error of x over the steps of refinement</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=10, help="order of the matrix (default: %(default)s)")
    parser.add_argument("--steps", type=int, default=6, help="(default: %(default)s)")
    parser.add_argument("--picture", metavar="FILE", help="write an SVG there")
    options = parser.parse_args()
    has_gpu = torch is not None and torch.cuda.is_available() and onepass.backends()[0]["available"]
    device = "cuda" if has_gpu else "cpu"

    def there(array):
        return torch.from_numpy(array).to(device) if has_gpu else array

    def back(array):
        return array.cpu().numpy() if has_gpu else array

    a, b, solution = system(options.n)
    there_a, there_b = there(a), there(b)
    residuals = [
        ("residuals in double", "#d9822b", False, lambda x, tail: onepass.gemv(there_a, there(x), there_b, alpha=-1, beta=1)),
        ("with twice the digits", "#1f6feb", False,
         lambda x, tail: onepass.gemv(there_a, there(x), there_b, alpha=-1, beta=1, accumulate="twice")),
        ("and x as head and tail", "#0b8a6f", True, lambda x, tail: onepass.gemv2(there_a, there(x), there(tail), there_b, alpha=-1, beta=1))]
    curves = [(name, colour, refine(a, b, solution, lambda x, tail, of=residual: back(of(x, tail)), options.steps, keep_tail))
              for name, colour, keep_tail, residual in residuals]
    print(f"{device}: n = {options.n}, condition {numpy.linalg.cond(a):.0e}")
    for name, _, errors in curves:
        print(f"{name:24} {' '.join(f'{e:.0e}' for e in errors)}")
    if options.picture:
        with open(options.picture, "w", encoding="utf-8") as file:
            file.write(picture(curves, options.steps))
    stalled, refined, beyond = (errors[-1] for _, _, errors in curves)
    if stalled < 1e-10 or refined > 4e-16 or beyond > 1e-18:
        raise SystemExit("the residuals did not have the digits that they should")


if __name__ == "__main__":
    main()
