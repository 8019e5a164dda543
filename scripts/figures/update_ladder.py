#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of docs/ladder.md from the records in records/ladder/; --check only looks whether they are."""
import argparse
import json
import pathlib
import sys

from document_block import replace_block


def timed(step):
    if "us" not in step:
        return ["-"] * 4
    return [f"{step['us']:.4g}", f"{step['gb_per_second']:.0f}", f"{step['gflop_per_second']:.1f}", f"{step['efficiency']:.2f}"]


def counted(step):
    if "traffic" not in step:
        return ["-"] * 5
    traffic = step["traffic"]
    return [f"{traffic['sectors_requested'] / traffic['sectors_needed']:.2f}",
            *(str(traffic[name]) for name in ("loads", "shared_accesses", "bank_conflicts", "barriers"))]


def compiled(step):
    if "compiled" not in step:
        return ["-", "-"]
    return [str(step["compiled"]["registers"]), f"{100 * step['compiled']['occupancy']:.0f} %"]


# Head of the columns, and the words of a step; only those of which a record has anything are shown.
COLUMNS = ((("us", "GB/s", "GFLOP/s", "efficiency"), timed),
           (("sectors / needed", "warp loads", "shared accesses", "bank conflicts", "barriers"), counted),
           (("registers", "occupancy"), compiled))


def table(record):
    rows = [*record["steps"], *record["peers"]]
    used = [(head, words) for head, words in COLUMNS if any(word != "-" for row in rows for word in words(row))]
    heads = ["step", *(name for head, _ in used for name in head)]
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "---:|" * (len(heads) - 1)]
    lines += ["| " + " | ".join([row["name"], *(word for _, words in used for word in words(row))]) + " |" for row in rows]
    return "\n".join(lines)


def section(path, record):
    device = record["machine"].get("device", "The simulator")
    shape = "x".join(map(str, record["shape"]))
    threads = f", {record['threads']} thread" + ("s" if record["threads"] > 1 else "") if record["threads"] else ""
    text = f"**{device}**, backend `{record['backend']}`, {shape}{threads}"
    if record["floor"]:
        text += f", {record['cache']}; the floor is {record['floor']:.4g} us"
    source = f"[{path.name}](../records/ladder/{path.name}), onepass {record['onepass']} at {record['commit']}, {record['date'][:10]}."
    if "simulated" in record:
        source += f" Traffic is counted by warps on a simulated {'x'.join(map(str, record['simulated']))} matrix."
    source += "".join(f" Note: {remark}." for remark in record["remarks"])
    return "\n\n".join([text, table(record), source])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2],
                        help="folder with docs/ladder.md and records/ladder/; default: this repository")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if the file is not up to date")
    options = parser.parse_args()
    records = [(path, json.loads(path.read_text(encoding="utf-8")))
               for path in (options.root / "records" / "ladder").glob("*.json")]
    records.sort(key=lambda pair: (["cuda", "sim", "cpu"].index(pair[1]["backend"]), pair[0].name))
    document = options.root / "docs" / "ladder.md"
    before = document.read_text(encoding="utf-8")
    after = replace_block(document, before, "ladder", "\n\n".join(section(*pair) for pair in records))
    if options.check:
        sys.exit(f"not up to date, run `make figures`: {document}" if after != before else 0)
    document.write_text(after, encoding="utf-8")
    print(f"ladder: {len(records)} records")


if __name__ == "__main__":
    main()
