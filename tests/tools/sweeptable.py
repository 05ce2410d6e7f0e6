# SPDX-License-Identifier: GPL-2.0-or-later
"""sweeptable.py JSON REPORT - Whether the tables of a sweep in REPORT have the
cells that follow from the counts in JSON. Prints how many cells were compared,
or each that differs."""

import json
import re
import sys

UNITS = {'': 1, 'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}


def sets(cache):
    return cache['size'] // (cache['assoc'] * cache['line'])


def columns(caches):
    """Associativities of caches of several sets; 'full' if one of a single
    set has another."""
    ways = sorted({c['assoc'] for c in caches if sets(c) > 1})
    names = [f'{n}-way' for n in ways]
    if any(c['assoc'] not in ways for c in caches):
        names.append('full')
    return names


def cell(caches, size, column):
    """The text of a cell."""
    for c in caches:
        fits = (sets(c) == 1 if column == 'full'
                else column == f"{c['assoc']}-way")
        if c['size'] == size and fits:
            uses = c['reads'] + c['writes']
            misses = c['read_misses'] + c['write_misses']
            return f'{100 * misses / uses if uses else 0:.4f}'
    return '-'


def tables(report):
    """(line size, columns, [(size, cells)]) of each table."""
    lines = iter(report)
    for line in lines:
        title = re.match(r'Sweep of \w+, lines of (\d+) bytes', line)
        if not title:
            continue
        head = next(lines).split()[1:]
        rows = []
        for row in lines:
            words = row.split()
            if not words:
                break
            n, unit = re.fullmatch(r'(\d+)([KMG]?)', words[0]).groups()
            rows.append((int(n) * UNITS[unit], words[1:]))
        yield int(title[1]), head, rows


def main(path, report):
    with open(path) as f:
        swept = json.load(f)['analyses']['sweep']['configurations']
    n = bad = 0
    with open(report) as f:
        for line, head, rows in tables(f):
            caches = [c for c in swept if c['line'] == line]
            wanted = columns(caches)
            if head != wanted:
                print(f'lines of {line}: columns {head}, not {wanted}')
                bad += 1
            if [size for size, _ in rows] != \
                    sorted({c['size'] for c in caches}):
                print(f'lines of {line}: rows {rows}')
                bad += 1
            for size, cells in rows:
                for name, text in zip(head, cells):
                    want = cell(caches, size, name)
                    n += 1
                    bad += text != want
                    if text != want:
                        print(f'{size} {name} {line}: {text}, not {want}')
    if not bad:
        print(n)
    return bad > 0 or n == 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
