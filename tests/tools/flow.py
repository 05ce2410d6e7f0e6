# SPDX-License-Identifier: GPL-2.0-or-later
"""flow.py - check the result of the analysis `flow`

   flow.py sums JSON TRACE       whether the edges out of each branch, and into
                                 each instruction, are as many as the executions
                                 in TRACE, Lackey's lines
   flow.py out JSON TRACE        out of each branch only
   flow.py branches JSON PROFILE whether the edges that are no sequence are the
                                 branches that the Python module reads
   flow.py calls JSON NAME...    'CALLER CALLEE CALLS' of each pair of the named
                                 functions, jumps between them included
   flow.py versions JSON NAME    versions of code of functions NAME
   flow.py dot FILE              whether as many edges enter each block as leave
                                 it, but for the first and the last
   flow.py targets FILE          the transfers of control in the events of a thread
                                 to another instruction than the next one
   flow.py prism JSON FILE       'instructions reads writes taken returns' of the
                                 events in FILE, and the same of JSON

   Prints what is wrong, and fails."""
import collections
import json
import re
import sys


def flow_of(path):
    with open(path, encoding='utf-8') as f:
        return json.load(f)


def edges_of(path):
    return flow_of(path)['analyses']['flow']['edges']


def executions(path):
    """How often each instruction was executed, the same without iterations of
    string instructions, and its length."""
    count, once, length = collections.Counter(), collections.Counter(), {}
    last = None
    with open(path, encoding='ascii') as f:
        for line in f:
            if line.startswith('I'):
                addr, n = line[1:].split(',')
                addr = int(addr, 16)
                count[addr] += 1
                once[addr] += addr != last
                length[addr] = int(n)
                last = addr
    return count, once, length


def out_edges(edges):
    out = collections.Counter()
    for e in edges:
        if e['kind'] != 'handler':
            out[e['from']] += e['count']
    return out


def check_out(path, trace):
    count, _, _ = executions(trace)
    out = out_edges(edges_of(path))
    bad = [a for a in out if out[a] != count[a]]
    for a in bad[:10]:
        print(f'{a:x}: executed {count[a]}, left {out[a]}')
    return bool(bad) or not out


def check_sums(path, trace):
    count, once, length = executions(trace)
    edges = edges_of(path)
    out, into = out_edges(edges), collections.Counter()
    for e in edges:
        into[e['to']] += e['count']
    for a in count:
        if a not in out:
            into[a] += count[a] - once[a]
            into[a + length[a]] += once[a]
    bad = [a for a in count if into[a] != count[a]]
    bad.remove(next(a for a in bad if count[a] == into[a] + 1))
    for a in bad[:10]:
        print(f'{a:x}: executed {count[a]}, entered {into[a]}')
    return check_out(path, trace) or bool(bad)


KINDS = {'jump': 0, 'taken': 0, 'indirect': 0, 'call': 1, 'return': 2,
         'system call': 3, 'handler': 4}


def is_compared(source, to, kind):
    """The module has iterations of string instructions as jumps, and not those
    jumps that lead to the next instruction."""
    return kind != 0 or not 0 <= to - source < 16


def check_branches(path, profile):
    import alleria
    ours, theirs = collections.Counter(), collections.Counter()
    for e in edges_of(path):
        if e['kind'] in KINDS and e['to']:
            ours[e['from'], e['to'], KINDS[e['kind']]] += e['count']
    with alleria.open(profile) as p:
        for batch in p.branches():
            for b in batch:
                if b.kind < 5:
                    theirs[b.from_, b.to, b.kind] += 1
    bad = [k for k in ours.keys() | theirs.keys()
           if ours[k] != theirs[k] and is_compared(*k)]
    for a, b, kind in bad[:10]:
        print(f'{a:x} {b:x} {kind}: {ours[a, b, kind]} and '
              f'{theirs[a, b, kind]}')
    return bool(bad) or not ours


def print_calls(path, *names):
    rows = flow_of(path)['analyses']['flow']['calls']
    for r in rows:
        if r['caller'] in names and r['callee'] in names:
            print(r['caller'], r['callee'], r['calls'] + r['jumps'])
    return 0


def print_versions(path, name):
    count = collections.Counter()
    for e in edges_of(path):
        if e['from_function'] == name and e['kind'] == 'return':
            count[e['from'], e['from_version']] += e['count']
    for (_, version), n in sorted(count.items()):
        print(version, n)
    return 0


def check_dot(path):
    size, into, out = {}, collections.Counter(), collections.Counter()
    with open(path, encoding='utf-8') as f:
        for line in f:
            m = re.match(r'\tb(\d+) \[.*executed (\d+)', line)
            if m:
                size[m.group(1)] = int(m.group(2))
            m = re.match(r'\tb(\d+) -> b(\d+) \[label="(\d+)"', line)
            if m:
                out[m.group(1)] += int(m.group(3))
                into[m.group(2)] += int(m.group(3))
    blocks = sorted(size, key=int)
    bad = [b for b in blocks[1:] if into[b] != size[b]]
    bad += [b for b in blocks[:-1] if out[b] != size[b]]
    for b in bad:
        print(f'b{b}: executed {size[b]}, in {into[b]}, out {out[b]}')
    return bool(bad) or len(blocks) < 3


def print_prism(path, events):
    n = collections.Counter()
    with open(events, encoding='utf-8') as f:
        for line in f:
            n[' '.join(line.split()[:2])] += 1
            n['taken'] += line.startswith('cf conditional t')
    print(n['cxt instr'], n['mem load'], n['mem store'], n['taken'],
          n['cf return'])
    d = flow_of(path)
    t = d['analyses']['flow']['totals']
    print(d['run']['instructions'], d['run']['reads'], d['run']['writes'],
          t['taken'], t['returns'])
    return 0


def check_targets(events):
    target = None
    bad = known = 0
    with open(events, encoding='utf-8') as f:
        for line in f:
            words = line.split()
            if words[0] == 'cf':
                target = words[-1]
                known += target != '0'
            elif line.startswith('cxt thread'):
                target = None
            elif line.startswith('cxt instr') and target is not None:
                if target != words[2] and bad < 5:
                    print(target, words[2])
                bad += target != words[2]
                target = None
    return bool(bad) or known < 1000


COMMANDS = {'sums': check_sums, 'out': check_out, 'branches': check_branches,
            'calls': print_calls, 'versions': print_versions,
            'dot': check_dot, 'prism': print_prism,
            'targets': check_targets}
sys.exit(COMMANDS[sys.argv[1]](*sys.argv[2:]))
