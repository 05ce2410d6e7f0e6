# SPDX-License-Identifier: GPL-2.0-or-later
"""timeline.py - compares a timeline with the text trace of the same run

timeline.py REPORT <TRACE: a bin ends at the end of a block's execution, which
a trace does not show. So the trace is divided by the numbers of instructions in
the report. All other numbers of a bin must be those of its part of the trace,
and a bin must end at most one block before its nominal end."""
import collections
import json
import sys

PAGE = 4096
MOST = 1024     # instructions of a block


class FirstLevel:
    """Misses of data in a cache with exact LRU."""

    def __init__(self, level):
        self.line, self.assoc = level['line'], level['assoc']
        self.sets = [[] for _ in range(
            level['size'] // (self.line * self.assoc))]

    def use(self, line):
        group = self.sets[line % len(self.sets)]
        hit = line in group
        if hit:
            group.remove(line)
        elif len(group) == self.assoc:
            group.pop(0)
        group.append(line)
        return hit

    def misses(self, address, size):
        lines = range(address // self.line,
                      (address + min(size, self.line) - 1) // self.line + 1)
        return not all([self.use(line) for line in lines])


def cut(trace, instructions):
    """Yields the number of the bin of each line, and the line."""
    ends = iter(instructions)
    number, left = 0, next(ends)
    for line in trace:
        if line[:1] == 'I':
            while left == 0:
                number, left = number + 1, next(ends)
            left -= 1
        yield number, line


def count(trace, timeline, levels):
    counts = collections.defaultdict(collections.Counter)
    pages = collections.defaultdict(set)
    heat = collections.Counter()
    first = FirstLevel(next(x for x in levels if x['name'] == 'D1'))
    granule = timeline['heat']['granule']
    columns = timeline['heat']['width'] // timeline['width']
    for number, line in cut(trace, timeline['fields']['instructions']):
        if line[:2] not in (' L', ' S', ' M'):
            continue
        address, size = line[3:].split(',')
        address, size = int(address, 16), int(size)
        cell = (address // granule * granule, number // columns)
        counts['reads'][number] += line[1] != 'S'
        counts['writes'][number] += line[1] != 'L'
        pages[number].update(range(address // PAGE,
                                   (address + size - 1) // PAGE + 1))
        heat['accesses', *cell] += 1
        if first.misses(address, size):
            name = 'write_misses' if line[1] == 'S' else 'read_misses'
            counts['D1.' + name][number] += 1
            heat['misses', *cell] += 1
    for number, used in pages.items():
        counts['working_set'][number] = len(used)
    return counts, heat


def cells(heat):
    found = collections.Counter()
    for kind in ('accesses', 'misses'):
        for row, numbers in zip(heat['rows'], heat[kind]):
            for column, n in enumerate(numbers):
                found[kind, row['address'], column] += n
    return +found


def main():
    with open(sys.argv[1]) as file:
        analyses = json.load(file)['analyses']
    timeline = analyses['timeline']
    fields, wrong = timeline['fields'], []
    counts, heat = count(sys.stdin, timeline, analyses['cache']['levels'])
    for name in ('reads', 'writes', 'D1.read_misses', 'D1.write_misses',
                 'working_set'):
        want = [counts[name][i] for i in range(timeline['bins'])]
        if want != fields[name] or not any(want):
            wrong.append((name, [x for x in zip(range(len(want)), want,
                                                fields[name])
                                 if x[1] != x[2]][:5]))
    if +heat != cells(timeline['heat']):
        wrong.append(('heat', len(heat), len(cells(timeline['heat']))))
    total = 0
    for i, n in enumerate(fields['instructions']):
        total += n
        if not -MOST < total - (i + 1) * timeline['width'] <= 0 and \
                i + 1 < timeline['bins']:
            wrong.append(('bin', i, total))
    for fault in wrong[:9]:
        print(*fault)
    return 1 if wrong else 0


sys.exit(main())
