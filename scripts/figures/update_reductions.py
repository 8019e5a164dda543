#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of reductions and solvers in README.md and docs/, and the pictures in docs/reductions/, from the records that
record_reductions.sh and residuals.py wrote; --check only looks whether they are."""
import argparse
import collections
import json
import math
import pathlib
import sys

import reductions_picture
from document_block import replace_block

Time = collections.namedtuple("Time", "type m n own floor peer matrices", defaults=[1])  # ms; 0 where there is none
ORDERS = (256, 512, 1024, 2048, 4096, 8192)  # of README.md
TYPED = {"sytrd": ("ssytrd", "dsytrd", "chetrd", "zhetrd"), "syevd": ("ssyevd", "dsyevd", "cheevd", "zheevd"),
         "syevd-values": ("ssyevd", "dsyevd", "cheevd", "zheevd"), "gesvd-values": ("sgesvd", "dgesvd", "cgesvd", "zgesvd"),
         "gesvd-polar": ("sgesvd", "dgesvd", "cgesvd", "zgesvd"),
         **{routine: ("sgesvd", "dgesvd", "cgesvd", "zgesvd") for routine in ("gesvd-batched", "gesvd-batched-values", "gesvd-batched-jacobi")},
         "syevd-batched": ("ssyevd", "dsyevd", "cheevd", "zheevd"),
         "syevd-batched-values": ("ssyevd", "dsyevd", "cheevd", "zheevd"), "orgtr": ("sorgtr", "dorgtr", "cungtr", "zungtr"),
         "ormtr": ("sormtr", "dormtr", "cunmtr", "zunmtr"), "orgbr": ("sorgbr", "dorgbr", "cungbr", "zungbr")}


# What a reduction is to reach: its peer's time over Onepass's, at each order. MAGMA 2.10's times were taken on an H200 with 16 cores.
GOALS = {"sytrd": {256: 2.0, 512: 2.3, 1024: 2.1, 2048: 2.0, 4096: 2.0, 8192: 2.0, 16384: 1.7},
         "gebrd": {256: 6, 512: 7, 1024: 6, 2048: 4.5, 4096: 3.5, 8192: 2.6, 16384: 2.2},
         "gehrd": {512: 6, 1024: 7, 2048: 5, 4096: 3.5, 8192: 2.2}}
MEDIANS = "Medians of five, above 8192 of three. "
MAGMA_DGEHRD = {512: 23, 1024: 52, 2048: 123, 4096: 318, 8192: 1128}  # ms


class Records:
    """records/ROUTINE/*.json of a GPU."""

    def __init__(self, root):
        self.root, self.found, self.used = root, {}, {}
        for path in sorted((root / "records").glob("*/*.json")):
            data = json.loads(path.read_text(encoding="utf-8"))
            if data.get("backend") == "cuda" and data.get("columns", [""])[0] == "type" and path.parent.name == data.get("routine"):
                self.found.setdefault(data["routine"], []).append((path, data))

    def all_times(self, routine, type_):
        """Of one type, n rising; of a size that several records have, the newest."""
        newest = {}
        for _, data in sorted(self.found.get(routine, []), key=lambda file: file[1]["date"]):
            for kind, m, n, own, _, floor, peer, *matrices in data["rows"]:
                if kind == type_:
                    newest[n, m, *matrices] = Time(kind, m, n, own, floor, peer, *matrices)
        return [newest[key] for key in sorted(newest)]

    def times(self, routine, type_):
        """Of square matrices."""
        return [t for t in self.all_times(routine, type_) if t.m == t.n]

    def source(self, *routines, peers=None):
        """Which files, of which commit; peers: only those that have, or have not, times of a peer."""
        commits = {}
        for routine in routines:
            for path, data in self.found.get(routine, []):
                if peers is not None and peers != any(row[6] for row in data["rows"]):
                    continue
                commits.setdefault((data["machine"]["device"], data["commit"], data["date"][:10]), []).append(
                    path.relative_to(self.root / "records").as_posix())
        return "; ".join(f"{device}, onepass at {commit}, {date}: {', '.join(files)}"
                         for (device, commit, date), files in sorted(commits.items()))


def rows_of(*rows):
    """Lines of a table; the first row is its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|---|" + "---:|" * (len(rows[0]) - 1), *lines[1:]])


def three(value):
    """Three digits."""
    return f"{value:#.3g}".rstrip(".") if value < 1000 else f"{value:.0f}"


def name_of(routine, type_):
    return "`" + (TYPED[routine]["sdcz".index(type_)] if routine in TYPED else type_ + routine) + "`"


def ratio(time):
    return f"{time.peer / time.own:.2f}"


def of_types(records, routine, peer, compared):
    """Ratios, or times where there is no peer, of the types other than double."""
    others = {type_: {t.n: t for t in records.times(routine, type_)} for type_ in "scz"}
    orders = sorted({n for times in others.values() for n in times})

    def word(t):
        return "-" if t is None else ratio(t) if compared else three(t.own)
    return [rows_of([f"ratio to {peer}" if compared else "ms", *map(str, orders)],
                    *([name_of(routine, type_), *(word(times.get(n)) for n in orders)] for type_, times in others.items() if times))
            ] if orders else []


def of_routine(records, routine, peer="cuSOLVER"):
    """Times of double precision, then what there is of the other types."""
    own = records.times(routine, "d")
    compared = any(t.peer for t in own)
    table = [["n", *(str(t.n) for t in own)], [name_of(routine, "d") + ", ms", *(three(t.own) for t in own)]]
    if compared:
        table += [[peer, *(three(t.peer) for t in own)], ["ratio", *map(ratio, own)]]
    table.append(["us a column", *(three(1e3 * t.own / t.n) for t in own)])
    if any(t.floor for t in own):
        table.append(["share of the byte floor", *(f"{t.floor / t.own:.2f}" for t in own)])
    return "\n\n".join([rows_of(*table), *of_types(records, routine, peer, compared), MEDIANS + records.source(routine) + "."])


def shape_of(time):
    return str(time.n) if time.m == time.n else f"{time.m} x {time.n}"


def of_shapes(records, routine, *others, peer="cuSOLVER"):
    """Times of double precision over shapes, squares first. others: (name, routine), further peers of the same with a routine of
    their own in the records."""
    own = sorted(records.all_times(routine, "d"), key=lambda t: (t.m != t.n, t.n, t.m))
    table = [["m x n", *map(shape_of, own)], [name_of(routine, "d") + ", ms", *(three(t.own) for t in own)],
             [peer, *(three(t.peer) for t in own)], ["ratio", *map(ratio, own)]]
    for name, other in others:
        found = {(t.m, t.n): t for t in records.all_times(other, "d")}
        of_other = [found.get((t.m, t.n)) for t in own]
        table += [[name, *(three(t.peer) if t else "-" for t in of_other)], ["ratio", *(ratio(t) if t else "-" for t in of_other)]]
    parts = of_types(records, routine, peer, True)
    for name, other in others:
        parts += of_types(records, other, name, True)
    return "\n\n".join([rows_of(*table), *parts, MEDIANS + records.source(routine, *(other for _, other in others)) + "."])


def of_batch(records, routine):
    """Microseconds a matrix of each type, and how many times cuSOLVER takes."""
    types = {type_: {t.n: t for t in records.times(routine, type_) if t.peer} for type_ in "sdcz"}
    most = {n: max(times[n].matrices for times in types.values() if n in times) for times in types.values() for n in times}
    orders = sorted(most)
    table = [["n", *map(str, orders)], ["matrices", *(str(most[n]) for n in orders)]]
    for type_, times in types.items():
        table.append([name_of(routine, type_), *(three(1e3 * times[n].own / times[n].matrices) + f" &ensp; {times[n].peer / times[n].own:.1f}x"
                                                 if n in times else "-" for n in orders)])
    return rows_of(*table)


def of_batches(records, routine, peer="`XsyevBatched`"):
    if not records.found.get(routine):
        return "There is no record of a GPU yet."
    return "\n\n".join([of_batch(records, routine), f"Microseconds a matrix, and the time of cuSOLVER's {peer} over it; medians of five. "
                        + records.source(routine, peers=True) + "."])


def of_growth(records):
    """Microseconds a matrix at sizes between those that have a peer, and the exponents by which they grow from each to the next."""
    table = []
    for routine, what in (("syevd-batched", ""), ("syevd-batched-values", ", eigenvalues alone")):
        for type_ in "sdcz":
            times = [t for t in records.times(routine, type_) if not t.peer]
            if not table:
                table.append(["n", *(str(t.n) for t in times)])
            own = [t.own / t.matrices for t in times]
            growth = [math.log(own[i] / own[i - 1]) / math.log(times[i].n / times[i - 1].n) for i in range(1, len(times))]
            table.append([name_of(routine, type_) + what, *(three(1e3 * t) + (f" &ensp; n^{growth[i - 1]:.1f}" if i else "") for i, t in enumerate(own))])
    if len(table[0]) == 1:
        return "There is no record yet."
    return "\n\n".join([rows_of(*table), "Microseconds a matrix, and how they grow from the size before; medians of five. "
                        + records.source("syevd-batched", "syevd-batched-values", peers=False) + "."])


def of_q(records):
    rows = [(routine, type_) for routine in ("orgtr", "ormtr", "orgbr") for type_ in "sdcz" if records.times(routine, type_)]
    orders = sorted({t.n for row in rows for t in records.times(*row)})
    table = [["ratio to cuSOLVER", *map(str, orders)]]
    for row in rows:
        found = {t.n: t for t in records.times(*row)}
        table.append([name_of(*row), *(f"{found[n].peer / found[n].own:.2f}" if n in found else "-" for n in orders)])
    return "\n\n".join([rows_of(*table), MEDIANS + records.source(*dict.fromkeys(r for r, _ in rows)) + "."])


def of_goals(records):
    """Each ratio beside what it is to be; those that fall short in bold."""
    orders = sorted({n for goals in GOALS.values() for n in goals})
    table = [["peer's time over Onepass's, n =", *map(str, orders)]]
    for routine, goals in GOALS.items():
        table.append([f"goal of `{routine}`", *(str(goals.get(n, "")) for n in orders)])
        for type_ in "dscz" if routine != "gehrd" else "d":
            found = {t.n: (t.peer or MAGMA_DGEHRD.get(t.n, 0)) / t.own for t in records.times(routine, type_)}
            words = {n: f"{found[n]:.2f}" for n in goals if n in found}
            table.append([name_of(routine, type_), *((words[n] if float(words[n]) >= goals[n] else f"**{words[n]}**") if n in words else "" for n in orders)])
    return rows_of(*table)


def of_residuals(records):
    """The worst residual of each factorisation and type, over all orders; how many repeated runs differ."""
    worst, runs, differ, sources = {}, 0, 0, {}
    for path in sorted((records.root / "records" / "residuals").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["what"] != "residuals":
            continue
        for row in data["residuals"]:
            worst.setdefault(row["kind"], {})[row["type"]] = row
        runs += sum(row["runs"] * len(row["orders"]) for row in data["repeats"])
        differ += sum(row["different"] for row in data["repeats"])
        sources.setdefault((data["device"], data["commit"], data["date"]), []).append(f"residuals/{path.name}")
    if not worst:
        return "There is no record yet."
    table = rows_of(["largest residual", *"sdcz"], *([kind, *(f"{rows[type_]['worst']:.1f} (n = {rows[type_]['at']})" if type_ in rows else "-"
                                                              for type_ in "sdcz")] for kind, rows in worst.items()))
    return "\n\n".join([table, f"Of {runs} repeated runs beside other work on the GPU, {differ} had other bits. {told_of(sources)}."])


def told_of(sources):
    """The files of each device, commit and date."""
    return "; ".join(f"{device}, onepass at {commit}, {date}: {', '.join(files)}" for (device, commit, date), files in sorted(sources.items()))


def of_batched_residuals(records):
    """The worst residual of each type among all matrices of all batches; a record has some of the types."""
    worst, sources, limits, failed = {}, {}, set(), 0
    for path in sorted((records.root / "records" / "residuals-batched").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        worst.update({(row["type"], row["orders"]): row for row in data["residuals"]})
        limits.add(data["limit"])
        failed += data["failed"]
        sources.setdefault((data["device"], data["commit"], data["date"]), []).append(f"residuals-batched/{path.name}")
    if not sources:
        return "There is no record yet."
    ranges = list(dict.fromkeys(orders for _, orders in worst))
    table = [["largest residual", *(f"n = {orders}" for orders in ranges)]]
    for type_ in "sdcz":
        found = [worst.get((type_, orders)) for orders in ranges]
        table.append([f"`{type_}`", *(f"{row['worst']:.1f} (n = {row['at']}) of {row['matrices']} matrices" if row else "-" for row in found)])
    return "\n\n".join([rows_of(*table), f"Of {min(limits)} that are allowed; {failed} failed. {told_of(sources)}."])


def of_readme(records):
    """Times of every routine in double precision, and how many times cuSOLVER takes."""
    table = [["ms, and cuSOLVER's time over it", *(f"n = {n}" for n in ORDERS)]]
    for words, routine in (("tridiagonal, `sytrd`", "sytrd"), ("bidiagonal, `gebrd`", "gebrd"), ("Hessenberg, `gehrd`", "gehrd"),
                           ("QR, `geqrf`", "geqrf"), ("eigenvalues, `syevd`", "syevd-values"), ("and eigenvectors", "syevd"),
                           ("singular values, `gesvd`", "gesvd-values"), ("and singular vectors", "gesvd"), ("beside `Xgesvdp`", "gesvd-polar")):
        found = {t.n: t for t in records.times(routine, "d")}
        table.append([words, *(three(found[n].own) + (f" &ensp; {found[n].peer / found[n].own:.1f}x" if found[n].peer else "")
                               if n in found else "-" for n in ORDERS)])
    device = next(data["machine"]["device"] for _, data in records.found["sytrd"])
    return "\n\n".join([rows_of(*table), f"{device}, double precision. cuSOLVER has no Hessenberg form; `Xgesvd` is its QR iteration, `Xgesvdp` "
                        "its polar decomposition.", "Many small eigenproblems in one call, with eigenvectors, microseconds a matrix:",
                        of_batch(records, "syevd-batched")])


def pictures(records):
    made = {}
    routines = {r: times for r in ("sytrd", "gebrd", "gehrd") if (times := records.times(r, "d"))}
    made["time-per-column.svg"] = reductions_picture.per_column(routines, records.source(*routines).split(":")[0])
    def of_orders(*names):
        found = [{t.n: t for t in records.times(routine, "d")} for routine in names]
        return [[times[n] for times in found] for n in sorted(set.intersection(*map(set, found)))]

    made["eigenproblem.svg"] = reductions_picture.stages(
        "Eigenvalues and eigenvectors: Onepass's time as a share of cuSOLVER's", ("sytrd", "eigenvectors of T", "ormtr"),
        [(whole, (before.own, whole.own - before.own - behind.own, behind.own)) for whole, before, behind in of_orders("syevd", "sytrd", "ormtr")],
        records.source("syevd").split(":")[0])
    made["singular-values.svg"] = reductions_picture.stages(
        "Singular values and vectors: Onepass's time as a share of cuSOLVER's Xgesvdp", ("gebrd", "singular vectors of B, Q and P"),
        [(whole, (min(before.own, whole.own), max(0.0, whole.own - before.own))) for whole, before in of_orders("gesvd-polar", "gebrd")],
        " and ".join(records.source(routine).split(":")[0] for routine in ("gesvd-polar", "gebrd")))
    made["batches.svg"] = reductions_picture.per_matrix({type_: [t for t in records.times("syevd-batched", type_) if t.peer] for type_ in "sdcz"},
                                                        records.source("syevd-batched", peers=True).split(":")[0])
    return made


# Name of a block -> what stands in it.
BLOCKS = {"README.md": {"reductions": of_readme},
          "docs/reductions.md": {"goals": of_goals, "sytrd": lambda r: of_routine(r, "sytrd"), "gebrd": lambda r: of_routine(r, "gebrd"),
                                 "gehrd": lambda r: of_routine(r, "gehrd"), "geqrf": lambda r: of_shapes(r, "geqrf"), "q": of_q, "residuals": of_residuals},
          "docs/solvers.md": {"syevd": lambda r: of_routine(r, "syevd"), "syevd-values": lambda r: of_routine(r, "syevd-values"),
                              "gesvd": lambda r: of_shapes(r, "gesvd", ("`Xgesvdp`", "gesvd-polar"), peer="`Xgesvd`"),
                              "gesvd-values": lambda r: of_shapes(r, "gesvd-values", peer="`Xgesvd`")},
          "docs/batched-eigenproblems.md": {"residuals-batched": of_batched_residuals, "syevd-batched": lambda r: of_batches(r, "syevd-batched"),
                                            "syevd-batched-values": lambda r: of_batches(r, "syevd-batched-values"), "growth": of_growth,
                                            "gesvd-batched": lambda r: of_batches(r, "gesvd-batched", "`gesvdaStridedBatched`"),
                                            "gesvd-batched-values": lambda r: of_batches(r, "gesvd-batched-values", "`gesvdaStridedBatched`"),
                                            "gesvd-batched-jacobi": lambda r: of_batches(r, "gesvd-batched-jacobi", "`gesvdjBatched`")}}


def with_blocks(document, text, blocks, records):
    for name, block in blocks.items():
        text = replace_block(document, text, name, block(records))
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2],
                        help="folder with README.md, docs/ and records/; default: this repository")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a file is not up to date")
    options = parser.parse_args()
    records = Records(options.root)
    wanted = {options.root / "docs" / "reductions" / name: text for name, text in pictures(records).items()}
    for name, blocks in BLOCKS.items():
        document = options.root / name
        wanted[document] = with_blocks(document, document.read_text(encoding="utf-8"), blocks, records)
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if options.check:
        sys.exit("not up to date, run `make figures`: " + ", ".join(map(str, stale)) if stale else 0)
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
    print(f"reductions: {sum(map(len, records.found.values()))} records, {len(stale)} files changed")


if __name__ == "__main__":
    main()
