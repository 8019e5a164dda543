# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""A part of a document that a script makes: what stands between <!-- NAME:begin --> and <!-- NAME:end -->."""
import re
import sys


def replace_block(document, text, name, content):
    """The text of the document with the block of this name made anew; exits where it does not have exactly one."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"{document} must have one {begin} and one {end}")
    return re.sub(f"{begin}.*{end}", lambda _: "\n\n".join([begin, content, end]), text, flags=re.DOTALL)
