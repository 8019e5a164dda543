#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Errors of sums in which nearly everything cancels, of condition 10^2 to 10^30, for each setting of `accumulate`: the largest of many,
relative to the exact sum of rational numbers, and whether each is within the bound of docs/accuracy.md. On the CPU with NumPy, or with
--cuda on a GPU with PyTorch. Writes a record; exit code 1 if an error is over its bound."""
import argparse
import datetime
import json
import math
import pathlib
import sys
from fractions import Fraction

import numpy
from written_record import commit

import onepass
from onepass import double_double

SETTINGS = [("s", "default"), ("s", "wider"), ("c", "wider"), ("d", "default"), ("d", "twice"), ("z", "twice"), ("d", "tails"), ("w", "default")]
TYPES = {"s": numpy.float32, "d": numpy.float64, "c": numpy.complex64, "z": numpy.complex128}
UNIT = {"s": 2.0**-24, "c": 2.0**-24, "d": 2.0**-53, "z": 2.0**-53}
POWERS = range(2, 31, 4)
TERMS, ROWS = 60, 32


def parts(value):
    return Fraction(float(numpy.real(value))), Fraction(float(numpy.imag(value)))


def times(a, b):
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


class Sum:
    """Of products, exactly, with the magnitudes of their terms."""

    def __init__(self):
        self.value, self.magnitude = (Fraction(0), Fraction(0)), Fraction(0)

    def add(self, a, b):
        product = times(parts(a), parts(b))
        self.value = (self.value[0] + product[0], self.value[1] + product[1])
        self.magnitude += Fraction(abs(complex(a))) * Fraction(abs(complex(b)))


def make_row(x, tail, condition, type_, random):
    """A row whose sum is about 1 and whose terms reach `condition`: each of the second half takes away what there is too much."""
    def number(scale):
        value = scale * random.uniform(-1, 1)
        return value + 1j * scale * random.uniform(-1, 1) if numpy.iscomplexobj(x) else value
    row, total, half = numpy.zeros(TERMS, TYPES[type_]), Sum(), TERMS // 2
    for k in range(TERMS):
        if k < half:
            row[k] = number(condition if k == 0 else condition**random.uniform(0, 1))
        else:
            wanted = parts(number(condition**(1 - (k - half + 1) / (TERMS - half))))
            missing = [float(w - v) for w, v in zip(wanted, total.value)]
            row[k] = (missing[0] + 1j * missing[1]) / x[k] if numpy.iscomplexobj(x) else missing[0] / x[k]
        for vector in (x, tail):
            total.add(row[k], vector[k])
    return row


def bound_of(type_, setting):
    """What a sum may lose, of the sum of the magnitudes of its terms."""
    terms = TERMS * (2 if type_ in "cz" else 1) + 8
    if setting == "default":
        return terms * UNIT[type_]
    return terms * 2.0**-53 if type_ in "sc" else (terms * 2.0**-53)**2


def measure(type_, setting, power, on, random):
    """The largest relative error, and the largest error beyond the rounding of the result as a share of its bound."""
    x = random.uniform(0.5, 1, TERMS)
    x = (x * numpy.exp(1j * random.uniform(0, 6, TERMS)) if type_ in "cz" else x).astype(TYPES[type_])
    tail = (x * random.uniform(-1, 1, TERMS) * (UNIT[type_] if setting == "tails" else 0)).astype(TYPES[type_])
    a = numpy.array([make_row(x, tail, 10.0**power, type_, random) for _ in range(ROWS)])
    if setting == "tails":
        y, y_tail = map(on.back, onepass.gemv2(on.there(a), on.there(x), on.there(tail), tail=True))
    else:
        y, y_tail = on.back(onepass.gemv(on.there(a), on.there(x), accumulate=setting)), None
    worst, share = 0.0, 0.0
    for i in range(ROWS):
        total = Sum()
        for k in range(TERMS):
            for vector in (x, tail):
                total.add(a[i, k], vector[k])
        got = [h + t for h, t in zip(parts(y[i]), parts(y_tail[i]))] if setting == "tails" else parts(y[i])
        unit = UNIT[type_]**2 if setting == "tails" else UNIT[type_]
        for own, exact in zip(got, total.value):
            error = abs(own - exact)
            worst = max(worst, min(float(error / abs(exact)), 1.0) if exact else 0.0)
            share = max(share, float((error - Fraction(unit) * abs(exact)) / (Fraction(bound_of(type_, setting)) * total.magnitude)))
    return worst, share


def measure_pairs(power, on, random):
    """Likewise of double-doubles, whose bound is linear in the number of terms."""
    def number(scale):
        return Fraction(scale) * (Fraction(random.uniform(-1, 1)) + Fraction(random.uniform(-1, 1)) / 2**54)

    def kept(value):
        return double_double.to_fractions(double_double.array([value]))[0]

    x = [kept(Fraction(1, 2) + abs(number(0.5))) for _ in range(TERMS)]
    rows, half, condition = [], TERMS // 2, 10.0**power
    for _ in range(ROWS):
        row, total = [], Fraction(0)
        for k in range(TERMS):
            if k < half:
                row.append(kept(number(condition if k == 0 else condition**random.uniform(0, 1))))
            else:
                row.append(kept((number(condition**(1 - (k - half + 1) / (TERMS - half))) - total) / x[k]))
            total += row[k] * x[k]
        rows.append(row)
    y = double_double.to_fractions(on.back_pairs(onepass.gemv(on.pairs(double_double.array(rows)), on.pairs(double_double.array(x)))))
    worst, share = 0.0, 0.0
    for row, own in zip(rows, y):
        exact, magnitude = sum(a * b for a, b in zip(row, x)), sum(abs(a * b) for a, b in zip(row, x))
        error = abs(own - exact)
        worst = max(worst, min(float(error / abs(exact)), 1.0))
        share = max(share, float((error - abs(exact) / 2**106) / (Fraction(TERMS + 8, 2**102) * magnitude)))
    return worst, share


class Host:
    name = next(backend["traits"]["name"] for backend in onepass.backends() if backend["name"] == "cpu")
    there = back = pairs = back_pairs = staticmethod(lambda array: array)


def on_gpu():
    import torch

    class Gpu:
        name = torch.cuda.get_device_name()

        @staticmethod
        def there(array):
            return torch.from_numpy(array).cuda()

        @staticmethod
        def back(array):
            return array.cpu().numpy()

        @staticmethod
        def pairs(array):
            return double_double.Pairs(torch.from_numpy(array.view("f8").reshape(*array.shape, 2)).cuda())

        @staticmethod
        def back_pairs(pairs):
            return pairs.array.cpu().numpy().view(double_double.dtype)[..., 0]
    return Gpu


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuda", action="store_true", help="on a GPU")
    parser.add_argument("--output", type=pathlib.Path, help="write a record there")
    options = parser.parse_args()
    on = on_gpu() if options.cuda else Host
    random = numpy.random.default_rng(1)
    points = []
    print(f"{'condition':12}" + "".join(f"{'10^' + str(p):>9}" for p in POWERS))
    for type_, setting in SETTINGS:
        results = [measure_pairs(power, on, random) if type_ == "w" else measure(type_, setting, power, on, random) for power in POWERS]
        points += [{"type": type_, "setting": setting, "power": power, "error": error, "of_bound": share}
                   for power, (error, share) in zip(POWERS, results)]
        print(f"{type_ + ' ' + setting:12}" + "".join(f"{error:9.0e}" for error, _ in results) +
              f"   largest error {max(share for _, share in results):.2g} of its bound")
    if options.output:
        record = {"what": "errors of sums by condition", "device": on.name, "commit": commit(), "terms": TERMS, "sums": ROWS,
                  "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")}
        lines = ",\n  ".join(json.dumps(point) for point in points)
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(record, indent=1)[:-2] + f',\n "points": [\n  {lines}]\n}}\n', encoding="utf-8")
    if not all(math.isfinite(point["of_bound"]) and point["of_bound"] <= 1 for point in points):
        sys.exit("an error is over its bound")


if __name__ == "__main__":
    main()
