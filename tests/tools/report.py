# SPDX-License-Identifier: GPL-2.0-or-later
"""report.py - print members of a JSON report, one a line

   report.py FILE PATH...     PATH: run.processes.0.exit; '#' is a list's length
   report.py FILE model       what tests/model/cache_model prints

An object of numbers prints as its values, in order; what is missing as '-'."""
import json
import sys


def find(value, path):
    for key in path.split('.'):
        try:
            value = len(value) if key == '#' else \
                value[int(key)] if isinstance(value, list) else value[key]
        except (KeyError, IndexError, TypeError, ValueError):
            return '-'
    return value


def text(value):
    if isinstance(value, dict) and value and \
            all(type(v) is int for v in value.values()) and len(value) > 1:
        return ' '.join(str(v) for v in value.values())
    return value if isinstance(value, str) else json.dumps(value)


def model(cache):
    print(text(cache['totals']))
    for level in cache['levels']:
        print(*(level[key] for key in (
            'reads', 'read_misses', 'writes', 'write_misses', 'writebacks')))


with open(sys.argv[1]) as file:
    report = json.load(file)
if sys.argv[2:] == ['model']:
    model(report['analyses']['cache'])
    sys.exit()
for path in sys.argv[2:]:
    print(text(find(report, path)))
