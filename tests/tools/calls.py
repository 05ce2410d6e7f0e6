# SPDX-License-Identifier: GPL-2.0-or-later
"""calls.py - look into a file in Callgrind's format

   calls.py calls FILE NAME...   'CALLER CALLEE CALLS Ir' for each pair of the
                                 named functions
   calls.py check FILE           whether its sums agree; prints what does not
   calls.py folded FILE FOLDED   whether folded stacks have each function's own
                                 Ir
   calls.py places FILE OTHER    whether two files of Cachegrind's have the same
                                 costs of each file, function and line"""
import re
import sys
from collections import defaultdict

SHORT = re.compile(r'\((\d+)\)(?: (.*))?$')
NAMED = re.compile(r'(c?fn|c?fl|c?fi|fe|c?ob)=(.*)')


class Names:
    """Names that are written once, and then by their number."""

    def __init__(self):
        self.known = {'fn': {}, 'fl': {}, 'ob': {}}

    def find(self, kind, text):
        kind = kind[-2:] if kind[-2:] in ('fn', 'ob') else 'fl'
        m = SHORT.match(text)
        if not m:
            return text
        if m.group(2) is not None:
            self.known[kind][m.group(1)] = m.group(2)
        return self.known[kind][m.group(1)]


def add(into, key, counts):
    counts = counts + [0] * (10 - len(counts))
    into[key] = [a + b for a, b in zip(into.get(key, [0] * 10), counts)]


def read(path):
    """Costs of functions, of calls by the pair, and the sums of the file; a
    function is object, file, name."""
    names, now = Names(), defaultdict(str)
    own, calls, sums = {}, {}, {}
    n = None
    with open(path, encoding='utf-8', errors='surrogateescape') as f:
        for line in f:
            m = NAMED.match(line)
            if m:
                now[m.group(1)] = names.find(*m.groups())
                if m.group(1) in ('fl', 'fi', 'fe'):
                    now['file'] = now[m.group(1)]
                if m.group(1) == 'cfn' and not now['cfi']:
                    now['cfi'] = now['file']
            elif line.startswith('calls='):
                n = int(line[6:].split()[0])
            elif line.startswith(('summary:', 'totals:')):
                sums[line.split(':')[0]] = [int(w) for w in line.split()[1:]]
            elif re.match(r'[-+*\d]', line):
                counts = [int(w) for w in line.split()[1:]]
                one = (now['ob'], now['fl'], now['fn'])
                if n is None:
                    add(own, one, counts)
                    continue
                add(calls, (one, (now['cob'], now['cfi'], now['cfn'])),
                    [n] + counts)
                n, now['cfi'] = None, ''
    return own, calls, sums


def print_calls(path, *names):
    _, calls, _ = read(path)
    found = {}
    for (one, other), counts in calls.items():
        add(found, (one[2], other[2]), counts)
    for one, other in sorted(found):
        if one.split("'")[0] in names and other.split("'")[0] in names:
            print(one, other, *found[one, other][:2])
    return 0


def check(path):
    """What a function costs with all it calls is what calls of it cost; but
    for those that nobody called, which cost the rest."""
    own, calls, sums = read(path)
    rest, bad = {}, 0
    for one, counts in own.items():
        add(rest, one, counts)
    for (one, other), counts in calls.items():
        add(rest, one, counts[1:])
        add(rest, other, [-c for c in counts[1:]])
    total = [sum(c[i] for c in own.values()) for i in range(9)]
    for name in 'summary', 'totals':
        if sums.get(name) != total:
            print(name, sums.get(name), 'is not the sum of lines', total)
            bad = 1
    for one, counts in rest.items():
        if min(counts) < 0 or one not in own:
            print(one, 'is called for what it does not cost:', counts)
            bad = 1
    if [sum(c[i] for c in rest.values()) for i in range(9)] != total:
        print('what nobody called does not cost', total)
        bad = 1
    if sum(1 for c in rest.values() if any(c)) > 4:
        print('called by nobody:', [o for o, c in rest.items() if any(c)])
        bad = 1
    return bad


def folded(path, stacks):
    own, _, _ = read(path)
    ours, theirs, bad = {}, {}, 0
    for one, counts in own.items():
        name = re.sub(r"'2$", '', one[2])
        ours[name] = ours.get(name, 0) + counts[0]
    with open(stacks, encoding='utf-8', errors='surrogateescape') as f:
        for line in f:
            stack, _, n = line.rpartition(' ')
            name = stack.split(';')[-1]
            theirs[name] = theirs.get(name, 0) + int(n)
    for name in sorted(set(ours) | set(theirs)):
        if ours.get(name) != theirs.get(name):
            print(name, ours.get(name), theirs.get(name))
            bad = 1
    return bad


def read_places(path):
    found, file, function = {}, None, None
    with open(path, encoding='utf-8', errors='surrogateescape') as f:
        for line in f:
            if line.startswith('fl='):
                file = line[3:-1]
            elif line.startswith('fn='):
                function = line[3:-1]
            elif line[0].isdigit():
                number, *counts = [int(w) for w in line.split()]
                add(found, (file, function, number), counts)
    return found


def places(path, other):
    ours, theirs = read_places(path), read_places(other)
    bad = [k for k in set(ours) | set(theirs) if ours.get(k) != theirs.get(k)]
    for key in sorted(bad)[:20]:
        print(*key, ours.get(key), theirs.get(key))
    return len(bad) > 0 or not ours


if __name__ == '__main__':
    sys.exit({'calls': print_calls, 'check': check, 'folded': folded,
              'places': places}[sys.argv[1]](*sys.argv[2:]))
