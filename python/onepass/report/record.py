# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads a record of `onepass bench`: points with the figures of each library, or the times of a reduction."""
import json
import sys


class Provider:
    """What one library did at one point."""

    def __init__(self, name, times, point):
        self.name = name
        self.us = times[0]
        self.spread = times[2]
        self.efficiency = point["floor"] / self.us
        self.gb_per_second = point["bytes"] / self.us / 1e3


class Row:
    """One point with the figures of Onepass and of its peers."""

    def __init__(self, point):
        self.point = point
        self.providers = [Provider(name, times, point) for name, times in point["times"].items()]
        self.own, *self.peers = self.providers
        self.peer = min(self.peers, key=lambda p: p.us, default=None)

    @property
    def routine(self):
        return self.point.get("routine", "gemv")

    @property
    def op(self):
        """The op of a gemv, the triangle of the others."""
        return self.point.get("op") or self.point.get("uplo", "")

    @property
    def label(self):
        point = self.point
        text = f"{point['type']} {self.op} {point['m']}x{point['n']}"
        if self.routine != "gemv":
            text = f"{self.routine} {text}"
        if point.get("layout") == "row":
            text += " row"
        if "batch" in point:
            text += f" x{point['batch']}"
        if "threads" in point:
            text += f", {point['threads']} thread" + ("s" if point["threads"] > 1 else "")
        return text

    @property
    def timed(self):
        """Where its operands were and, on a GPU, what lay between two calls: "cold queue", "cold alone"."""
        cache = self.point["cache"]
        if "threads" in self.point:
            return cache
        return "cold alone" if cache == "alone" else f"{cache} queue"

    @property
    def ratio(self):
        return self.peer.us / self.own.us if self.peer else None

    @property
    def flops(self):
        """A multiplication and an addition per element of A; four and four in complex arithmetic."""
        point = self.point
        return (8 if point["type"] in "cz" else 2) * point["m"] * point["n"] * point.get("batch", 1)

    @property
    def plan(self):
        """The words of the plan: {"kernel": "gemv_t", "threads": "256", ...}; empty where the record has none."""
        words = self.point.get("plan", "").split()
        return {"kernel": words[0]} | dict(zip(words[1::2], words[2::2])) if words else {}


FIGURES = ("median", "least", "spread", "samples")


def point_of(members, plans):
    """A point of a series as an object of its own: "cuBLAS median" becomes the first of its times."""
    point = {}
    for name, value in members.items():
        provider, _, figure = name.rpartition(" ")
        if provider and figure in FIGURES:
            point.setdefault("times", {}).setdefault(provider, [0] * len(FIGURES))[FIGURES.index(figure)] = value
        else:
            point[name] = plans[value] if name == "plan" else value
    point.setdefault("m", point["n"])
    return point


def points_of(data):
    """The points of a record, an object each: few are written so, many as tables under "series"."""
    if "points" in data:
        return data["points"]
    found = []
    for series in data["series"]:
        head = {name: value for name, value in series.items() if name not in ("columns", "rows")}
        # The columns come first: medians are columns, in the order of the libraries.
        found += [point_of(dict(zip(series["columns"], row)) | head, data.get("plans", [])) for row in series["rows"]]
    return found


class Record:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.data = json.load(file)
        if "points" not in self.data and "series" not in self.data:
            sys.exit(f"{path} is no record: write one with `onepass bench --json {path}`")
        self.points = points_of(self.data)
        self.rows = [Row(point) for point in self.points if "times" in point]
        self.times = []

    @property
    def selection(self):
        return self.data["selection"]

    @property
    def device(self):
        return self.data["machine"]["device"]

    def kinds(self):
        """The pairs of type and op, in the order of the points."""
        return list(dict.fromkeys((row.point["type"], row.op) for row in self.rows))

    def rows_of(self, type_, op):
        return [row for row in self.rows if (row.point["type"], row.op) == (type_, op)]

    def ceiling(self, name):
        """A constant of the machine by its name, or None."""
        return next((c["value"] for c in self.data.get("ceilings", []) if c["name"] == name), None)

    @property
    def machine(self):
        """What it was measured on, in one line."""
        machine = self.data["machine"]
        parts = [self.device, *(f"{name} {machine[name]}" for name in ("driver", "toolkit") if name in machine)]
        return ", ".join(parts + [f"{name[5:]} {value}" for name, value in machine.items() if name == "peer cuBLAS"])

    @property
    def source(self):
        """Where the figures come from, in one line."""
        data = self.data
        parts = [self.machine, f"onepass {data['onepass']} at {data['commit']}", data["date"][:10]]
        if not data.get("complete", True):
            parts.append("a partial run")
        return ", ".join(parts)


class ReductionTime:
    """One line of a record of a reduction: milliseconds of Onepass and, where there is one, of the peer."""

    def __init__(self, routine, peer, columns, row):
        values = dict(zip(columns, row))
        self.routine = routine
        self.type = values["type"]
        self.n = values["n"]
        self.m = values.get("m", self.n)  # the first records were all of square matrices
        self.floor = values["byte floor ms"]
        self.times = {"Onepass": values["median ms"]} | ({peer: values["peer median ms"]} if peer else {})

    @property
    def label(self):
        return f"{self.routine} {self.type} " + (str(self.n) if self.m == self.n else f"{self.m}x{self.n}")

    def us_per_column(self, ms):
        return ms * 1e3 / min(self.m, self.n)


class ReductionRecord(Record):
    """`onepass bench sytrd` and the like: one table, no points."""

    def __init__(self, data):
        self.data = data
        self.points, self.rows = [], []
        self.times = [ReductionTime(data["routine"], data["peer"], data["columns"], row) for row in data["rows"]]

    @property
    def selection(self):
        return "reduction"

    @property
    def device(self):
        return self.data["machine"].get("device", self.data["backend"])


def read(path):
    """The record of a file, of either kind."""
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    return ReductionRecord(data) if {"columns", "rows"} <= data.keys() else Record(path)
