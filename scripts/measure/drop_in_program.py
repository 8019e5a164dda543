# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""What drop_in.py and the scripts beside it have in common as programs: their options, and what they do with a record."""
import argparse
import pathlib
import sys


def some_of(known):
    """An option with some of these words."""
    def parse(text):
        chosen = text.split(",")
        unknown = [word for word in chosen if word not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(known)}")
        return chosen
    return parse


def parser_of(description, library, types):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--library", type=pathlib.Path, default=library, help=f"{library.name} (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the record there")
    if types:
        parser.add_argument("--types", type=some_of(types), default=types, help=f"some of {','.join(types)}")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each process at a point (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=110, help="seconds after which no point is begun (default: %(default)s)")
    return parser


def options_of(parser, words):
    options = parser.parse_args(words)
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    if not options.library.exists():
        parser.error(f"there is no {options.library}: build with CUDA first (make build), or name it with --library")
    options.library = options.library.resolve()
    return options


def finish(record, file, write, table, why_wrong):
    """Writes a record if a file is named, prints its table, and exits with what is wrong with it."""
    if file:
        write(record, file)
    print(table(record))
    if why := why_wrong(record):
        sys.exit(why)
