#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Each C and C++ block of a document is a piece of an example: quotes_test.py DOCUMENT EXAMPLES"""
import pathlib
import re
import sys


def words(text):
    """The lines without their indentation."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


document, examples = map(pathlib.Path, sys.argv[1:])
sources = [words(path.read_text()) for path in sorted(examples.iterdir()) if path.suffix in (".c", ".cpp", ".cu")]
blocks = re.findall(r"^```(?:c|cpp)\n(.*?)^```", document.read_text(), re.M | re.S)
strangers = [block for block in blocks if not any(words(block) in source for source in sources)]
for block in strangers:
    print(f"{document.name} quotes what is in no file of {examples.name}/:\n{block}")
print(f"{len(blocks)} blocks, {len(strangers)} of them in no example")
sys.exit(1 if strangers or not blocks else 0)
