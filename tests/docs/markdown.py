# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The project's Markdown files: their fenced snippets, and their text without them."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def documents():
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def snippets(path, *languages):
    """The fenced snippets of a file in these languages."""
    return [text for language, text in FENCE.findall(path.read_text(encoding="utf-8")) if language in languages]


def prose(path):
    """The text of a file without snippets, and without code in the middle of a sentence."""
    return re.sub(r"`[^`]+`", "", FENCE.sub("", path.read_text(encoding="utf-8")))
