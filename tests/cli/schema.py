# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""As much of JSON Schema as tuning/schema.json uses; a word that it does not know is an error."""
import re

TYPES = {"object": dict, "string": str, "integer": int, "number": (int, float)}
ANNOTATIONS = {"$schema", "title", "description"}


def why_not(value, schema, at="the table"):
    """Empty, or the first thing that does not conform."""
    for word, rule in schema.items():
        wrong = "" if word in ANNOTATIONS else check(value, word, rule, schema, at)
        if wrong:
            return wrong
    return ""


def check(value, word, rule, schema, at):
    if word == "const":
        return "" if value == rule else f"{at} is {value!r}, not {rule!r}"
    if word == "type":
        right = isinstance(value, TYPES[rule]) and not isinstance(value, bool)
        return "" if right else f"{at} is no {rule}"
    if word == "required":
        return "".join(f"{at} lacks {key}" for key in rule if key not in value)
    if word in ("properties", "patternProperties"):
        inner = ((key, of) for key in value for name, of in rule.items()
                 if (key == name if word == "properties" else re.search(name, key)))
        return next(filter(None, (why_not(value[key], of, key) for key, of in inner)), "")
    if word == "maxProperties":
        return "" if len(value) <= rule else f"{at} has {len(value)} keys"
    if word == "additionalProperties":
        patterns = schema.get("patternProperties", {})
        others = [key for key in value
                  if key not in schema.get("properties", {}) and not any(re.search(p, key) for p in patterns)]
        return "".join(f"{at} has {key}" if rule is False else why_not(value[key], rule, key) for key in others)
    if word == "exclusiveMinimum":
        return "" if value > rule else f"{at} is {value}"
    if word == "minimum":
        return "" if value >= rule else f"{at} is {value}"
    if word == "pattern":
        return "" if re.search(rule, value) else f"{at} is {value!r}"
    raise ValueError(f"the schema uses {word}, which is not checked here")
