# SPDX-License-Identifier: GPL-2.0-or-later
"""loops.py - check the result of the analysis `loops`

   loops.py list JSON FILE       the loops of source file FILE, by line: function
                                 line entries iterations min max depth spin
   loops.py strides JSON FUNCTION LINE
                                 'STRIDE SHARE' for each stride of that line
   loops.py dependences JSON FILE
                                 of the loops of source file FILE, by line:
                                 function, whether vectorisable, limit, then
                                 DISTANCE:KIND of each dependence
   loops.py trace JSON TRACE     whether iterations are executions of headers in
                                 TRACE, Lackey's lines, and all numbers fit

   Prints what is wrong, and fails."""
import collections
import json
import sys


def loops_of(path):
    with open(path, encoding='utf-8') as f:
        return json.load(f)['analyses']['loops']['loops']


def print_list(path, file):
    rows = [(x['line'], x['function'], x['entries'], x['iterations'],
             x['iterations_min'], x['iterations_max'], x['depth'], x['spin'])
            for x in loops_of(path) if x['file'] == file]
    for line, function, *numbers in sorted(rows):
        print(function, line, *numbers)
    return 0


def print_strides(path, function, line):
    for x in loops_of(path):
        for s in x['strides']:
            if x['function'] == function and s['line'] == int(line):
                print(s['stride'], s['share'])
    return 0


def print_dependences(path, file):
    for x in sorted(loops_of(path), key=lambda x: (x['line'], x['depth'])):
        if x['file'] != file:
            continue
        found = sorted({'%d:%s' % (d['distance'], d['kind'])
                        for d in x['dependences']})
        print(x['function'], json.dumps(x['vectorisable']).strip('"'),
              x.get('vector_limit', '-'), *found)
    return 0


def check_trace(path, trace):
    count = collections.Counter()
    with open(trace, encoding='ascii') as f:
        for line in f:
            if line.startswith('I'):
                count[int(line[1:].split(',')[0], 16)] += 1
    n = 0
    for x in loops_of(path):
        n += 1
        low, high = x['iterations_min'], x['iterations_max']
        if count[x['address']] != x['iterations'] or not (
                1 <= x['entries'] <= x['iterations'] and low <= high and
                x['entries'] * low <= x['iterations'] and
                x['iterations'] <= x['entries'] * high):
            print(count[x['address']], x)
            n = -1000000
    return n < 2


COMMANDS = {'list': print_list, 'strides': print_strides,
            'dependences': print_dependences, 'trace': check_trace}
sys.exit(COMMANDS[sys.argv[1]](*sys.argv[2:]))
