# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every relative link of the documents leads to a file, and to a heading of it where it names one."""
import re
import unittest

from markdown import FENCE, ROOT, documents, prose

LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(path):
    """The names that headings get: lower case, spaces as hyphens, other signs left out."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Links(unittest.TestCase):
    def test_lead_somewhere(self):
        followed = 0
        for document in documents():
            for link in LINK.findall(prose(document)):
                if "://" in link:
                    continue
                followed += 1
                with self.subTest(document=document.relative_to(ROOT), link=link):
                    name, _, anchor = link.partition("#")
                    target = (document.parent / name).resolve() if name else document
                    self.assertTrue(target.exists(), "no such file")
                    self.assertTrue(target.is_relative_to(ROOT), "outside of the repository")
                    if anchor:
                        self.assertIn(anchor, anchors(target))
        self.assertGreater(followed, 10)


if __name__ == "__main__":
    unittest.main()
