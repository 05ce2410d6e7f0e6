#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""page_reports - writes reports that no small program can produce

    page_reports.py REPORT.json hostile|large|plots|stopped|nothing OUT.json [ROWS]

Changes a report of `alleria run --json`:

    hostile  forty names of functions, files, objects and arguments that are markup,
             control characters or other traps
    large    ROWS functions with names of 115 bytes [100,000]
    plots    a timeline with a heat map, a sweep, windows and processes
    stopped  a timeline that an error stopped
    nothing  a timeline of a run that recorded nothing
"""
import json
import sys

EVENTS = ('Ir', 'I1mr', 'ILmr', 'Dr', 'D1mr', 'DLmr', 'Dw', 'D1mw', 'DLmw')

HOSTILE = [
    '</script><script>window.pwned=1</script>', '<img src=x onerror=pwned=1>',
    '<b>bold</b>', '"><svg onload=pwned=1>', "' onmouseover='pwned=1",
    '<!--', '-->', ']]>', '<![CDATA[', '<iframe src=javascript:pwned=1>',
    'javascript:pwned=1', '&lt;b&gt;', '&amp;amp;', '&#60;b&#62;', '{{7*7}}',
    '${pwned=1}', '`+pwned+`', '__proto__', 'constructor', 'toString',
    'hasOwnProperty', '@columns', '@rows', '@list', 'null', 'NaN',
    '\x1b[31mred', '\x07bell', 'tab\there', 'line\nbreak', 'nul\x01x',
    '\u202eright to left', '\u2066isolate\u2069', '\ufeffmark', '\u2028sep',
    '</style><style>*{display:none}', '<base href=http://x/>', '%3Cb%3E',
    'a' * 5000, 'operator<< <int, std::less<int> >', '\u0645\u0631\u062d',
    'emoji \U0001f4a9', '\\u003cscript\\u003e', '<meta http-equiv=refresh '
    'content=0;url=http://x/>', '</noscript><img src=x>', '</title><b>t</b>',
]


def row(name, rank, line=None):
    counts = {e: 1000 - rank if e in ('Ir', 'Dr', 'D1mr', 'DLmr') else 1
              for e in EVENTS}
    if line is None:
        return {'name': name, 'file': name, 'object': name, **counts}
    return {'file': name, 'line': line, 'object': name, 'path': '/' + name,
            'function': name, **counts}


def make_hostile(report):
    cache = report['analyses']['cache']
    cache['functions'] = [row(n, i) for i, n in enumerate(HOSTILE)]
    cache['lines'] = [row(n, i, i + 1) for i, n in enumerate(HOSTILE)]
    report['run']['command'] = HOSTILE[:12]
    process = report['run']['processes'][0]
    process['title'] = HOSTILE[0]
    process['images'] = [{'command': HOSTILE}]
    report['run']['windows'] = [{'name': n, 'openings': 1, 'instructions': 1}
                                for n in HOSTILE]
    report['objects'] = [{'path': n, 'build_id': n} for n in HOSTILE]
    report['findings'] = [{'rule': 'concentration', 'function': HOSTILE[0],
                           'file': HOSTILE[0], 'line': 1, 'evidence': {},
                           'text': HOSTILE[1]}]
    report['verdict'] = HOSTILE[:5]
    report['analyses']['other'] = {n: n for n in HOSTILE if n[0] != '@'}


def make_large(report, rows):
    cache = report['analyses']['cache']
    cache['functions'] = [
        {'name': ('llvm::Function%d::method<' % i).ljust(115, 'x'),
         'file': 'f%d.cpp' % (i % 900), 'object': 'libLLVM.so',
         **{e: (i * 7919 + k * 104729) % 99991
            for k, e in enumerate(EVENTS)}} for i in range(rows)]
    cache['lines'] = cache['lines'][:1000]


def make_plots(report):
    bins = 1500
    fields = {'instructions': [65536] * bins,
              'reads': [20000 + i % 500 for i in range(bins)],
              'writes': [5000 + i % 70 for i in range(bins)],
              'working_set': [100 + i % 90 for i in range(bins)],
              'threads': [1 + i // 800 for i in range(bins)],
              'window2.instructions': [
                  65536 if 300 <= i < 400 or i == 700 else 0
                  for i in range(bins)]}
    for level, most in (('I1', 20), ('D1', 900), ('LL', 300)):
        for event in ('read_misses', 'write_misses', 'writebacks'):
            fields['%s.%s' % (level, event)] = [
                (i * i + len(event)) % most for i in range(bins)]
    cells = [[(i * k) % 97 if (i + k) % 5 else 0 for k in range(200)]
             for i in range(120)]
    report['analyses']['timeline'] = {
        'width': 65536, 'bins': bins, 'fields': fields,
        'heat': {'granule': 4096, 'width': 65536 * 8,
                 'rows': [{'address': 0x400000 + 4096 * i}
                          for i in range(120)],
                 'accesses': cells,
                 'misses': [[v // 9 for v in r] for r in cells]}}
    report['analyses']['sweep'] = {
        'policy': 'LRU',
        'configurations': [
            {'level': 'D1', 'size': 8192 << i, 'assoc': a, 'line': 64,
             'reads': 100000, 'read_misses': 30000 // a >> (2 * i),
             'writes': 20000, 'write_misses': 3000 >> i}
            for i in range(8) for a in (1, 2, 4, 8) if (i, a) != (0, 8)]}
    report['run']['windows'] = [
        {'name': 'window %d' % i, 'openings': i, 'instructions': 1000 * i,
         'reads': i, 'writes': i, 'modifies': 0} for i in range(1, 5)]
    first = report['run']['processes'][0]
    report['run']['processes'] = [
        dict(first, number=i + 1, parent=(i + 1) // 2, pid=100 + i)
        for i in range(9)]


def make_stopped(report):
    report['analyses']['timeline'] = {'stopped': 'Cannot allocate memory'}


def make_nothing(report):
    report['analyses']['timeline'] = {'width': 1, 'bins': 0, 'fields': {}}


def main():
    source, kind, out = sys.argv[1:4]
    rows = int(sys.argv[4]) if len(sys.argv) > 4 else 100000
    with open(source, encoding='utf-8') as file:
        report = json.load(file)
    if kind == 'large':
        make_large(report, rows)
    else:
        globals()['make_' + kind](report)
    with open(out, 'w', encoding='utf-8') as file:
        json.dump(report, file)


main()
