# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""As much of JSON Schema as tuning/schema.json uses; a word that it does not know is an error."""
import re

TYPES = {"object": dict, "array": list, "string": str, "integer": int}
ANNOTATIONS = {"$schema", "$defs", "title", "description"}


def why_not(value, schema, root, at="the table"):
    """Empty, or the first thing that does not conform."""
    for word, rule in schema.items():
        wrong = "" if word in ANNOTATIONS else check(value, word, rule, schema, root, at)
        if wrong:
            return wrong
    return ""


def check(value, word, rule, schema, root, at):
    if word == "$ref":
        return why_not(value, root["$defs"][rule.removeprefix("#/$defs/")], root, at)
    if word == "const":
        return "" if value == rule else f"{at} is {value!r}, not {rule!r}"
    if word == "type":
        right = isinstance(value, TYPES[rule]) and not isinstance(value, bool)
        return "" if right else f"{at} is no {rule}"
    if word == "required":
        return "".join(f"{at} lacks {key}" for key in rule if key not in value)
    if word == "dependentRequired":
        return "".join(f"{at} has {key} and lacks {other}" for key in rule if key in value for other in rule[key]
                       if other not in value)
    if word in ("properties", "patternProperties"):
        inner = ((key, of) for key in value for name, of in rule.items()
                 if (key == name if word == "properties" else re.search(name, key)))
        return next(filter(None, (why_not(value[key], of, root, key) for key, of in inner)), "")
    if word == "additionalProperties":
        patterns = schema.get("patternProperties", {})
        return "".join(f"{at} has {key}" for key in value
                       if key not in schema.get("properties", {}) and not any(re.search(p, key) for p in patterns))
    if word == "items":
        return next(filter(None, (why_not(item, rule, root, f"an item of {at}") for item in value)), "")
    if word == "minItems":
        return "" if len(value) >= rule else f"{at} has {len(value)} items"
    if word in ("minimum", "maximum"):
        return "" if (value >= rule if word == "minimum" else value <= rule) else f"{at} is {value}"
    if word == "pattern":
        return "" if re.search(rule, value) else f"{at} is {value!r}"
    raise ValueError(f"the schema uses {word}, which is not checked here")
