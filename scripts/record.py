# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads a record of `onepass bench` for the scripts that make the README's table and picture."""
import json
import sys


class Row:
    """One point with the figures of Onepass and of its fastest peer."""

    def __init__(self, point):
        providers = {p["name"]: p for p in point["providers"]}
        self.point = point
        self.own = providers.pop("Onepass")
        self.peer = min(providers.values(), key=lambda p: p["median_seconds"], default=None)

    @property
    def label(self):
        point = self.point
        text = f"{point['type']} {point['op']} {point['m']}x{point['n']}"
        if point["layout"] == "row":
            text += " row"
        if point["batch"] != 1:
            text += f" x{point['batch']}"
        if "threads" in point:
            text += f", {point['threads']} thread" + ("s" if point["threads"] > 1 else "")
        return text

    @property
    def ratio(self):
        return self.peer["median_seconds"] / self.own["median_seconds"] if self.peer else None


class Record:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.data = json.load(file)
        if "points" not in self.data:
            sys.exit(f"{path} is no record: write one with `onepass bench --json {path}`")
        self.rows = [Row(point) for point in self.data["points"] if "skipped" not in point]
        if not self.rows:
            sys.exit(f"{path} has no measured points")

    @property
    def source(self):
        """Where the figures come from, in one line."""
        data, machine = self.data, self.data["machine"]
        parts = [machine["device"]]
        if "driver" in machine:
            parts.append(f"driver {machine['driver']}")
        if "toolkit" in machine:
            parts.append(f"toolkit {machine['toolkit']}")
        parts += [f"{name[5:]} {value}" for name, value in machine.items() if name == "peer cuBLAS"]
        parts += [f"onepass {data['onepass']} at {data['commit']}", data["date"][:10]]
        if not data["complete"]:
            parts.append("a partial run")
        return ", ".join(parts)
