#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is a function called with? arguments.py PROFILE FUNCTION

    alleria run --window=FILE --profile=app.alp -- app
    ./arguments.py app.alp fill

FILE has `intercept` for the function. Prints, for each argument and the result,
the most frequent values with their counts: a struct field by field, text as it
is, and for other pointers the number of elements that they lead to.
"""

import collections
import sys

import alleria

MOST = 3


def parts(name, value):
    """A value as names and what can be counted."""
    if isinstance(value, dict):
        for field, inner in value.items():
            yield from parts(f"{name}.{field}", inner)
    elif isinstance(value, alleria.alleria_calls.Pointer):
        if value.text is not None:
            yield name, value.text
        else:
            yield f"{name}: elements", len(value)
    elif value is not None:
        yield name, value


def count(profile, function):
    seen = collections.defaultdict(collections.Counter)
    calls = 0
    for process in profile.processes:
        for call in profile.calls(process.index, function):
            calls += 1
            for name, argument in call.arguments.items():
                for part, value in parts(str(name), argument.at_call):
                    seen[part][value] += 1
            for part, value in parts("result", call.result):
                seen[part][value] += 1
    return calls, seen


def main(path, function):
    with alleria.open(path) as profile:
        calls, seen = count(profile, function)
    print(f"{calls} calls of {function}")
    for part, values in seen.items():
        print(part + ":", ", ".join(f"{value!r} ({n})" for value, n in
                                    values.most_common(MOST)))


if len(sys.argv) != 3:
    sys.exit("usage: arguments.py PROFILE FUNCTION")
main(*sys.argv[1:])
