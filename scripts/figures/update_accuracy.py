#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of errors and of costs in docs/accuracy.md, and that of both in README.md, from records/accuracy/*.json, which
accuracy.py wrote, and records/accumulate/*.json of record_accumulate.sh; --check only looks whether they are."""
import argparse
import json
import pathlib
import sys

from document_block import replace_block


def table(record):
    """A row for each setting, a column for each condition, and how near the bound the largest error came."""
    points = record["points"]
    powers = sorted({point["power"] for point in points})
    settings = list(dict.fromkeys((point["type"], point["setting"]) for point in points))
    lines = ["| condition | " + " | ".join(f"10^{power}" for power in powers) + " | of its bound |", "|---|" + "---:|" * (len(powers) + 1)]
    for type_, setting in settings:
        own = [point for point in points if (point["type"], point["setting"]) == (type_, setting)]
        errors = [f"{point['error']:.0e}" if point["error"] < 0.5 else "all" for point in sorted(own, key=lambda p: p["power"])]
        words = "x and y as head and tail" if setting == "tails" else setting
        lines.append(f"| `{type_}` {words} | " + " | ".join(errors) + f" | {max(point['of_bound'] for point in own):.1g} |")
    about = (f"{record['device']}, onepass at {record['commit']}, {record['date'][:10]}: the largest relative error of {record['sums']} sums "
             f"of {record['terms']} terms, by their condition; *all*: no digit is right.")
    return "\n".join([*lines, "", about])


class Costs:
    """Times of one machine, by routine, op, type, setting and order."""

    def __init__(self, folder):
        self.times, self.floors, self.source = {}, {}, ""
        for path in sorted(folder.glob("*.json")):
            record = json.loads(path.read_text(encoding="utf-8"))
            self.source = f"{record['machine']['device']}, onepass at {record['commit']}, {record['date'][:10]}"
            for point in record["points"]:
                key = (point.get("routine", "gemv"), point.get("op", ""), point["type"], point.get("accumulate", "default"), point["n"])
                self.times[key], self.floors[key] = point["times"]["Onepass"][0], point["floor"]
        self.orders = sorted({key[-1] for key in self.times})
        self.rows = sorted({(key[2], key[3]) for key in self.times}, key=lambda row: ("scdzw".index(row[0]), row[1]))

    def share(self, routine, op, type_, setting, n):
        """Of the speed of the plain call; of type w, of that at which the bytes arrive."""
        key = (routine, op, type_, setting, n)
        if key not in self.times:
            return "-"
        plain = self.floors[key] if type_ == "w" else self.times.get(key[:3] + ("default", n))
        return f"{plain / self.times[key]:.2f}" if plain else "-"


PRODUCTS = (("gemv", "N"), ("gemv", "T"), ("symv", ""))


def costs_table(costs):
    if not costs.times:
        return "There is no record yet."
    lines = ["| n = | | " + " | ".join(map(str, costs.orders)) + " |", "|---|---|" + "---:|" * len(costs.orders)]
    for type_, setting in costs.rows:
        if setting == "default" and type_ != "w":
            continue
        for routine, op in PRODUCTS:
            shares = [costs.share(routine, op, type_, setting, n) for n in costs.orders]
            lines.append(f"| `{type_}`{'' if type_ == 'w' else ' ' + setting} | `{routine}`{op and ' ' + op} | " + " | ".join(shares) + " |")
    return "\n".join([*lines, "", f"The speed of the plain call is 1; of `w` that at which the bytes arrive. {costs.source}, in a queue."])


def readme_table(costs, errors, order=4096):
    if not costs.times or not errors:
        return "There is no record yet."
    powers = (2, 6, 14)
    lines = ["| sums | `gemv` N | `gemv` T | `symv` | " + " | ".join(f"error at 10^{power}" for power in powers) + " |",
             "|---|" + "---:|" * (len(PRODUCTS) + len(powers))]
    for type_, setting in costs.rows:
        found = {point["power"]: point["error"] for point in errors["points"] if (point["type"], point["setting"]) == (type_, setting)}
        if not found and setting == "default":
            continue
        words = [f"{found[power]:.0e}" if found.get(power, 1) < 0.5 else "-" if power not in found else "all" for power in powers]
        lines.append(f"| `{type_}` {setting} | " + " | ".join(costs.share(*product, type_, setting, order) for product in PRODUCTS) +
                     " | " + " | ".join(words) + " |")
    return "\n".join([*lines, "", f"Speed at n = {order}, that of the plain call is 1, in a queue; the largest relative error of sums of condition 10^2, 10^6 and "
                      f"10^14, *all*: no digit is right. {costs.source}."])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((options.root / "records" / "accuracy").glob("*.json"))]
    costs = Costs(options.root / "records" / "accumulate")
    of_gpu = next((record for record in records if costs.source.startswith(record["device"])), None)
    blocks = {"docs/accuracy.md": {"errors": "\n\n".join(map(table, records)), "costs": costs_table(costs)},
              "README.md": {"sums": readme_table(costs, of_gpu)}}
    for name, of_page in blocks.items():
        page = options.root / name
        before = after = page.read_text(encoding="utf-8")
        for block, content in of_page.items():
            after = replace_block(page, after, block, content)
        if options.check and after != before:
            return f"{name} is not what records say: run make figures"
        if not options.check:
            page.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
