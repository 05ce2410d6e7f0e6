# SPDX-License-Identifier: GPL-2.0-or-later
"""adaptive.py - check the log of what was adapted

   adaptive.py FILE.json...

Print each fault of a log on its own line, then the phases that occur in the
logs: "X Y Z". Which transitions occur depends on the load of the machine;
adaptive_test checks each of them."""
import json
import sys


def faults(run):
    log = run['adaptive']
    before = None
    for at, d in enumerate(log['decisions']):
        here = 'decision %d: ' % at
        if before and d['from'] != before['to']:
            yield here + 'follows another phase'
        if before and d['at_ns'] < before['at_ns'] + d['span_ns']:
            yield here + 'its period begins in the one before'
        if before and abs(d['workers'] - before['workers']) > 1:
            yield here + 'more than one worker at once'
        if before and before['programs'] == d['programs'] == 1 and \
                d['at_ns'] - d['span_ns'] == before['at_ns'] and \
                d['buffers'] < before['buffers']:
            yield here + 'buffers are taken away'
        if not 1 <= d['workers'] <= log['max_workers']:
            yield here + 'too many workers'
        # A worker that goes on counts as active until then.
        if d['idle_ns'] > log['max_workers'] * d['span_ns'] * 1.01:
            yield here + 'more idle time than there was'
        if d['wait_ns'] > d['programs'] * d['span_ns']:
            yield here + 'more waiting than there was time'
        before = d
    for key, total in ('idle_ns', 'worker_idle_ns'), ('wait_ns',
                                                      'program_wait_ns'):
        if sum(d[key] for d in log['decisions']) > run['time'][total]:
            yield 'the sum of %s is more than %s' % (key, total)


seen = set()
for path in sys.argv[1:]:
    with open(path) as file:
        run = json.load(file)['run']
    for fault in faults(run):
        print(fault)
    seen |= {d['to'] for d in run['adaptive']['decisions']}
print(*sorted(seen))
