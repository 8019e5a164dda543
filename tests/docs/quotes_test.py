# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Code in the documents is code of the project: README quotes examples that the tests run, docs/ quotes the sources."""
import textwrap
import unittest

from markdown import ROOT, snippets

QUOTES = {
    "README.md": ["examples"],
    "docs/ladder.md": ["tools"],
    "docs/path-of-a-call.md": ["include", "src"],
    "docs/simulator.md": ["src", "tests"],
}


def sources(folders):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".c", ".cpp", ".cu", ".cuh", ".h", ".hpp"}:
                yield path.read_text(encoding="utf-8").splitlines()


def holds(lines, snippet):
    """Whether the lines of a snippet follow each other in a file, indented by any depth."""
    count = len(snippet)
    return any(lines[i].strip() == snippet[0].strip() and textwrap.dedent("\n".join(lines[i:i + count])).splitlines() == snippet
               for i in range(len(lines) - count + 1))


class Quotes(unittest.TestCase):
    def test_are_verbatim(self):
        for name, folders in QUOTES.items():
            quoted = snippets(ROOT / name, "c", "cpp")
            self.assertTrue(quoted, f"{name} quotes nothing")
            for snippet in quoted:
                with self.subTest(document=name, snippet=snippet):
                    lines = textwrap.dedent(snippet).splitlines()
                    self.assertTrue(any(holds(file, lines) for file in sources(folders)), "in none of " + ", ".join(folders))


if __name__ == "__main__":
    unittest.main()
