# SPDX-License-Identifier: GPL-2.0-or-later
"""cachegrind.py - compare a JSON report with a file of Cachegrind's

   cachegrind.py totals REPORT FILE       the nine of 'summary:'
   cachegrind.py functions REPORT FILE N  of the N functions with most Ir
   cachegrind.py lines REPORT FILE        of all lines of the program's files
   cachegrind.py branches REPORT FILE     Bc, Bcm, Bi, Bim of these lines; FILE
                                          is made with --cache-sim=no

Prints what differs; 0 when nothing does. A function is a name and a file
without directory."""
import json
import os
import sys

NINE = ('Ir', 'I1mr', 'ILmr', 'Dr', 'D1mr', 'DLmr', 'Dw', 'D1mw', 'DLmw')


def read_cachegrind(path):
    functions, lines, summary = {}, {}, None
    file = function = None
    with open(path) as f:
        for line in f:
            head, _, rest = line.rstrip('\n').partition('=')
            if head in ('fl', 'fi', 'fe'):
                file = os.path.basename(rest)
            elif head == 'fn':
                function = rest
            elif line.startswith('summary:'):
                summary = [int(w) for w in line.split()[1:]]
            elif line[0].isdigit():
                number, *counts = [int(w) for w in line.split()]
                counts += [0] * (9 - len(counts))
                add(functions, (file, function), counts)
                add(lines, (file, number), counts)
    return functions, lines, summary


def add(into, key, counts):
    old = into.get(key, [0] * 9)
    into[key] = [a + b for a, b in zip(old, counts)]


def nine(entry):
    return [entry[key] for key in NINE]


def compare_branches(branch, lines, files):
    ours = {}
    for entry in branch['lines']:
        add(ours, (entry['file'], entry['line']),
            [entry[k] for k in ('Bc', 'Bcm', 'Bi', 'Bim')] + [0] * 5)
    theirs = {key: counts[1:5] for key, counts in lines.items()}
    keys = [k for k in set(theirs) | set(ours) if k[0] in files]
    if not any(any(theirs.get(k, [])) for k in keys):
        print('no branches in', *files)
        return 1
    return sum(differ(f'{k[0]}:{k[1]}', ours.get(k, [0] * 4)[:4],
                      theirs.get(k, [0] * 4)) for k in sorted(keys))


def differ(what, got, want):
    if got == want:
        return 0
    print(f'{what}: got {got}, Cachegrind has {want}')
    return 1


def main():
    mode, report_path, cachegrind_path, *rest = sys.argv[1:]
    with open(report_path) as file:
        analyses = json.load(file)['analyses']
    functions, lines, summary = read_cachegrind(cachegrind_path)
    if mode == 'branches':
        return compare_branches(analyses['branch'], lines, set(rest))
    cache = analyses['cache']
    if mode == 'totals':
        return differ('totals', nine(cache['totals']), summary)
    ours = {}
    if mode == 'functions':
        for entry in cache['functions']:
            add(ours, (entry['file'], entry['name']), nine(entry))
        most = sorted(functions, key=lambda k: -functions[k][0])[:int(rest[0])]
        return sum(differ(f'{k[1]} in {k[0]}', ours.get(k), functions[k])
                   for k in most)
    for entry in cache['lines']:
        add(ours, (entry['file'], entry['line']), nine(entry))
    files = set(rest)
    keys = [k for k in set(lines) | set(ours) if k[0] in files]
    if not keys:
        print('no lines of', *files)
        return 1
    return sum(differ(f'{k[0]}:{k[1]}', ours.get(k), lines.get(k))
               for k in sorted(keys))


sys.exit(min(main(), 1))
