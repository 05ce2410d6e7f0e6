# SPDX-License-Identifier: GPL-2.0-or-later
"""alone.py - whether a window's own report is that of a run of it alone

   alone.py BOTH N ALONE [KEY...]

BOTH and ALONE are JSON reports; N is the window's number in BOTH, from 0. KEYs
of analyses are left out. Prints what differs."""
import json
import sys

with open(sys.argv[1]) as both, open(sys.argv[3]) as alone:
    both, alone = json.load(both)['run'], json.load(alone)
number = int(sys.argv[2])
left_out = sys.argv[4:]


def compare(what, own, other):
    if isinstance(own, dict) and isinstance(other, dict):
        for key in sorted(set(own) | set(other)):
            if key not in left_out:
                compare('%s.%s' % (what, key), own.get(key), other.get(key))
    elif own != other:
        print('%s: %.200s, alone %.200s' % (what, own, other))


compare('analyses', both['windows'][number]['analyses'], alone['analyses'])
if not both['windows'][number]['analyses']:
    print('nothing was analysed')
for p, q in zip(both['processes'], alone['run']['processes']):
    totals = {k: v for k, v in q.items()
              if isinstance(v, int) and k in p['windows'][number]}
    compare('process %d' % p['number'],
            {k: p['windows'][number][k] for k in totals}, totals)
    if 'Ir' not in totals and 'cache' in alone['analyses']:
        print('process %d has no totals' % p['number'])
compare('processes', len(both['processes']), len(alone['run']['processes']))
