# SPDX-License-Identifier: GPL-2.0-or-later
"""cachegrind.py - compare a JSON report with a file of Cachegrind's

   cachegrind.py totals REPORT FILE       the nine of 'summary:'
   cachegrind.py functions REPORT FILE N  of the N functions with most Ir
   cachegrind.py lines REPORT FILE        of all lines of the program's files

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


def differ(what, got, want):
    if got == want:
        return 0
    print(f'{what}: got {got}, Cachegrind has {want}')
    return 1


def main():
    mode, report_path, cachegrind_path, *rest = sys.argv[1:]
    with open(report_path) as file:
        cache = json.load(file)['analyses']['cache']
    functions, lines, summary = read_cachegrind(cachegrind_path)
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
